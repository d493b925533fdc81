import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/failures.ts';
import { createEntityExtractor } from '../../src/ingest/model-entities.ts';
import type { StructuredModel, StructuredRequest } from '../../src/ports/models.ts';
import { chunkOf } from '../support/revision.ts';

const passage = (text: string) => ({ text, chunk: chunkOf(0, text.length) });

/** Replies to every call with the result of `say`; anything but JSON fails. */
function generating(say: (request: StructuredRequest, call: number) => string) {
  const asked: StructuredRequest[] = [];
  const model: StructuredModel = {
    name: 'scripted',
    async complete(request) {
      asked.push(request);
      const said = say(request, asked.length - 1);
      try {
        return JSON.parse(said);
      } catch {
        throw new Failure('unavailable', 'It is not JSON.');
      }
    },
  };
  return { asked, extractor: createEntityExtractor(model) };
}
const naming = (...names: [kind: string, words: string][]) =>
  JSON.stringify({ passages: [{ passage: 1, names: names.map(([kind, words]) => ({ kind, words })) }] });

describe('the entities a model finds', () => {
  test('are stored with the places where they occur as whole words', async () => {
    const text = 'Ann met Anna Bell. Ann left Temirsai.';
    const { extractor } = generating(() =>
      naming(['person', 'Ann'], ['person', 'Anna Bell'], ['place', ' Temirsai ']),
    );
    const [found] = await extractor.extract([passage(text)]);
    expect(found).toMatchObject({ ordinal: 0, lang: 'en' });
    expect(found!.mentions.map(({ kind, start, end }) => [kind, start, text.slice(start, end)])).toEqual([
      ['person', 0, 'Ann'],
      ['person', 8, 'Anna Bell'],
      ['person', 19, 'Ann'],
      ['place', 28, 'Temirsai'],
    ]);
    for (const { text: said, start, end } of found!.mentions) expect(text.slice(start, end)).toBe(said);
  });

  test.each([
    ['words missing from the text', naming(['person', 'Bob'])],
    ['parts of words', naming(['place', 'emirsai'])],
    ['an unknown kind', naming(['provision', 'Temirsai'])],
    ['another passage', naming().replace('1', '7')],
    ['invalid JSON', 'Here are the names: Temirsai'],
    ['JSON with another schema', '{"passages": {"names": "Temirsai"}}'],
    ['nothing at all', 'null'],
    [
      'items with another schema',
      '{"passages": [null, {"passage": 1, "names": [null, 5, {"kind": "place"}]}]}',
    ],
  ])('are none if the reply is %s', async (_, answer) => {
    const { extractor } = generating(() => answer);
    expect(await extractor.extract([passage('We left Temirsai.')])).toEqual([]);
  });

  test('are requested for several passages in one call, as JSON', async () => {
    const { asked, extractor } = generating(({ content }) => {
      const { passages } = JSON.parse(content);
      const names = [{ kind: 'place', words: 'Temirsai' }];
      return JSON.stringify({
        passages: passages.map(({ passage: n }: { passage: number }) => ({ passage: n, names })),
      });
    });
    const found = await extractor.extract(Array.from({ length: 20 }, (_, n) => passage(`Temirsai ${n}`)));
    expect(found.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(asked).toHaveLength(3);
    for (const { schema } of asked) expect(schema).toMatchObject({ type: 'object' });
  });

  test('include those found before it became unavailable', async () => {
    const { asked, extractor } = generating((_, call) => {
      if (call > 0) throw new Failure('unavailable', 'The budget is spent.');
      return naming(['place', 'Temirsai']);
    });
    const found = await extractor.extract(Array.from({ length: 80 }, () => passage('Temirsai.')));
    expect(found.map(({ ordinal }) => ordinal)).toEqual([0]);
    // Only the calls in flight, and one that began after the first failure.
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  test('are missing only from the passages of an invalid reply', async () => {
    const { extractor } = generating(({ content }, call) => {
      if (call === 0) return '{"passages": [{"passa';
      const { passages } = JSON.parse(content);
      const names = [{ kind: 'place', words: 'Temirsai' }];
      return JSON.stringify({ passages: passages.map(() => ({ passage: 1, names })) });
    });
    const found = await extractor.extract(Array.from({ length: 80 }, () => passage('Temirsai.')));
    expect(found.map(({ ordinal }) => ordinal)).toEqual([8, 16, 24, 32, 40, 48, 56, 64, 72]);
  });
});
