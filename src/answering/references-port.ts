/** What answering asks of the knowledge graph: where texts refer to one another. */
import type { Passage, SearchScope } from '../ports/chunk-search.ts';
import type { ReferenceUnit } from '../text/references/parse.ts';
import type { Referring } from './referring.ts';

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
