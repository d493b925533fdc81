/** Which documents a run ingests, omits and reports, with real folders and a real service. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

let folder: string;
let app: App;

beforeAll(async () => {
  folder = newFolder('ingest');
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')), {
    asksSoon: false,
  });
});
afterAll(() => app.close());

async function ingest(
  name: string,
  files: Record<string, string>,
  given: { corpus?: string; layer?: string } = {},
  onDone: (bytes: number) => void = () => {},
) {
  return app.ingest(
    {
      path: writeFiles(join(folder, name), files),
      corpus_id: given.corpus,
      layer: given.layer,
      prune: true,
      actor: 'system',
    },
    ({ done }) => onDone(done),
  );
}
const published = async (corpus_id: string) =>
  (await app.documents(corpus_id)).items.map(({ doc_key, title, layer }) => [doc_key, title, layer]);
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n');

test('reports a faulty line by its number, and ingests the others', async () => {
  const manifest =
    'id: lines\ntitle: T\nlayers: [{name: norm}, {name: notes}]\nfiles: [{path: "x/**", skip: true}]\n';
  const records = lines(
    { id: 'k1', text: 'Один.' },
    { id: 'k2', text: 'Два.', layer: 'zzz' },
    { id: 'k3', text: 'Три.', layer: 'notes', title: 'Третий' },
    { id: 'k4', text: 'Четыре.', skip: true },
  );
  const files = { 'corpus.yaml': manifest, 'a.md': 'Текст.', 'b.jsonl': records, 'x/c.md': 'Текст.' };
  const report = await ingest('lines', files);
  expect(report).toMatchObject({ files: 2, added: 3 });
  expect(report.skipped).toEqual([
    { path: 'b.jsonl', reason: 'Line 2: the corpus has no layer "zzz", only norm, notes.' },
    { path: 'b.jsonl', reason: 'Line 4: it says to skip it.' },
    { path: 'x/c.md', reason: 'The manifest says to skip it.' },
  ]);
  expect((await published('lines')).sort()).toEqual([
    ['a', 'a', 'norm'],
    ['k1', null, 'norm'],
    ['k3', 'Третий', 'notes'],
  ]);
  const again = await ingest('lines', {
    'b.jsonl': lines(
      { id: 'k1', text: 'Один.', layer: 'zzz' },
      { id: 'k3', text: 'Три, иначе.', layer: 'notes' },
    ),
  });
  expect(again).toMatchObject({ revised: 1, withdrawn: 0 });
});

test('--layer creates layers by name, but adds none to those declared in a manifest', async () => {
  const text = { 'a.md': 'Текст.' };
  await ingest('plain', text, { corpus: 'plain', layer: 'first' });
  await ingest('more', { 'b.md': 'Текст.' }, { corpus: 'plain', layer: 'second' });
  expect(await published('plain')).toEqual([
    ['a', 'a', 'first'],
    ['b', 'b', 'second'],
  ]);
  await ingest('declared', {
    'corpus.yaml':
      'id: declared\ntitle: T\nlayers: [{name: norm, title: Норма}, {name: old, kind: superseded}]\n',
    ...text,
  });
  await expect(ingest('more', {}, { corpus: 'declared', layer: 'nolayer' })).rejects.toMatchObject({
    code: 'invalid',
    detail:
      '--layer nolayer: the corpus "declared" has the layers norm, old; declare a new one in its manifest.',
  });
  expect(await ingest('more', {}, { corpus: 'declared', layer: 'old' })).toMatchObject({ added: 1 });
});

test('resumes an interrupted file of many records, and parses only new or changed ones again', async () => {
  const record = (n: number, text = `Текст номер ${n}.`) => ({ id: `r${n}`, text });
  const all = Array.from({ length: 150 }, (_, n) => record(n));
  expect(
    await ingest('resumed', { 'a.jsonl': lines(...all.slice(0, 100)) }, { corpus: 'resumed' }),
  ).toMatchObject({ added: 100 });
  const seen: number[] = [];
  const changed = [...all.slice(0, 40), record(40, 'Иначе.'), ...all.slice(41)];
  const report = await ingest(
    'resumed',
    { 'a.jsonl': lines(...changed, record(7)) },
    { corpus: 'resumed' },
    (done) => seen.push(done),
  );
  expect(report).toMatchObject({ added: 50, revised: 1, unchanged: 99, chunks: 51, withdrawn: 0 });
  expect(report.skipped).toEqual([
    { path: 'a.jsonl', reason: 'Line 151: another line has the same id "r7".' },
  ]);
  const size = Buffer.byteLength(lines(...changed, record(7)));
  expect(seen.at(-1)).toBe(size);
  expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
});

test('reports any error in a file as one line, and shows names without control characters', async () => {
  const report = await ingest(
    'odd',
    {
      'corpus.yaml':
        'id: odd\ntitle: T\nlayers: [{name: norm}, {name: drafts, visibility: restricted}]\nfiles: [{path: secret.md, layer: drafts}]\n',
      'a.md': 'Текст.',
      'circle.md': '---\nb: &b [*b]\n---\nТекст.',
      'huge.md': `---\ntitle: T\nx: ${'y'.repeat(1_200_000)}\n---\nТекст.`,
      'secret.md': '---\nlayer: norm\n---\nТекст.',
      'red\u001b[31m\u202e.bin': 'x',
    },
    {},
  );
  expect(report).toMatchObject({ files: 5, added: 2 });
  expect(report.skipped).toEqual([
    { path: 'circle.md', reason: 'Front matter: too many aliases, or an alias that contains itself.' },
    {
      path: 'huge.md',
      reason: expect.stringMatching(/^An append of \d+ events .* accepts at most 1000000\.$/),
    },
    { path: 'red\ufffd[31m\ufffd.bin', reason: 'Unsupported file type .bin.' },
  ]);
  expect(report.notes).toEqual([
    {
      path: 'secret.md',
      reason: 'It names the layer "norm", which everyone may read; it stays in "drafts", as specified.',
    },
  ]);
  expect(await published('odd')).toContainEqual(['secret', 'secret', 'drafts']);
});

test('reports a file that replaces one with another name, but not records that do so', async () => {
  const first = await ingest(
    'drafts',
    { 'rule.md': 'Один.', 'records.jsonl': lines({ id: 'k', text: 'Два.' }) },
    { corpus: 'renamed' },
  );
  expect(first.notes).toEqual([]);
  const second = await ingest(
    'finals',
    { 'rule.txt': 'Три.', 'more.jsonl': lines({ id: 'k', text: 'Четыре.' }) },
    { corpus: 'renamed' },
  );
  expect(second).toMatchObject({ added: 0, revised: 2, withdrawn: 0 });
  expect(second.notes).toEqual([
    { path: 'rule.txt', reason: 'It became the next revision of "rule", which came from rule.md.' },
  ]);
});
