/** What answering asks of the knowledge graph: where texts refer to one another. */
import type { Passage, SearchScope } from '../../../ports/chunk-search.ts';
import type { ReferenceUnit } from '../../../text/references/parse.ts';
import type { ExactFinding, Found } from '../../reading/read.ts';
import type { Referring } from './read.ts';

/** Provisions by the document they stand in, and which way references are to be followed from them. */
export interface ReferencesWanted extends SearchScope {
  provisions: readonly ProvisionKey[];
  referring: Referring;
}

/** A provision as the graph knows it: "article 15" of a document. */
export interface ProvisionKey {
  doc_key: string;
  unit: ReferenceUnit;
  number: string;
}

/** A place where a passage refers to a provision; offsets are UTF-16 units into the passage's text. */
export interface CrossReference {
  passage: Passage;
  start: number;
  end: number;
  to: ProvisionKey;
}

export interface CrossReferences {
  /** By document and place; of what refers to a provision the first of each passage. */
  items: CrossReference[];
  /** There are more than these, or there may be: what has just been published is still being read. */
  more: boolean;
}

/** Follows references in the texts in force of one corpus. Rejects where it cannot be told. */
export type FollowReferences = (
  wanted: Pick<ReferencesWanted, 'provisions' | 'referring'>,
) => Promise<CrossReferences>;

export type FollowedReference = Omit<CrossReference, 'passage'> & { passage: Found };

/** What refers to a provision, or what it refers to. */
export interface FollowedReferences extends Pick<CrossReferences, 'more'> {
  finding: ExactFinding;
  referring: Referring;
  /** Only what leads there was asked for; null: whatever it refers to. */
  only: ExactFinding | null;
  items: readonly FollowedReference[];
  /** What it refers to, as far as it is here. */
  targets: readonly Found[];
}
