/** Who may read a recorded answer, cancel its ask, and rate it. */

export interface AnswerReader {
  key_id: number | null;
  /** Whether its answers may be shown to this reader: they come with fresh addresses of their sources. */
  mayRead(corpusId: string): boolean;
}

/** A key's answers are that key's alone; any other answer is for callers who know its id and may read its corpus. */
export const mayReadAnswer = (
  { keyId, corpusId }: { keyId: number | null; corpusId: string | null },
  reader: AnswerReader,
): boolean => (keyId === null || keyId === reader.key_id) && reader.mayRead(corpusId ?? '');
