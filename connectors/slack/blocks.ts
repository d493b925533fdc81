/** Formats answers, passages and the app's own pages as Slack blocks, within Slack's limits. */
import type { Corpus } from '../../src/asks/public-corpora.ts';
import type { ChatSettings, Language } from '../../src/domain/events.ts';
import type { Draft, ListedSource } from '../draft.ts';
import { actions } from '../notes.ts';
import type { Note } from '../platform.ts';
import { cut, type MessagePiece, split } from '../splitting.ts';
import { type Texts, texts } from '../texts.ts';
import { cutEscaped, escapeMrkdwn, linked, mentionOf, mrkdwn, shownCalled } from './text.ts';

export type Block = Record<string, unknown>;

/** A message: its blocks, and a text for notifications. `chat.update` accepts 4,000 characters. */
export interface Message {
  text: string;
  blocks: Block[];
}

/** The maximum length of a section's text; Slack accepts 3,000 characters. */
const sectionMax = 2_800;
/** The maximum length of a message whose text can still be edited. */
const messageMax = 3_600;
/**
 * The maximum length of each message if the number of messages is limited. All blocks of a message together may have
 * about 13,000 characters of JSON.
 */
const fewMax = 7_000;
const fewBodies = 3;
const blocksMax = 12_500;
const contextMax = 1_900;
const titleMax = 120;
const factsMax = 140;
const quoteMax = 300;
const urlMax = 500;
const buttonedMax = 6;
const unfurlMax = 1_000;
const fallbackMax = 3_000;
/** The maximum length of a question above an answer or in a button, whose value is limited to 2,000 characters. */
const questionMax = 1_500;

const sizeOf = (text: string) => escapeMrkdwn(text).length;
const mrkdwnText = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
const plainText = (text: string) => ({ type: 'plain_text', text, emoji: true });
const section = (text: string): Block => ({ type: 'section', text: mrkdwnText(text) });
const context = (text: string): Block => ({ type: 'context', elements: [mrkdwnText(text)] });

/** A person's exact words, without any markup. */
const quoted = (text: string): Block => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }],
});

const remarkOf = (remark: string): Block => context(`_${escapeMrkdwn(remark)}_`);

const sections = (pieces: readonly MessagePiece[]): Block[] =>
  split(pieces, { limit: sectionMax, sizeOf }).map((some) => section(mrkdwn(some)));

const messageOf = (pieces: readonly MessagePiece[]): Message => ({
  text: cut(mrkdwn(pieces), fallbackMax),
  blocks: sections(pieces),
});

/** Only the text, in as many messages as necessary. */
export const bodyOf = (pieces: readonly MessagePiece[]): Message[] =>
  split(pieces, { limit: messageMax, sizeOf }).map(messageOf);

/** The answer, or the rest of its text (`left`), with its sources and buttons after the last message. */
export const whole = (
  draft: Draft,
  options: FootOptions = {},
  left: readonly MessagePiece[] = draft.pieces(),
): Message[] => withFoot(bodyOf(left), footOf(draft, options), draft.lang);

/** The answer in a limited number of messages. If the text does not fit, it is cut and a remark says so. */
export function inFew(draft: Draft, options: FootOptions = {}): Message[] {
  const all = split(draft.pieces(), { limit: fewMax, sizeOf }).map(messageOf);
  const foot = footOf(draft, options);
  const [first, ...others] = all.slice(0, fewBodies);
  const asked = options.question ? [quoted(cut(options.question, questionMax))] : [];
  const messages = first ? [{ ...first, blocks: [...asked, ...first.blocks] }, ...others] : [];
  const cutRemark = messages.length < all.length ? [remarkOf(texts[draft.lang].cut)] : [];
  return withFoot(messages, [...cutRemark, ...foot], draft.lang);
}

function withFoot(messages: readonly Message[], foot: Block[], lang: Language): Message[] {
  const last = messages.at(-1);
  if (foot.length === 0) return [...messages];
  if (last && JSON.stringify([...last.blocks, ...foot]).length <= blocksMax)
    return [...messages.slice(0, -1), { ...last, blocks: [...last.blocks, ...foot] }];
  return [...messages, { text: texts[lang].sources, blocks: foot }];
}

export interface FootOptions {
  /** Offers to show the answer to everyone in the channel. */
  share?: boolean;
  /** The person whose answer is shared. */
  sharedBy?: string;
  /** The question, if no message above the answer shows it. */
  question?: string;
  /** Whether the user can ask people for help. */
  help?: boolean;
}

