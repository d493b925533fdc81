/** The part of a language's grammar that is code. */
export interface Grammar {
  /**
   * The stem of a folded word of this language, which has the same first letter; an unknown word is returned unchanged.
   */
  stem(word: string): string;
  /** A word of a name without inflection; the same for all cases. */
  foldName(word: string): string;
}
