/** What of the grammar of a language is code. */
export interface Grammar {
  /** The stem of a folded word of this language, which begins as the word does; a word it knows nothing of as it stands. */
  stem(word: string): string;
  /** The word of a name with its inflection folded: of a name with a noun, and of one without ("Кенсая"). */
  foldWord(word: string): string;
  foldName(word: string): string;
}
