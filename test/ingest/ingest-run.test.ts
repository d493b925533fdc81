/**
 * Errors that end a run, and errors that affect only one file, with a real history and a parser that fails on demand.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    reads: { find: async () => ({ items: [], total: 0 }), getMany: async (_, keys) => keys.map(() => null) },
    caughtUp: async () => {},
    embedder: null,
    extractor: null,
    pool: {
      prepare: async (input) => {
        const error = files[input.path.slice(input.path.lastIndexOf('/') + 1)];
        if (error) throw error;
        return prepareFile(input);
      },
      records: () => {
        throw new Error('There is no file of many records.');
      },
      close: async () => {},
    },
    ...over,
  };
  const cause = { actor: 'system', correlation_id: 'test' };
  const request = {
    path: join(folder, 'docs'),
    corpus_id: 'c',
    prune,
    cause,
  };
  return ingest(deps, request);
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
  const reads: IngestDeps['reads'] = {
    find: async () => ({ items: [below], total: 1 }),
    getMany: async (_, keys) => keys.map(() => null),
  };
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
      const name = input.path.slice(input.path.lastIndexOf('/') + 1);
      if (files[name]) throw files[name];
      return await prepareFile(input);
    } finally {
      setImmediate(asked[names.indexOf(input.path.slice(-4)) - 1] ?? (() => {}));
    }
  };
  const commands = new Commands(log, { now: () => new Date() });
  const unused = () => {
    throw new Error('There is no file of many records.');
  };
  const pool = { prepare, records: unused, close: async () => {} };
  expect(await run(files, { commands, pool })).toMatchObject({ added: 5 });
  const documents = commands.catalog.state.documents.get('c') ?? new Map();
  expect([...documents].map(([key, { doc_id }]) => [key, doc_id]).sort()).toEqual([
    ...[
      ['a', 1],
      ['b', 2],
      ['d', 3],
    ],
    ...[
      ['e', 4],
      ['f', 5],
    ],
  ]);
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
  const chunk = (n: number) => ({
    ...{ chunk_index: String(n), heading: '', path: [], number: null, unit: null, question: null },
    ...{ lang: 'en' as const, start: 3 * n, end: 3 * n + 2 },
  });
  const document = (n: number): PreparedDocument => ({
    ...{
      key: `d${n}`,
      line: n + 1,
      title: `D${n}`,
      lang: 'en',
      url: null,
      source_url: null,
      event_date: null,
    },
    layer: { name: 'main', title: null, kind: 'text', visibility: 'public' },
    ...{
      metadata: {},
      text: 'ab '.repeat(chunksEach),
      input_hash: `i${n}`,
      content_hash: `c${n}`,
      notes: [],
      left: [],
    },
    chunks: Array.from({ length: chunksEach }, (_, i) => chunk(i)),
  });
  async function* records(): AsyncGenerator<RecordBatch> {
    for (let n = 0; n < count; n++) yield { documents: [document(n)], left: [], faults: [], bytes: n };
  }
  const pool = {
    prepare: async () => ({ records: 'jsonl' as const }),
    records,
    close: async () => {},
  };
  // A remote model is used for few documents at a time, so that few are in flight.
  const embedder = { name: 'm', dimension: 2, deterministic: false, embed: async () => [] };
  const commands = new Commands(counting, { now: () => new Date() });
  expect(await run({ 'a.jsonl': null }, { commands, pool, caughtUp, embedder })).toMatchObject({
    added: count,
  });
  expect(written).toBe(count * chunksEach);
  expect(furthest).toBeLessThan(30_000);
});
