/** Random mixtures of the corpus with any other text. */
import fc from 'fast-check';
import { filled, fragments, longest } from './corpus.ts';

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 5_000 }).map((n) => `${n} `) },
);
/** Mostly short, sometimes of the maximum length. */
export const mixture = (most: number) =>
  fc
    .tuple(
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 0, max: Math.min(most, 400) }) },
        { weight: 1, arbitrary: fc.constant(most) },
      ),
    )
    .map(([parts, length]) => filled([...parts, ' '], length));

export const question = mixture(longest.question);
export const conversation = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: mixture(longest.message),
  }),
  { maxLength: 6 },
);
