/** Answers without a model: sentences chosen from the passages, word for word. */
import type { Answerer } from '../answerer.ts';
import { partsOf } from '../builder.ts';
import { fromSides } from './comparison.ts';
import { fromPassages } from './passages.ts';

export const extractiveAnswerer: Answerer = {
  async *answer(context, { kind, sides }) {
    const [{ found, edition }] = sides;
    yield* partsOf(kind === 'sides' ? fromSides(context, sides) : fromPassages(context, found, edition));
  },
};
