/** What the OpenAPI document shows of questions and answers; tests hold each against its schema and the samples. */
const request_id = '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d';
const answer =
  'Citizens have the right to gather peacefully and without weapons and to hold meetings, rallies, marches and pickets.';
const page = '/source/krk_2026/31?revision=1&chunk=17&quote=7777-7893#cited';

const source = {
  ref: 'norm/constitution-en#17',
  doc_key: 'norm/constitution-en',
  heading: 'Article 17. Peaceful Assembly',
  chunk_index: '17',
  url: page,
  title: 'Constitution of the Republic of Kensai',
  event_date: null,
  source_url: null,
  layer: 'norm',
  lang: 'en',
  revision: 1,
  page_url: page,
};

const citation = {
  start: 0,
  end: answer.length,
  ref: source.ref,
  quote: answer,
  source_start: 7777,
  revision: 1,
  content_hash: '5f8c0b1e0a9d4c7e8b6a3f2d1c0e9b8a7f6e5d4c3b2a19080706050403020100',
};

export const askExample = {
  query: 'What does article 17 say?',
  corpus_id: 'krk_2026',
  style: null,
  history: [
    { role: 'user', content: 'May we hold a meeting in the square?' },
    { role: 'assistant', content: 'Meetings are covered by article 17.' },
  ],
};

export const answerExample = {
  request_id,
  query: askExample.query,
  mode: 'exact',
  lang: 'en',
  answer,
  latency_ms: 42,
  source_refs: [source.ref],
  sources: [source],
  citations: [citation],
};

export const lookUpExample = { query: 'freedom of assembly', limit: 3 };

export const foundExample = {
  request_id,
  query: lookUpExample.query,
  mode: 'ordinary',
  lang: 'en',
  latency_ms: 9,
  citation_count: 1,
  raw_text_included: false,
  source_refs: [source.ref],
  sources: [source],
};

export const corporaExample = [
  {
    corpus_id: 'krk_2026',
    title: 'Constitution',
    description: 'The constitution with its commentary.',
    languages: ['ru', 'kk', 'en'],
    styles: [],
    is_default: true,
    document_count: 7,
    chunk_count: 312,
    updated_at: '2026-11-21T09:30:00.000Z',
  },
];

const event = (n: number, name: string, data: object): string =>
  `id: ${request_id}:${n}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const streamExample = [
  event(1, 'meta', { request_id, mode: 'exact', lang: 'en', corpus_id: 'krk_2026' }),
  event(2, 'sources', { source_refs: [source.ref], sources: [source] }),
  event(450_000, 'text', { text: answer }),
  event(450_001, 'citation', citation),
  event(2_000_000_000_000, 'done', {
    request_id,
    latency_ms: 42,
    answer,
    mode: 'exact',
    finish_reason: 'stop',
    cached: false,
  }),
].join('');

export const streamText =
  'Events, each with one JSON object as data: `meta` {request_id, mode, lang, corpus_id}, `sources` {source_refs, sources}, ' +
  '`text` {text} many times, `citation` {start, end, ref, quote, source_start, revision, content_hash} in place (UTF-16 ' +
  'offsets into the answer so far), perhaps `replace` {answer, reason}, and exactly one of `done` {request_id, latency_ms, answer, mode, ' +
  'finish_reason, cached} and `error` {request_id, code, detail, retryable}. A comment is sent into a silent stream ' +
  'every 15 s. Resume with the id of the last event seen.';

export const ratingExample = { request_id, rating: 'down', comment: 'It is about another article.' };