/** The remarks, sources and buttons of an answer. */
export function footOf(
  draft: Draft,
  { share = false, sharedBy, question = '', help = false }: FootOptions = {},
): Block[] {
  const t = texts[draft.lang];
  const listed = draft.listed();
  const blocks = draft.remarks().map(remarkOf);
  if (listed) blocks.push(...sourceRows(listed));
  const { requestId, done } = draft;
  if (requestId === '' || done === null) return blocks;
  const buttons: Block[] = (listed?.sources ?? [])
    .filter(({ quotes }) => quotes.length > 0)
    .slice(0, buttonedMax)
    .map(({ number }) => ({
      type: 'button',
      action_id: `passage_${number}`,
      text: plainText(t.passage(number)),
      value: `${number}:${requestId}`,
    }));
  if (share) {
    const value = `${requestId} ${cut(question, questionMax)}`.trim();
    buttons.push({ type: 'button', action_id: 'share', text: plainText(t.share), value });
  }
  const isAnswer = done.mode !== 'greeting' && done.mode !== 'meta';
  if (help && isAnswer)
    buttons.push({
      type: 'button',
      action_id: 'choice_help',
      text: plainText(t.needHelp),
      value: `${actions.help}:${requestId}`,
    });
  if (buttons.length > 0) blocks.push({ type: 'actions', elements: buttons });
  if (isAnswer)
    blocks.push({
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'feedback',
          positive_button: { text: plainText(t.up), value: `up:${requestId}` },
          negative_button: { text: plainText(t.down), value: `down:${requestId}` },
        },
      ],
    });
  if (sharedBy !== undefined) blocks.push(context(t.shared(`<@${sharedBy}>`)));
  return blocks;
}

/** A title that links to its document. The link is omitted if its address is too long for a message. */
const titled = (title: string, max: number, url: string | null): string =>
  linked(cutEscaped(title, max), url !== null && url.length <= urlMax ? url : null);

function sourceRows({ heading, sources }: { heading: string; sources: readonly ListedSource[] }): Block[] {
  const rows = sources.map(({ number, title, facts, url, shown = [] }) => {
    const rest = facts === '' ? '' : ` · ${escapeMrkdwn(cutEscaped(facts, factsMax))}`;
    const quotes = shown.map((quote) => `\n“${escapeMrkdwn(cutEscaped(quote, quoteMax))}”`);
    return [`${number}. ${titled(title, titleMax, url)}${rest}`, ...quotes].join('');
  });
  const blocks: string[] = [`*${escapeMrkdwn(heading)}*`];
  for (const row of rows) {
    const last = blocks.at(-1)!;
    if (last.length + 1 + row.length <= contextMax) blocks[blocks.length - 1] = `${last}\n${row}`;
    else blocks.push(row);
  }
  return blocks.map(context);
}

export const sentence = (text: string): Message => ({
  text: escapeMrkdwn(text),
  blocks: [section(escapeMrkdwn(text))],
});

/** A passage from a document, verbatim and without any markup. */
export function passageView(source: ListedSource, lang: Language): object {
  const t = texts[lang];
  const facts = source.facts === '' ? '' : `\n${escapeMrkdwn(cut(source.facts, factsMax * 2))}`;
  return {
    type: 'modal',
    title: plainText(t.passageTitle),
    close: plainText(t.close),
    blocks: [
      section(`*${titled(source.title, titleMax * 2, source.url)}*${facts}`),
      ...source.quotes.slice(0, 40).map(quoted),
    ],
  };
}

/** A modal in which the user asks about a message. */
export function askView(lang: Language, metadata: string): object {
  const t = texts[lang];
  return modal(lang, 'ask_about', metadata, t.askAbout, t.ask, [
    {
      ...input('question', t.askLabel, { multiline: true, max_length: 2_000 }),
      optional: true,
      hint: plainText(t.askAboutHint),
    },
  ]);
}

/** A modal with a question and a person's answer, to propose them as a curated entry. */
export function saveView(lang: Language, metadata: string, question: string, answer: string): object {
  const t = texts[lang];
  return modal(lang, 'save_answer', metadata, t.save, t.save, [
    input('question', t.question, { initial_value: question, multiline: true, max_length: 2_000 }),
    input('answer', t.savedAnswer, { initial_value: answer, multiline: true, max_length: 3_000 }),
  ]);
}

/** A modal that asks what is wrong with an answer. */
export const reasonView = (lang: Language, requestId: string): object =>
  modal(lang, 'feedback_reason', requestId, texts[lang].down, texts[lang].save, [
    { ...input('reason', texts[lang].why, { multiline: true, max_length: 1_000 }), optional: true },
  ]);

