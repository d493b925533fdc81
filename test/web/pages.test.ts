import { expect, test } from 'vitest';
import type { Part } from '../../src/answering/parts.ts';
import type { AskInput } from '../../src/asks/ask-port.ts';
import type { RecordedAsk } from '../../src/asks/replay-parts.ts';
import { Failure } from '../../src/failures.ts';
import { acceptedLanguage } from '../../web/pages/texts.ts';
import { answer, document, documentPart, documentText, openDoor, partsOf, WebApp } from './fake-door.ts';

async function get(url: string, app = new WebApp(), headers: Record<string, string> = {}) {
  const { server } = openDoor(app);
  const reply = await server.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
  await server.close();
  return reply;
}

/** The visible content of an element, given its opening tag. */
function inside(body: string, tag: RegExp): string[] {
  const name = /^<(\w+)/.exec(tag.source)?.[1];
  return [...body.matchAll(new RegExp(`${tag.source}([^]*?)</${name}>`, 'g'))].map((match) => match[1] ?? '');
}

test('shows the requested revision with the cited passage marked, and escapes its text', async () => {
  const app = new WebApp();
  const reply = await get('/source/krk_2026/7?revision=2&chunk=1', app, { 'accept-language': 'en' });
  expect(reply.statusCode).toBe(200);
  expect(app.opened).toEqual([
    { corpus_id: 'krk_2026', doc_id: 7, revision: 2, chunk: '1', part: null, key: null, signature: null },
  ]);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
    vary: 'accept-language',
  });
  expect(reply.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[\w+/]{43}='; img-src data:; /,
  );
  const { body } = reply;
  expect(inside(body, /<h1 lang="en">/)).toEqual(['Law of &quot;1994&quot; &amp; after']);
  expect(inside(body, /<p class="layer">/)).toEqual(['Law of 1994']);
  expect(inside(body, /<time datetime="1994-10">/)).toEqual(['October 1994']);
  expect(inside(body, /<code>/)).toEqual(['5d1f'.repeat(16)]);
  expect(body).toContain('Revision 2');
  expect(body).toContain('href="https://example.org/1994?a=1&amp;b=2"');
  expect(body).not.toContain('javascript:');
  expect(body).not.toContain('<script');
  expect(inside(body, /<p class="notice">/)).toEqual([
    'This text is no longer in force. It is kept for comparison.',
    'This is an earlier revision of the document; the current one is revision 5. <a href="?chunk=1#cited">Open the current revision</a>',
  ]);
  expect(inside(body, /<article class="document" lang="en">/)[0]?.trim()).toBe(
    [
      '<h2>Chapter I</h2>',
      '<h3 class="cited"><mark id="cited" tabindex="-1" autofocus>Article 1. Language</mark></h3>',
      '<p class="cited"><mark>1. One.\n2. Two &lt;script&gt;.</mark></p>',
      '<h3>Article 2. Flag</h3>',
      '<p>It is blue. It is wide.</p>',
    ].join('\n'),
  );
});

test('marks exactly the quoted sentences of a cited passage', async () => {
  const wide = documentText.indexOf('It is wide');
  const one = documentText.indexOf('One.');
  const part = await get(`/source/krk_2026/7?chunk=2&quote=${wide}-${wide + 11}`);
  expect(part.body).toContain('<h3>Article 2. Flag</h3>');
  expect(part.body).toContain(
    '<p class="cited">It is blue. <mark id="cited" tabindex="-1" autofocus>It is wide.</mark></p>',
  );
  // In document order, regardless of the order of the quotes. A quote that continues in the next block is marked in
  // both.
  const several = await get(`/source/krk_2026/7?chunk=1&quote=${one + 8}-${wide - 13},${one}-${one + 4}`);
  expect(inside(several.body, /<article class="document" lang="en">/)[0]?.trim()).toBe(
    [
      '<h2>Chapter I</h2>',
      '<h3 class="cited">Article 1. Language</h3>',
      '<p class="cited">1. <mark id="cited" tabindex="-1" autofocus>One.</mark>\n2. <mark>Two &lt;script&gt;.</mark></p>',
      '<h3><mark>Article 2. Flag</mark></h3>',
      '<p>It is blue. It is wide.</p>',
    ].join('\n'),
  );
  for (const quote of ['', 'x', '1', '5-2', '9-9', '999999999-999999999', `1-2,${'1-2,'.repeat(200)}1-2`])
    expect((await get(`/source/krk_2026/7?chunk=2&quote=${quote}`)).statusCode).toBe(200);
});

