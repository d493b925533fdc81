/** A corpus of one document, as answering gets to see it. */
import type { CorpusSettings } from '../../src/domain/events.ts';
import type { Found } from '../../src/retrieval/pipeline.ts';

export const town: CorpusSettings = {
  title: 'Town',
  description: null,
  languages: ['en'],
  styles: [],
  layers: [{ name: 'main', title: null, kind: 'text', visibility: 'public' }],
};

/** The second revision of the document "bridge", one passage. */
export const bridge = (text: string): Found => ({
  id: 1,
  ordinal: 0,
  score: 1,
  text,
  facts: {
    doc_id: 3,
    corpus_id: 'town',
    doc_key: 'bridge',
    revision: 2,
    title: 'The bridge',
    lang: 'en',
    layer: town.layers[0]!,
    url: null,
    source_url: null,
    event_date: null,
    metadata: {},
    content_hash: 'hash',
  },
  chunk: {
    chunk_index: '001',
    heading: '',
    path: [],
    number: null,
    unit: null,
    question: null,
    lang: 'en',
    start: 0,
    end: text.length,
  },
});
