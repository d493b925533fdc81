/** Messages with buttons, other than answers: corpora, styles, languages, settings and data deletion. */
import { createHash } from 'node:crypto';
import type { Corpus } from '../src/asks/public-corpora.ts';
import { type ChatSettings, type Language, languages, type Style, styles } from '../src/domain/events.ts';
import type { Choice, Note } from './platform.ts';
import { cut } from './splitting.ts';
import type { SettingName, Texts } from './texts.ts';

/** The maximum number of corpora to offer. */
const offeredMax = 20;
const labelMax = 60;

/** What a button does: the first part of its data. It is short because the data is limited to 64 bytes. */
export const actions = {
  rate: 'r',
  stop: 'x',
  dropFiles: 'k',
  help: 'h',
  resolve: 'd',
  forget: 'f',
  corpus: 'c',
  style: 's',
  language: 'l',
  setting: 'o',
} as const;

const tick = (text: string, isChosen: boolean) => (isChosen ? `✓ ${text}` : text);

/** A short corpus id for a button, whose data is limited to 64 bytes. */
export const shortName = (corpusId: string) =>
  createHash('sha256').update(corpusId).digest('hex').slice(0, 16);

export function corporaNote(text: string, corpora: readonly Corpus[], current: Corpus | null): Note {
  const known = corpora.slice(0, offeredMax);
  const listed = known.flatMap(({ title, description }) =>
    description ? [`${title}: ${cut(description, 300)}`] : [],
  );
  return {
    text: [text, ...listed].join('\n\n'),
    choices: known.map(({ corpus_id, title }) => [
      {
        label: tick(cut(title, labelMax), corpus_id === current?.corpus_id),
        data: `${actions.corpus}:${shortName(corpus_id)}`,
      },
    ]),
  };
}

export function styleNote(t: Texts, offeredStyles: readonly string[], chosen: Style | null): Note {
  if (offeredStyles.length === 0) return { text: t.noStyles };
  const known = ['' as const, ...styles.filter((style) => offeredStyles.includes(style))];
  return {
    text: t.style,
    choices: known.map((style) => [
      { label: tick(t.styles[style], (chosen ?? '') === style), data: `${actions.style}:${style || '-'}` },
    ]),
  };
}

export function languageNote(t: Texts, chosen: Language | null): Note {
  const names = { ru: 'Русский', kk: 'Қазақша', en: 'English' };
  return {
    text: t.language,
    choices: [
      ...languages.map((one) => [
        { label: tick(names[one], chosen === one), data: `${actions.language}:${one}` },
      ]),
      [{ label: tick(t.byUser, chosen === null), data: `${actions.language}:-` }],
    ],
  };
}

/** Asks `user` to confirm the deletion. The buttons contain the user's id, because the chat may have other members. */
export const forgetNote = (t: Texts, user: string): Note => ({
  text: t.forgetAsk,
  choices: [
    [
      { label: t.forgetYes, data: `${actions.forget}:${user}:y` },
      { label: t.forgetNo, data: `${actions.forget}:${user}:n` },
    ],
  ],
});

/** Says that files are kept for the conversation. Only their sender can remove them. */
export const filesNote = (t: Texts, names: readonly string[], chatId: string, user: string): Note => ({
  text: t.filesKept(names),
  choices: [[{ label: t.filesDrop, data: `${actions.dropFiles}:${chatId}:${user}` }]],
});

/** The settings that managers change with buttons, in menu order. */
export const settingNames = [
  'answers',
  'threads',
  'silent',
  'ephemeral',
  'bots',
  'muted',
  'language',
  'style',
] as const;

/** Each button changes a setting to its next value. */
export const settingsNote = (t: Texts, names: readonly SettingName[], settings: ChatSettings): Note => ({
  text: `${t.settings}${settings.helpers.length === 0 ? '' : `\n${t.helpersHow}: ${settings.helpers.join(', ')}`}`,
  choices: names.map((name): Choice[] => {
    const { name: label, values } = t.setting[name];
    return [{ label: `${label}: ${values[String(settings[name])]}`, data: `${actions.setting}:${name}` }];
  }),
});
