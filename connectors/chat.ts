/**
 * What all chats have in common: an answer's parts as text with numbered sources, how it is shown while it grows and
 * when it is whole, what is said when it fails, whose conversation it belongs to, and how it is rated. Connectors bring
 * the platform: where messages come from, and a view that shows an answer there.
 */
import type { Part, SourceRef } from '../src/answering/parts.ts';
import type { App } from '../src/app-port.ts';
import type { AnswerReader } from '../src/asks/answer-reader.ts';
import type { AskStream, Asks } from '../src/asks/asks.ts';
import type { ChatChannel, ChatReply, Chats } from '../src/asks/chats.ts';
import type { AskHistory } from '../src/asks/history.ts';
import type { Corpus } from '../src/asks/public-corpora.ts';
import type { HistoryMessage, Language, Style } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import type { Leases } from '../src/ports/leases.ts';
import { realTime, Throttle, type Time } from './pace.ts';
import type { Piece } from './splitting.ts';
import { readableDate, texts } from './texts.ts';

/** The use cases chats call. */
export interface ChatApp extends Pick<App, 'sourceRefs' | 'corpora' | 'forgetOneself'> {
  asks: Pick<Asks, 'begin' | 'find' | 'cancel'>;
  history: Pick<AskHistory, 'rate'>;
  access: Pick<App['access'], 'count'>;
  chats: Pick<Chats, 'open' | 'close' | 'subject' | 'chat' | 'recent' | 'takeOver'>;
  leases: Leases;
}

