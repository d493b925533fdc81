/** The lexicon's records in the read models: which words translate each other, and which passages are twins. */
import type { Language } from '../domain/events.ts';

export const lexiconProjection = 'lexicon';
/** Collections: what was learned from a corpus, its pairs of words, and its documents that have twins. */
export const lexiconCollections = {
  learned: 'lexicon_learned',
  words: 'lexicon_words',
  twins: 'lexicon_twins',
} as const;

/** Key: the corpus. */
export interface LearnedRecord {
  corpus_id: string;
  /** `changed_at` of the corpus when it was learned. */
  at: string;
  /** Keys of its records in the other collections. */
  words: string[];
  twins: string[];
}

/** Some of the word pairs of two languages. Key: corpus, languages and a counter. */
export interface WordsRecord {
  corpus_id: string;
  /** In alphabetical order. */
  languages: [Language, Language];
  /** How often two stems are linked. */
  links: [a: string, b: string, times: number][];
  /** How often each occurs in the texts they were learned from. */
  seen: [a: [stem: string, times: number][], b: [stem: string, times: number][]];
}

/** The twins of a document. Key: its id. */
export interface TwinsRecord {
  corpus_id: string;
  doc_id: number;
  revision: number;
  twins: {
    doc_id: number;
    revision: number;
    lang: Language;
    /** For each chunk of the document the index of the twin's chunk that says the same; -1: none does. */
    at: number[];
  }[];
}
