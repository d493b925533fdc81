/** The lexicon's records in the read models: which words translate each other, and which passages say the same. */
import type { Language } from '../domain/events.ts';

export const lexiconProjection = 'lexicon';
/** Records of what a corpus taught, of its pairs of words, and of documents that have twins. */
export const lexiconCollections = {
  learned: 'lexicon_learned',
  words: 'lexicon_words',
  twins: 'lexicon_twins',
} as const;

/** Key: the corpus. */
export interface LearnedRecord {
  corpus_id: string;
  /** `changed_at` of the corpus it was learned from. */
  at: string;
  /** Keys of its records in the other collections. */
  words: string[];
  twins: string[];
}

/** A part of the pairs of two languages. Key: corpus, languages and a counter. */
export interface WordsRecord {
  corpus_id: string;
  /** The first in the alphabet first. */
  languages: [Language, Language];
  /** How often stems are linked, of both languages. */
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
    /** For each chunk of the document the place of the twin's chunk that says the same; -1 where none does. */
    at: number[];
  }[];
}
