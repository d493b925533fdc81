/**
 * Answers a recorded message: shows the answer while it is being written and when it is complete, reports failures and
 * records ratings.
 */

import type { Part } from '../src/answering/parts.ts';
import type { AskStream } from '../src/asks/asks.ts';
import { type ChatReply, ReplyLost } from '../src/asks/chat.ts';
import type { ChatChannel } from '../src/asks/chats.ts';
import type { AnswerReader } from '../src/asks/may-read-answer.ts';
import { type HistoryMessage, isFromCorpus, type Language, type Style } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import { Draft } from './draft.ts';
import type { ChatApp, View } from './platform.ts';
import { Left, ViewGone } from './platform-api.ts';
import { Throttle } from './rate-limits.ts';
import { texts } from './texts.ts';

/** How long the first update of an answer waits for more text, in ms. */
const firstMs = 60;

/** Describes a failure to the user and suggests what to do about it. */
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

/**
 * A view for answers that are shown only if they are supported by a source. Nothing is shown until that is known.
 * `isConfident` says whether the answer to a request is good enough to show; `saysFailures` says whether failures are
 * shown.
 */
export function onlyWithSource(
  view: View,
  isConfident: (requestId: string) => Promise<boolean>,
  saysFailures: boolean,
): View {
  return {
    show: async () => {},
    finish: async (draft) => {
      if (draft.done && !isFromCorpus(draft.done.mode)) throw new ViewGone();
      if (!(await isConfident(draft.requestId))) throw new ViewGone();
      await view.finish(draft);
    },
    fail: async (text, draft) => {
      if (saysFailures) await view.fail(text, draft);
    },
  };
}

export interface ChatQuestion {
  query: string;
  corpus_id: string | null;
  style: Style | null;
  /** The language of the text around the answer, until the answer reports its own language. */
  lang: Language;
  history: HistoryMessage[];
  /** Whether the question was not addressed to the bot. */
  unasked: boolean;
  /** Remarks shown below the answer. */
  notes: string[];
  /** Files to search first. `read` runs before the question is asked and resolves with remarks. */
  files: {
    read(signal: AbortSignal): Promise<string[]>;
    ask(signal: AbortSignal): AsyncIterable<Part>;
  } | null;
}

export interface AnswerOptions {
  channel: ChatChannel;
  /** The current maximum interval between two updates of an unfinished answer. */
  intervalMs: () => number;
  /** Whether a question that cannot be asked right now will be retried, so that the failure is not reported yet. */
  waits: boolean;
  /** Aborts when the question is withdrawn. */
  signal: AbortSignal;
  /** Aborts when the process stops. The reply stays open so that another process can continue it. */
  leave: AbortSignal;
}

/**
 * Answers a recorded message and records that it was answered. Resolves when the answer or the reason for its failure
 * is in the chat, when nobody can read it, or when another process has taken over the reply. Rejects when the chat or
 * the history cannot be reached; the reply then stays open and is retried.
 */
export async function answer(
  app: Pick<ChatApp, 'asks' | 'access'>,
  reply: ChatReply,
  question: ChatQuestion,
  view: View,
  { channel, intervalMs, waits, signal, leave }: AnswerOptions,
): Promise<void> {
  const draft = new Draft(question.lang);
  draft.notes.push(...question.notes);
  let isGone = false;
  /** The answer is complete; it only has to be shown and recorded. */
  let isWhole = false;
  const caller = { actor: 'public', key_id: null, subject: reply.subject };
  const throttle = new Throttle(
    () =>
      view.show(draft).catch((error: unknown) => {
        if (error instanceof ViewGone) isGone = true;
      }),
    { firstMs, intervalMs },
  );
  const watched = AbortSignal.any([signal, leave]);
  let requestId: string | null = null;
  try {
    const read = async () => void draft.notes.push(...((await question.files?.read(watched)) ?? []));
    const stream = await begin(app, reply, question, channel, caller, read);
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
    // A process that takes over a reply cancels its ask.
    if (failure) await reply.held(failure.code === 'cancelled');
    if (failure) throw failure;
    isWhole = true;
    await view.finish(draft);
    await reply.end(true);
  } catch (error) {
    await throttle.end();
    if (error instanceof ReplyLost) return;
    if (error instanceof ViewGone) {
      if (requestId !== null) await app.asks.cancel(requestId, { ...caller, ...ownReader }).catch(() => {});
      return reply.end(false);
    }
    if (waits && requestId === null && error instanceof Failure && error.code === 'unavailable') throw error;
    // If a complete answer cannot be recorded in the history, that failure must not replace the answer in the chat.
    if (!(error instanceof Failure) || leave.aborted || isWhole) throw error;
    await view.fail(failureText(draft.lang, error), draft).catch((other: unknown) => {
      if (!(other instanceof ViewGone)) throw other;
    });
    await reply.end(false);
  }
}

/** A chat can read, cancel and rate its own answers, regardless of the corpora it may search. */
export const ownReader: AnswerReader = { key_id: null, mayRead: () => true };

/** Returns the ask of a reply: a new one, or the one that another process began and finished. */
async function begin(
  { asks, access }: Pick<ChatApp, 'asks' | 'access'>,
  reply: ChatReply,
  { query, corpus_id, style, history, files, unasked }: ChatQuestion,
  channel: ChatChannel,
  caller: { actor: string; key_id: null; subject: string },
  read: () => Promise<void>,
): Promise<AskStream> {
  const { request_id, subject } = reply;
  if (reply.isTaken) {
    const found = await asks.find(request_id, ownReader).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return null;
      throw error;
    });
    if (found) return found;
  }
  const asked = { request_id, query, corpus_id, style, history, channel, caller, unasked };
  const fromFiles = files?.ask;
  return asks.begin({ ...asked, ...(fromFiles && { fromFiles }) }, null, async () => {
    // If another process began the ask, that process has already counted it.
    const verdict = reply.isTaken ? null : await access.count('ask', null, subject);
    if (verdict?.allowed === false)
      throw new Failure('rate_limited', 'Too many questions.', { retryAfterS: verdict.retryAfterS });
    await read();
  });
}

/** Parses the corpus for a single question from a text such as "in:reestr_texts What …". */
export function namedCorpus(text: string): { corpus: string | null; query: string } {
  const [whole, corpus] = /(?:^|\s)in:([A-Za-z0-9][\w.-]{0,99})(?=\s|$)/.exec(text) ?? [];
  if (whole === undefined || corpus === undefined) return { corpus: null, query: text.trim() };
  return { corpus, query: text.replace(whole, ' ').trim() };
}
