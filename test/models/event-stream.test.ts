import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsIn } from '../../src/models/event-stream.ts';

async function read(pieces: Iterable<Uint8Array>): Promise<string[]> {
  const found: string[] = [];
  for await (const events of eventsIn(ReadableStream.from(pieces) as ReadableStream<Uint8Array>))
    found.push(...events);
  return found;
}
const bytes = (text: string) => new TextEncoder().encode(text);

it.each([
  ['data: a\n\ndata: b\n\n', ['a', 'b']],
  ['data: a\r\n\r\ndata:b\r\n\r\n', ['a', 'b']],
  ['event: x\nid: 1\ndata: a\nretry: 5\n\n', ['a']],
  ['data: a\ndata:  b\n\n', ['a\n b']],
  [': still here\n\n:\n\ndata: a\n\n', ['a']],
  ['data:\n\n', ['']],
  ['data: a\n', ['a']],
  ['data: a\n\ndata: hal', ['a']],
  ['<html>\n\n</html>', []],
  ['', []],
])('parses the events of %j', async (text, events) => {
  expect(await read([bytes(text)])).toEqual(events);
});

it('parses the same events regardless of how the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('Сенат', '😀', '{"a": "\\n"}', ' ', 'data: '), { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 7 }),
      async (said, line, size) => {
        const all = bytes(said.map((one) => `data: ${one}${line}${line}`).join(''));
        const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
          all.slice(n * size, (n + 1) * size),
        );
        expect(await read(pieces)).toEqual(said);
      },
    ),
  );
});

it('abandons a stream with an endless line', async () => {
  const endless = Array.from({ length: 5 }, () => bytes('x'.repeat(1_000_000)));
  await expect(read(endless)).rejects.toThrow('A line of the stream is too long.');
});