/** The longest question, in characters. */
export const questionMax = 2_000;
/** The name of the layer of a corpus that has no others: it says nothing. */
const onlyLayer = 'main';
/** Sources that are listed where nothing was cited. */
const nearestMax = 3;
/** Sources of one answer that are listed. */
const listedMax = 12;
/** What closes a quotation belongs before its number. */
const closing = /^[»”’"')\]]+/;

/** A source as it is listed. */
export interface ListedSource {
  number: number;
  ref: string;
  /** Title of the document. */
  title: string;
  /** Heading, layer, date, language where they say something; joined with dots. */
  facts: string;
  /** An address that opens for people; null where the service knows none. */
  url: string | null;
  /** What the answer quotes of it, word for word. */
  quotes: string[];
}

/** An answer as far as its parts have come. */
export class Draft {
  requestId = '';
  lang: Language;
  sources: SourceRef[] = [];
  replaced = false;
  done: Extract<Part, { type: 'done' }> | null = null;
  #segments: { text: string; label: boolean }[] = [];
  #length = 0;
  #marks: { end: number; number: number }[] = [];
  /** Numbers are given in the order of first citation. */
  readonly #numbers = new Map<string, number>();
  readonly #quotes = new Map<string, string[]>();

  /** `lang`: until the answer says which it is in. */
  constructor(lang: Language) {
    this.lang = lang;
  }

  take(part: Part): void {
    switch (part.type) {
      case 'meta':
        this.requestId = part.request_id;
        this.lang = part.lang;
        break;
      case 'sources':
        this.sources = part.sources;
        break;
      case 'text':
        this.#segments.push({ text: part.text, label: part.label ?? false });
        this.#length += part.text.length;
        break;
      case 'citation': {
        const number = this.#numbers.get(part.ref) ?? this.#numbers.size + 1;
        this.#numbers.set(part.ref, number);
        const quotes = this.#quotes.get(part.ref) ?? [];
        if (!quotes.includes(part.quote)) quotes.push(part.quote);
        this.#quotes.set(part.ref, quotes);
        if (!this.#marks.some((mark) => mark.end === part.end && mark.number === number))
          this.#marks.push({ end: part.end, number });
        break;
      }
      case 'replace':
        this.#segments = [{ text: part.answer, label: false }];
        this.#length = part.answer.length;
        this.#marks = [];
        this.#numbers.clear();
        this.#quotes.clear();
        this.replaced = true;
        break;
      case 'done':
        this.done = part;
        break;
    }
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /**
   * What only names a source behind a number is left out: the sources are listed. What is named on a line of its own, or
   * without a number, is what the answer says. A number at the very end may move while text comes.
   */
  pieces(): Piece[] {
    const text = this.#segments.map((segment) => segment.text).join('');
    const marks = this.#marks
      .map(({ end, number }) => ({
        end: end + (closing.exec(text.slice(end, end + 8))?.[0].length ?? 0),
        number,
      }))
      .sort((a, b) => a.end - b.end);
    const pieces: Piece[] = [];
    let at = 0;
    let next = 0;
    const addText = (from: number, to: number) => {
      if (to > from) pieces.push({ text: text.slice(from, to) });
    };
    for (const segment of this.#segments) {
      const end = at + segment.text.length;
      const line = text.lastIndexOf('\n', at) + 1;
      const isNumbered = line <= at && marks.some((mark) => mark.end > line && mark.end <= at);
      const isLeftOut = segment.label && isNumbered;
      for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
        if (!isLeftOut) addText(at, mark.end);
        at = Math.max(at, mark.end);
        pieces.push({ mark: mark.number });
      }
      if (!isLeftOut) addText(at, end);
      at = end;
    }
    return pieces;
  }

  /** Remarks below the answer. */
  remarks(): string[] {
    const t = texts[this.lang];
    return [
      ...(this.done?.finish_reason === 'length' ? [t.cut] : []),
      ...(this.replaced ? [t.replaced] : []),
      ...(this.done?.degraded ? [t.degraded] : []),
    ];
  }

  /** The sources that are cited, by their numbers; where nothing is, the nearest. */
  listed(): { heading: string; sources: ListedSource[] } | null {
    const t = texts[this.lang];
    const cited = [...this.#numbers].flatMap(([ref, number]) => {
      const source = this.sources.find((one) => one.ref === ref);
      return source ? [this.#listed(source, number)] : [];
    });
    if (cited.length > 0) return { heading: t.sources, sources: cited.slice(0, listedMax) };
    const nearest = this.sources.slice(0, nearestMax).map((source, n) => this.#listed(source, n + 1));
    return nearest.length > 0 ? { heading: t.nearest, sources: nearest } : null;
  }

  #listed(source: SourceRef, number: number): ListedSource {
    const { lang } = this;
    const layer = source.layer_title ?? (source.layer === onlyLayer ? '' : source.layer);
    const title = source.title || source.heading || layer || source.doc_key;
    const facts = [
      source.heading === title ? '' : source.heading,
      layer === title ? '' : layer,
      source.event_date ? readableDate(source.event_date, lang) : '',
      source.page === undefined ? '' : texts[lang].page(source.page),
      source.lang === lang ? '' : texts[lang].languages[source.lang],
    ];
    return {
      number,
      ref: source.ref,
      title,
      facts: facts.filter(Boolean).join(' · '),
      url: [source.page_url, source.url].find(opens) ?? null,
      quotes: this.#quotes.get(source.ref) ?? [],
    };
  }
}

/** Whether people can open an address from a chat: platforms refuse those of one machine. */
export function opens(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.');
}

/** What is said of a failure, with what to do about it. */
export function failureText(lang: Language, error: unknown): string {
  const t = texts[lang];
  const failure = error instanceof Failure ? error : new Failure('internal', '');
  switch (failure.code) {
    case 'rate_limited':
      return t.limited(failure.retryAfterS ?? null);
    case 'unavailable':
    case 'storage_full':
    case 'conflict':
      return t.unavailable;
    case 'timeout':
      return t.timeout;
    case 'unauthorized':
    case 'forbidden':
    case 'not_found':
      return t.noAccess;
    case 'gone':
      return t.gone;
    case 'cancelled':
      return t.cancelled;
    case 'too_large':
      return t.tooLong;
    default:
      return t.failed;
  }
}

/** Where an answer is shown. */
export interface View {
  /** What stands there may be behind. Rejects with ViewGone; other troubles are its own to bear. */
  show(draft: Draft): Promise<void>;
  /** The answer as it stays. Rejects with ViewGone, or when it could not be delivered for long. */
  finish(draft: Draft): Promise<void>;
  /** There is no answer, for a reason. As `finish`. */
  fail(text: string): Promise<void>;
}

/** Nobody reads there any more: the chat is closed to us, or the question was taken back. */
export class ViewGone extends Error {
  constructor() {
    super('Nobody reads this answer any more.');
    this.name = 'ViewGone';
  }
}

export interface Question {
  query: string;
  corpus_id: string | null;
  style: Style | null;
  /** Of what is said around the answer, until the answer tells its own. */
  lang: Language;
  history: HistoryMessage[];
}

export interface AnswerOptions {
  channel: ChatChannel;
  /** The longest between two showings of a growing answer, at this moment. */
  intervalMs: () => number;
  /** How long the first showing waits for more. */
  firstMs?: number;
  time?: Time;
  /** The question was taken back. */
  signal: AbortSignal;
  /** The process ends: the reply stays open, for another process to continue. */
  leave: AbortSignal;
}

/** This process does not go on with a reply. */
export class Left extends Error {
  constructor() {
    super('The process ends.');
    this.name = 'Left';
  }
}

const firstMsDefault = 60;

/**
 * Answers a message that was recorded, and records that it was. Resolves true when the answer stands in the chat; false
 * when nobody reads it there, or it failed and that was said. Rejects when the chat cannot be reached: the reply then
 * stays open, for whoever goes on with it.
 */
export async function answer(
  app: Pick<ChatApp, 'asks' | 'access'>,
  reply: ChatReply,
  question: Question,
  view: View,
  { channel, intervalMs, firstMs = firstMsDefault, time = realTime, signal, leave }: AnswerOptions,
): Promise<boolean> {
  const draft = new Draft(question.lang);
  let isGone = false;
  const caller = { actor: 'public', key_id: null, subject: reply.subject };
  const throttle = new Throttle(
    () =>
      view.show(draft).catch((error: unknown) => {
        if (error instanceof ViewGone) isGone = true;
      }),
    { firstMs, intervalMs, time },
  );
  const watched = AbortSignal.any([signal, leave]);
  let requestId: string | null = null;
  try {
    const stream = await begin(app, reply, question, channel, caller);
    requestId = stream.requestId;
    let failure: Failure | null = null;
    for await (const { part } of stream.after(0, watched)) {
      draft.take(part);
      if (part.type === 'error') failure = new Failure(part.code, part.detail);
      else if (part.type === 'text') throttle.changed();
      if (isGone) break;
    }
    await throttle.end();
    if (leave.aborted) throw new Left();
    if (isGone || signal.aborted) throw new ViewGone();
    if (failure) throw failure;
    await view.finish(draft);
    await reply.end(true);
    return true;
  } catch (error) {
    await throttle.end();
    if (error instanceof ViewGone) {
      if (requestId !== null) await app.asks.cancel(requestId, { ...caller, ...ownReader }).catch(() => {});
      await reply.end(false);
      return false;
    }
    if (!(error instanceof Failure) || leave.aborted) throw error;
    await view.fail(failureText(draft.lang, error)).catch((other: unknown) => {
      if (!(other instanceof ViewGone)) throw other;
    });
    await reply.end(false);
    return false;
  }
}

/** A chat reads, cancels and rates the answers it gave itself, whichever corpora it may ask. */
const ownReader: AnswerReader = { key_id: null, mayRead: () => true };

/** The ask of a reply: begun now, or the one that another process had begun and ended. */
async function begin(
  { asks, access }: Pick<ChatApp, 'asks' | 'access'>,
  reply: ChatReply,
  { query, corpus_id, style, history }: Question,
  channel: ChatChannel,
  caller: { actor: string; key_id: null; subject: string },
): Promise<AskStream> {
  const { request_id, subject } = reply;
  if (reply.isTaken) {
    const found = await asks.find(request_id, ownReader).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return null;
      throw error;
    });
    if (found) return found;
  }
  if ([...query].length > questionMax) throw new Failure('too_large', 'The question is too long.');
  return asks.begin({ request_id, query, corpus_id, style, history, channel, caller }, null, async () => {
    // What another process began was counted there.
    if (reply.isTaken) return;
    const verdict = await access.count('ask', null, subject);
    if (verdict?.allowed === false)
      throw new Failure('rate_limited', 'Too many questions.', { retryAfterS: verdict.retryAfterS });
  });
}

