/**
 * Shows an answer as messages in a Telegram chat. They are sent once, edited while the answer is being written, and
 * given buttons when it is complete.
 */
import { ReplyLost } from '../../src/asks/chat.ts';
import type { Draft, ListedSource } from '../draft.ts';
import { actions } from '../notes.ts';
import type { ChatView } from '../platform.ts';
import { onlyRefusals, Refused } from '../platform-api.ts';
import { cut, type MessagePiece, markText, split } from '../splitting.ts';
import { texts } from '../texts.ts';
import type { Api } from './api.ts';
import { bold, escapeHtml, html, linked, plainOf } from './html.ts';

/**
 * The part of a message's 4,096 characters that is available for the text of an answer; the rest is for text above it.
 */
const textMax = 4_000;
const messageMax = 4_096;
const titleMax = 120;
const factsMax = 140;
const quoteMax = 300;
/** The maximum number of sources with buttons; the others are only links in the list. */
const buttonedMax = 6;

/** The destination of an answer. */
export interface Target {
  chat: number;
  /** The topic in a forum. */
  thread?: number | undefined;
  /** The message to reply to; null if there is none. */
  replyTo: number | null;
}

export interface Button {
  text: string;
  url?: string;
  callback_data?: string;
}
export type Keyboard = Button[][];

/** A message: its HTML, and its length without markup. */
export interface Html {
  html: string;
  length: number;
}

/**
 * The messages in the chat, as recorded. A bot can neither look up a message nor choose its id. Each message is
 * therefore recorded before it is sent, so that a process that takes over can warn that the message may appear twice.
 */
export interface Posted {
  ids: readonly number[];
  /** The index of the message being sent; null if there is none. */
  sending: number | null;
}

export function asPosted(messages: unknown): Posted {
  const { ids, sending } = (messages ?? {}) as Partial<Posted>;
  return {
    ids: Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : [],
    sending: typeof sending === 'number' ? sending : null,
  };
}

export interface TelegramViewOptions {
  /** Calls through this API fail once another process has taken over the reply. */
  api: Api;
  /** Deletes messages that were sent while another process took over. */
  unfenced: Api;
  /** Whether the user can ask people for help. */
  help: boolean;
  target: Target;
  /** The messages of this answer that are already in the chat. */
  posted: Posted;
  /** The text above a message that may appear twice. */
  repeated: string;
  record: (posted: Posted) => Promise<void>;
}

export class TelegramView implements ChatView {
  readonly #api: Api;
  readonly #unfenced: Api;
  readonly #help: boolean;
  readonly #target: Target;
  readonly #record: (posted: Posted) => Promise<void>;
  readonly #repeated: string;
  /** The ids of the posted messages, and their content. */
  #ids: number[];
  #sent: (string | undefined)[] = [];
  /** The messages that may appear twice. */
  readonly #doubtful = new Set<number>();

  constructor(options: TelegramViewOptions) {
    const { api, unfenced, help, target, repeated, record } = options;
    const { ids, sending } = options.posted;
    this.#api = api;
    this.#unfenced = unfenced;
    this.#help = help;
    this.#target = target;
    this.#record = record;
    this.#repeated = `<i>${escapeHtml(repeated)}</i>\n\n`;
    this.#ids = [...ids];
    if (sending !== null) this.#doubtful.add(sending);
  }

