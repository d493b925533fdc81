/** What answers must be over the sample corpora, through real ingestion and the embedded stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicSource } from '../../src/answering/parts.ts';
import { english } from './cases/en.ts';
import { kazakh } from './cases/kk.ts';
import { russian } from './cases/ru.ts';
import type { Case } from './cases/types.ts';
import { openSamples, type SampleService } from './sample-corpora.ts';

let service: SampleService;
beforeAll(async () => {
  service = await openSamples();
}, 120_000);
afterAll(async () => {
  await service.close();
});

const named = (cases: Case[]) =>
  cases.map(
    (one) =>
      [`${one.kind}: ${one.q}${one.style ? ` (${one.style})` : ''}${one.history ? ' …' : ''}`, one] as const,
  );

describe.each([
  ['ru', russian],
  ['kk', kazakh],
  ['en', english],
] as const)('%s', (lang, cases) => {
  test.each(named(cases))('%s', async (_name, one) => {
    const found = await service.ask(one);
    expect({ mode: found.mode, lang: found.lang }).toEqual({ mode: one.mode, lang });
    for (const text of one.has ?? []) expect(found.answer).toContain(text);
    for (const text of one.not ?? []) expect(found.answer).not.toContain(text);
    if (one.refs) {
      expect(found.refs).toEqual(expect.arrayContaining(one.refs));
      expect(found.refs[0]).toBe(one.refs[0]);
    }
    for (const start of one.notFrom ?? [])
      expect(found.refs.filter((ref) => ref.startsWith(start))).toEqual([]);
    // Whatever the question: one ending, the text is the answer, every quotation stands in its revision.
    expect(found.parts.map(({ type }) => type).filter((type) => type === 'done' || type === 'error')).toEqual(
      ['done'],
    );
    expect(found.parts.at(-1)?.type).toBe('done');
    expect(found.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe(
      found.answer,
    );
    expect(found.refs.filter((ref) => ref.startsWith('drafts/'))).toEqual([]);
    for (const { start, end, ref, quote, revision, content_hash } of found.citations) {
      expect(found.answer.slice(start, end)).toBe(quote);
      expect(found.refs).toContain(ref);
      const key = ref.slice(0, ref.lastIndexOf('#'));
      expect(service.standsIn(one.corpus ?? 'krk_2026', key, revision, content_hash, quote)).toBe(true);
    }
    const speaks = ['ordinary', 'exact', 'historical', 'comparison', 'faq'].includes(one.mode);
    expect(found.citations.length > 0).toBe(speaks);
  });
});

test('every kind of question is asked in every language', () => {
  const kinds = (cases: Case[]) => [...new Set(cases.map(({ kind }) => kind))].sort();
  expect(kinds(kazakh)).toEqual(kinds(russian));
  expect(kinds(english)).toEqual(kinds(russian));
});

test('sources alone are found without an answer', async () => {
  const caller = { actor: 'public', key_id: null, subject: null };
  const found = await service.app.sourceRefs(
    { query: 'статья 29', corpus_id: 'krk_2026', limit: 3, caller },
    new AbortController().signal,
  );
  expect(found).toMatchObject({ mode: 'exact', lang: 'ru', query: 'статья 29' });
  expect(found.sources).toHaveLength(3);
  expect(found.sources[0]).toMatchObject({
    ref: 'norm/constitution-ru#29',
    chunk_index: '29',
    layer: 'norm',
  });
});

test('a public source shows nothing internal', () => {
  const source = {
    ref: 'a#1',
    doc_id: 7,
    doc_key: 'a',
    revision: 2,
    content_hash: 'h',
    chunk_index: '1',
    heading: '',
    title: null,
    url: null,
    source_url: null,
    event_date: null,
    layer: 'main',
    lang: 'en' as const,
    score: 1,
  };
  expect(Object.keys(publicSource(source))).toEqual([
    'ref',
    'doc_key',
    'heading',
    'chunk_index',
    'url',
    'title',
    'event_date',
    'source_url',
    'layer',
    'lang',
    'revision',
  ]);
});
