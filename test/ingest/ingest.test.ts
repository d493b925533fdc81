/** What a run takes in, leaves out and tells, over real folders and a real service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

let folder: string;
let app: App;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-ingest-'));
  app = await openApp(readConfig({ DOCENT_DATA: join(folder, 'data') }, join(folder, 'none')));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function ingest(
  name: string,
  files: Record<string, string>,
  given: { corpus?: string; layer?: string } = {},
) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return app.ingest({
    path: join(folder, name),
    corpus_id: given.corpus ?? null,
    layer: given.layer ?? null,
    prune: true,
    yes: false,
    actor: 'system',
  });
}
const published = async (corpus_id: string) =>
  (await app.documents(corpus_id)).items.map(({ doc_key, title, layer }) => [doc_key, title, layer]);
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n');

test('a line with a fault is told by its number, the others go in', async () => {
  const manifest =
    'id: lines\ntitle: T\nlayers: [{name: norm}, {name: notes}]\nfiles: [{path: "x/**", skip: true}]\n';
  const records = lines(
    { id: 'k1', text: 'Один.' },
    { id: 'k2', text: 'Два.', layer: 'zzz' },
    { id: 'k3', text: 'Три.', layer: 'notes', title: 'Третий' },
    { id: 'k4', text: 'Четыре.', skip: true },
  );
  const files = {
    'corpus.yaml': manifest,
    'a.md': 'Текст.',
    'b.jsonl': records,
    'x/c.md': 'Текст.',
  };
  const report = await ingest('lines', files);
  expect(report).toMatchObject({ files: 2, added: 3 });
  expect(report.skipped).toEqual([
    { path: 'b.jsonl', reason: 'line 4: it says skip' },
    { path: 'b.jsonl', reason: 'line 2: Its layer "zzz" is none of the corpus\' (norm, notes).' },
    { path: 'x/c.md', reason: 'The manifest says skip.' },
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

test('--layer makes layers by name, but adds none to those a manifest declares', async () => {
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
      '--layer nolayer: the corpus "declared" has the layers norm, old; a new one is declared in its manifest.',
  });
  expect(await ingest('more', {}, { corpus: 'declared', layer: 'old' })).toMatchObject({ added: 1 });
});
