import fs, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { mainLayer } from '../../src/ingest/layers.ts';
import type { RecordFault, RecordHead } from '../../src/ingest/parse-messages.ts';
import { openParsePool } from '../../src/ingest/parse-pool.ts';
import { contentHash, type PreparedDocument, prepareFile } from '../../src/ingest/prepare.ts';
import { newFolder } from '../support/folder.ts';
import { asked, docx, prepareOne, refusal } from './fixtures.ts';

const drafts = { ...mainLayer, name: 'drafts', visibility: 'restricted' as const };

describe('a document', () => {
  it('prefers its front matter to the manifest', async () => {
    const said = { hints: { title: 'Given', lang: 'kk' as const, metadata: { a: 0, b: 2 } } };
    expect(await prepareOne('a.md', '---\ntitle: Own\na: 1\n---\nText.', said)).toMatchObject({
      title: 'Own',
      lang: 'kk',
      metadata: { a: 1, b: 2 },
      key: 'a',
    });
  });

  it('is identified by its bytes and settings', async () => {
    const { input_hash } = await prepareOne('a.md', 'one');
    expect(await prepareFile(asked('a.md', 'one'), ['other', input_hash])).toEqual({ unchanged: input_hash });
    const others = [
      (await prepareOne('a.md', 'two')).input_hash,
      (await prepareOne('a.md', 'one', { doc_key: 'b' })).input_hash,
      (await prepareOne('a.md', 'one', { hints: { lang: 'ru' } })).input_hash,
      (await prepareOne('a.md', 'one', { layers: { layers: [mainLayer], said: 'main' } })).input_hash,
      // A layer that its front matter may name counts as well.
      (await prepareOne('a.md', 'one', { layers: { layers: [mainLayer, drafts], said: null } })).input_hash,
    ];
    expect(new Set([input_hash, ...others]).size).toBe(6);
  });

  it('is identified by the bytes it was read from, even if its file changes meanwhile', async () => {
    const path = join(newFolder('changing', { 'a.md': 'one' }), 'a.md');
    const { readFile } = fs;
    // A second read of the file finds different text.
    fs.readFile = (async (...of: Parameters<typeof readFile>) => {
      const read = await readFile(...of);
      if (of[0] === path) await writeFile(path, 'two');
      return read;
    }) as typeof readFile;
    syncBuiltinESMExports();
    try {
      const { bytes: _, ...input } = asked('a.md', 'one');
      const prepared = await prepareFile({ ...input, path });
      const same = await prepareOne('a.md', 'one');
      expect(prepared).toMatchObject({
        document: { input_hash: same.input_hash, content_hash: same.content_hash, chunks: same.chunks },
      });
    } finally {
      fs.readFile = readFile;
      syncBuiltinESMExports();
    }
  });

  it('may restrict its readers, but never extend them', async () => {
    const layers = [mainLayer, { ...mainLayer, name: 'notes' }, drafts];
    const layer = async (said: string | null, own?: string) => {
      const text = own === undefined ? 'Text.' : `---\nlayer: ${own}\n---\nText.`;
      const { layer, notes } = await prepareOne('a.md', text, { layers: { layers, said } });
      return [layer.name, notes.length > 0];
    };
    expect(await layer(null)).toEqual(['main', false]);
    expect(await layer('drafts')).toEqual(['drafts', false]);
    expect(await layer(null, 'drafts')).toEqual(['drafts', false]);
    expect(await layer('main', 'drafts')).toEqual(['drafts', false]);
    expect(await layer('main', 'notes')).toEqual(['notes', false]);
    expect(await layer('drafts', 'main')).toEqual(['drafts', true]);
    expect(await layer('notes', 'main')).toEqual(['notes', true]);
    await expect(layer(null, 'none')).rejects.toThrow(
      'the corpus has no layer "none", only main, notes, drafts',
    );
  });

  it('is rejected if its front matter refers to itself or cannot be written as JSON', async () => {
    expect(await refusal('a.md', '---\nb: &b [*b]\n---\nText.')).toBe(
      'front matter: too many aliases, or an alias that contains itself',
    );
    const { metadata } = await prepareOne(
      'a.md',
      '---\na: .nan\nb: -.inf\nc: &c {d: 1}\ne: [*c, *c]\n---\nText.',
    );
    expect(metadata).toEqual({ a: null, b: null, c: { d: 1 }, e: [{ d: 1 }, { d: 1 }] });
  });

  it.each([
    ['x.md', '# The title\n\ntext', 'The title'],
    ['13.txt', 'A first line\n\ntext', 'A first line'],
    ['a.html', '<title>Named</title><p>text</p>', 'Named'],
    ['charter.txt', 'Статья 1. Начало\n\nТекст.\n\nСтатья 2. Конец\n\nТекст.', 'charter'],
    ['a.txt', 'Статья 1. Единственная\n\nТекст.', 'Статья 1. Единственная'],
    ['annexes.txt', 'Приложение 1\n\nТекст.\n\nПриложение 2\n\nТекст.', 'Приложение 1'],
  ])('%s has a title', async (name, content, title) => {
    expect((await prepareOne(name, content)).title).toBe(title);
  });

  it('has a hash of everything that determines its revision, and of nothing else', async () => {
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

describe('the parser pool', () => {
  const pool = openParsePool({ workers: 1, memoryMb: 200 });
  afterAll(() => pool.close());
  const good = asked('a.md', 'Text.');

  it('parses in a separate process', async () => {
    expect(await pool.prepare(good)).toMatchObject({ document: { text: 'Text.' } });
  });

  it('rejects a file with an explanation', async () => {
    await expect(pool.prepare(asked('a.docx', 'x'))).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Broken: not a ZIP archive.',
    });
    const { bytes: _, ...nowhere } = asked('/nowhere/a.md', '');
    await expect(pool.prepare(nowhere)).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Cannot be read: it no longer exists.',
    });
  });

  it('rejects archives that unpack to too much data', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(201 * 1024 * 1024) }, { level: 1 });
    await expect(pool.prepare(asked('a.docx', bomb))).rejects.toMatchObject({
      detail: 'Unpacks to more than 200 MB.',
    });
  });

  it('continues after a file that uses all its memory', async () => {
    const hungry = docx({ body: '<w:p w:rsidR="1"><w:r/></w:p>'.repeat(450_000) });
    const [fate, after] = await Promise.allSettled([
      pool.prepare(asked('a.docx', hungry)),
      pool.prepare(good),
    ]);
    expect(fate).toMatchObject({
      status: 'rejected',
      reason: { code: 'invalid', detail: expect.stringMatching(/memory\.$/) },
    });
    expect(after).toMatchObject({ status: 'fulfilled', value: { document: { text: 'Text.' } } });
  });

  it('continues after a file that takes too long', async () => {
    const hasty = openParsePool({ timeoutMs: 1 });
    await expect(hasty.prepare(good)).rejects.toMatchObject({
      code: 'invalid',
      detail: 'Took longer than 0 s to read.',
    });
    await expect(hasty.prepare(good)).rejects.toMatchObject({ code: 'invalid' });
    await hasty.close();
  });

  it('accepts nothing after it is closed', async () => {
    const closed = openParsePool();
    await closed.close();
    await expect(closed.prepare(good)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('keeps the compiled code of its processes', async () => {
    const kept = newFolder('compiled');
    const { NODE_COMPILE_CACHE } = process.env;
    try {
      process.env.NODE_COMPILE_CACHE = kept;
      const first = openParsePool();
      await first.prepare(good);
      await first.close();
      expect((await fs.readdir(kept, { recursive: true })).length).toBeGreaterThan(10);
    } finally {
      if (NODE_COMPILE_CACHE === undefined) delete process.env.NODE_COMPILE_CACHE;
      else process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE;
    }
  });

  describe('with a file of many records', () => {
    const folder = newFolder('records');

    async function read(name: string, text: string, wanted: (key: string) => boolean = () => true) {
      const path = join(folder, name);
      await writeFile(path, text);
      const { bytes: _, ...input } = asked(name, '');
      const heads: RecordHead[] = [];
      const documents: PreparedDocument[] = [];
      const faults: RecordFault[] = [];
      let end = 0;
      const choose = async (list: readonly RecordHead[]) => {
        heads.push(...list);
        return list.map(({ key }) => wanted(key));
      };
      for await (const batch of pool.records({ ...input, path }, 'jsonl', choose)) {
        documents.push(...batch.documents);
        faults.push(...batch.faults);
        end = batch.bytes;
      }
      return { heads, documents, faults, end };
    }
    const line = (id: number, text = 'Text.') => `${JSON.stringify({ id: `k${id}`, text })}\n`;

    it('prepares the chosen records', async () => {
      const text = Array.from({ length: 200 }, (_, n) => line(n)).join('');
      const { heads, documents, faults, end } = await read('many.jsonl', text, (key) => key.endsWith('7'));
      expect(heads.map(({ key }) => key)).toEqual(Array.from({ length: 200 }, (_, n) => `k${n}`));
      expect(new Set(heads.map(({ input_hash }) => input_hash)).size).toBe(200);
      expect(documents.map(({ key, line }) => [key, line])).toEqual(
        Array.from({ length: 20 }, (_, n) => [`k${n * 10 + 7}`, n * 10 + 8]),
      );
      expect([faults, end]).toEqual([[], text.length]);
    });

    it('skips a record that uses all memory, and continues after it', async () => {
      const hungry = line(3, 'a\n\n'.repeat(3_000_000));
      const { documents, faults } = await read(
        'hungry.jsonl',
        line(1) + line(2) + hungry + line(4) + line(5),
      );
      expect(documents.map(({ key }) => key)).toEqual(['k1', 'k2', 'k4', 'k5']);
      expect(faults).toEqual([{ line: 3, reason: expect.stringMatching(/memory/) }]);
    });
  });
});
