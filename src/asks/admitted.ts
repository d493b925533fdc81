/** Admits a question if the search index is ready and the corpus exists. */
import type { AskQuestions, FindSourceRefs } from './ask-input.ts';
import type { Ask } from './ask-port.ts';

export interface AdmissionDeps {
  asking: Ask;
  /** Fails with `unavailable` while the read models are being built. */
  checkReady(): void;
  /**
   * Returns the corpus of a question, which the question may or may not specify. Fails with `not_found` if the corpus
   * does not exist, or if there are several and the question does not specify one.
   */
  corpusFor(wanted: string | null): Promise<string>;
}

/** The functions that ask questions. Both reject with the errors of `asking` and of the checks. */
export function admitted({ asking, checkReady, corpusFor }: AdmissionDeps): {
  ask: AskQuestions;
  sourceRefs: FindSourceRefs;
} {
  return {
    async *ask(input, signal) {
      checkReady();
      yield* asking.ask({ ...input, corpus_id: await corpusFor(input.corpus_id ?? null) }, signal);
    },
    async sourceRefs(input, signal) {
      checkReady();
      return asking.sourceRefs({ ...input, corpus_id: await corpusFor(input.corpus_id ?? null) }, signal);
    },
  };
}
