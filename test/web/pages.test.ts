import { expect, test } from 'vitest';
import { Failure } from '../../src/failures.ts';
import { acceptedLanguage } from '../../web/pages/texts.ts';
import { document, openDoor, WebApp } from './fake-door.ts';

async function get(url: string, app = new WebApp(), headers: Record<string, string> = {}) {
  const { server } = openDoor(app);
  const reply = await server.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
  await server.close();
  return reply;
}

/** What a reader sees of an element, by its opening tag. */
function inside(body: string, tag: RegExp): string[] {
  const name = /^<(\w+)/.exec(tag.source)?.[1];
  return [...body.matchAll(new RegExp(`${tag.source}([^]*?)</${name}>`, 'g'))].map((match) => match[1] ?? '');
}

test('the source page shows the revision asked for, with the cited place marked, and nothing of it is markup', async () => {
  const app = new WebApp();
  const reply = await get('/source/krk_2026/7?revision=2&chunk=1', app, { 'accept-language': 'en' });
  expect(reply.statusCode).toBe(200);
  expect(app.opened).toEqual([{ corpus_id: 'krk_2026', doc_id: 7, revision: 2 }]);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
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
    'This is an earlier revision of the document; revision 5 is shown now. <a href="?chunk=1#cited">Open the present revision</a>',
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

test('a cited part of a paragraph is marked inside it; a place that is not there is said not to be', async () => {
  const part = await get('/source/krk_2026/7?chunk=2');
  expect(part.body).toContain(
    '<p>It is blue. <mark id="cited" tabindex="-1" autofocus>It is wide.</mark></p>',
  );
  const none = await get('/source/krk_2026/7?chunk=3', new WebApp(), { 'accept-language': 'ru' });
  expect(none.body).not.toContain('<mark');
  expect(none.body).toContain('Указанного места в этой редакции нет');
});

test('the current text in force carries no notice, and without a chunk nothing is marked', async () => {
  const app = new WebApp();
  const layer = { name: 'main', title: null, kind: 'text', visibility: 'public' } as const;
  app.found = { ...document, current_revision: 2, facts: { ...document.facts, layer } };
  const { body } = await get('/source/krk_2026/7', app);
  expect(app.opened).toEqual([{ corpus_id: 'krk_2026', doc_id: 7, revision: null }]);
  expect(body).not.toMatch(/class="notice"|class="layer"|<mark/);
});

test('the fixed texts are in the language the reader prefers, the title and text stay as they are', async () => {
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

test('what is not shown is refused with its status, and nothing of the document stands on the page', async () => {
  const refused = async (found: WebApp['found'], url = '/source/krk_2026/7') => {
    const app = new WebApp();
    app.found = found;
    const { statusCode, body, headers } = await get(url, app);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).not.toMatch(/Law of|It is blue|<article/);
    return [statusCode, inside(body, /<h1>/)[0], app.opened.length];
  };
  expect(await refused({ status: 'withdrawn' })).toEqual([410, 'The document was withdrawn', 1]);
  expect(await refused({ status: 'restricted' })).toEqual([403, 'The document is not for show', 1]);
  expect(await refused(null)).toEqual([404, 'There is no such source', 1]);
  const program = await get('/source/krk_2026/0', new WebApp(), { accept: '*/*' });
  expect([program.statusCode, program.json()]).toEqual([404, { detail: 'There is no such source.' }]);
  for (const path of ['0', '-1', '1.5', 'x', '9'.repeat(16), '7?revision=0', '7?revision=x', '7?revision='])
    expect(await refused(document, `/source/krk_2026/${path}`)).toEqual([404, 'There is no such source', 0]);
});

test('a history that cannot be read is told as such', async () => {
  const app = new WebApp();
  app.source = async () => {
    throw new Failure('unavailable', 'The history cannot be reached.', { retryAfterS: 2.5 });
  };
  const reply = await get('/source/krk_2026/7', app);
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '3']);
  expect(reply.body).toContain('The source cannot be opened now');
});

test('the ask page holds the widget for the corpus and language chosen', async () => {
  const app = new WebApp();
  const [known] = await app.corpora();
  if (!known) throw new Error('no corpus');
  const registry = { ...known, corpus_id: 'reestr_texts', title: 'Texts & "dates"', is_default: false };
  app.corpora = async () => [known, { ...registry, styles: ['brief', 'quotes'] }];
  const first = await get('/', app, { 'accept-language': 'ru' });
  expect(first.statusCode).toBe(200);
  expect(first.headers['content-security-policy']).toContain("script-src 'self'");
  expect(first.body).toContain(
    '<docent-ask inline corpus="krk_2026" lang="ru" heading="Constitution" styles=""></docent-ask>',
  );
  const second = await get('/?corpus=reestr_texts&lang=kk', app);
  expect(second.body).toContain(
    '<docent-ask inline corpus="reestr_texts" lang="kk" heading="Texts &amp; &quot;dates&quot;" styles="brief quotes"></docent-ask>',
  );
  expect(second.body).toContain('<a href="?corpus=krk_2026&amp;lang=kk">Constitution</a>');
  expect(second.body).toContain('lang="ru" hreflang="ru">Русский</a>');
  const unknown = await get('/?corpus=%22%3E%3Cscript%3E&lang=xx', app);
  expect(unknown.body).toContain('<docent-ask inline corpus="krk_2026" lang="en"');
  app.corpora = async () => [];
  expect((await get('/', app)).body).not.toContain('<docent-ask');
});

test('the pages answer GET only', async () => {
  const { server } = openDoor(new WebApp());
  for (const url of ['/', '/widget/docent.js', '/source/krk_2026/7']) {
    const reply = await server.inject({ method: 'HEAD', url });
    expect([url, reply.statusCode, reply.headers.allow]).toEqual([url, 405, 'GET']);
  }
  await server.close();
});