  get posted(): Posted {
    return { ids: [...this.#ids], sending: null };
  }

  async show(draft: Draft): Promise<void> {
    const stop = { text: texts[draft.lang].stop, callback_data: `${actions.stop}:${draft.requestId}` };
    for (const [n, content] of contents(bodyOf(draft), [[stop]]).entries()) {
      if (this.#sent[n] === keyOf(content)) continue;
      if (n >= this.#ids.length) await this.#send(n, content);
      else if (!(await this.#step(n, content))) return;
    }
  }

  async finish(draft: Draft): Promise<void> {
    await this.#put(contents(whole(draft), keyboardOf(draft, this.#help)));
  }

  async withdraw(): Promise<void> {
    for (const id of this.#ids.splice(0)) await this.#delete(id, this.#unfenced);
  }

  async fail(text: string, draft: Draft): Promise<void> {
    // Keep the text that was already shown.
    const shown = this.#ids.length === 0 ? [] : bodyOf(draft);
    await this.#put(contents(joined(shown, plain(text)), []));
  }

  async #put(all: readonly Content[]): Promise<void> {
    for (const [n, content] of all.entries()) {
      if (this.#sent[n] === keyOf(content)) continue;
      if (n >= this.#ids.length || !(await this.#edit(n, content))) await this.#send(n, content);
    }
    // Delete messages that the answer no longer needs: it was longer before it was corrected.
    for (const id of this.#ids.splice(all.length)) await this.#delete(id, this.#api);
    this.#sent.length = this.#ids.length;
  }

  async #delete(message_id: number, api: Api): Promise<void> {
    await api.send('deleteMessage', this.#target.chat, { message_id }).catch(onlyRefusals);
  }

  async #send(n: number, content: Content): Promise<void> {
    const { chat, thread, replyTo } = this.#target;
    const target = {
      ...(thread !== undefined && { message_thread_id: thread }),
      ...(n === 0 && replyTo !== null && replyingTo(replyTo)),
    };
    const send = (payload: () => object) =>
      this.#api.send<{ message_id: number }>('sendMessage', chat, (mayHaveWorked: boolean) => {
        if (mayHaveWorked) this.#doubtful.add(n);
        return { ...payload(), ...target };
      });
    await this.#record({ ids: this.#ids, sending: n });
    const { message_id } = await send(() => this.#payload(n, content)).catch((error: unknown) => {
      onlyRefusals(error);
      return send(() => this.#bare(n, content));
    });
    this.#ids[n] = message_id;
    this.#sent[n] = keyOf(content);
    await this.#record({ ids: this.#ids, sending: null }).catch(async (error: unknown) => {
      // The message was sent while another process took over. That process sends its own.
      if (error instanceof ReplyLost) await this.#delete(message_id, this.#unfenced);
      throw error;
    });
  }

  #payload(n: number, { text, keyboard }: Content) {
    return formatted(this.#doubtful.has(n) ? this.#repeated + text : text, keyboard);
  }

  /** The text without markup and buttons, for the case that Telegram rejects them. */
  #bare(n: number, content: Content) {
    const { text, link_preview_options } = this.#payload(n, content);
    return { text: plainOf(text), link_preview_options };
  }

  /** Updates an unfinished answer. Returns false if the update was skipped; the complete answer will follow. */
  async #step(n: number, content: Content): Promise<boolean> {
    const payload = { message_id: this.#ids[n], ...this.#payload(n, content) };
    const isShown = await this.#api.step('editMessageText', this.#target.chat, payload).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return isUnchanged(error);
    });
    if (isShown) this.#sent[n] = keyOf(content);
    return isShown;
  }

  /** Returns false if the message was deleted or can no longer be edited. */
  async #edit(n: number, content: Content): Promise<boolean> {
    for (const payload of [this.#payload(n, content), this.#bare(n, content)])
      try {
        const edit = { message_id: this.#ids[n], ...payload };
        await this.#api.send('editMessageText', this.#target.chat, edit);
        this.#sent[n] = keyOf(content);
        return true;
      } catch (error) {
        onlyRefusals(error);
        if (isUnchanged(error)) return true;
        if (isMissing(error)) return false;
      }
    return false;
  }
}

/** A message and its buttons. */
interface Content {
  text: string;
  keyboard: Keyboard | null;
}

/** The messages with the buttons below the last one. */
const contents = (messages: readonly Html[], keyboard: Keyboard): Content[] =>
  messages.map(({ html: text }, n) => ({
    text,
    keyboard: n === messages.length - 1 && keyboard.length > 0 ? keyboard : null,
  }));

const keyOf = (content: Content) => JSON.stringify(content);

const isUnchanged = (error: unknown) =>
  error instanceof Refused && /message is not modified/i.test(error.code);

/** The message was deleted or is too old to be edited. */
const isMissing = (error: unknown) =>
  error instanceof Refused &&
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i.test(error.code);

export const replyingTo = (message_id: number) => ({
  reply_parameters: { message_id, allow_sending_without_reply: true },
});

export const formatted = (text: string, keyboard: Keyboard | null) => ({
  text,
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  ...(keyboard && { reply_markup: { inline_keyboard: keyboard } }),
});

const plain = (text: string): Html => ({ html: escapeHtml(text), length: text.length });

const lengthOf = (pieces: readonly MessagePiece[]) =>
  pieces.reduce((sum, p) => sum + ('text' in p ? p.text.length : markText(p.mark).length), 0);

/** The text of the answer, without remarks and sources. */
function bodyOf(draft: Draft): Html[] {
  return split(draft.pieces(), { limit: textMax }).map((pieces) => ({
    html: html(pieces),
    length: lengthOf(pieces),
  }));
}

/** The complete answer with its remarks and sources, in as many messages as necessary. */
export function whole(draft: Draft): Html[] {
  const messages = bodyOf(draft);
  const listed = draft.listed();
  const blocks: Html[] = draft
    .remarks()
    .map((remark) => ({ html: `<i>${escapeHtml(remark)}</i>`, length: remark.length }));
  if (listed) blocks.push(sourceBlock(listed));
  return blocks.reduce(joined, messages);
}

/** Appends a block to the last message if it fits there; otherwise adds a message. */
function joined(messages: Html[], block: Html): Html[] {
  const last = messages.at(-1);
  if (!last || last.length + 2 + block.length > messageMax) return [...messages, block];
  const html = `${last.html}\n\n${block.html}`;
  return [...messages.slice(0, -1), { html, length: last.length + 2 + block.length }];
}

function sourceBlock({ heading, sources }: { heading: string; sources: readonly ListedSource[] }): Html {
  const rows = sources.map(({ number, title, facts, url, shown = [] }) => {
    const name = cut(title, titleMax);
    const quotes = shown.map((quote) => `\n“${cut(quote, quoteMax)}”`).join('');
    const rest = `${facts === '' ? '' : ` · ${cut(facts, factsMax)}`}${quotes}`;
    return {
      html: `${number}. ${linked(name, url)}${escapeHtml(rest)}`,
      length: `${number}. ${name}${rest}`.length,
    };
  });
  return {
    html: [bold(heading), ...rows.map((row) => row.html)].join('\n'),
    length: heading.length + rows.reduce((sum, row) => sum + row.length + 1, 0),
  };
}

/** Buttons to open the sources or read their passages, followed by buttons to rate the answer. */
function keyboardOf(draft: Draft, help: boolean): Keyboard {
  const t = texts[draft.lang];
  const { requestId } = draft;
  if (requestId === '') return [];
  const rows: Keyboard = (draft.listed()?.sources ?? []).slice(0, buttonedMax).flatMap((source) => {
    const { number, url, quotes } = source;
    const row: Button[] = [
      ...(url === null ? [] : [{ text: t.open(number), url }]),
      ...(quotes.length === 0
        ? []
        : [{ text: t.passage(number), callback_data: `p:${number}:${requestId}` }]),
    ];
    return row.length > 0 ? [row] : [];
  });
  const answers = draft.done !== null && draft.done.mode !== 'greeting' && draft.done.mode !== 'meta';
  const rating = [
    { text: t.up, callback_data: `${actions.rate}:u:${requestId}` },
    { text: t.down, callback_data: `${actions.rate}:d:${requestId}` },
  ];
  const people = help ? [[{ text: t.needHelp, callback_data: `${actions.help}:${requestId}` }]] : [];
  return answers ? [...rows, rating, ...people] : rows;
}

/** The passages of a source that are quoted in an answer, with their location. */
export function passageMessages(source: ListedSource): Html[] {
  const head = `${source.title}${source.facts === '' ? '' : ` · ${source.facts}`}`;
  const room = messageMax - Math.min(head.length, titleMax + factsMax) - 2;
  const messages: Html[] = [];
  for (const quote of source.quotes)
    for (const pieces of split([{ text: quote }], { limit: room - 100 })) {
      const block = { html: `<blockquote>${html(pieces)}</blockquote>`, length: lengthOf(pieces) };
      const last = messages.at(-1);
      if (last && last.length + block.length + 1 <= room)
        messages[messages.length - 1] = {
          html: `${last.html}\n${block.html}`,
          length: last.length + block.length + 1,
        };
      else messages.push(block);
    }
  const [first] = messages;
  if (first) {
    const name = cut(head, titleMax + factsMax);
    messages[0] = {
      html: `<b>${linked(name, source.url)}</b>\n${first.html}`,
      length: first.length + name.length + 1,
    };
  }
  return messages;
}