test('reports a missing place', async () => {
  const app = new WebApp();
  app.found = { ...document, cited_part: null };
  const none = await get('/source/krk_2026/7?chunk=3', app, { 'accept-language': 'ru' });
  expect(none.body).not.toContain('<mark');
  expect(none.body).toContain('Указанного места в этой редакции нет');
});

test('divides a long document into parts linked to each other; the same URL leads to the cited place', async () => {
  const app = new WebApp();
  const start = documentText.indexOf('Article 2');
  const chunks = documentPart.chunks.slice(1);
  app.found = {
    ...document,
    part: 2,
    parts: 3,
    cited_part: 1,
    read: async () => ({ start, text: documentText.slice(start), chunks }),
  };
  const query = 'revision=2&chunk=1&expires=1&signature=x';
  const { body } = await get(`/source/krk_2026/7?${query}&part=2`, app, { 'accept-language': 'en' });
  expect(app.opened).toMatchObject([{ part: 2, chunk: '1', signature: { expires: '1', signature: 'x' } }]);
  const link = (part: number) =>
    `?revision=2&chunk=1&part=${part}&expires=1&signature=x`.replaceAll('&', '&amp;');
  expect(inside(body, /<nav class="parts" aria-label="Parts of the document">/)).toHaveLength(2);
  expect(body).toContain(`<a rel="prev" href="${link(1)}">← Previous part</a>`);
  expect(body).toContain('Part 2 of 3');
  expect(body).toContain(`<a rel="next" href="${link(3)}">Next part →</a>`);
  expect(body).toContain(`<a href="${link(1)}#cited">Go to the passage</a>`);
  expect(inside(body, /<article class="document" lang="en">/)[0]?.trim()).toBe(
    // No chapter is above it here, so headings begin below the title.
    '<h2>Article 2. Flag</h2>\n<p>It is blue. It is wide.</p>',
  );
});

test('does not render an unchanged page again', async () => {
  const app = new WebApp();
  let read = 0;
  app.found = {
    ...document,
    read: async () => {
      read++;
      return documentPart;
    },
  };
  const url = '/source/krk_2026/7?revision=2&chunk=1';
  const { headers } = await get(url, app);
  const etag = String(headers.etag);
  const again = await get(url, app, { 'if-none-match': `W/${etag}` });
  expect([again.statusCode, again.body, again.headers['cache-control'], read]).toEqual([
    304,
    '',
    'private, no-cache',
    1,
  ]);
  app.found = { ...app.found, current_revision: 6 };
  const changed = await get(url, app, { 'if-none-match': etag });
  const other = await get(url, app, { 'if-none-match': etag, 'accept-language': 'ru' });
  expect([changed.statusCode, other.statusCode, read]).toEqual([200, 200, 3]);
  app.found = { status: 'withdrawn' };
  expect((await get(url, app, { 'if-none-match': etag })).statusCode).toBe(410);
});

test('names a document without a title by its first words', async () => {
  const app = new WebApp();
  app.found = { ...document, facts: { ...document.facts, title: '' } };
  expect(inside((await get('/source/krk_2026/7?chunk=2', app)).body, /<h1 lang="en">/)).toEqual([
    'Article 2. Flag',
  ]);
  app.found = { ...app.found, read: async () => ({ start: 0, text: 'Text.', chunks: [] }) };
  expect(inside((await get('/source/krk_2026/7', app)).body, /<h1 lang="en">/)).toEqual(['Law of 1994']);
});

test('shows no notice on text in force, and no mark without a chunk', async () => {
  const app = new WebApp();
  const layer = { name: 'main', title: null, kind: 'text', visibility: 'public' } as const;
  app.found = { ...document, current_revision: 2, layer };
  const { body } = await get('/source/krk_2026/7', app);
  expect(app.opened).toMatchObject([{ corpus_id: 'krk_2026', doc_id: 7, revision: null, chunk: null }]);
  expect(body).not.toMatch(/class="notice"|class="layer"|<mark/);
});

