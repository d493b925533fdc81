/** Comparing builds with their history: damage of every kind is named, and what is written meanwhile is none. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunks } from '../../projections/chunks.ts';
import { documents } from '../../projections/documents.ts';
import { graph } from '../../projections/graph.ts';
import { type Projection, ProjectionRunner, type WrittenModels } from '../../projections/runner.ts';
import { stats } from '../../projections/stats.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Build, BuildChecks, BuildContents } from '../../src/ports/read-models.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../../src/stores/embedded/models.ts';
import { chunkProjection, projectionKey } from '../../src/stores/server/redis-builds.ts';
import { ChunkWriter } from '../../src/stores/server/redis-chunks.ts';
import { type Redis, RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { RedisModels } from '../../src/stores/server/redis-models.ts';
import { Replay } from '../../src/verification/replay.ts';
import type { Difference, VerificationReport } from '../../src/verification/report.ts';
import { verifyProjections } from '../../src/verification/verify-projections.ts';
import { embed, histories } from '../support/random-history.ts';
import { RedisModel } from '../support/redis-model.ts';
import { testNamespace, withRedis } from '../support/servers.ts';

const projections: readonly Projection[] = [chunks, graph, documents, stats];
const clock = { now: () => new Date('2026-05-01T10:00:00Z') };

/** Whether the events leave the revision visible. */
function isVisible(
  { doc_id, revision }: { doc_id: number; revision: number },
  events: readonly RecordedEvent[],
): boolean {
  const last = events.findLast(
    ({ type, data }) =>
      (type === 'RevisionPublished' || type === 'DocumentWithdrawn') && data.doc_id === doc_id,
  );
  return last?.type === 'RevisionPublished' && last.data.revision === revision;
}

/** A long one with documents in two layers, and answers; at its end visible chunks have vectors of the first embedder. */
const history = fc
  .sample(histories(80), { seed: 7, numRuns: 2_000 })
  .filter((events) => events.some(({ type }) => type === 'AnswerGiven'))
  .filter((events) =>
    ['main', 'old'].every((layer) =>
      events.some(({ type, data }) => type === 'RevisionPublished' && data.layer.name === layer),
    ),
  )
  .filter((events) => {
    const embedded = events.flatMap((event) => (event.type === 'ChunksEmbedded' ? [event.data] : []));
    return embedded.some((data) => data.embedder === embedded[0]!.embedder && isVisible(data, events));
  })
  .reduce((one, other) => (one.length > other.length ? one : other));

