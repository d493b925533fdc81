/** What a chunk speaks of: the shared types of the knowledge graph. Extraction makes them, the projection folds them. */
import type { Language } from '../text/languages/index.ts';
import type { Numbered } from '../text/references/parse.ts';

export const entityKinds = [
  'person',
  'organisation',
  'place',
  'date',
  'amount',
  'law',
  'document',
  'provision',
  'term',
  'topic',
] as const;
export type EntityKind = (typeof entityKinds)[number];

/** A place of a chunk's text that names something; offsets are UTF-16 into the chunk's text. */
export interface Mention {
  kind: EntityKind;
  /** As it stands in the text, blanks in a row as one. */
  surface: string;
  /** The form to show: a date as ISO 8601, a provision as its number, anything else as it stands in the text. */
  name: string;
  /**
   * Equal for the forms of one name, whatever document they stand in: a class (`name`, `date`, `amount`, `provision`,
   * `topic`), a colon, and the name with its inflection folded, in lower case. Which kind of thing a `name` is, the
   * mentions of a key decide together.
   */
  key: string;
  start: number;
  end: number;
  /**
   * False: it may as well be an ordinary word (a capital letter that opens a sentence), so it counts only where the
   * same key is sure elsewhere.
   */
  sure: boolean;
  /** How its words stand: 1 as in a dictionary ("Президент"), 0 inflected. The shown name is one of rank 1 where there is one. */
  rank: 0 | 1;
  /** Of a provision: where it stands. */
  provision: ProvisionReference | null;
}

export interface ProvisionReference {
  /** The provision and all it stands in, the outermost first, as they are written: article 7, point 2. */
  chain: readonly Numbered[];
  /** Index of the mention of the law that is named beside it; null: none is, so it is of the text it stands in. */
  act: number | null;
}

/**
 * What a chunk says of how two of its mentions relate (`from`, `to`: their indices): `defines`: a term and what it
 * stands for; `abbreviates`: a short form and the long one. Offsets of the words that say so.
 */
export interface Statement {
  kind: 'defines' | 'abbreviates';
  from: number;
  to: number;
  start: number;
  end: number;
}

export interface ChunkEntities {
  /** By their beginnings. */
  mentions: readonly Mention[];
  statements: readonly Statement[];
}

/** What of a chunk extraction reads. */
export interface ChunkToRead {
  text: string;
  lang: Language;
}
