/** Who may read a recorded answer, cancel its ask, and rate it. */

export interface AnswerReader {
  key_id: number | null;
  /** Whether its answers may be shown to this reader: they come with fresh addresses of their sources. */
  mayRead(corpusId: string): boolean;
}

/** An answer asked with a key is that key's; any other one is for whoever knows its id and may read its corpus. */
export const mayReadAnswer = (
  { keyId, corpusId }: { keyId: number | null; corpusId: string | null },
  reader: AnswerReader,
): boolean => (keyId === null || keyId === reader.key_id) && reader.mayRead(corpusId ?? '');