/** A store with what is written to it, what it holds, and a way to damage it. */
interface Opened {
  models: WrittenModels & { startBuild(name: string): Promise<Build> };
  contents: BuildContents & BuildChecks;
  close(): Promise<void>;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-verification-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function openFolder(name = randomUUID()) {
  const paths = { models: join(folder, `${name}-models`), index: join(folder, `${name}-index`) };
  const { closeFiles, ...models } = openEmbeddedModels(paths, projections, embed);
  const contents = openEmbeddedContents(paths, projections);
  const close = async () => {
    closeFiles();
    contents.closeFiles();
  };
  return { models, contents, close, paths };
}

const logOf = (events: readonly RecordedEvent[], there = () => events.length) => ({
  readAll: async (after: string | null, limit: number) =>
    events.slice(Number(after ?? 0), Math.min(there(), Number(after ?? 0) + limit)),
  head: async () => events[there() - 1]?.position ?? null,
});

async function runnerOver(models: WrittenModels, there = () => history.length) {
  const runner = new ProjectionRunner({ log: logOf(history, there), models, projections, clock });
  await runner.prepare();
  return runner;
}

async function fill(models: WrittenModels): Promise<void> {
  await (await runnerOver(models)).catchUp();
}

async function compare(
  live: BuildContents & BuildChecks,
  signal = new AbortController().signal,
): Promise<VerificationReport> {
  const { models, contents, close } = openFolder();
  try {
    const replay = new Replay({ log: logOf(history), projections, models, contents, signal });
    return await verifyProjections({ live, replay, projections, signal });
  } finally {
    await close();
  }
}

const differencesOf = (report: VerificationReport): Difference[] =>
  report.projections.flatMap(({ differences }) => differences);
const faultsOf = (report: VerificationReport): string[] => report.projections.flatMap(({ faults }) => faults);

/** A store that does something before each reading. */
const whileRead = (contents: Opened['contents'], act: () => Promise<unknown>): Opened['contents'] => ({
  faults: (build) => contents.faults(build),
  builds: () => contents.builds(),
  names: (build) => contents.names(build),
  values: async (build, names) => {
    await act();
    return contents.values(build, names);
  },
});

function comparison(title: string, open: () => Promise<Opened>): void {
  describe(title, () => {
    it('finds what the history makes', async () => {
      const { models, contents, close } = await open();
      await fill(models);
      const report = await compare(contents);
      expect(differencesOf(report)).toEqual([]);
      expect(faultsOf(report)).toEqual([]);
      expect(report).toMatchObject({ same: true, events: history.length });
      expect(report.projections.map(({ projection }) => projection)).toEqual(
        projections.map(({ name }) => name),
      );
      for (const { entries, checkpoint } of report.projections) {
        expect(entries).toBeGreaterThan(1);
        expect(checkpoint).not.toBeNull();
      }
      await close();
    });

    it('and nothing of an empty history', async () => {
      const { models, contents, close } = await open();
      await models.builds();
      expect(await compare(contents)).toMatchObject({ same: true, events: 0 });
      await close();
    });

    it('is no different while it is written to, wherever that falls', async () => {
      const { models, contents, close } = await open();
      let there = 1;
      const runner = await runnerOver(models, () => there);
      await runner.catchUp();
      const moving = whileRead(contents, async () => {
        there = Math.min(history.length, there + 7);
        await runner.catchUp();
      });
      const report = await compare(moving);
      expect([...differencesOf(report), ...faultsOf(report)]).toEqual([]);
      expect(report.events).toBeGreaterThan(1);
      await close();
    });

    it('is compared anew where a build is replaced meanwhile', async () => {
      const { models, contents, close } = await open();
      await fill(models);
      let replaced = 0;
      const replacing = whileRead(contents, async () => {
        if (replaced++ > 0) return;
        await models.startBuild('chunks');
        await fill(models);
      });
      const report = await compare(replacing);
      expect(differencesOf(report)).toEqual([]);
      await close();
    });

    it('ends when it is told to', async () => {
      const { models, contents, close } = await open();
      await fill(models);
      const stopping = new AbortController();
      const stopped = whileRead(contents, async () => stopping.abort());
      await expect(compare(stopped, stopping.signal)).rejects.toThrow('aborted');
      await close();
    });
  });
}

comparison('a build in files', async () => openFolder());

describe('damage in files', () => {
  const visible =
    '(SELECT max(c.id) FROM @chunks c JOIN @documents d USING (doc_id, revision) WHERE c.partition = 1)';
  const embedded =
    '(SELECT max(c.id) FROM @chunks c JOIN @documents d USING (doc_id, revision) JOIN @vectors v USING (id))';
  const record = "(SELECT min(key) FROM c_documents_% WHERE json_extract(doc, '$.title') <> '')";
  /** What is damaged, the entries that are then others, and what is seen without their history. */
  it.each<['index' | 'models', string, RegExp[], RegExp | null]>([
    ['index', `UPDATE @chunks SET text = text || 0 WHERE id = ${visible}`, [/^chunk /], null],
    ['index', `UPDATE @chunks SET chunk = '{' WHERE id = ${visible}`, [/^chunk /], null],
    ['index', `DELETE FROM @tokens WHERE id = ${visible}`, [/^chunk /], /^chunk \d+ has no words$/],
    ['index', `DELETE FROM @chunks WHERE id = ${visible}`, [/^chunk /], null],
    ['index', `DELETE FROM @vectors WHERE id = ${embedded}`, [/^chunk /], /^chunk \d+ lacks a vector$/],
    [
      'index',
      `UPDATE @vectors SET partition = partition + 1 WHERE id = ${embedded}`,
      [],
      /^a vector of chunk \d+ is in another index$/,
    ],
    [
      'index',
      'UPDATE @documents SET revision = 9 WHERE revision NOT NULL',
      [/^document /],
      /^revision 9 of document \d+ is visible and not there$/,
    ],
    [
      'models',
      "UPDATE c_stats_% SET doc = json_set(doc, '$.asked', 99) WHERE key = 'all'",
      [/^record stats all$/],
      /^asked counts 99 in all/,
    ],
    [
      'models',
      `DELETE FROM c_documents_% WHERE key = ${record}`,
      [/^record documents \d$/],
      /^record \d+ of documents is in the full-text index alone$/,
    ],
    [
      'models',
      `UPDATE c_documents_% SET key = 'ж' WHERE key = ${record}`,
      [/^record documents \d$/, /^record documents ж$/],
      null,
    ],
    [
      'models',
      `UPDATE c_documents_% SET corpus_id = 'b' WHERE key = ${record}`,
      [],
      /^record \d+ of documents is filed under another corpus_id$/,
    ],
  ])('in %s is named: %s', async (file, sql, names, fault) => {
    const { models, contents, close, paths } = openFolder();
    await fill(models);
    const build = Object.fromEntries((await contents.builds()).map((one) => [one.name, one.build]));
    const db = new DatabaseSync(paths[file], { timeout: 60_000 });
    const own = sql.includes('stats') ? build.stats : build.documents;
    const before = db.prepare('SELECT total_changes() AS n').get()!.n;
    db.exec(sql.replaceAll('@', `chunks_${build.chunks}_`).replaceAll('%', String(own)));
    expect(db.prepare('SELECT total_changes() AS n').get()!.n).toBeGreaterThan(Number(before));
    db.close();
    const report = await compare(contents);
    expect(report.same).toBe(false);
    const found = differencesOf(report).map(({ name }) => name);
    for (const name of names) expect(found).toContainEqual(expect.stringMatching(name));
    if (names.length === 0) expect(found).toEqual([]);
    if (fault !== null) expect(faultsOf(report)).toContainEqual(expect.stringMatching(fault));
    await close();
  });
});

function inRedis(title: string, connect: () => Redis): void {
  const open = () => {
    const namespace = testNamespace();
    const redis = connect();
    const writer = new ChunkWriter(redis, projectionKey(namespace, chunkProjection), embed);
    const models = new RedisModels({ redis, namespace, projections, chunks: writer });
    const prefix = async (projection: string) => {
      const builds = await models.builds();
      return `${namespace}:{${projection}}:${builds.find(({ name }) => name === projection)!.build}:`;
    };
    return { models, contents: models, prefix, redis, close: async () => {} };
  };
  comparison(`a build in ${title}`, async () => open());

  describe(`damage in ${title}`, () => {
    it.each<[string, RegExp[], RegExp | null]>([
      ['HSET @c:# text other', [/^chunk #$/], null],
      ['HDEL @c:# tokens', [/^chunk #$/], /^chunk \d+ has no words$/],
      ['DEL @c:#', [/^chunk #$/], /^chunk \d+ is not there$/],
      ['DEL @t:+:#', [/^chunk #$/], /^chunk \d+ is 0 times in the full-text index$/],
      ['HSET @t:-:# body x', [], /^chunk \d+ is 2 times in the full-text index$/],
      ['HDEL @docs %', [/^document 0+%$/], null],
      [
        'HDEL @living %',
        [/^chunk /, /^revision /],
        /^revision \d+ of document \d+ is visible and not there$/,
      ],
      ['HINCRBY @meta changed 1', [/^count changes$/], /changes are counted/],
    ])('is named: %s', async (command, names, fault) => {
      const { models, contents, prefix, redis } = open();
      await fill(models);
      const at = await prefix('chunks');
      const docs = await redis.call<Record<string, string>>(at, 'HGETALL', `${at}docs`);
      const [[doc, revision] = []] = Object.entries(docs);
      const of = await redis.call<Record<string, string>>(at, 'HGETALL', `${at}r:${doc}/${revision}`);
      const id = String((JSON.parse(of.runs!) as number[][])[0]![2]!);
      const [own, other] = of.partition === '1' ? ['1', '2'] : ['2', '1'];
      const filled = (text: string, chunk = id) =>
        text.replace('#', chunk).replace('%', doc!).replace('t:+', `t:${own}`).replace('t:-', `t:${other}`);
      await redis.call(at, ...command.split(' ').map((arg) => filled(arg.replace('@', at))));
      const report = await compare(contents);
      expect(report.same).toBe(false);
      const found = differencesOf(report).map(({ name }) => name);
      for (const { source } of names)
        expect(found).toContainEqual(expect.stringMatching(new RegExp(filled(source, id.padStart(12, '0')))));
      if (names.length === 0) expect(found).toEqual([]);
      if (fault !== null) expect(faultsOf(report)).toContainEqual(expect.stringMatching(fault));
    });

    it('a vector that is lost is named', async () => {
      const { models, contents, prefix, redis } = open();
      await fill(models);
      const at = await prefix('chunks');
      const docs = await redis.call<Record<string, string>>(at, 'HGETALL', `${at}docs`);
      const ids: string[] = [];
      for (const [doc, revision] of Object.entries(docs)) {
        const of = await redis.call<Record<string, string>>(at, 'HGETALL', `${at}r:${doc}/${revision}`);
        for (const [, count, id] of JSON.parse(of.runs!) as number[][])
          for (let n = 0; n < count!; n++) ids.push(`${of.partition}:${id! + n}`);
      }
      const dropped: string[] = [];
      for (const id of ids)
        if ((await redis.call<number>(at, 'DEL', `${at}v:1:${id}`)) === 1) dropped.push(id.split(':')[1]!);
      expect(dropped.length).toBeGreaterThan(0);
      const report = await compare(contents);
      expect(faultsOf(report).sort()).toEqual(dropped.map((id) => `chunk ${id} lacks a vector`).sort());
      expect(differencesOf(report).map(({ name }) => name)).toEqual(
        dropped.map((id) => `chunk ${id.padStart(12, '0')}`).sort(),
      );
    });

    it('of a record that is gone is seen by their number, of a counter by the sums', async () => {
      const { models, contents, prefix, redis } = open();
      await fill(models);
      const at = await prefix('documents');
      await redis.call(at, 'DEL', `${at}documents:1`);
      const of = await prefix('stats');
      const doc = JSON.parse(await redis.call<string>(of, 'HGET', `${of}stats:all`, 'doc'));
      await redis.call(of, 'HSET', `${of}stats:all`, 'doc', JSON.stringify({ ...doc, asked: 99 }));
      expect(faultsOf(await compare(contents))).toEqual([
        expect.stringMatching(/^documents holds \d records of \d$/),
        expect.stringMatching(/^asked counts 99 in all, \d+ over each day$/),
      ]);
    });

    it('of records and counters is named, by field', async () => {
      const { models, contents, prefix, redis } = open();
      await fill(models);
      const at = await prefix('stats');
      const doc = JSON.parse(await redis.call<string>(at, 'HGET', `${at}stats:all`, 'doc'));
      await redis.call(at, 'HSET', `${at}stats:all`, 'doc', JSON.stringify({ ...doc, asked: doc.asked + 1 }));
      const of = await prefix('documents');
      await redis.call(of, 'DEL', `${of}documents:1`);
      await redis.call(of, 'HSET', `${of}documents:ж`, 'doc', '{}', 'made', '1');
      expect(differencesOf(await compare(contents))).toEqual([
        { name: 'record documents 1', kind: 'missing', fields: [] },
        { name: 'record documents ж', kind: 'surplus', fields: [] },
        { name: 'record stats all', kind: 'changed', fields: ['doc.asked'] },
      ]);
    });
  });
}

const model = new RedisModel();
inRedis('a model of Redis', () => model.connect());

withRedis('over a real Redis', (start) => {
  let redis: Redis;
  beforeAll(async () => {
    redis = RedisConnection.open({ url: (await start()).url });
  });
  afterAll(() => redis.close());
  inRedis('Redis', () => redis);
});
