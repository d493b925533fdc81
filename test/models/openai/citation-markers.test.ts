import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CitationMarkers } from '../../../src/models/openai/citation-markers.ts';
import type { GeneratedPart } from '../../../src/ports/models.ts';

const ids = ['a', 'b', 'c'];

function read(pieces: readonly string[]) {
  const markers = new CitationMarkers(ids);
  const parts: GeneratedPart[] = [];
  for (const piece of pieces) parts.push(...markers.take(piece));
  parts.push(...markers.end());
  let text = '';
  const cited: [words: string, documents: string][] = [];
  for (const part of parts) {
    if (part.type === 'text') text += part.text;
    // By then, the cited words have been output.
    if (part.type === 'citation') cited.push([text.slice(part.start, part.end), part.documents.join('')]);
  }
  return { text, cited, parts };
}

describe('citation marks', () => {
  it.each<[said: string, text: string, ...cited: [string, string][]]>([
    ['A man stays six years [1].', 'A man stays six years.', ['A man stays six years', 'a']],
    ['A man stays[2]. He goes.', 'A man stays. He goes.', ['A man stays', 'b']],
    ['Both say so [1][2].', 'Both say so.', ['Both say so', 'a'], ['Both say so', 'b']],
    ['Both say so [1] [2].', 'Both say so.', ['Both say so', 'a'], ['Both say so', 'b']],
    ['Both say so [1], [2].', 'Both say so.', ['Both say so', 'a'], ['Both say so', 'b']],
    ['Both say so [1, 3].', 'Both say so.', ['Both say so', 'ac']],
    ['Both say so [1,3].', 'Both say so.', ['Both say so', 'ac']],
    ['So [1, 1].', 'So.', ['So', 'a']],
    [
      'Six years [1], but seven for two [2].',
      'Six years, but seven for two.',
      ['Six years', 'a'],
      ['but seven for two', 'b'],
    ],
    ['First this. Then that. [3] And so on.', 'First this. Then that. And so on.', ['Then that.', 'c']],
    ['First this [1]. [2] Then that.', 'First this. Then that.', ['First this', 'a'], ['First this', 'b']],
    ['Art. 5 says so [1].', 'Art. 5 says so.', ['Art. 5 says so', 'a']],
    ['Бұл — 5-б. бойынша [2]. Әрі қарай.', 'Бұл — 5-б. бойынша. Әрі қарай.', ['Бұл — 5-б. бойынша', 'b']],
    ['- one [1]\n- two [2]\n', '- one\n- two\n', ['one', 'a'], ['two', 'b']],
    ['One 😀 [1]', 'One 😀', ['One 😀', 'a']],
    ['[1] Nothing before it.', ' Nothing before it.'],
  ])('are removed from "%s"', (said, text, ...cited) => {
    expect(read([said])).toMatchObject({ text, cited });
  });

  it.each([
    'Of [4] nobody knows, nor of [0], nor of [1, 4].',
    'See [a] and [] and [ and [1 and [1;2] and [1-2] and ].',
    'An array [1, 2, 3, 1, 2, 3, 1, 2, 3] is none.',
    'Half of one [1',
    'Half of one, too [',
    'Space   \t stays   ',
    'a[[1',
  ])('are not recognised in "%s"', (said) => {
    expect(read([said])).toMatchObject({ text: said, cited: [] });
  });

  it('are recognised inside other brackets', () => {
    expect(read(['So [[1]].'])).toMatchObject({ text: 'So [].', cited: [['So [', 'a']] });
    expect(read(['So [1 [2].'])).toMatchObject({ text: 'So [1.', cited: [['So [1', 'b']] });
  });
});

const said = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('[1]', '[2][3]', '[1, 2]', '[1,3]', ' [3]', ' [1], [2]') },
      { weight: 5, arbitrary: fc.constantFrom('Сенат', ' құқық', ' the', '.', '. ', ', ', '\n', ' 😀', '!') },
      { weight: 2, arbitrary: fc.constantFrom('[', ']', '[[', '[9]', '[1', ', ', '  ', '[1, 9]', '1', '\t') },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
    ),
    { maxLength: 40 },
  )
  .map((list) => list.join(''));

/** Text in pieces, cut anywhere, even inside surrogate pairs. */
const cutText = said.chain((text) =>
  fc.array(fc.nat(text.length), { maxLength: 60 }).map((cuts) => {
    const at = [0, ...cuts, text.length].sort((a, b) => a - b);
    return { text, pieces: at.slice(1).map((end, n) => text.slice(at[n], end)) };
  }),
);

describe('for any text, however it is divided into pieces', () => {
  it('the output is the same as for a single piece', () => {
    fc.assert(
      fc.property(cutText, ({ text, pieces }) => {
        const whole = read([text]);
        const parted = read(pieces);
        expect([parted.text, parted.cited]).toEqual([whole.text, whole.cited]);
        const places = ({ parts }: typeof whole) => parts.filter(({ type }) => type === 'citation');
        expect(places(parted)).toEqual(places(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('only marks are lost, with the white space before them and commas between them', () => {
    fc.assert(
      fc.property(cutText, ({ text, pieces }) => {
        const bare = (one: string) => one.replace(/\[[1-3](?: *, *[1-3])*\]|[ \t\u00a0\u202f,]/g, '');
        // Remaining brackets may form a new mark around a removed one: "[[1]1]".
        fc.pre(!/\[[^\]]*\[/.test(text));
        expect(bare(read(pieces).text)).toBe(bare(text));
      }),
      { numRuns: 500 },
    );
  });

  it('a citation covers words that were already output, in order, with little text buffered', () => {
    fc.assert(
      fc.property(cutText, ({ pieces }) => {
        const markers = new CitationMarkers(ids);
        let taken = '';
        let text = '';
        let end = 0;
        for (const piece of pieces) {
          taken += piece;
          for (const part of markers.take(piece)) {
            if (part.type === 'text') text += part.text;
            if (part.type !== 'citation') continue;
            expect(part.start).toBeLessThan(part.end);
            expect(part.end).toBeLessThanOrEqual(text.length);
            expect(part.end).toBeGreaterThanOrEqual(end);
            expect(text.slice(part.start, part.end)).toMatch(/[\p{L}\p{N}]/u);
            end = part.end;
          }
        }
        let held = '';
        for (const part of markers.end()) if (part.type === 'text') held += part.text;
        expect(held.length).toBeLessThanOrEqual(25);
        expect(taken.endsWith(held)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
