/**
 * Asks a question over HTTP: a POST whose answer is a stream, which is resumed after an interruption. An
 * Idempotency-Key makes it safe to send the question again if no reply arrived.
 */
/** @import { Part } from '../../src/answering/parts.ts' */
import { readEvents } from './sse.js';

/** The server pings a silent stream every 15 s. */
const silenceMs = 45_000;
/** Consecutive failed attempts before the connection counts as lost; about half a minute with the delays. */
const attemptsMax = 7;
/** The same before the first reply; fewer, so that the asker learns sooner that the service cannot be reached. */
const firstAttemptsMax = 3;

/**
 * @typedef {object} Question
 * @property {string} query
 * @property {string | null} corpus_id null: the service's default corpus
 * @property {string | null} style
 * @property {{ role: 'user' | 'assistant', content: string }[]} history
 */

/**
 * Why there is no answer. `busy`: too many questions; `invalid`: the service does not accept the question; `denied`:
 * a key is required; `missing`: the corpus does not exist; `unavailable`: try again later; `offline`: the service
 * cannot be reached; `failed`: the running answer was lost.
 * @typedef {'busy' | 'invalid' | 'denied' | 'missing' | 'unavailable' | 'offline' | 'failed'} RefusalKind
 */

/** The question was not accepted, or its answer was lost. */
export class Refusal extends Error {
  /** @type {RefusalKind} */
  kind;
  /** @type {number | null} Seconds to wait before a retry, if the service states them. */
  seconds;

  /** @param {RefusalKind} kind @param {number | null} seconds */
  constructor(kind, seconds = null) {
    super(`The question failed: ${kind}.`);
    this.kind = kind;
    this.seconds = seconds;
  }
}

/**
 * Yields the parts of the answer; the last is `done` or `error`. Throws Refusal, or the signal's reason when it
 * aborts.
 *
 * @param {string} base address of the service, ending in a slash
 * @param {Question | string} question a question, or the request id of an earlier one, whose answer is read from the
 * start
 * @param {AbortSignal} signal
 * @param {() => void} onBroken called when the stream was interrupted and will be resumed
 * @returns {AsyncGenerator<Part, void>}
 */
export async function* ask(base, question, signal, onBroken) {
  const path = `${base}api/ask/stream`;
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomKey() };
  const post = { method: 'POST', headers, body: JSON.stringify(question) };
  let requestId = typeof question === 'string' ? question : '';
  let seen = 0;
  for (let vain = 0; ; ) {
    let waitS = 0;
    const began = requestId !== '';
    try {
      const request = began ? { headers: { 'last-event-id': `${requestId}:${seen}` } } : post;
      const url = began ? `${path}/${encodeURIComponent(requestId)}` : path;
      const reply = await fetch(url, { ...request, signal, credentials: 'omit', cache: 'no-store' });
      if (!reply.ok) {
        const refusal = refusalOf(reply);
        if (!began) throw refusal;
        if (!['busy', 'unavailable'].includes(refusal.kind)) throw new Refusal('failed');
        waitS = refusal.seconds ?? 0;
      } else if (reply.body) {
        for await (const { id, event, data } of readEvents(reply.body, silenceMs)) {
          const at = id.lastIndexOf(':');
          const number = Number(id.slice(at + 1));
          if (number <= seen) continue;
          requestId = id.slice(0, at);
          seen = number;
          vain = 0;
          yield/** @type {Part} */ ({ type: event, ...JSON.parse(data) });
          if (event === 'done' || event === 'error') return;
        }
      }
    } catch (error) {
      if (signal.aborted || error instanceof Refusal) throw error;
    }
    if (++vain >= (requestId === '' ? firstAttemptsMax : attemptsMax)) throw new Refusal('offline');
    onBroken();
    await pause(Math.max(waitS * 1000, 400 * 2 ** vain * (0.5 + Math.random())), signal);
  }
}

/**
 * Cancels an answer. Failures are ignored.
 *
 * @param {string} base
 * @param {string} requestId
 */
export function cancel(base, requestId) {
  const url = `${base}api/ask/stream/${encodeURIComponent(requestId)}`;
  fetch(url, { method: 'DELETE', credentials: 'omit', keepalive: true }).catch(() => {});
}

/**
 * Resolves to whether the rating was accepted.
 *
 * @param {string} base
 * @param {string} requestId
 * @param {{ rating: 'up' | 'down', comment?: string }} rating
 */
export async function rate(base, requestId, rating) {
  try {
    const reply = await fetch(`${base}api/asks/${encodeURIComponent(requestId)}/rating`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rating),
      credentials: 'omit',
    });
    return reply.ok;
  } catch {
    return false;
  }
}

/** @param {Response} reply */
function refusalOf(reply) {
  const after = Number(reply.headers.get('retry-after'));
  const seconds = Number.isInteger(after) && after > 0 ? after : null;
  if (reply.status === 429) return new Refusal('busy', seconds);
  if (reply.status >= 500) return new Refusal('unavailable', seconds);
  if (reply.status === 401 || reply.status === 403) return new Refusal('denied');
  return new Refusal(reply.status === 404 ? 'missing' : 'invalid');
}

/**
 * Waits until the time is up or the connection is back. Throws when the signal aborts.
 *
 * @param {number} ms @param {AbortSignal} signal
 */
async function pause(ms, signal) {
  const over = new AbortController();
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    globalThis.addEventListener('online', resolve, { signal: over.signal });
    signal.addEventListener('abort', resolve, { signal: over.signal });
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  over.abort();
  signal.throwIfAborted();
}

/** `crypto.randomUUID` is not available on pages loaded over plain http. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join(
    '',
  );
}
