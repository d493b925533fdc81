/** Expected answers over the sample corpora, with real ingestion and the embedded stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicSources } from '../../src/answering/parts.ts';
import { SourceLinks } from '../../src/asks/source-links.ts';
import { languages } from '../../src/domain/events.ts';
import { AskResponse } from '../../src/http/ask-schemas.ts';
import { exampleOf } from '../../src/schema.ts';
import { dialogues } from './cases/dialogues.ts';
import { english } from './cases/en.ts';
import { kazakh } from './cases/kk.ts';
import { russian } from './cases/ru.ts';
import { type Case, turns } from './cases/types.ts';
import { openSamples, type SampleService } from './sample-corpora.ts';

let service: SampleService;
beforeAll(async () => {
  service = await openSamples();
});
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
    // For every question: one ending, the text equals the answer, and every quotation is in its revision.
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
    const speaks =
      one.kind !== 'holder' &&
      one.kind !== 'outline' &&
      ['ordinary', 'exact', 'historical', 'comparison', 'faq'].includes(one.mode);
    // Without an answer, one related sentence may be quoted.
    if (one.mode === 'no_answer') expect(new Set(found.citations.map(({ ref }) => ref)).size).toBeLessThan(2);
    else expect(found.citations.length > 0).toBe(speaks);
  });
});

test('the cases cover every kind of question in every language', () => {
  const kinds = (cases: Case[]) => [...new Set(cases.map(({ kind }) => kind))].sort();
  expect(kinds(kazakh)).toEqual(kinds(russian));
  expect(kinds(english)).toEqual(kinds(russian));
});

test('answers a follow-up from the passage of the last answer', async () => {
  const missed: string[] = [];
  for (const { corpus, before, said, q, ref } of dialogues) {
    const { mode, refs } = await service.ask({ q, ...(corpus && { corpus }), history: turns(before, said) });
    const there = refs.some(
      (one) => one === ref || (one.startsWith(ref) && !/^\d/.test(one.slice(ref.length))),
    );
    if (mode === 'no_answer' || !there) missed.push(q);
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(dialogues.length * 0.15);
});

/** For each example question of the corpora, a fact that the answer must contain. */
const exampleFacts: Record<string, string> = {
  'На какой срок избирается Президент?': 'шесть лет',
  'Что говорит статья 23?': 'Охрана здоровья',
  'Как изменился срок полномочий Президента?': 'Президент избирается сроком на пять лет',
  'Президент қанша жылға сайланады?': 'алты жыл',
  '23-бапта не айтылған?': 'Денсаулық сақтау',
  'Республиканың астанасы қай қала?': 'Республиканың астанасы – Нұртау қаласы',
  'For how many years is the President elected?': 'six years',
  'What does Article 23 say?': 'Protection of Health',
  'Do I need permission to hold a rally?': 'Permission is not required',
  'Что говорилось о налогах?': 'ставки налога',
  'Как менялись обещания о водохранилищах?': 'три водохранилища',
  'Кто высказывался о распознавании лиц?': 'распознавание лиц',
  'Мұғалімдер туралы не айтылды?': 'мұғалімді сабаққа қатысы жоқ жұмысқа тартуға',
  'Каналдар туралы не айтылды?': 'шақырым канал бетондалды',
  'Мектеп туралы не айтылды?': 'мектеп',
  'What was said about taxes?': 'income tax',
  'What did the ombudsman say about personal data?': 'a file on a person',
  'What was said about water?': 'sixty litres of safe water',
};

test('answers example questions in their language', async () => {
  for (const lang of languages)
    for (const { corpus_id, examples } of await service.app.corpora(lang))
      for (const q of examples) {
        const corpus = corpus_id as Exclude<Case['corpus'], undefined>;
        const found = await service.ask({ q, corpus });
        expect({ q, lang: found.lang, answered: found.mode !== 'no_answer' }).toEqual({
          q,
          lang,
          answered: true,
        });
        expect(found.answer).toContain(exampleFacts[q] ?? `the fact of ${q}`);
      }
});

