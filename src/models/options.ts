/** What the service gives to every provider's models. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Embedder, ModelCall, Models, ModelUsage } from '../ports/models.ts';

/** How time passes, and chance. */
export interface Timing {
  /** Milliseconds that only grow. */
  now(): number;
  /** Resolves after so long, or rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}

export const realTiming: Timing = {
  now: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  random: Math.random,
};

export interface ModelOptions {
  /** Sentences for the operator; no question, prompt or key stands in them. */
  onTrouble(sentence: string): void;
  /** What each call cost, as it has ended. */
  onUsage?(call: ModelCall, usage: ModelUsage): void;
  /** Throws the Failure by which a call is not to be made. */
  admit?(): void;
  timing?: Timing;
}

/** What a provider's adapter opens. */
export interface ProviderModels extends Models {
  /** What is done without at the moment, for people. */
  down(): string[];
  /** An embedder that made vectors before; null for one that is not the provider's. */
  embedderNamed(name: string): Embedder | null;
}

/** What one call cost, to the room and to the caller. */
export const billing =
  (onUsage: (usage: ModelUsage) => void, onCallUsage: (usage: ModelUsage) => void = () => {}) =>
  (usage: ModelUsage): void => {
    onUsage(usage);
    onCallUsage(usage);
  };

/** Which models of a provider are used, and how long each may take. */
export interface ModelSettings {
  /** null: no model writes answers, none reads them again, none embeds, none reranks. */
  chatModel: string | null;
  verifyModel: string | null;
  embedModel: string | null;
  rerankModel: string | null;
  embedDimension: number;
  /** The longest silence of a stream, before its first word too; of a call to embed, and of one to rerank. */
  silenceMs: number;
  embedMs: number;
  rerankMs: number;
}
