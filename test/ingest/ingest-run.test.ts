/**
 * Errors that end a run, and errors that affect only one file, with a real history and a parser that fails on demand.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainEvent } from '../../src/domain/events.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { type IngestDeps, ingest } from '../../src/ingest/ingest.ts';
import type { RecordBatch } from '../../src/ingest/parse-pool.ts';
import { type PreparedDocument, prepareFile } from '../../src/ingest/prepare.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { newFolder } from '../support/folder.ts';
import { chunkOf, statedFacts } from '../support/revision.ts';
import { fakeReads, poolOf } from './fixtures.ts';

let folder: string;
let log: EmbeddedLog;
beforeEach(() => {
  folder = newFolder('run');
  mkdirSync(join(folder, 'docs'));
  log = new EmbeddedLog(directLog(new LogStore(join(folder, 'history'))));
});
afterEach(async () => {
  await log.close();
  // Unlike rmSync, this also removes paths that are too long.
  execFileSync('rm', ['-rf', folder]);
});

/** Ingests files with these names; for each, the parser returns the given error or the file. */
function run(files: Record<string, Error | null>, over: Partial<IngestDeps> = {}, prune = false) {
  for (const name of Object.keys(files)) writeFileSync(join(folder, 'docs', name), `Text of ${name}.`);
  const deps: IngestDeps = {
    commands: new Commands(log, { now: () => new Date() }),
    reads: fakeReads,
    caughtUp: async () => {},
    embedder: null,
    extractor: null,
    pool: poolOf(async (input) => {
      const error = files[basename(input.path)];
      if (error) throw error;
      return prepareFile(input);
    }),
    ...over,
  };
  const cause = { actor: 'system', correlation_id: 'test' };
  return ingest(deps, { path: join(folder, 'docs'), corpus_id: 'c', prune, cause });
}

test('reports an unexpected error for its file', async () => {
  const report = await run({
    'a.md': null,
    'b.md': new TypeError('x is not a function\n    at y'),
    'c.md': null,
  });
  expect(report).toMatchObject({ added: 2, keys: ['a', 'c'] });
  expect(report.skipped).toEqual([{ path: 'b.md', reason: 'Broken: x is not a function.' }]);
});

test('reports an unreadable folder, ingests its siblings, and keeps documents ingested from it earlier', async () => {
  const name = 'd'.repeat(250);
  const before = process.cwd();
  process.chdir(join(folder, 'docs'));
  // Each part of this path is short enough, but not the whole path.
  for (let depth = 0; depth < 18; depth++) {
    mkdirSync(name);
    process.chdir(name);
  }
  process.chdir(before);
  const root = realpathSync(join(folder, 'docs'));
  const below = { doc_id: 7, root, path: `${Array(18).fill(name).join('/')}/a.md` };
  const reads = { ...fakeReads, find: async () => ({ items: [below], total: 1 }) };
  const report = await run({ 'a.md': null }, { reads }, true);
  expect(report).toMatchObject({ files: 1, added: 1, withdrawn: 0 });
  expect(report.skipped).toEqual([
    { path: expect.stringMatching(/^d.*\/$/), reason: 'Cannot be read: its path is too long.' },
  ]);
});

test('ends the run if a store is unavailable', async () => {
  const away = new Failure('unavailable', 'The log is away.');
  await expect(run({ 'a.md': null, 'b.md': away, 'c.md': null })).rejects.toBe(away);
});

test('publishes a document even if a model is unavailable', async () => {
  const embedder = {
    name: 'm',
    dimension: 2,
    deterministic: false,
    embed: async () => {
      throw new Failure('unavailable', 'The model is unavailable.');
    },
  };
  expect(await run({ 'a.md': null }, { embedder })).toMatchObject({ added: 1 });
});

test('numbers documents by path, regardless of the order of parsing', async () => {
  const names = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md'];
  const files = Object.fromEntries(
    names.map((name) => [name, name === 'c.md' ? new Failure('invalid', 'Broken.') : null]),
  );
  /** Waits until all files are requested, then returns them in reverse order. */
  const asked: (() => void)[] = [];
  const prepare: IngestDeps['pool']['prepare'] = async (input) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (asked.push(resolve) === names.length) resolve();
    await promise;
    try {
      const error = files[basename(input.path)];
      if (error) throw error;
      return await prepareFile(input);
    } finally {
      setImmediate(asked[names.indexOf(input.path.slice(-4)) - 1] ?? (() => {}));
    }
  };
  const commands = new Commands(log, { now: () => new Date() });
  expect(await run(files, { commands, pool: poolOf(prepare) })).toMatchObject({ added: 5 });
  const documents = commands.catalog.state.documents.get('c') ?? new Map();
  const numbered = [...documents].map(([key, { doc_id }]) => `${doc_id} ${key}`);
  expect(numbered.sort()).toEqual(['1 a', '2 b', '3 d', '4 e', '5 f']);
});

test('does not write far ahead of indexing', async () => {
  const [chunksEach, count] = [1_000, 60];
  let [written, readable, furthest] = [0, 0, 0];
  const counting = new Proxy<EventLog>(log, {
    get: (target, name) => {
      if (name !== 'append') return Reflect.get(target, name).bind(target);
      return async (...[stream, revision, events]: Parameters<EventLog['append']>) => {
        const appended = await target.append(stream, revision, events);
        for (const event of events as readonly DomainEvent[])
          if (event.type === 'ChunksAdded') written += event.data.chunks.length;
        furthest = Math.max(furthest, written - readable);
        return appended;
      };
    },
  });
  /** Read models that advance only when there have been no writes for a while. */
  const caughtUp = async () => {
    const there = written;
    for (let [still, last] = [0, -1]; still < 100; still = written === last ? still + 1 : 0) {
      last = written;
      await turn();
    }
    readable = Math.max(readable, there);
  };
  const document = (n: number): PreparedDocument => ({
    ...statedFacts({ title: `D${n}`, content_hash: `c${n}` }),
    key: `d${n}`,
    line: n + 1,
    input_hash: `i${n}`,
    notes: [],
    left: [],
    text: 'ab '.repeat(chunksEach),
    chunks: Array.from({ length: chunksEach }, (_, i) =>
      chunkOf(3 * i, 3 * i + 2, { chunk_index: String(i) }),
    ),
  });
  async function* records(): AsyncGenerator<RecordBatch> {
    for (let n = 0; n < count; n++) yield { documents: [document(n)], left: [], faults: [], bytes: n };
  }
  const pool = { ...poolOf(async () => ({ records: 'jsonl' as const })), records };
  // A remote model is used for few documents at a time, so that few are in flight.
  const embedder = { name: 'm', dimension: 2, deterministic: false, embed: async () => [] };
  const commands = new Commands(counting, { now: () => new Date() });
  expect(await run({ 'a.jsonl': null }, { commands, pool, caughtUp, embedder })).toMatchObject({
    added: count,
  });
  expect(written).toBe(count * chunksEach);
  expect(furthest).toBeLessThan(30_000);
});
