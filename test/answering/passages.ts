/** A corpus of one document, in the form that answering uses. */

import type { AnswerContext } from '../../src/answering/writing/context.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';
import type { Found, RetrievalResult } from '../../src/reading/passages.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { chunkOf, factsOf } from '../support/revision.ts';

export const town: CorpusSettings = {
  title: 'Town',
  description: null,
  languages: ['en'],
  styles: [],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
};

/** One passage, in the second revision of the document "bridge". */
export const bridge = (text: string): Found => ({
  id: 1,
  ordinal: 0,
  score: 1,
  text,
  facts: factsOf({
    doc_id: 3,
    corpus_id: 'town',
    doc_key: 'bridge',
    revision: 2,
    title: 'The bridge',
    layer: town.layers[0]!,
    content_hash: 'hash',
  }),
  chunk: chunkOf(0, text.length, { chunk_index: '001' }),
});

/** A lookup with enough evidence: the first sentence of each passage is an answer. */
export const found = (hits: Found[], question: string): RetrievalResult => ({
  question,
  corrected: false,
  hits,
  sentences: hits.map(({ text }, passage) => {
    const [{ start, end } = { start: 0, end: text.length }] = splitSentences(text);
    return { passage, start, end, score: 2 - passage, share: 1, own: 1, named: true };
  }),
  evidence: {
    score: 5,
    missingNumbers: [],
    missingNames: [],
    isElsewhere: false,
    isWhole: true,
    features: {
      sentence: 1,
      title: 1,
      gap: 0.5,
      precision: 1,
      certainty: 0.9,
      kindMissing: 0,
      numberMissing: 0,
      nameMissing: 0,
      absent: 0,
      unnegated: 0,
    },
  },
  threshold: 3.5,
  answerable: true,
  exact: [],
  linked: [],
  holders: [],
  outline: null,
  changes: false,
  speakers: [],
  ofTheDay: false,
});

/** A question without a history, about this corpus. */
export const asked = (question: string, more: Partial<AnswerContext> = {}): AnswerContext => ({
  lang: 'en',
  corpus: town,
  style: null,
  asksJudgement: false,
  turns: [],
  seen: '',
  question,
  whole: question,
  more: false,
  moreReferences: false,
  moreParts: false,
  leans: false,
  pages: { page: () => '', permanent: () => null },
  ...more,
});
