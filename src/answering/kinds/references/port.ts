/** The part of the knowledge graph that answering uses: references between provisions. */

import type { ReferenceUnit } from '../../../language/index.ts';
import type { Passage, SearchScope } from '../../../ports/chunk-search.ts';
import type { ExactFinding, Found } from '../../../reading/passages.ts';
import type { ReferenceDirection } from './recognise.ts';

/** The provisions whose references to follow, and the direction. */
export interface ReferencesWanted extends SearchScope {
  provisions: readonly ProvisionKey[];
  referring: ReferenceDirection;
}

/** A provision as the graph identifies it: "article 15" of a document. */
export interface ProvisionKey {
  doc_key: string;
  unit: ReferenceUnit;
  number: string;
}

/** A reference from a passage to a provision. Offsets are in UTF-16 units of the passage's text. */
export interface CrossReference {
  passage: Passage;
  start: number;
  end: number;
  to: ProvisionKey;
}

export interface CrossReferences {
  /** Ordered by document and position. If references to a provision are followed, only the first in each passage. */
  items: CrossReference[];
  /** Whether there are, or may be, more items, for example because recent publications are still being processed. */
  more: boolean;
}

/** Follows references in the current texts of a corpus. Rejects if the references are unknown. */
export type FollowReferences = (
  wanted: Pick<ReferencesWanted, 'provisions' | 'referring'>,
) => Promise<CrossReferences>;

export type FollowedReference = Omit<CrossReference, 'passage'> & { passage: Found };

/** The references to or from a provision. */
export interface FollowedReferences extends Pick<CrossReferences, 'more'> {
  finding: ExactFinding;
  referring: ReferenceDirection;
  items: readonly FollowedReference[];
  /** The passages of the targets that the corpus contains. */
  targets: readonly Found[];
}
