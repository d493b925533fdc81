/**
 * Answers made once: a hundred who ask the same at once cost one look-up, and an answer is given again while the corpus
 * it was made from is as it was then. "The same" are the very words, asked without a history, in the same style under
 * the same settings; the FAQ cache, which takes other words for the same question, is asked before.
 */
import type { CorpusSettings, Style } from '../domain/events.ts';
import type { Position } from '../ports/event-log.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { FaqHit } from './faq-port.ts';
import type { StageTimer } from './stage-timer.ts';

export interface AnswerCacheDeps {
  cache: Pick<ResponseCache, 'once'>;
  /** The last event that changed a corpus: its settings, a publication, a withdrawal. null: not known. */
  corpusChangedAt(corpusId: string): Promise<Position | null>;
  /** Whether what is searched holds all events up to there. */
  indexHolds(position: Position): boolean;
}

export interface AskedWords {
  corpus_id: string;
  settings: CorpusSettings;
  style: Style | null;
  query: string;
  /** The pair the FAQ cache has for it. */
  hit: FaqHit | null;
  /** Who makes the answer (see Answerer.identity). */
  by: string;
}

/**
 * The parts as `make` hands them out, for the one who makes them; all of them at once for those who meet a kept or
 * shared answer (`onCached` is called before). Others may wait for what is being made, so it goes on when its first
 * reader leaves, and ends (by the signal `make` is given) when the last one has. Rejects as the caller's own `make` does,
 * and with Failure `cancelled` when the signal aborts. Parts are JSON.
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
    /** Whether an answer may be given again, once it is whole. */
    isKept(parts: readonly P[]): boolean;
    onCached(): void;
    timer: StageTimer;
    signal: AbortSignal;
  },
): AsyncGenerator<P, void, undefined> {
  timer.enter('cache');
  // Taken before the look-up, which may see more than it says, and never less: no answer outlives a change.
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

/** Hands items on from who makes them to who reads them. */
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
