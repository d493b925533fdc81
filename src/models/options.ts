/** Dependencies of every provider's models. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Embedder, ModelCall, Models, ModelUsage } from '../ports/models.ts';

/** Time and randomness. */
export interface Timing {
  /** A monotonic clock in ms. */
  now(): number;
  /** Resolves after this time, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export const realTiming: Timing = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

export interface ModelOptions {
  /** Receives messages for the operator, which contain no question, prompt or key. */
  onTrouble(sentence: string): void;
  /** Called with the usage of each finished call. */
  onUsage?(call: ModelCall, usage: ModelUsage): void;
  /** Throws a Failure if the call must not be made. */
  admit?(): void;
  timing?: Timing;
}

/** The models opened by a provider's adapter. */
export interface ProviderModels extends Models {
  /** Human-readable names of the capabilities that are currently suspended. */
  down(): string[];
  /** The embedder that computed the earlier vectors; null if it is not from this provider. */
  embedderNamed(name: string): Embedder | null;
}

/** Reports the usage of a call to the service and to the caller. */
export const billing =
  (onUsage: (usage: ModelUsage) => void, onCallUsage: (usage: ModelUsage) => void = () => {}) =>
  (usage: ModelUsage): void => {
    onUsage(usage);
    onCallUsage(usage);
  };

/** The models of a provider and their time limits. */
export interface ModelSettings {
  /** The model for each capability (writing answers, verifying them, embedding, reranking); null if it is not used. */
  chatModel: string | null;
  verifyModel: string | null;
  embedModel: string | null;
  rerankModel: string | null;
  embedDimension: number;
  /**
   * Maximum time without data in a stream, including before its first word, and time limits for embedding and reranking
   * calls.
   */
  silenceMs: number;
  embedMs: number;
  rerankMs: number;
}
