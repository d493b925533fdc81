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
  /** The form to show: a date as ISO 8601, a provision as its number, a name with its noun as a dictionary has it where that is known, anything else as it stands. */
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
  /** Its words, or those beside it, say what kind it is; false: the kind is a guess, overruled by mentions whose kind is known. */
  kindKnown: boolean;
  /** How its words are inflected: 1 as in a dictionary ("Президент"), 0 inflected. The shown name is one of rank 1 where there is one. */
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
 * What a chunk says of how two of its mentions relate (`from`, `to`: their indices). `abbreviates`: initials
 * and the name they stand for, which are one entity; `holds`: a person and the office held; `defines`: a term and, where it
 * is a mention, what it stands for in this document. Offsets of the words that say so: of a definition its whole sentence.
 */
export interface Statement {
  kind: 'defines' | 'abbreviates' | 'holds';
  from: number;
  to: number | null;
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
  /** The numbered provision it is, or is a part of: what "this Article" and "point 2" alone mean. */
  unit: string | null;
  number: string | null;
  /** The nearest heading: where no number is known, the one provision it names ("Commentary on Article 23"). */
  heading: string;
}
