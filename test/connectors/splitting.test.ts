import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessagePiece, markText, split } from '../../connectors/splitting.ts';

const textOf = (pieces: readonly MessagePiece[]) => pieces.map((p) => ('text' in p ? p.text : '')).join('');
const shown = (pieces: readonly MessagePiece[]) =>
  pieces.map((p) => ('text' in p ? p.text : markText(p.mark))).join('');
const bare = (text: string) => text.replaceAll(/\s/g, '');

const sentence = fc
  .array(
    fc.constantFrom(
      'Закон',
      'мүше',
      'article',
      '👩‍👩‍👧',
      'é',
      '<b>',
      '&amp;',
      '[x](y)',
      'длинноесловобезконца'.repeat(6),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((words) => `${words.join(' ')}.`);
const pieces: fc.Arbitrary<MessagePiece[]> = fc
  .array(
    fc.record({
      text: sentence,
      marks: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
      gap: fc.constantFrom(' ', '\n', '\n\n', '\n— '),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((all) =>
    all.flatMap(({ text, marks, gap }) => [{ text }, ...marks.map((mark) => ({ mark })), { text: gap }]),
  );

describe('a long answer split into messages', () => {
  it('loses nothing, respects the limit, and keeps each number with its words', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 60, max: 4096 }), (all, limit) => {
        const messages = split(all, { limit });
        expect(bare(messages.map(shown).join(''))).toBe(bare(shown(all)));
        for (const message of messages) {
          const text = shown(message);
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(text.trim()).not.toBe('');
          expect(text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
          expect('text' in message[0]!).toBe(true);
        }
      }),
    );
  });

  it('leaves full messages unchanged when text is added', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), (all, seed) => {
        const whole = split(all, { limit: 400 });
        const part = split(all.slice(0, (seed % all.length) + 1), { limit: 400 });
        expect(part.slice(0, -2)).toEqual(whole.slice(0, Math.max(0, part.length - 2)));
      }),
    );
  });

  it('ends each message at the end of a sentence if possible', () => {
    const text = Array.from(
      { length: 200 },
      (_, n) => `Это предложение номер ${n + 1} о порядке выборов. `,
    ).join('');
    const messages = split([{ text }], { limit: 1000 });
    expect(messages.length).toBeGreaterThan(8);
    for (const message of messages) expect(textOf(message)).toMatch(/^Это .* выборов\.$/s);
  });

  it('is measured in the units of its platform', () => {
    const text = '<< '.repeat(400);
    const escaped = (s: string) => s.replaceAll('<', '&lt;').length;
    for (const message of split([{ text }], { limit: 300, sizeOf: escaped }))
      expect(escaped(shown(message))).toBeLessThanOrEqual(300);
  });

  it('never splits a grapheme', () => {
    const family = '👩‍👩‍👧';
    for (const message of split([{ text: family.repeat(50) }], { limit: 60 }))
      expect(textOf(message).replaceAll(family, '')).toBe('');
  });
});