/** An answer that was given, as it is shown. Failure `not_found`, `gone`, and that of an ask without an answer. */
export async function recorded(
  { asks }: Pick<ChatApp, 'asks'>,
  requestId: string,
  lang: Language,
): Promise<Draft> {
  const draft = new Draft(lang);
  const stream = await asks.find(requestId, ownReader);
  for await (const { part } of stream.after(0, AbortSignal.timeout(findMs))) {
    if (part.type === 'error') throw new Failure(part.code, part.detail);
    draft.take(part);
  }
  if (draft.done === null) throw new Failure('not_found', 'The question has not been answered yet.');
  return draft;
}

const findMs = 10_000;

/** Says what an answer was worth to whoever says it. Failure `not_found`, `rate_limited`, `unavailable`. */
export async function rate(
  { history, access }: Pick<ChatApp, 'history' | 'access'>,
  requestId: string,
  rating: 'up' | 'down',
  subject: string,
): Promise<void> {
  const verdict = await access.count('rate', null, subject);
  if (verdict?.allowed === false) throw new Failure('rate_limited', 'Too many ratings.');
  const caller = { actor: 'public', subject, ...ownReader };
  await history.rate(requestId, { rating, comment: null }, caller);
}

/** Forgets whoever asks for it; resolves with what is said of it, once it is done or cannot be. */
export async function forgetAsker(
  app: Pick<ChatApp, 'forgetOneself'>,
  subject: string,
  lang: Language,
): Promise<string> {
  const t = texts[lang];
  try {
    const { done } = await app.forgetOneself(subject);
    await done;
    return t.forgotten;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'rate_limited') return t.forgetLater(error.retryAfterS ?? null);
    return error.code === 'conflict' ? t.cannotForget : failureText(lang, error);
  }
}

