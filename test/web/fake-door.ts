/** The HTTP server over a fake service: tests release its answers and can cut its connections. */
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Part, SourceRef } from '../../src/answering/parts.ts';
import type { AskInput } from '../../src/asks/ask-port.ts';
import type { OpenedSource, SourceReader } from '../../src/asks/open-source.ts';
import type { SourceInput, SourceText } from '../../src/asks/source-document.ts';
import type { Chunk, Layer } from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import { buildServer } from '../../src/http/server.ts';
import { FakeApp, patient } from '../http/fake-app.ts';

const source: SourceRef = {
  ref: 'law_en#23',
  doc_key: 'law_en',
  heading: 'Article 23. Assemblies',
  chunk_index: '23',
  url: 'https://example.org/law?x=1&y=2#23',
  title: 'The <b>Law</b> on Assemblies',
  event_date: '1994-10-20',
  source_url: 'javascript:alert(1)',
  layer: 'norm',
  lang: 'ru',
  revision: 2,
  page_url: '/source/krk_2026/7?revision=2&chunk=23&quote=4-9#cited',
};
const notesPage = '/source/krk_2026/8?revision=2&chunk=004#cited';
const oldPage = '/source/krk_2026/9?revision=2&chunk=9#cited';
export const sources: SourceRef[] = [
  source,
  {
    ...source,
    ref: 'notes#004',
    doc_key: 'notes',
    layer_title: 'Commentary of 2026',
    heading: 'On notice',
    title: 'Commentary',
    lang: 'en',
    url: notesPage,
    page_url: notesPage,
  },
  {
    ...source,
    ref: 'old#9',
    doc_key: 'old',
    heading: 'Article 9',
    title: null,
    url: oldPage,
    page_url: oldPage,
  },
];

const statements = [
  'Assemblies are free <i>everywhere</i>.',
  ' They are announced a day before. 🙂',
  ' No fee is due.',
];
export const answer = statements.join('');

/** The points at which the parts of an answer wait: after `meta`, and after the first statement with its citation. */
export type Gate = 'sources' | 'middle';

/** The first statement cites the first source, the second cites the first two, the third cites none. */
export async function* partsOf(
  input: AskInput,
  pass: (gate: Gate) => Promise<void> = async () => {},
): AsyncGenerator<Part> {
  const request_id = input.request_id ?? '';
  const [first, second, third] = statements as [string, string, string];
  const cite = (start: number, end: number, ref: string): Part => ({
    type: 'citation',
    start,
    end,
    ref,
    quote: answer.slice(start, end).trim(),
    revision: 2,
    content_hash: 'ab'.repeat(32),
  });
  yield { type: 'meta', request_id, mode: 'ordinary', lang: 'en', corpus_id: input.corpus_id ?? 'krk_2026' };
  await pass('sources');
  yield { type: 'sources', source_refs: sources.map(({ ref }) => ref), sources };
  yield { type: 'text', text: first };
  yield cite(0, first.length, 'law_en#23');
  await pass('middle');
  yield { type: 'text', text: second + third };
  const end = first.length + second.length;
  yield cite(first.length + 1, end, 'law_en#23');
  yield cite(first.length + 1, end, 'notes#004');
  yield {
    type: 'done',
    request_id,
    latency_ms: 7,
    answer,
    mode: 'ordinary',
    finish_reason: 'stop',
    cached: false,
  };
}

export const documentText =
  'Chapter I\n\nArticle 1. Language\n\n1. One.\n2. Two <script>.\n\nArticle 2. Flag\n\nIt is blue. It is wide.';

const chunk = (chunk_index: string, start: number, end: number): Chunk => ({
  chunk_index,
  heading: chunk_index === '1' ? 'Article 1. Language' : 'Article 2. Flag',
  path: ['Chapter I', chunk_index === '1' ? 'Article 1. Language' : 'Article 2. Flag'],
  number: chunk_index,
  unit: 'article',
  question: null,
  lang: 'en',
  start,
  end,
});

export const documentPart: SourceText = {
  start: 0,
  text: documentText,
  chunks: [
    chunk('1', documentText.indexOf('Article 1'), documentText.indexOf('Article 2') - 2),
    chunk('2', documentText.indexOf('It is blue'), documentText.length),
  ],
};

const oldLayer: Layer = {
  name: 'old',
  title: { ru: 'Закон 1994 года', en: 'Law of 1994' },
  kind: 'superseded',
  visibility: 'public',
};

/** Revision 2 of document 7; revision 5 is current. */
export const document: Extract<OpenedSource, { status: 'published' }> = {
  status: 'published',
  layer: oldLayer,
  part: 1,
  parts: 1,
  cited_part: 1,
  read: async () => documentPart,
  facts: {
    doc_id: 7,
    corpus_id: 'krk_2026',
    doc_key: 'old/law',
    revision: 2,
    title: 'Law of "1994" & after',
    lang: 'en',
    layer: oldLayer,
    url: 'https://example.org/1994?a=1&b=2',
    source_url: 'javascript:alert(1)',
    event_date: '1994-10',
    metadata: {},
    content_hash: '5d1f'.repeat(16),
  },
  published_at: '2026-11-02T10:00:00.000Z',
  current_revision: 5,
};

export class WebApp extends FakeApp {
  readonly opened: (SourceInput & SourceReader)[] = [];
  found: OpenedSource | null = document;

  override async source(input: SourceInput, reader: SourceReader = {}): Promise<OpenedSource> {
    this.opened.push({ ...input, ...reader });
    if (this.found === null) throw new Failure('not_found', 'Source not found.');
    return this.found;
  }
}

/**
 * The server over this app, not yet listening. `connections`: those of the streams so far, latest last; `beforeWork`
 * sees every request before it is processed.
 */
export function openDoor(app: WebApp) {
  const connections: Socket[] = [];
  const requests: { method: string; url: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient });
  let work = (_request: FastifyRequest): void => {};
  server.addHook('preHandler', (request, _reply, next) => {
    work(request);
    next();
  });
  server.addHook('onRequest', (request, _reply, next) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers });
    if (url.startsWith('/api/ask/stream')) connections.push(request.raw.socket);
    next();
  });
  const beforeWork = (listener: typeof work): void => {
    work = listener;
  };
  return { server, connections, requests, beforeWork };
}
