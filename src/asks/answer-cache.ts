/**
 * The answer cache. Askers who ask the same question at the same time share one lookup, and an answer is reused as
 * long as its corpus is unchanged. Questions are the same if they have the same words, style and settings and no
 * history. The FAQ cache, which also recognises other wordings, is consulted first.
 */
import type { FaqHit } from '../answering/faq-port.ts';
import type { CorpusSettings, Style } from '../domain/events.ts';
import type { Position } from '../ports/event-log.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { StageTimer } from './stage-timer.ts';

export interface AnswerCacheDeps {
  cache: Pick<ResponseCache, 'once'>;
  /** The position of the last change to a corpus (its settings, a publication or a withdrawal); null if unknown. */
  corpusChangedAt(corpusId: string): Promise<Position | null>;
  /** Whether the search index includes all events up to a position. */
  indexHolds(position: Position): boolean;
}

export interface AskedWords {
  corpus_id: string;
  settings: CorpusSettings;
  style: Style | null;
  query: string;
  /** The entry that the FAQ cache found for the question. */
  hit: FaqHit | null;
  /** Identifies the answerer (see Answerer.identity). */
  by: string;
}

/**
 * Yields the parts of an answer as `make` produces them. For a cached or shared answer, calls `onCached` and yields all
 * parts together. The computation continues when its first reader leaves, because others may be waiting for it. When
 * the last reader has left, the signal passed to `make` is aborted. Rejects if `make` rejects, and with Failure
 * `cancelled` if the signal is aborted. Parts must be JSON values.
 */
export async function* answerOnce<P>(
  { cache, corpusChangedAt, indexHolds }: AnswerCacheDeps,
  { corpus_id, settings, style, query, hit, by }: AskedWords,
  {
    make,
    isKept,
    onCached,
    timer,
    signal,
  }: {
    make(deserted: AbortSignal): AsyncIterable<P>;
    /** Whether a complete answer may be reused. */
    isKept(parts: readonly P[]): boolean;
    onCached(): void;
    timer: StageTimer;
    signal: AbortSignal;
  },
): AsyncGenerator<P, void, undefined> {
  timer.enter('cache');
  // This is read before the lookup, which may then see newer data but never older data. A cached answer is therefore
  // never older than the last change.
  const changedAt = await corpusChangedAt(corpus_id).catch(() => null);
  if (changedAt === null) {
    timer.enter(null);
    yield* make(signal);
    return;
  }
  const key = JSON.stringify([corpus_id, changedAt, settings, style, query, hit, by]);
  const relay = new Relay<P>();
  const makeParts = async (deserted: AbortSignal) => {
    timer.enter(null);
    const keep = indexHolds(changedAt);
    const parts: P[] = [];
    for await (const part of make(deserted)) {
      parts.push(part);
      relay.push(part);
    }
    return { value: parts, keep: keep && isKept(parts) };
  };
  const outcome = cache.once(key, makeParts, signal).finally(() => relay.end());
  outcome.catch(() => {});
  yield* relay;
  const { value } = await outcome;
  if (relay.used) return;
  timer.enter(null);
  onCached();
  yield* value;
}

/** Passes items from a producer to a reader. */
class Relay<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();
  used = false;

  push(item: T): void {
    this.used = true;
    this.#waiting.push(item);
    this.#signal();
  }

  end(): void {
    this.#ended = true;
    this.#signal();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await this.#wake.promise;
    }
  }

  #signal(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
