import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widgetScript } from '../../web/widget/script.ts';
import { openDoor, WebApp } from './fake-door.ts';

test('the widget is one classic script of less than 20 KB gzipped, and builds no markup from text', () => {
  const { bytes, gzipped } = widgetScript();
  const source = bytes.toString();
  expect(() => new Script(source)).not.toThrow();
  expect(source).not.toMatch(/^(?:import|export)\b/m);
  expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
  expect(gunzipSync(gzipped)).toEqual(bytes);
  expect(gzipped.length).toBeLessThan(20_000);
});

test('the widget is served to any origin, compressed if supported, and cached by clients', async () => {
  const { server } = openDoor(new WebApp());
  const get = (headers: Record<string, string>) => server.inject({ url: '/widget/docent.js', headers });
  const { bytes, gzipped, etag } = widgetScript();
  const plain = await get({});
  expect(plain.rawPayload).toEqual(bytes);
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=600',
    vary: 'accept-encoding',
    etag,
  });
  const packed = await get({ 'accept-encoding': 'br, gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.rawPayload).toEqual(gzipped);
  const known = await get({ 'if-none-match': `W/${etag}` });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  await server.close();
});

type ReadEvents = (
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
) => AsyncGenerator<{ id: string; event: string; data: string }>;

async function read(chunks: Uint8Array[]) {
  const { readEvents } = (await import(new URL('../../web/widget/sse.js', import.meta.url).href)) as {
    readEvents: ReadEvents;
  };
  const events = [];
  for await (const event of readEvents(ReadableStream.from(chunks), 60_000)) events.push(event);
  return events;
}

test('parses events with any line endings, cut between any bytes', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ id: line, event: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) }), {
        maxLength: 4,
      }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(400), { maxLength: 12 }),
      async (sent, end, cuts) => {
        const text = sent
          .map(({ id, event, data }) =>
            [': ping', '', `id: ${id}`, `event: ${event}`, ...data.map((one) => `data: ${one}`), '', ''].join(
              end,
            ),
          )
          .join('');
        const bytes = new TextEncoder().encode(text);
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((to, i) => bytes.slice(ends[i - 1] ?? 0, to));
        expect(await read(chunks)).toEqual(
          sent.map(({ id, event, data }) => ({ id, event: event || 'message', data: data.join('\n') })),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('ignores a truncated event', async () => {
  const bytes = (text: string) => [new TextEncoder().encode(text)];
  expect(await read(bytes('id: 1\nevent: text\ndata: {}\n'))).toEqual([]);
  expect(await read(bytes('id:1\ndata:a\n\nid: 2\n\n'))).toEqual([{ id: '1', event: 'message', data: 'a' }]);
});