test("shows fixed text in the reader's preferred language, and leaves title and text unchanged", async () => {
  const { body } = await get('/source/krk_2026/7?revision=2', new WebApp(), {
    'accept-language': 'de, kk-KZ;q=0.9, ru;q=0.8',
  });
  expect(body).toContain('<html lang="kk">');
  expect(body).toContain('Бұл мәтін күшін жойған.');
  expect(inside(body, /<p class="layer">/)).toEqual(['Закон 1994 года']);
  for (const [header, lang] of [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'en'],
    ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
    ['en;q=0.5, kk', 'kk'],
    ['ru;q=0, en;q=0.1', 'en'],
    ['*', 'en'],
  ] as const)
    expect(acceptedLanguage(header)).toBe(lang);
});

test('refuses a hidden document with its status, and reveals none of its content', async () => {
  const refused = async (found: WebApp['found'], url = '/source/krk_2026/7') => {
    const app = new WebApp();
    app.found = found;
    const { statusCode, body, headers } = await get(url, app);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).not.toMatch(/Law of|It is blue|<article/);
    return [statusCode, inside(body, /<h1>/)[0], app.opened.length];
  };
  expect(await refused({ status: 'withdrawn' })).toEqual([410, 'The document was withdrawn', 1]);
  expect(await refused({ status: 'restricted' })).toEqual([403, 'The document is not public', 1]);
  expect(await refused({ status: 'denied' })).toEqual([401, 'This source is not public', 1]);
  expect(await refused({ status: 'denied' }, '/source/krk_2026/7?expires=1&signature=x')).toEqual([
    403,
    'This source is not public',
    1,
  ]);
  expect(await refused({ status: 'expired' })).toEqual([410, 'The link has expired', 1]);
  expect(await refused(null)).toEqual([404, 'There is no such source', 1]);
  const program = await get('/source/krk_2026/0', new WebApp(), { accept: '*/*' });
  expect([program.statusCode, program.json()]).toEqual([404, { detail: 'Source not found.' }]);
  for (const path of [
    '0',
    '-1',
    '1.5',
    'x',
    '9'.repeat(16),
    '7?revision=0',
    '7?revision=x',
    '7?revision=',
    '7?part=0',
  ])
    expect(await refused(document, `/source/krk_2026/${path}`)).toEqual([404, 'There is no such source', 0]);
});

test('counts source pages, and rejects requests beyond the limit', async () => {
  const app = new WebApp();
  const counted: unknown[] = [];
  app.access.count = async (...of) => {
    counted.push(of);
    return { allowed: false, limit: 1, remaining: 0, resetS: 9, retryAfterS: 9 };
  };
  const { statusCode, headers, body } = await get('/source/krk_2026/7', app);
  expect([statusCode, headers['retry-after'], counted]).toEqual([429, '9', [['source', null, '127.0.0.1']]]);
  expect(inside(body, /<h1>/)).toEqual(['Too many sources were opened']);
  expect(app.opened).toEqual([]);
});

test('reports an unreadable history', async () => {
  const app = new WebApp();
  app.source = async () => {
    throw new Failure('unavailable', 'The history cannot be reached.', { retryAfterS: 2.5 });
  };
  const reply = await get('/source/krk_2026/7', app);
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '3']);
  expect(reply.body).toContain('The source cannot be opened now');
});

