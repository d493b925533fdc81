/** Random bodies, positions, links and addresses: read within the budget, and without unexpected errors. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../../src/access/networks.ts';
import type { Part } from '../../src/answering/parts.ts';
import { Cursor } from '../../src/asks/cursor.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import { AskRequest } from '../../src/http/ask-schemas.ts';
import { parseJson } from '../../src/http/json.ts';
import { ValidationFailure, validateRequest } from '../../src/http/validation.ts';
import { citationPart, donePart } from '../support/asks.ts';
import { overBudget, share } from './budget.ts';
import { bodies } from './corpus.ts';
import { conversation, mixture, question } from './mixtures.ts';

const still = (value: unknown) => value !== undefined;

describe('bodies', () => {
  const read = (text: string): boolean => {
    const body = parseJson(Buffer.from(text));
    try {
      return still(validateRequest({ body: AskRequest }, { params: {}, query: {}, body }));
    } catch (error) {
      if (!(error instanceof ValidationFailure)) throw error;
      // The report must stay within its size limit.
      return JSON.stringify(error.faults).length < 3 * text.length + 10_000;
    }
  };
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.stringify(json)),
    fc
      .record(
        {
          query: fc.oneof(question, fc.jsonValue()),
          history: conversation,
          style: fc.string(),
          more: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map(
        (json) => JSON.stringify(json, (_key, one) => (typeof one === 'bigint' ? String(one) : one)) ?? '',
      ),
    fc.constantFrom(...Object.values(bodies)).map((body) => body.slice(0, 40_000)),
  );
  const cut = fc.tuple(value, fc.nat(), fc.nat(4), fc.string({ unit: 'binary', maxLength: 3 }));

  test('are handled whether complete or broken', () => {
    fc.assert(
      fc.property(cut, ([whole, place, length, put]) => {
        const at = place % (whole.length + 1);
        const text = length === 0 ? whole : whole.slice(0, at) + put + whole.slice(at + length);
        expect(read(text)).toBe(true);
        expect(overBudget(() => read(text))).toBeNull();
      }),
      share(0.09),
    );
  });
});

describe('client-supplied values', () => {
  const parts: Part[] = [
    { type: 'meta', request_id: 'r', mode: 'ordinary', lang: 'en', corpus_id: 'c' },
    { type: 'sources', source_refs: [], sources: [] },
    { type: 'text', text: 'One. ' },
    citationPart({ end: 4, quote: 'One.' }),
    { type: 'text', text: 'Two.' },
    donePart({ answer: 'One. Two.' }),
  ];

  test('a resume position with any number', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double(),
          fc.integer(),
          fc.maxSafeInteger(),
          fc.nat(100_000),
          fc.nat(3).map((n) => n * 10 ** 12),
        ),
        (after) => {
          const cursor = new Cursor(after);
          const numbers = parts.flatMap((part) => cursor.take(part)?.n ?? []);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          // Whatever position the client claims, it receives the end.
          expect(numbers.at(-1)).toBe(2 * 10 ** 12);
        },
      ),
      share(0.08),
    );
  });

  test('a signed link opens only its own place', () => {
    const links = new SourceLinks({
      publicUrl: null,
      secret: () => Buffer.alloc(32, 7),
      clock: { now: () => new Date(Date.UTC(2026, 4, 1)) },
    });
    const place = { corpus_id: 'c', doc_id: 12, revision: 3, chunk_index: '1.2' };
    const query = new URL(links.page(place), 'http://a').searchParams;
    const own = { expires: query.get('expires')!, signature: query.get('signature')! };
    expect(links.check(place, own)).toBe('valid');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('', '0', own.expires, own.signature),
    );
    fc.assert(
      fc.property(
        fc.record(
          { corpus_id: text, doc_id: fc.integer(), revision: fc.integer(), chunk_index: text },
          { requiredKeys: [] },
        ),
        fc.record({ expires: text, signature: text }, { requiredKeys: [] }),
        (otherPlace, otherSignature) => {
          const asked = { ...place, ...otherPlace };
          const sent = { ...own, ...otherSignature };
          const same =
            JSON.stringify([asked, sent.expires]) === JSON.stringify([place, own.expires]) &&
            Buffer.from(sent.signature, 'base64url').equals(Buffer.from(own.signature, 'base64url'));
          expect(links.check(asked, sent) === 'valid').toBe(same);
        },
      ),
      share(0.08),
    );
  });

  test('a network address, as a proxy may forward it', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), mixture(2_000), fc.ipV6(), fc.ipV4()),
        (address) => {
          expect(networkOf(address).length).toBeLessThan(100);
          expect(overBudget(() => networkOf(address))).toBeNull();
        },
      ),
      share(0.11),
    );
  });
});
