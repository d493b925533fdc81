/** Compares builds with their history: all damage is reported, and concurrent writes are not. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunks } from '../../projections/chunks.ts';
import { documents } from '../../projections/documents.ts';
import { graph } from '../../projections/graph.ts';
import { type Projection, ProjectionRunner } from '../../projections/runner.ts';
import { stats } from '../../projections/stats.ts';
import { Replay } from '../../src/history/replay.ts';
import type { Difference, VerificationReport } from '../../src/history/report.ts';
import { verifyProjections } from '../../src/history/verify-projections.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Build, BuildContents, BuildStore } from '../../src/ports/read-models.ts';
import { openEmbeddedContents, openEmbeddedModels } from '../../src/read-models/read-models.ts';
import { RedisChunkStore } from '../../src/search/redis/chunk-store.ts';
import { type Redis, RedisConnection } from '../../src/storage/redis-connection.ts';
import { newFolder } from '../support/folder.ts';
import { embed, histories, logOf } from '../support/random-history.ts';
import { testNamespace, withRedis } from '../support/servers.ts';

const projections: readonly Projection[] = [chunks, graph, documents, stats];
const clock = { now: () => new Date('2026-05-01T10:00:00Z') };

/** Whether the revision is visible after the events. */
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

/**
 * A long history with documents in two layers, and with answers. At its end, visible chunks have vectors of the first
 * embedder.
 */
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

/** A store with a way to write to it, its contents, and a way to damage it. */
interface Opened {
  models: BuildStore;
  contents: BuildContents;
  close(): Promise<void>;
}

const folder = newFolder('verification');

function openFolder(name = randomUUID()) {
  const paths = { models: join(folder, `${name}-models`), index: join(folder, `${name}-index`) };
  const models = openEmbeddedModels(paths, projections, embed);
  const contents = openEmbeddedContents(paths);
  const close = async () => {
    await models.close();
    await contents.close();
  };
  return { models, contents, close, paths };
}

async function runnerOver(models: BuildStore, there = () => history.length) {
  const runner = new ProjectionRunner({ log: logOf(history, there), store: models, projections, clock });
  await runner.prepare();
  return runner;
}

async function fill(models: BuildStore): Promise<void> {
  await (await runnerOver(models)).catchUp();
}

