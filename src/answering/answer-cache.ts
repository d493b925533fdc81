/**
 * The answer cache. Simultaneous askers of the same question share one look-up, and an answer is reused while its
 * corpus is unchanged. Questions are the same if they have the same words, style and settings and no history. The FAQ
 * cache, which also matches other wordings, is consulted first.
 */
import type { CorpusSettings, Style } from '../domain/events.ts';
import type { Position } from '../ports/event-log.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { FaqHit } from './faq-port.ts';
import type { StageTimer } from './stage-timer.ts';

export interface AnswerCacheDeps {
  cache: Pick<ResponseCache, 'once'>;
  /** Position of the last change to a corpus: its settings, a publication, a withdrawal. null: unknown. */
  corpusChangedAt(corpusId: string): Promise<Position | null>;
  /** Whether the search index includes all events up to a position. */
  indexHolds(position: Position): boolean;
}

export interface AskedWords {
  corpus_id: string;
  settings: CorpusSettings;
  style: Style | null;
  query: string;
  /** The FAQ cache's hit for the question. */
  hit: FaqHit | null;
  /** Identifies the author of the answer (see Answerer.identity). */
  by: string;
}

/**
 * Yields the parts as `make` produces them. A caller that gets a cached or shared answer receives all parts at once,
 * after a call of `onCached`. The computation continues when its first reader leaves, because others may be waiting for
 * it. When the last one has left, the signal passed to `make` aborts. Rejects as the caller's own `make` does, and with
 * Failure `cancelled` when the signal aborts. Parts are JSON.
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
  // Read before the look-up, which may see newer data but never older data, so no answer outlives a change.
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

/** Passes items from producer to reader. */
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