const modal = (
  lang: Language,
  callback_id: string,
  private_metadata: string,
  title: string,
  submit: string,
  blocks: Block[],
) => ({
  type: 'modal',
  callback_id,
  private_metadata,
  blocks,
  title: plainText(cut(title, 24)),
  submit: plainText(cut(submit, 24)),
  close: plainText(cut(texts[lang].close, 24)),
});

const input = (
  block_id: string,
  label: string,
  of: { initial_value?: string; [name: string]: unknown },
): Block => {
  const { initial_value, ...rest } = of;
  return {
    type: 'input',
    block_id,
    label: plainText(label),
    element: {
      type: 'plain_text_input',
      action_id: 'text',
      ...rest,
      ...(initial_value && { initial_value }),
    },
  };
};

/** Formats a note and its buttons as a message. */
export function noteOf({ text, to = [], choices = [] }: Note): Message {
  const shown = shownCalled(escapeMrkdwn(cutEscaped(text, 2_500)));
  const said = to.length === 0 ? shown : `${to.map(mentionOf).join(' ')} ${shown}`;
  const rows = choices.map((row, r) => ({
    type: 'actions',
    elements: row.map(({ label, data }, n) => ({
      type: 'button',
      action_id: `choice_${r}_${n}`,
      value: data,
      text: plainText(cut(label, 75)),
    })),
  }));
  return { text: said, blocks: [section(said), ...rows] };
}

function roomRow({ place, answers, muted }: ChatSettings & { place: string }, t: Texts): Block {
  const { name, values } = muted ? t.setting.muted : t.setting.answers;
  const value = muted ? values.true : values[answers];
  return {
    ...section(`<#${place}>\n${escapeMrkdwn(`${name}: ${value}`)}`),
    accessory: {
      type: 'button',
      action_id: `settings_${place}`,
      value: place,
      text: plainText(cut(t.change, 75)),
    },
  };
}

/** The settings of a channel, with buttons to change them. The modal's metadata contains the channel id. */
export const settingsView = (lang: Language, channel: string, note: Note): object => ({
  type: 'modal',
  callback_id: 'settings',
  private_metadata: channel,
  title: plainText(cut(texts[lang].settingsTitle, 24)),
  close: plainText(cut(texts[lang].close, 24)),
  blocks: noteOf(note).blocks,
});

/** The preview that Slack shows below a link to a passage. */
export const unfurled = (title: string, heading: string, text: string): object => ({
  blocks: [
    section(
      `*${escapeMrkdwn(cut(title, titleMax))}*${heading === '' || heading === title ? '' : ` · ${escapeMrkdwn(cut(heading, factsMax))}`}`,
    ),
    quoted(cut(text, unfurlMax)),
  ],
});

/**
 * A person's home tab in the app. For workspace administrators, `rooms` lists the channels that have their own
 * settings.
 */
export function homeView(
  lang: Language,
  corpora: readonly Corpus[],
  recent: readonly string[],
  rooms: readonly (ChatSettings & { place: string })[] = [],
): object {
  const t = texts[lang];
  const described = corpora.slice(0, 20).map(({ corpus_id, title, description, examples }) => {
    const about = description ? `\n${escapeMrkdwn(cut(description, 500))}` : '';
    const example =
      examples[0] === undefined ? '' : `\n_${escapeMrkdwn(`${t.examples}: ${cut(examples[0], 300)}`)}_`;
    return section(`*${escapeMrkdwn(cut(title, 200))}* \`in:${corpus_id}\`${about}${example}`);
  });
  return {
    type: 'home',
    blocks: [
      // This text is fixed and contains a command, so its markup is not escaped.
      section(t.homeHow),
      { type: 'divider' },
      { type: 'header', text: plainText(cut(t.homeCorpora, 150)) },
      ...(described.length > 0 ? described : [section(escapeMrkdwn(t.noAccess))]),
      ...(recent.length > 0
        ? [
            { type: 'divider' },
            { type: 'header', text: plainText(cut(t.recent, 150)) },
            ...recent.map((question) => context(escapeMrkdwn(cut(question, 500)))),
          ]
        : []),
      ...(rooms.length > 0
        ? [
            { type: 'divider' },
            { type: 'header', text: plainText(cut(t.settingsTitle, 150)) },
            ...rooms.map((room) => roomRow(room, t)),
          ]
        : []),
    ],
  };
}