async function compare(
  live: BuildContents,
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

/** A store that performs an action before each read. */
const whileRead = (contents: Opened['contents'], act: () => Promise<unknown>): Opened['contents'] => ({
  builds: () => contents.builds(),
  names: (build) => contents.names(build),
  values: async (build, names) => {
    await act();
    return contents.values(build, names);
  },
});

function comparison(title: string, open: () => Promise<Opened>): void {
  describe(title, () => {
    it('builds match their history', async () => {
      const { models, contents, close } = await open();
      await fill(models);
      const report = await compare(contents);
      expect(differencesOf(report)).toEqual([]);
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

    it('builds of an empty history match it', async () => {
      const { models, contents, close } = await open();
      await models.builds();
      expect(await compare(contents)).toMatchObject({ same: true, events: 0 });
      await close();
    });

    it('writes during the comparison do not affect it, regardless of when they happen', async () => {
      const { models, contents, close } = await open();
      let there = 1;
      const runner = await runnerOver(models, () => there);
      await runner.catchUp();
      const moving = whileRead(contents, async () => {
        there = Math.min(history.length, there + 7);
        await runner.catchUp();
      });
      const report = await compare(moving);
      expect(differencesOf(report)).toEqual([]);
      expect(report.events).toBeGreaterThan(1);
      await close();
    });

    it('a build that is replaced during the comparison is compared again', async () => {
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

    it('the comparison ends when it is cancelled', async () => {
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
  /** The damage, and the entries it changes. */
  it.each<['index' | 'models', string, RegExp[]]>([
    ['index', `UPDATE @chunks SET text = text || 0 WHERE id = ${visible}`, [/^chunk /]],
    ['index', `UPDATE @chunks SET chunk = '{' WHERE id = ${visible}`, [/^chunk /]],
    ['index', `DELETE FROM @tokens WHERE id = ${visible}`, [/^chunk /]],
    ['index', `DELETE FROM @chunks WHERE id = ${visible}`, [/^chunk /]],
    ['index', `DELETE FROM @vectors WHERE id = ${embedded}`, [/^chunk /]],
    ['index', 'UPDATE @documents SET revision = 9 WHERE revision NOT NULL', [/^document /]],
    [
      'models',
      "UPDATE c_stats_% SET doc = json_set(doc, '$.asked', 99) WHERE key = 'all'",
      [/^record stats all$/],
    ],
    ['models', `DELETE FROM c_documents_% WHERE key = ${record}`, [/^record documents \d$/]],
    [
      'models',
      `UPDATE c_documents_% SET key = 'ж' WHERE key = ${record}`,
      [/^record documents \d$/, /^record documents ж$/],
    ],
  ])('in %s is reported: %s', async (file, sql, names) => {
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
    await close();
  });
});

/** The search index in Redis and the records in files, as instances have them. */
withRedis('with a real Redis', (start) => {
  let redis: Redis;
  beforeAll(async () => {
    redis = RedisConnection.open({ url: (await start()).url });
  });
  afterAll(() => redis.close());

  const open = () => {
    const { models: records, contents: ofRecords, close } = openFolder();
    const options = { redis, namespace: testNamespace(), projection: chunks, compute: embed };
    const index = new RedisChunkStore(options);
    const isIndex = (name: string) => name === chunks.name;
    const writes = (name: string) => (isIndex(name) ? index : records);
    const reads = (name: string) => (isIndex(name) ? index : ofRecords);
    const ofOthers = (builds: Build[]) => builds.filter(({ name }) => !isIndex(name));
    const models: BuildStore = {
      builds: async () => [...ofOthers(await records.builds()), ...(await index.builds())],
      startBuild: (name) => writes(name).startBuild(name),
      goLive: (build) => writes(build.name).goLive(build),
      commit: (build, ...rest) => writes(build.name).commit(build, ...rest),
      poisoned: async () => [...(await records.poisoned()), ...(await index.poisoned())],
    };
    const contents: BuildContents = {
      builds: async () => [...ofOthers(await ofRecords.builds()), ...(await index.found())],
      names: (build) => reads(build.name).names(build),
      values: (build, names) => reads(build.name).values(build, names),
    };
    const prefix = async () => index.prefix((await index.builds())[0]!.build);
    return { models, contents, prefix, close };
  };
  comparison('a build in Redis', async () => open());

  describe('damage in Redis', () => {
    it.each<[string, RegExp[]]>([
      ['HSET @c:# text other', [/^chunk #$/]],
      ['HDEL @c:# tokens', [/^chunk #$/]],
      ['DEL @c:#', [/^chunk #$/]],
      ['DEL @t:+:#', [/^chunk #$/]],
      ['DEL @v:1:+:#', [/^chunk #$/]],
      ['HDEL @docs %', [/^document 0+%$/]],
      ['HDEL @living %', [/^chunk /, /^revision /]],
      ['HINCRBY @meta changed 1', [/^count changes$/]],
    ])('is reported: %s', async (command, names) => {
      const { models, contents, prefix, close } = open();
      await fill(models);
      const at = await prefix();
      const docs = await redis.call<Record<string, string>>('HGETALL', `${at}docs`);
      const revisions = await Promise.all(
        Object.entries(docs).map(async ([doc, revision]) => {
          const of = await redis.call<Record<string, string>>('HGETALL', `${at}r:${doc}/${revision}`);
          return { doc, of };
        }),
      );
      // A revision with vectors.
      const { doc, of } = revisions.find((one) => JSON.parse(one.of.kinds!).length > 0)!;
      const id = String((JSON.parse(of.runs!) as number[][])[0]![2]!);
      const filled = (text: string, chunk = id) =>
        text.replace('#', chunk).replace('%', doc).replace(':+', `:${of.partition}`);
      await redis.call(...command.split(' ').map((arg) => filled(arg.replace('@', at))));
      const report = await compare(contents);
      expect(report.same).toBe(false);
      const found = differencesOf(report).map(({ name }) => name);
      for (const { source } of names)
        expect(found).toContainEqual(expect.stringMatching(new RegExp(filled(source, id.padStart(12, '0')))));
      await close();
    });
  });
});
