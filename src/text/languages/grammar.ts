/** What of the grammar of a language is code. */
export interface Grammar {
  /** The stem of a folded word of this language, which begins as the word does; a word it knows nothing of as it stands. */
  stem(word: string): string;
  /** A word of a name without its inflection, of any case the same. */
  foldName(word: string): string;
}
