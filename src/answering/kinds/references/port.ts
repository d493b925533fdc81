/** The interface of the knowledge graph that answering uses: references between texts. */
import type { Passage, SearchScope } from '../../../ports/chunk-search.ts';
import type { ReferenceUnit } from '../../../text/references/parse.ts';
import type { ExactFinding, Found } from '../../reading/passages.ts';
import type { Referring } from './read.ts';

/** Provisions by document, and the direction in which to follow references. */
export interface ReferencesWanted extends SearchScope {
  provisions: readonly ProvisionKey[];
  referring: Referring;
}

/** A provision as identified in the graph: "article 15" of a document. */
export interface ProvisionKey {
  doc_key: string;
  unit: ReferenceUnit;
  number: string;
}

/** A reference in a passage to a provision; offsets are UTF-16 units into the passage's text. */
export interface CrossReference {
  passage: Passage;
  start: number;
  end: number;
  to: ProvisionKey;
}

export interface CrossReferences {
  /** Ordered by document and position; for references to a provision, the first of each passage. */
  items: CrossReference[];
  /** There are more items, or may be, while recent publications are being processed. */
  more: boolean;
}

/** Follows references in the texts in force of one corpus. Rejects if they are unknown. */
export type FollowReferences = (
  wanted: Pick<ReferencesWanted, 'provisions' | 'referring'>,
) => Promise<CrossReferences>;

export type FollowedReference = Omit<CrossReference, 'passage'> & { passage: Found };

/** The references to or from a provision. */
export interface FollowedReferences extends Pick<CrossReferences, 'more'> {
  finding: ExactFinding;
  referring: Referring;
  /** Only references to this target were asked for; null: any. */
  only: ExactFinding | null;
  items: readonly FollowedReference[];
  /** The targets that exist in the corpus. */
  targets: readonly Found[];
}
