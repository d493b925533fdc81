/**
 * The bilingual lexicon. No event changes it by itself: it is what the documents of a corpus teach together, so whoever
 * runs this projection learns it from the other read models when they have settled (src/workers/lexicon-learner.ts)
 * and commits it here.
 */
import { lexiconCollections, lexiconProjection } from '../src/ports/lexicon.ts';
import { analysed } from './analysed.ts';
import type { Projection } from './runner.ts';

const fields = { corpus_id: 'tag' } as const;

export const lexicon: Projection = {
  name: lexiconProjection,
  version: analysed(1),
  collections: Object.values(lexiconCollections).map((name) => ({ name, fields })),
  on: {},
};
