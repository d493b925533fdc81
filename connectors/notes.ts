/** Messages with buttons, other than answers: corpora, styles, languages, settings and data deletion. */
import { createHash } from 'node:crypto';
import type { Corpus } from '../src/asks/public-corpora.ts';
import {
  type ChatSettings,
  type Language,
  languages,
  type Rating,
  type Style,
  styles,
} from '../src/domain/events.ts';
import type { Choice, Note } from './platform.ts';
import { cut } from './splitting.ts';
import type { SettingName, Texts } from './texts.ts';

/** The maximum number of corpora to offer. */
const offeredMax = 20;
const labelMax = 60;

/** The action that a button requests. */
export type ChosenAction =
  | { kind: 'rate'; rating: Rating; requestId: string }
  | { kind: 'dropFiles'; chatId: string; user: string }
  | { kind: 'stop' | 'help' | 'resolve'; requestId: string }
  | { kind: 'forget'; user: string; isMeant: boolean }
  | { kind: 'corpus'; is: (corpusId: string) => boolean }
  | { kind: 'style'; style: Style | null }
  | { kind: 'language'; language: Language | null }
  | { kind: 'setting'; name: SettingName };

/** Returns null if the data is not from one of these buttons. */
export function parseChoice(data: string): ChosenAction | null {
  const [kind, first = '', second = ''] = data.split(':');
  switch (kind) {
    case 'r':
      return { kind: 'rate', rating: first === 'u' ? 'up' : 'down', requestId: second };
    case 'x':
      return { kind: 'stop', requestId: first };
    case 'k':
      return { kind: 'dropFiles', chatId: first, user: second };
    case 'h':
      return { kind: 'help', requestId: first };
    case 'd':
      return { kind: 'resolve', requestId: first };
    case 'f':
      return { kind: 'forget', user: first, isMeant: second === 'y' };
    case 'c':
      return { kind: 'corpus', is: (corpusId) => shortName(corpusId) === first };
    case 's':
      return { kind: 'style', style: styles.find((one) => one === first) ?? null };
    case 'l':
      return { kind: 'language', language: languages.find((one) => one === first) ?? null };
    case 'o':
      return settingNames.some((one) => one === first)
        ? { kind: 'setting', name: first as SettingName }
        : null;
    default:
      return null;
  }
}

const tick = (text: string, isChosen: boolean) => (isChosen ? `✓ ${text}` : text);

/** A short corpus id for a button, whose data is limited to 64 bytes. */
const shortName = (corpusId: string) => createHash('sha256').update(corpusId).digest('hex').slice(0, 16);

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
        data: `c:${shortName(corpus_id)}`,
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
      { label: tick(t.styles[style], (chosen ?? '') === style), data: `s:${style || '-'}` },
    ]),
  };
}

export function languageNote(t: Texts, chosen: Language | null): Note {
  const names = { ru: 'Русский', kk: 'Қазақша', en: 'English' };
  return {
    text: t.language,
    choices: [
      ...languages.map((one) => [{ label: tick(names[one], chosen === one), data: `l:${one}` }]),
      [{ label: tick(t.byUser, chosen === null), data: 'l:-' }],
    ],
  };
}

/** Asks `user` to confirm the deletion. The buttons contain the user's id, because the chat may have other members. */
export const forgetNote = (t: Texts, user: string): Note => ({
  text: t.forgetAsk,
  choices: [
    [
      { label: t.forgetYes, data: `f:${user}:y` },
      { label: t.forgetNo, data: `f:${user}:n` },
    ],
  ],
});

/** Says that files are kept for the conversation. Only their sender can remove them. */
export const filesNote = (t: Texts, names: readonly string[], chatId: string, user: string): Note => ({
  text: t.filesKept(names),
  choices: [[{ label: t.filesDrop, data: `k:${chatId}:${user}` }]],
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
    return [{ label: `${label}: ${values[String(settings[name])]}`, data: `o:${name}` }];
  }),
});
