/**
 * Answers made once: a hundred who ask the same at once cost one look-up, and an answer is told again while the corpus
 * it was made from stands as it stood then. "The same" are the very words, asked without a history, in the same style
 * under the same settings; the FAQ cache, which takes other words for the same question, is asked before.
 */
import type { CorpusSettings, Style } from '../domain/events.ts';
import type { Position } from '../ports/event-log.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import type { FaqHit } from './deps.ts';
import type { Told } from './faq.ts';

export interface AnswersDeps {
  cache: ResponseCache;
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
}

/** `told` as it was made; `cached` when another's making is told again. Rejects only as the caller's `make` does. */
export async function answerOnce(
  { cache, corpusChangedAt, indexHolds }: AnswersDeps,
  { corpus_id, settings, style, query, hit }: AskedWords,
  make: () => Promise<Told>,
): Promise<{ told: Told; cached: boolean }> {
  // Taken before the look-up, which may see more than it says, and never less: no answer outlives a change.
  const changedAt = await corpusChangedAt(corpus_id).catch(() => null);
  if (changedAt === null) return { told: await make(), cached: false };
  const key = JSON.stringify([corpus_id, changedAt, settings, style, query, hit]);
  const { value, cached } = await cache.once(key, async () => {
    const keep = indexHolds(changedAt);
    return { value: await make(), keep };
  });
  return { told: value, cached };
}
