import { zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { mainLayer } from '../../src/ingest/manifest.ts';
import { openParsePool } from '../../src/ingest/parse-pool.ts';
import { contentHash, prepareFile } from '../../src/ingest/prepare.ts';
import { bytes, docx, prepareOne, refusal } from './fixtures.ts';

describe('JSON lines', () => {
  it('are a document each; faults are told by line, the others go in', async () => {
    const lines = [
      '{"id":"a","title":"A","text":"Первый текст.","lang":"kk","url":"https://a","event_date":"2024-05","layer":"norm","speaker":"B"}',
      'not json',
      '',
      '{"id":7,"text":"# Заголовок\\n\\nТекст."}',
      '{"id":"b"}',
      '{"text":"c"}',
      '{"id":"a","text":"again"}',
      '{"id":"d","text":"  "}',
      '{"id":"e","text":"x","event_date":"soon"}',
      '{"id":"f","question":"Где?","answer":"Здесь."}',
      '{"id":"g","text":"Не для всех.","skip":true}',
      '{"id":"h","text":"x","skip":"yes"}',
    ];
    const { documents, faults } = await prepareFile({
      path: 'x.jsonl',
      bytes: bytes(lines.join('\n')),
      hints: { title: 'File', doc_key: 'file', source_url: 'https://s', layer: 'faq' },
    });
    expect(faults).toEqual([
      'line 2: not valid JSON',
      'line 5: "text" is missing',
      'line 6: "id" is missing',
      'line 7: id "a" stands on an earlier line too',
      'line 8: empty: it holds no text',
      'line 9: "event_date" must be a date written YYYY-MM-DD, YYYY-MM or YYYY',
      'line 11: it says skip',
      'line 12: "skip" must be true or false',
    ]);
    expect(documents.map(({ line }) => line)).toEqual([1, 4, 10]);
    expect(
      documents.map(({ key, title, lang, layer, url, source_url, event_date, metadata, text }) => [
        key,
        title,
        lang,
        layer,
        url,
        source_url,
        event_date,
        metadata,
        text,
      ]),
    ).toEqual([
      ['a', 'A', 'kk', 'norm', 'https://a', 'https://s', '2024-05', { speaker: 'B' }, 'Первый текст.'],
      ['7', 'Заголовок', 'ru', 'faq', null, 'https://s', null, {}, 'Заголовок\n\nТекст.'],
      ['f', '', 'ru', 'faq', null, 'https://s', null, {}, 'Где?\n\nЗдесь.'],
    ]);
    expect(documents[2]?.chunks[0]?.question).toBe('Где?');
  });

  it('none of which is a document are one refusal', async () => {
    expect(await refusal('x.jsonl', '{"a":1}\n{"b":2}\n')).toBe(
      'none of its 2 lines is a document; line 1: "id" is missing',
    );
  });
});

describe('a document', () => {
  it('believes its front matter before the manifest', async () => {
    const { documents } = await prepareFile({
      path: 'a.md',
      bytes: bytes('---\ntitle: Own\na: 1\n---\nText.'),
      hints: { title: 'Given', lang: 'kk', metadata: { a: 0, b: 2 } },
    });
    expect(documents[0]).toMatchObject({ title: 'Own', lang: 'kk', metadata: { a: 1, b: 2 }, key: null });
  });

  it.each([
    ['x.md', '# The title\n\ntext', 'The title'],
    ['two_words.md', 'text', 'two words'],
    ['13.txt', 'A first line\n\ntext', 'A first line'],
    ['a.html', '<title>Named</title><p>text</p>', 'Named'],
    ['charter.txt', 'Статья 1. Начало\n\nТекст.\n\nСтатья 2. Конец\n\nТекст.', 'charter'],
    ['a.txt', 'Статья 1. Единственная\n\nТекст.', 'Статья 1. Единственная'],
    ['plan.md', '# Содержание\n\nПервое, второе.', 'plan'],
    ['annexes.txt', 'Приложение 1\n\nТекст.\n\nПриложение 2\n\nТекст.', 'Приложение 1'],
  ])('%s has a title', async (name, content, title) => {
    expect((await prepareOne(name, content)).title).toBe(title);
  });

  it('has a hash of all that makes its revision, and of nothing else', async () => {
    const document = await prepareOne('a.md', '# T\n\ntext');
    const hash = contentHash(document, mainLayer);
    expect(contentHash({ ...document, metadata: { b: 1, a: { d: 1, c: 2 } } }, mainLayer)).toBe(
      contentHash({ ...document, metadata: { a: { c: 2, d: 1 }, b: 1 } }, mainLayer),
    );
    expect(contentHash(document, { ...mainLayer, title: 'Other' })).toBe(hash);
    const others = [
      contentHash({ ...document, text: 'other' }, mainLayer),
      contentHash({ ...document, title: 'other' }, mainLayer),
      contentHash({ ...document, lang: 'kk' }, mainLayer),
      contentHash({ ...document, url: 'https://a' }, mainLayer),
      contentHash({ ...document, source_url: 'https://a' }, mainLayer),
      contentHash({ ...document, event_date: '2026' }, mainLayer),
      contentHash({ ...document, metadata: { a: 1 } }, mainLayer),
      contentHash(document, { ...mainLayer, name: 'other' }),
      contentHash(document, { ...mainLayer, kind: 'faq' }),
      contentHash(document, { ...mainLayer, visibility: 'restricted' }),
      contentHash(document, mainLayer, 999),
    ];
    expect(new Set([hash, ...others]).size).toBe(12);
  });
});

describe('the pool', () => {
  const pool = openParsePool({ workers: 1, memoryMb: 96 });
  afterAll(() => pool.close());
  const good = { path: 'a.md', bytes: bytes('Text.'), hints: {} };

  it('parses in a process of its own', async () => {
    const { documents } = await pool.prepare(good);
    expect(documents.map((document) => document.text)).toEqual(['Text.']);
  });

  it('refuses a file with a sentence', async () => {
    await expect(pool.prepare({ path: 'a.docx', bytes: bytes('x'), hints: {} })).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Broken: not a ZIP archive.',
    });
    await expect(pool.prepare({ path: '/nowhere/a.md', hints: {} })).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Cannot be read (ENOENT).',
    });
  });

  it('refuses what unpacks to too much', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(201 * 1024 * 1024) }, { level: 1 });
    await expect(pool.prepare({ path: 'a.docx', bytes: bomb, hints: {} })).rejects.toMatchObject({
      detail: 'Unpacks to more than 200 MB.',
    });
  });

  it('goes on after a file that takes all memory', async () => {
    const hungry = docx({ body: '<w:p/>'.repeat(2_000_000) });
    const [fate, after] = await Promise.allSettled([
      pool.prepare({ path: 'a.docx', bytes: hungry, hints: {} }),
      pool.prepare(good),
    ]);
    expect(fate).toMatchObject({
      status: 'rejected',
      reason: { code: 'invalid', detail: expect.stringMatching(/memory\.$/) },
    });
    expect(after).toMatchObject({ status: 'fulfilled', value: { documents: [{ text: 'Text.' }] } });
  });

  it('goes on after a file that takes too long', async () => {
    const hasty = openParsePool({ timeoutMs: 1 });
    await expect(hasty.prepare(good)).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Took longer than 0 s to read.',
    });
    await expect(hasty.prepare(good)).rejects.toMatchObject({ code: 'invalid' });
    await hasty.close();
  });

  it('takes nothing after it is closed', async () => {
    const closed = openParsePool();
    await closed.close();
    await expect(closed.prepare(good)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