test('the ask page contains the widget for the chosen corpus and language', async () => {
  const app = new WebApp();
  const [known] = await app.corpora();
  if (!known) throw new Error('no corpus');
  const registry = { ...known, corpus_id: 'reestr_texts', title: 'Texts & "dates"', is_default: false };
  app.corpora = async () => [known, { ...registry, styles: ['brief', 'quotes'] }];
  const first = await get('/', app, { 'accept-language': 'ru' });
  expect(first.statusCode).toBe(200);
  expect(first.headers['content-security-policy']).toContain("script-src 'self'");
  expect(first.body).toContain(
    '<docent-ask inline remember beside share="answer/" corpus="krk_2026" lang="ru" heading="Constitution" styles="" examples="What is free?\nWhat does article 23 say?" query="">',
  );
  const second = await get('/?corpus=reestr_texts&lang=kk', app);
  expect(second.body).toContain(
    '<docent-ask inline remember beside share="answer/" corpus="reestr_texts" lang="kk" heading="Texts &amp; &quot;dates&quot;" styles="brief quotes" ',
  );
  expect(second.body).toContain('<a href="?corpus=krk_2026&amp;lang=kk">Constitution</a>');
  expect(second.body).toContain('lang="ru" hreflang="ru">Русский</a>');
  const unknown = await get('/?corpus=%22%3E%3Cscript%3E&lang=xx', app);
  expect(unknown.body).toContain(
    '<docent-ask inline remember beside share="answer/" corpus="krk_2026" lang="en"',
  );
  app.corpora = async () => [];
  expect((await get('/', app)).body).not.toContain('<docent-ask');
});

async function post(fields: Record<string, string>, app: WebApp) {
  const { server } = openDoor(app);
  const reply = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: new URLSearchParams(fields).toString(),
  });
  await server.close();
  return reply;
}

test('without scripts a form replaces the widget, with the question from the URL and examples', async () => {
  const app = new WebApp();
  const { body } = await get('/?lang=en&q=What+is+%3Cfree%3E%3F', app);
  expect(body).toContain('query="What is &lt;free&gt;?"');
  expect(inside(body, /<textarea id="q"[^>]*>/)).toEqual(['What is &lt;free&gt;?']);
  expect(app.asked).toEqual([]);
  const first = await get('/?lang=en', app);
  expect(first.headers['content-security-policy']).toContain("form-action 'self'");
  expect(first.body).toContain(
    '<a href="?corpus=krk_2026&amp;lang=en&amp;q=What+is+free%3F">What is free?</a>',
  );
});

test('the form returns a page with text, numbered sources, and the conversation for follow-ups', async () => {
  const app = new WebApp();
  app.parts = async function* (input) {
    for await (const part of partsOf(input)) {
      yield part;
      if (part.type === 'sources') yield { type: 'text', text: 'Law: ', label: true };
    }
  };
  const history = JSON.stringify([
    { role: 'user', content: 'Before <b>?' },
    { role: 'system', content: 'x' },
    7,
  ]);
  const { statusCode, body } = await post(
    { corpus: 'krk_2026', lang: 'en', q: 'What is free?', history },
    app,
  );
  expect(statusCode).toBe(200);
  expect(app.asked).toMatchObject([
    { query: 'What is free?', corpus_id: 'krk_2026', history: [{ role: 'user', content: 'Before <b>?' }] },
  ]);
  expect(inside(body, /<h2 class="asked">/)).toEqual(['Before &lt;b&gt;?', 'What is free?']);
  expect(inside(body, /<p class="answer">/)[0]).toBe(
    'Assemblies are free &lt;i&gt;everywhere&lt;/i&gt;.<sup><a href="#source-1">1</a></sup> They are announced a day before. 🙂 No fee is due.<sup><a href="#source-1">1</a></sup><sup><a href="#source-2">2</a></sup>',
  );
  expect(body).toContain(
    '<a href="/source/krk_2026/7?revision=2&amp;chunk=23&amp;quote=4-9#cited">Open the source</a>',
  );
  expect(body).not.toMatch(/javascript:|<script|Law: /);
  const carried = /name="history" value="([^"]*)"/.exec(body)?.[1] ?? '';
  expect(
    JSON.parse(carried.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
  ).toEqual([
    { role: 'user', content: 'Before <b>?' },
    { role: 'user', content: 'What is free?' },
    { role: 'assistant', content: answer },
  ]);
});

