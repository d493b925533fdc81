/**
 * Every reader of untrusted input, on random mixtures of the corpus: within its budget, and without unexpected errors.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../../src/access/networks.ts';
import type { Part } from '../../src/answering/parts.ts';
import { analyseQuestion, withoutReportingVerbs } from '../../src/answering/reading/analysed-question.ts';
import { readConversation } from '../../src/answering/understanding/conversation.ts';
import { understand } from '../../src/answering/understanding/question.ts';
import { readQuestion } from '../../src/answering/understanding/reading.ts';
import { Cursor } from '../../src/asks/cursor.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import { printable } from '../../src/cli/output.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';
import { parseJson } from '../../src/http/json.ts';
import { AskRequest } from '../../src/http/questions.ts';
import { ValidationFailure, validateRequest } from '../../src/http/validation.ts';
import { detectLanguage, repairLayout } from '../../src/text/language.ts';
import { identityOf } from '../../src/text/question-identity.ts';
import { parseReferences } from '../../src/text/references/parse.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { words } from '../../src/text/words.ts';
import { overBudget, share } from './budget.ts';
import { bodies, filled, fragments, longest } from './corpus.ts';

const layer = { title: null, kind: 'text', visibility: 'public' } as const;
const settings: CorpusSettings = {
  title: 'Constitution',
  description: null,
  languages: ['ru', 'kk', 'en'],
  styles: [],
  layers: [{ ...layer, name: 'norm' }],
};

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 5_000 }).map((n) => `${n} `) },
);
/** A mixture, mostly short, sometimes of the maximum length. */
const mixture = (most: number) =>
  fc
    .tuple(
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 0, max: Math.min(most, 400) }) },
        { weight: 1, arbitrary: fc.constant(most) },
      ),
    )
    .map(([parts, length]) => filled([...parts, ' '], length));

const question = mixture(longest.question);
const conversation = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: mixture(longest.message),
  }),
  { maxLength: 6 },
);

const still = (value: unknown) => value !== undefined;

describe('texts', () => {
  const readers: [string, number, (text: string) => unknown][] = [
    ['repairLayout', longest.question, repairLayout],
    ['detectLanguage', longest.question, (text) => detectLanguage(text)],
    ['readQuestion', longest.question, (text) => readQuestion(text, settings)],
    ['identityOf', longest.question, identityOf],
    ['withoutReportingVerbs', longest.question, withoutReportingVerbs],
    ['analyseQuestion', longest.question, (text) => analyseQuestion(text, { documents: 10, df: new Map() })],
    ['parseReferences', longest.message, (text) => parseReferences(text)],
    ['splitSentences', longest.text / 4, splitSentences],
    ['words', longest.text / 4, words],
    ['printable', longest.text / 4, printable],
  ];
  test.each(readers)('%s', (_name, most, read) => {
    fc.assert(
      fc.property(mixture(most), (text) => {
        expect(overBudget(() => read(text))).toBeNull();
      }),
      share(0.06),
    );
  });

  test('a conversation is handled within the budget', () => {
    fc.assert(
      fc.property(question, conversation, (query, history) => {
        expect(overBudget(() => understand(query, readConversation(history).turns, settings))).toBeNull();
      }),
      share(0.03),
    );
  });
});

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
    { type: 'citation', start: 0, end: 4, ref: 'a#1', quote: 'One.', revision: 1, content_hash: 'h' },
    { type: 'text', text: 'Two.' },
    {
      type: 'done',
      request_id: 'r',
      latency_ms: 1,
      answer: 'One. Two.',
      mode: 'ordinary',
      finish_reason: 'stop',
      cached: false,
    },
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
