import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceLinks } from '../../src/asks/source-links.ts';

const day = 86_400_000;
const noon = Date.parse('2026-05-04T12:00:00.000Z');
const secret = Buffer.alloc(32, 7);

function links({ now = noon, key = secret as Buffer | null, publicUrl = null as string | null } = {}) {
  return new SourceLinks({ publicUrl, secret: key && (() => key), clock: { now: () => new Date(now) } });
}

const place = { corpus_id: 'krk_2026', doc_id: 7, revision: 2, chunk_index: '23' };

/** Parses a link as the HTTP interface does. */
function carried(address: string) {
  const { searchParams } = new URL(address, 'http://localhost');
  return { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' };
}

test("a link contains revision, chunk and quotes, and begins with the service's public URL", () => {
  const open = links({ key: null });
  expect(open.page(place)).toBe('/source/krk_2026/7?revision=2&chunk=23#cited');
  expect(open.permanent(place)).toBe('/source/krk_2026/7?revision=2&chunk=23#cited');
  const quotes = [
    { start: 4, end: 9 },
    { start: 12, end: 30 },
  ];
  expect(links({ key: null, publicUrl: 'https://x.example/docent' }).page(place, quotes)).toBe(
    'https://x.example/docent/source/krk_2026/7?revision=2&chunk=23&quote=4-9,12-30#cited',
  );
});

test('a signed link stays the same within a day and works for at least seven days', () => {
  const address = links().page(place);
  expect(links({ now: noon + day / 2 - 1 }).page(place)).toBe(address);
  expect(links({ now: noon + day / 2 }).page(place)).not.toBe(address);
  expect(links().permanent(place)).toBeNull();
  expect(links({ now: noon + 7 * day }).check(place, carried(address))).toBe('valid');
  expect(links({ now: noon + 8 * day }).check(place, carried(address))).toBe('expired');
});

test('a signed link opens only what was signed, with the same secret and for a limited time', () => {
  const sent = carried(links().page(place));
  for (const other of [
    { ...place, corpus_id: 'other' },
    { ...place, doc_id: 8 },
    { ...place, revision: 1 },
    { ...place, chunk_index: '24' },
  ])
    expect(links().check(other, sent)).toBe('invalid');
  expect(links().check(place, { ...sent, expires: String(Number(sent.expires) + 1) })).toBe('invalid');
  expect(links({ key: Buffer.alloc(32, 8) }).check(place, sent)).toBe('invalid');
  expect(links({ key: null }).check(place, sent)).toBe('invalid');
});

test('an invalid signature is checked and never opens anything', () => {
  const { expires } = carried(links().page(place));
  fc.assert(
    fc.property(fc.string(), fc.oneof(fc.constant(expires), fc.string()), (signature, until) => {
      expect(links().check(place, { expires: until, signature })).toBe('invalid');
    }),
  );
});

test('places with unusual names can be parsed back from their link', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (chunk_index) => {
      const of = { ...place, chunk_index };
      const address = links().page(of);
      const { searchParams } = new URL(address, 'http://localhost');
      const chunk = searchParams.get('chunk') ?? '';
      // A lone surrogate cannot be encoded in a link.
      fc.pre(chunk_index.isWellFormed());
      expect(links().check({ ...of, chunk_index: chunk }, carried(address))).toBe('valid');
    }),
  );
});
