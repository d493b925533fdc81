/** Determines who may read a recorded answer, cancel its ask and rate it. */

export interface AnswerReader {
  key_id: number | null;
  /** Whether this reader may see answers from a corpus. Such answers include fresh addresses of their sources. */
  mayRead(corpusId: string): boolean;
}

/**
 * Answers to questions asked with a key can be read only with that key. Any other answer can be read by callers who
 * know its id and may read its corpus.
 */
export const mayReadAnswer = (
  { keyId, corpusId }: { keyId: number | null; corpusId: string | null },
  reader: AnswerReader,
): boolean => (keyId === null || keyId === reader.key_id) && reader.mayRead(corpusId ?? '');
