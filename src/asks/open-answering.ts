/** Assembles the answering module from caches, retrieval and answerers. */
import type { Reads } from '../answering/reads.ts';
import { retrieveAsConfigured } from '../answering/retrieval/with-models.ts';
import { createQueryMaker } from '../answering/search-queries.ts';
import { StampedCache } from '../async/stamped-cache.ts';
import type { Core } from '../event-sourcing/core.ts';
import { createGeneratingAnswerer, type GeneratingDeps } from '../generating/answerer.ts';
import type { Position } from '../ports/event-log.ts';
import type { Embedder, Generator, ModelUsage, Reranker, StructuredModel } from '../ports/models.ts';
import type { ResponseCache } from '../ports/response-cache.ts';
import { createAsk } from './ask.ts';
import type { Answering, AskDeps } from './ask-port.ts';

export interface AnsweringModels {
  /** Embeds questions, unless the included embedder is used. */
  embedder: Embedder | null;
  reranker: Reranker | null;
  /** Writes answers; null: answers are composed from the passages. */
  generator: Generator | null;
  /** Generates additional search queries; null: only the words of the question are searched. */
  structured: StructuredModel | null;
  verifier: GeneratingDeps['verifier'];
}

export interface AnsweringSettings {
  maxTokens: number;
  verifyMs: number;
  rewriteMs: number;
  unverified: GeneratingDeps['unverified'];
  /** The cost of model usage, in millionths of a US dollar; absent: no cost is recorded. */
  costOf?(usage: ModelUsage): number;
}

/** The embedder whose vectors are currently in use. */
type Serving = { serving(): Promise<Embedder | null> };

/** Creates retrieval with the current models, for any read models. */
export const retrievalWith =
  ({ embedder, reranker }: Pick<AnsweringModels, 'embedder' | 'reranker'>) =>
  (from: Pick<Reads, 'retrieve' | 'candidates'>, held: Serving): AskDeps['retrieve'] =>
    retrieveAsConfigured(from, {
      embedder: () => held.serving(),
      reranker,
      embeds: embedder?.deterministic === false,
    });

/** `parts`: dependencies from other modules. */
export function openAnswering(
  core: Core,
  reads: Reads,
  models: AnsweringModels,
  settings: AnsweringSettings,
  parts: Pick<AskDeps, 'pages' | 'newId' | 'enter' | 'faq' | 'references' | 'retrieve' | 'onStages'> & {
    cache: Pick<ResponseCache, 'once'>;
  },
): Answering {
  const { progress, catalog, clock, commands, onTrouble } = core;
  const { generator, structured, verifier } = models;
  const { maxTokens, verifyMs, rewriteMs, unverified, costOf } = settings;
  const { cache, ...rest } = parts;
  const corpusChanges = new StampedCache<string, Position | null>(
    () => progress.changes('corpora'),
    async (corpusId) => ((await reads.get('corpora', corpusId))?.changed_at as Position | undefined) ?? null,
  );
  const answererWith = (prompt: GeneratingDeps['prompt']): Pick<AskDeps, 'answerer' | 'queries'> => ({
    ...(generator && {
      answerer: createGeneratingAnswerer({ generator, verifier, maxTokens, verifyMs, unverified, prompt }),
    }),
    ...(generator && structured && { queries: createQueryMaker(structured, rewriteMs) }),
  });
  const deps: AskDeps = {
    clock,
    commands,
    onTrouble,
    ...rest,
    ...(costOf && { costOf }),
    corpus: (corpusId) => catalog.corpus(corpusId),
    understand: (scope, typed, signal) => reads.understand(scope, typed, signal),
    holding: (scope, words, limit) => reads.holding(scope, words, limit),
  };
  const inForce = () => commands.prompt();
  const { ask, sourceRefs } = createAsk({
    ...deps,
    ...answererWith(inForce),
    answers: {
      cache,
      corpusChangedAt: (corpusId) => corpusChanges.get(corpusId),
      indexHolds: (position) =>
        progress.hasReached('chunks', position) && progress.hasReached('graph', position),
    },
  });
  return {
    ask,
    sourceRefs,
    trial: (question, { model, prompt, onStages }, signal) => {
      const { faq: _, ...apart } = deps;
      const own = async () => (prompt === null ? inForce() : { version: 0, content: prompt });
      const tried = createAsk({
        ...apart,
        onStages,
        commands: unrecorded,
        ...(model ? answererWith(own) : { retrieve: retrieveByWords(reads) }),
      });
      return tried.ask(question, signal);
    },
  };
}

/** Retrieval without models. */
const retrieveByWords = (reads: Reads): AskDeps['retrieve'] =>
  retrievalWith({ embedder: null, reranker: null })(reads, { serving: async () => null });

/** Creates asks that are not recorded in the history. */
export const unrecorded: AskDeps['commands'] = { ask: () => ({ execute: async () => null }) };
