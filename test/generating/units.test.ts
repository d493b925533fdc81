/** A model's text is split into sentences as it arrives, regardless of the size of its pieces. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitsOf, type WrittenUnit } from '../../src/generating/units.ts';
import type { GeneratedPart } from '../../src/ports/models.ts';

const end: GeneratedPart = { type: 'end', finish: 'stop', usage: null };

async function unitsIn(parts: readonly GeneratedPart[]): Promise<WrittenUnit[]> {
  const units: WrittenUnit[] = [];
  async function* all() {
    yield* parts;
  }
  for await (const unit of unitsOf(all())) if ('text' in unit) units.push(unit);
  return units;
}

const cite = (text: string, of: string, ...documents: string[]): GeneratedPart => ({
  type: 'citation',
  start: text.indexOf(of),
  end: text.indexOf(of) + of.length,
  documents,
});

describe('units', () => {
  it('are whole sentences with their citations, and the white space between them', async () => {
    const text = 'The bridge was built in 1932. It is red.\n\nNobody may fish.';
    const units = await unitsIn([
      { type: 'text', text },
      cite(text, 'built in 1932', '1', '2'),
      cite(text, 'red', '1'),
      end,
    ]);
    expect(units).toMatchObject([
      { text: 'The bridge was built in 1932.', gap: '', cites: ['1', '2'] },
      { text: 'It is red.', gap: ' ', cites: ['1'] },
      { text: 'Nobody may fish.', gap: '\n\n', cites: [] },
    ]);
  });

  it('distinguish the introduction of a list from its items', async () => {
    const text = 'Bring along what is needed:\n- a passport\n- two photos';
    expect(
      (await unitsIn([{ type: 'text', text }, end])).map(({ isHead, isItem }) => [isHead, isItem]),
    ).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it('include the short opening before them', async () => {
    expect(
      (await unitsIn([{ type: 'text', text: 'No. It is not allowed there.' }, end])).map(({ text }) => text),
    ).toEqual(['No. It is not allowed there.']);
  });

  it('are the same for any division into pieces', async () => {
    const text =
      'Нет, ст. 5 этого не запрещает. Срок равен 1,5 года, т.е. 18 месяцам.\nНужны такие документы:\n1. паспорт\n2. две фотографии 3 x 4 см.\n\nОбращайтесь в г. Астана!';
    const whole = await unitsIn([{ type: 'text', text }, end]);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(text.length), { maxLength: 40 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((to, n) => text.slice(at[n], to));
        const parts = pieces.map((piece): GeneratedPart => ({ type: 'text', text: piece }));
        expect(await unitsIn([...parts, end])).toEqual(whole);
      }),
    );
    expect(whole.map(({ gap, text: one }) => gap + one).join('')).toBe(text);
  });

  it('lose an incomplete last sentence at the length limit', async () => {
    const text = 'The bridge was built in 1932. It is';
    const cut: GeneratedPart = { type: 'end', finish: 'length', usage: null };
    expect((await unitsIn([{ type: 'text', text }, cut])).map((one) => one.text)).toEqual([
      'The bridge was built in 1932.',
    ]);
  });
});