test('the form explains an unanswered question and keeps it editable', async () => {
  const page = async (q: string, app = new WebApp()) => {
    const { statusCode, body } = await post({ lang: 'en', q, history: 'no JSON' }, app);
    return [statusCode, inside(body, /<p class="notice" role="alert">/)[0]];
  };
  expect(await page(' ')).toEqual([422, 'This question cannot be accepted. Shorten it or rephrase it.']);
  expect((await page('x'.repeat(2001)))[0]).toBe(422);
  const busy = new WebApp();
  busy.parts = () => {
    throw new Failure('rate_limited', 'x', { retryAfterS: 3 });
  };
  expect(await page('Free?', busy)).toEqual([429, 'Too many questions at once. Try again a little later.']);
});

test('the pages accept no other methods', async () => {
  const { server } = openDoor(new WebApp());
  for (const [url, allow] of [
    ['/', 'GET, POST'],
    ['/widget/docent.js', 'GET'],
    ['/source/krk_2026/7', 'GET'],
  ]) {
    const reply = await server.inject({ method: 'HEAD', url });
    expect([url, reply.statusCode, reply.headers.allow]).toEqual([url, 405, allow]);
  }
  await server.close();
});

const answered: RecordedAsk = {
  request_id: '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d',
  key_id: null,
  corpus_id: 'krk_2026',
  query: 'What is <free>?',
  asked_at: '2026-11-21T10:00:00.000Z',
  deadline: '2026-11-21T10:02:00.000Z',
  body_hash: null,
  parts: null,
  replaced: null,
};
async function partsRead(): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of partsOf({ request_id: answered.request_id } as AskInput)) parts.push(part);
  return parts;
}
/** An app with one recorded answer. */
async function appWith(over: Partial<RecordedAsk> = {}): Promise<WebApp> {
  const app = new WebApp();
  app.recordedAsks.records.set(answered.request_id, { ...answered, parts: await partsRead(), ...over });
  return app;
}
const recorded = `/answer/${answered.request_id}`;

test('the page of a recorded answer shows the question, the answer, its sources and its time', async () => {
  const reply = await get(recorded, await appWith(), { 'accept-language': 'en' });
  expect(reply.statusCode).toBe(200);
  const { body } = reply;
  expect(inside(body, /<h1>/)).toEqual(['What is &lt;free&gt;?']);
  expect(body).toContain('Answered on 21 November 2026');
  expect(body).toContain(
    'Assemblies are free &lt;i&gt;everywhere&lt;/i&gt;.<sup><a href="#source-1">1</a></sup>',
  );
  expect(inside(body, /<blockquote lang="ru">/)[0]).toBe(
    'Assemblies are free &lt;i&gt;everywhere&lt;/i&gt;.',
  );
  expect(body).toContain('href="../?corpus=krk_2026&amp;lang=en&amp;q=What+is+%3Cfree%3E%3F"');
  expect(body).not.toContain('javascript:');
});

test('does not show an unknown, unfinished, failed, erased or key-protected answer', async () => {
  const shown = async (over: Partial<RecordedAsk>) => (await get(recorded, await appWith(over))).statusCode;
  expect((await get('/answer/nothing', await appWith())).statusCode).toBe(404);
  expect(await shown({ parts: null })).toBe(404);
  const failed: Part = { type: 'error', request_id: '', code: 'timeout', detail: '', retryable: true };
  expect(await shown({ parts: [failed] })).toBe(404);
  expect(await shown({ key_id: 7 })).toBe(404);
  const app = await appWith();
  app.recordedAsks.find = () => Promise.reject(new Failure('gone', 'It was erased.'));
  const gone = await get(recorded, app);
  expect([gone.statusCode, gone.body.includes('It was erased.')]).toEqual([410, false]);
});

test("only source pages may be framed, and only by this service's own pages", async () => {
  const app = await appWith();
  const framing = async (url: string) => {
    const { headers } = await get(url, app);
    return [
      /frame-ancestors [^;]+/.exec(String(headers['content-security-policy']))?.[0],
      headers['x-frame-options'],
    ];
  };
  expect(await framing('/source/krk_2026/7?chunk=1')).toEqual(["frame-ancestors 'self'", 'SAMEORIGIN']);
  for (const url of ['/', '/graph', recorded, '/answer/nothing'])
    expect(await framing(url)).toEqual(["frame-ancestors 'none'", 'DENY']);
});
