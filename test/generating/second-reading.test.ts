/** Words quoted as proof must be found in the passage. */
import { describe, expect, it } from 'vitest';
import { findVerbatim } from '../../src/generating/second-reading.ts';

describe('quoted words', () => {
  const text = 'The “northern” quay —\nand no other — is closed every October (see rule 5).';
  it.each([
    ['is closed every October', 'is closed every October'],
    ['The "northern" quay - and no other', 'The “northern” quay —\nand no other'],
    ['… is closed every October …', 'is closed every October'],
    ['(see rule 5)', '(see rule 5)'],
  ])('%s', (quote, found) => {
    const span = findVerbatim(text, quote)!;
    expect(text.slice(span.start, span.end)).toBe(found);
  });

  it.each(['is closed each October', 'The quay', '.*', '(', 'a', ''])('are not found: %j', (quote) => {
    expect(findVerbatim(text, quote)).toBeNull();
  });
});
