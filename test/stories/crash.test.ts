import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { dumpEmbedded } from '../../src/workers/data-folder.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { corpus, type Kept, kept } from '../support/kept.ts';
import { discrepancies } from './story.ts';

const script = fileURLToPath(new URL('../support/work-forever.ts', import.meta.url));
const rounds = 12;
/** All marks in a document revision are equal, so two different ones would mean two revisions. */
const marked = 12;

let folder: string;
let data: string;
let library: string;
const config = () => ({ ...readConfig({}, '/dev/null'), DOCENT_DATA: data, DOCENT_DEFAULT_CORPUS: corpus });

beforeAll(() => {
  folder = newFolder('crash');
  data = join(folder, 'data');
  const first = 'Здесь сказано, что метка есть 0.0. Налоги платят все граждане.\n\n'.repeat(marked);
  library = writeFiles(join(folder, 'library'), { 'doc-0.md': `# Документ\n\n${first}` });
});

interface Life {
  /** Data left by the previous process. */
  kept: Kept;
  /** Items acknowledged by this process. */
  said: string[];
}

/** Lets a process work until it has acknowledged `lines` items, then kills it. */
async function killedAfter(lines: number, asked: readonly string[]): Promise<Life> {
  const child = spawn(process.execPath, [script, data, library, ...asked], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let left: Kept | null = null;
  const said: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => {
    if (left === null) left = JSON.parse(line.slice('kept '.length));
    else if (said.push(line) >= lines) child.kill('SIGKILL');
  });
  await once(reader, 'close');
  return { kept: left!, said };
}

/**
 * Checks that every acknowledged answer exists, and that every visible document is complete: it has the published
 * number of chunks, all from one revision, which is the last acknowledged one or a later one.
 */
function expectKept({ asks, documents }: Kept, asked: readonly string[], said: readonly string[]): void {
  expect(asks).toEqual(Object.fromEntries(asked.map((id) => [id, 'done'])));
  for (const { revision, chunks, read } of documents) {
    expect(read).toMatchObject({ status: 'published', revision, chunks, parts: 1 });
    expect(read.marks).toEqual(Array.from({ length: marked }, () => read.marks[0]));
  }
  for (const line of said) {
    const [, key, pid, count] = /^took (\S+) (\d+)\.(\d+)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const mark = documents.find((d) => d.key === key)?.read.marks[0] ?? '';
    expect(mark.split('.')[0]).toBe(pid);
    expect(Number(mark.split('.')[1])).toBeGreaterThanOrEqual(Number(count));
  }
}

test(`a process killed ${rounds} times while ingesting and answering loses nothing it acknowledged`, async () => {
  const asked: string[] = [];
  let said: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const lately = asked.slice(-20);
    const life = await killedAfter(1 + ((round * 17) % 40), lately);
    expectKept(life.kept, lately, said);
    said = life.said;
    asked.push(...said.filter((line) => line.startsWith('asked ')).map((line) => line.slice(6)));
  }
  expect(asked.length).toBeGreaterThan(0);
  const app = await openApp(config(), { asksSoon: false });
  expectKept(await kept(app, asked), asked, said);
  const report = await app.ingest({ path: library, corpus_id: corpus, actor: 'system' });
  expect(report.skipped).toEqual([]);
  const again = await app.ingest({ path: library, corpus_id: corpus, actor: 'system' });
  expect(again).toMatchObject({
    added: 0,
    revised: 0,
    unchanged: report.added + report.revised + report.unchanged,
  });
  expect(await discrepancies(app)).toEqual({});
  await app.close();
  const dumped = () => [...dumpEmbedded(data)];
  const before = dumped();
  const rebuilding = await openApp(config(), { asksSoon: false });
  await rebuilding.rebuild();
  await rebuilding.close();
  expect(dumped()).toEqual(before);
});