test('returns sources without an answer on request', async () => {
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

test('gives every source a link that opens, with the positions of the quoted sentences', async () => {
  for (const question of [
    { q: 'Сколько лет служит президент?' },
    { q: 'Which city is the capital?' },
    { q: 'Что говорилось о налогах?', corpus: 'reestr_texts', style: 'quotes' },
    { q: 'How old must a judge be?' },
  ] as const) {
    const { parts, citations } = await service.ask(question);
    const sources = parts.flatMap((part) => (part.type === 'sources' ? part.sources : []));
    expect(sources.length).toBeGreaterThan(0);
    for (const { ref, url, page_url } of sources) {
      expect(url).toBe(page_url);
      const { pathname, searchParams } = new URL(page_url, 'http://localhost');
      const [, corpus_id = '', doc_id] = /^\/source\/(\w+)\/(\d+)$/.exec(pathname) ?? [];
      const revision = Number(searchParams.get('revision'));
      const opened = await service.app.source({ corpus_id, doc_id: Number(doc_id), revision });
      if (opened.status !== 'published') throw new Error(`${ref} cannot be opened.`);
      const { text, chunks } = await opened.read();
      expect(chunks.map(({ chunk_index }) => chunk_index)).toContain(searchParams.get('chunk'));
      const marked = (searchParams.get('quote') ?? '').split(',').filter(Boolean);
      const quotes = marked.map((range) => text.slice(...range.split('-').map(Number)));
      const cited = citations.filter((citation) => citation.ref === ref).map(({ quote }) => quote);
      expect(new Set(quotes)).toEqual(new Set(cited));
    }
  }
});

test('the source in the API documentation comes from a sample corpus', async () => {
  const { answer, sources } = exampleOf(AskResponse) as AskResponse;
  const { doc_key, heading, title, chunk_index, ...source } = sources![0]!;
  const url = source.url ?? '';
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, corpus_id = '', doc_id] = /^\/source\/(\w+)\/(\d+)$/.exec(pathname) ?? [];
  const opened = await service.app.source({ corpus_id, doc_id: Number(doc_id) });
  if (opened.status !== 'published') throw new Error('It cannot be opened.');
  expect(opened.facts).toMatchObject({ doc_key, title, revision: Number(searchParams.get('revision')) });
  expect(searchParams.get('chunk')).toBe(chunk_index);
  const { text, chunks } = await opened.read();
  expect(chunks.find((chunk) => chunk.chunk_index === chunk_index)?.heading).toBe(heading);
  const [start, end] = (searchParams.get('quote') ?? '').split('-').map(Number);
  expect(text.slice(start, end)).toBe(answer);
});

test.each([
  ['статья 7, а раньше?', 'historical', 'old/'],
  ['сравни статью 29 сейчас и раньше', 'comparison', 'norm/'],
  ['привет', 'greeting', null],
  ['что', 'no_answer', null],
])('a source lookup interprets the question as an ask does: %s', async (q, mode, from) => {
  const caller = { actor: 'public', key_id: null, subject: null };
  const found = await service.app.sourceRefs(
    { query: q, corpus_id: 'krk_2026', limit: 10, caller },
    new AbortController().signal,
  );
  const answered = await service.ask({ q });
  expect([found.mode, answered.mode]).toEqual([mode, mode]);
  if (from === null) expect(found.sources).toEqual([]);
  else {
    expect(found.sources[0]?.ref).toBe(answered.refs[0]);
    expect(found.sources[0]?.ref.startsWith(from)).toBe(true);
  }
});

test.each([
  ['ст. 5 прежней Конституции', 'historical'],
  ['Что говорила статья 7 Конституции 1994 года?', 'historical'],
  ['Чем статья 7 отличается от прежней?', 'comparison'],
  ['Сравни статью 5 нынешней и статью 5 прежней Конституции', 'comparison'],
  ['На какой срок избирался Президент раньше и теперь?', 'comparison'],
  ['Чем Парламент отличается от Правительства?', 'comparison'],
  ['Что говорит комментарий к статье 33?', 'exact'],
  ['На какие статьи ссылается статья 31?', 'exact'],
  ['Кто назначает судей и на какой срок избирается Президент?', 'ordinary'],
  ['Article 7, and before?', 'historical'],
  ['Compare articles 5 and 7', 'comparison'],
  ['Does article 27 refer to article 12?', 'exact'],
  ['7-бап, ал бұрын?', 'historical'],
  ['5-бап пен 7-бапты салыстыр', 'comparison'],
  ['статья 7 и статья 999', 'exact'],
  ['статья 999', 'no_answer'],
])('a source lookup includes the sources of the answer: %s', async (q, mode) => {
  const caller = { actor: 'public', key_id: null, subject: null };
  const found = await service.app.sourceRefs(
    { query: q, corpus_id: 'krk_2026', limit: 20, caller },
    new AbortController().signal,
  );
  const answered = await service.ask({ q });
  expect([found.mode, answered.mode]).toEqual([mode, mode]);
  expect(answered.refs.length).toBeGreaterThan(0);
  expect(found.sources.map(({ ref }) => ref)).toEqual(expect.arrayContaining(answered.refs));
});

test('a public source reveals nothing internal', () => {
  const pages = new SourceLinks({ publicUrl: null, secret: null, clock: { now: () => new Date(0) } });
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
  expect(Object.keys(publicSources([source], { corpus_id: 'c', citations: [], pages })[0] ?? {})).toEqual([
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
    'page_url',
  ]);
});
