/** Document revisions and their chunks, with default values. */
import type { Chunk, Layer, RevisionFacts } from '../../src/domain/events.ts';

export const mainLayer: Layer = { name: 'main', title: null, kind: 'text', visibility: 'public' };

/** An English document whose revision has no number yet. */
export const newFacts = (more: Partial<RevisionFacts> = {}): Omit<RevisionFacts, 'revision'> => ({
  doc_id: 1,
  corpus_id: 'c',
  doc_key: 'd',
  title: 'D',
  lang: 'en',
  layer: mainLayer,
  url: null,
  source_url: null,
  event_date: null,
  metadata: {},
  content_hash: 'h',
  ...more,
});

/** The facts of a document that do not identify it, as a parser states them. */
export const statedFacts = (more: Partial<RevisionFacts> = {}) => {
  const { doc_id: _, corpus_id: __, doc_key: ___, ...stated } = newFacts(more);
  return stated;
};

export const factsOf = (more: Partial<RevisionFacts> = {}): RevisionFacts => ({
  revision: 1,
  ...newFacts(more),
});

/** An English passage that belongs to no provision. */
export const chunkOf = (start: number, end: number, more: Partial<Chunk> = {}): Chunk => ({
  chunk_index: '1',
  heading: '',
  path: [],
  number: null,
  unit: null,
  question: null,
  lang: 'en',
  start,
  end,
  ...more,
});
