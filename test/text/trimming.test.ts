import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceEnclosed, withoutEnd } from '../../src/text/trimming.ts';

const text = fc.string({ unit: fc.constantFrom('a', '?', ' ', '(', ')', '{', '%', '}', 'я') });

test('withoutEnd removes the same text as its regular expression would', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(withoutEnd(one, /[\s?]/)).toBe(one.replace(/[\s?]+$/, ''));
      expect(withoutEnd(one, /\S/)).toBe(one.replace(/\S+$/, ''));
    }),
  );
});

test('replaceEnclosed replaces the same text as its regular expression would', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(replaceEnclosed(one, ['(', ')'], () => ' ')).toBe(one.replace(/\([^)]*\)/g, ' '));
      expect(replaceEnclosed(one, ['{%', '%}'], (inner) => `<${inner}>`)).toBe(
        one.replace(/\{%(.*?)%\}/g, '<$1>'),
      );
    }),
  );
});
