import type { Acting } from '../access/logins.ts';
import type { SourceRefsResult } from '../answering/ask-port.ts';
import type { Position } from '../ports/event-log.ts';

export interface PastLookUp {
  request_id: string;
  query: string;
  corpus_id: string | null;
  limit?: number | undefined;
}

/** The sources there were after the event at `position`. */
export interface PastSources {
  position: Position;
  /**
   * What would have been found, by the layers and their visibility of then, with the text of each source. Failure
   * `not_found`: there was no such active corpus.
   */
  sourceRefs(lookUp: PastLookUp, acting: Acting, signal: AbortSignal): Promise<SourceRefsResult>;
}
