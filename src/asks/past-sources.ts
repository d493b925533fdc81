import type { Acting } from '../access/logins.ts';
import type { Position } from '../ports/event-log.ts';
import type { SourceRefsResult } from './ask-port.ts';

export interface PastLookUp {
  request_id: string;
  query: string;
  corpus_id: string | null;
  limit?: number | undefined;
}

/** The sources as they were after the event at `position`. */
export interface PastSources {
  position: Position;
  /**
   * Returns the sources that would have been found at that moment, according to the layers and visibility of that time,
   * with the text of each source. Fails with `not_found` if the corpus did not exist or was not active.
   */
  sourceRefs(lookUp: PastLookUp, acting: Acting, signal: AbortSignal): Promise<SourceRefsResult>;
}
