/** The part of a language's grammar that is implemented in code. */
export interface Grammar {
  /**
   * Returns the stem of a folded word in this language. The stem has the same first letter as the word. Unknown words
   * are returned unchanged.
   */
  stem(word: string): string;
  /** Returns a form of a word in a name that is the same for all its inflected forms. */
  foldName(word: string): string;
}