/**
 * The corpora that may be asked, of those `allowed` (null: all) in their order, and the one that is asked unless another
 * is named: the one `chosen` before, else the first allowed, else the service's default. null: none may be asked, or
 * there are several and nothing says which.
 */
export async function choice(
  { corpora }: Pick<ChatApp, 'corpora'>,
  allowed: readonly string[] | null,
  chosen: string | null,
  lang: Language,
): Promise<{ corpora: Corpus[]; current: Corpus | null }> {
  const active = await corpora(lang);
  const open =
    allowed === null ? active : allowed.flatMap((id) => active.filter(({ corpus_id }) => corpus_id === id));
  const current =
    open.find(({ corpus_id }) => corpus_id === chosen) ??
    (allowed === null ? open.find(({ is_default }) => is_default) : open[0]) ??
    (open.length === 1 ? open[0] : undefined);
  return { corpora: open, current: current ?? null };
}

/** "in:reestr_texts What …" names the corpus of one question. */
export function namedCorpus(text: string): { corpus: string | null; query: string } {
  const [whole, corpus] = /(?:^|\s)in:([A-Za-z0-9][\w.-]{0,99})(?=\s|$)/.exec(text) ?? [];
  if (whole === undefined || corpus === undefined) return { corpus: null, query: text.trim() };
  return { corpus, query: text.replace(whole, ' ').trim() };
}
