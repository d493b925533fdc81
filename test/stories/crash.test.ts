import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { dumpEmbedded } from '../../src/workers/data-folder.ts';
import { discrepancies } from './story.ts';

const script = fileURLToPath(new URL('../support/work-forever.ts', import.meta.url));
const rounds = 20;
/** Marks in every revision of a document, all alike: two different ones would be of two revisions. */
const marked = 12;

let folder: string;
let data: string;
let library: string;
const config = () => ({ ...readConfig({}, '/dev/null'), DOCENT_DATA: data, DOCENT_DEFAULT_CORPUS: 'lib' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-crash-'));
  data = join(folder, 'data');
  library = join(folder, 'library');
  mkdirSync(library);
  const first = 'Здесь сказано, что метка есть 0.0. Налоги платят все граждане.\n\n'.repeat(marked);
  writeFileSync(join(library, 'doc-0.md'), `# Документ\n\n${first}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Lets the process work until it has acknowledged `lines` things, then kills it; what it acknowledged. */
async function killedAfter(lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, data, library], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => {
    said.push(line);
    if (said.length > lines) child.kill('SIGKILL');
  });
  await once(reader, 'close');
  return said;
}

/** Every visible document is whole: as many chunks as its revision was published with, all of that revision. */
async function expectWhole(app: App): Promise<void> {
  const { items } = await app.documents('lib', { limit: 100, offset: 0 });
  for (const { doc_id, doc_key, revision, chunk_count, status } of items) {
    if (status !== 'published') continue;
    const source = await app.source({ corpus_id: 'lib', doc_id: Number(doc_id) });
    if (source.status !== 'published') throw new Error(`${doc_key} is ${source.status}`);
    expect(source.facts.revision).toBe(revision);
    const { chunks, text } = await source.read();
    expect([source.parts, chunks.length]).toEqual([1, chunk_count]);
    const marks = [...text.matchAll(/есть (\d+\.\d+)\./g)].map((m) => m[1]);
    expect(marks).toEqual(Array.from({ length: marked }, () => marks[0]));
  }
}

test(`a process killed ${rounds} times while it ingests and answers loses nothing it acknowledged`, async () => {
  const asked: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const said = await killedAfter(1 + ((round * 17) % 40));
    asked.push(...said.filter((line) => line.startsWith('asked ')).map((line) => line.slice(6)));
    const taken = said
      .filter((line) => line.startsWith('took '))
      .map((line) => line.split(' ').slice(1) as [string, string]);
    const app = await openApp(config());
    try {
      await app.caughtUp();
      for (const id of asked.slice(-20))
        expect((await app.history.find(id))?.parts?.at(-1)?.type).toBe('done');
      await expectWhole(app);
      const last = new Map(taken);
      const { items } = await app.documents('lib', { limit: 100, offset: 0 });
      for (const [key, mark] of last) {
        const found = items.find((d) => d.doc_key === key);
        const source = await app.source({ corpus_id: 'lib', doc_id: Number(found?.doc_id) });
        const [pid, count] = mark.split('.').map(Number) as [number, number];
        const text = source.status === 'published' ? (await source.read()).text : '';
        const seen = /есть (\d+)\.(\d+)\./.exec(text);
        expect(Number(seen?.[1])).toBe(pid);
        // What was acknowledged, or what came after it.
        expect(Number(seen?.[2])).toBeGreaterThanOrEqual(count);
      }
    } finally {
      await app.close();
    }
  }
  expect(asked.length).toBeGreaterThan(0);
  const app = await openApp(config());
  for (const id of asked) expect((await app.history.find(id))?.parts?.at(-1)?.type).toBe('done');
  const report = await app.ingest({
    path: library,
    corpus_id: 'lib',
    layer: null,
    prune: false,
    yes: false,
    actor: 'system',
  });
  expect(report.skipped).toEqual([]);
  const again = await app.ingest({
    path: library,
    corpus_id: 'lib',
    layer: null,
    prune: false,
    yes: false,
    actor: 'system',
  });
  expect(again).toMatchObject({
    added: 0,
    revised: 0,
    unchanged: report.added + report.revised + report.unchanged,
  });
  expect(await discrepancies(app)).toEqual({});
  await app.close();
  // What a lexicon learned is made from the other read models once they have settled, not from events.
  const dumped = () => [...dumpEmbedded(data)].filter((line) => !line.startsWith('lexicon\t'));
  const before = dumped();
  const rebuilding = await openApp(config());
  await rebuilding.rebuild();
  await rebuilding.close();
  expect(dumped()).toEqual(before);
});
