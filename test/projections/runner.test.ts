import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projections } from '../../projections/index.ts';
import { type Projection, ProjectionRunner } from '../../projections/runner.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { BuildStore } from '../../src/ports/read-models.ts';
import { ModelsReader } from '../../src/read-models/models-reader.ts';
import { ModelsStore } from '../../src/read-models/models-store.ts';
import { openEmbeddedModels } from '../../src/read-models/read-models.ts';
import { answerGiven, answerWithheld, askFacts, questionAsked } from '../support/asks.ts';
import { directModels } from '../support/direct-models.ts';
import { newFolder } from '../support/folder.ts';
import { chunkOf, newFacts } from '../support/revision.ts';

const clock = { now: () => new Date('2026-05-01T10:00:00Z') };
const cause = { actor: 'system', correlation_id: 'c' };

/** Counts documents by key; `version` and `fail` vary by test. */
const counting = (version = 1, fail: (key: string) => boolean = () => false): Projection => ({
  name: 'counting',
  version,
  collections: [{ name: 'keys', fields: {} }],
  on: {
    DocumentRegistered: ({ data }) => {
      if (fail(data.doc_key)) throw new TypeError(`secret ${data.doc_key}`);
      return [
        { op: 'increment', collection: 'keys', key: 'all', by: { n: 1, version } },
        { op: 'put', collection: 'keys', key: data.doc_key, doc: { id: data.doc_id } },
      ];
    },
  },
});

describe('projection runner', () => {
  let folder: string;
  let log: EmbeddedLog;
  let commands: Commands;
  const closing: (() => void)[] = [];

  beforeEach(async () => {
    folder = newFolder('runner');
    log = new EmbeddedLog(directLog(new LogStore(join(folder, 'history.sqlite'))));
    commands = new Commands(log, clock);
    const settings = { title: 'A', description: null, languages: ['ru' as const], styles: [], layers: [] };
    await commands.catalog.execute({ type: 'SetCorpus', corpus_id: 'a', settings }, cause);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    await log.close();
  });

  const register = (...keys: string[]) =>
    commands.catalog.execute(
      {
        type: 'RegisterDocuments',
        corpus_id: 'a',
        documents: keys.map((doc_key) => ({ doc_key, root: null })),
      },
      cause,
    );

  /** A runner with a separate store over the folder's models file, like another process. */
  function open(list: readonly Projection[], file = 'models.sqlite') {
    const path = join(folder, file);
    const store = new ModelsStore(path, list);
    const reader = new ModelsReader(path);
    closing.push(
      () => reader.close(),
      () => store.close(),
    );
    const commits: string[] = [];
    const models = directModels(store);
    const runner = new ProjectionRunner({
      log,
      store: models,
      projections: list,
      clock,
      onCommit: (name, checkpoint) => commits.push(`${name}@${Number(checkpoint)}`),
    });
    return { store, reader, models, runner, commits };
  }

  test('passes every event once and stops at the head', async () => {
    await register('x', 'y');
    const { runner, reader, commits } = open([counting()]);
    await runner.prepare();
    await runner.catchUp();
    expect(reader.get('keys', 'all')).toEqual({ n: 2, version: 2 });
    expect(commits).toEqual(['counting@3']);
    expect(await runner.step()).toBe(false);
    await register('z');
    await runner.catchUp();
    expect(reader.get('keys', 'all')!.n).toBe(3);
  });

  test('continues from the committed position after losing a commit', async () => {
    const first = open([counting()]);
    const second = open([counting()]);
    await first.runner.prepare();
    await second.runner.prepare();
    await register('x');
    await first.runner.catchUp();
    await register('y');
    await second.runner.catchUp();
    expect(second.reader.get('keys', 'all')!.n).toBe(2);
    // The second runner also reports the commits of the first, because waiters in its process depend on them.
    expect(second.commits.at(-1)).toBe('counting@3');
  });

  test('never goes backwards over the two files of a folder after losing a commit', async () => {
    const paths = { models: join(folder, 'models.sqlite'), index: join(folder, 'index.sqlite') };
    const positions = new Map<string, string[]>();
    const [first, second] = [true, false].map((isFirst) => {
      const store = openEmbeddedModels(paths, projections);
      closing.push(() => void store.close());
      const onCommit = (name: string, position: string | null) => {
        if (!isFirst) positions.set(name, [...(positions.get(name) ?? []), position ?? '']);
      };
      return new ProjectionRunner({ log, store, projections, clock, onCommit });
    }) as [ProjectionRunner, ProjectionRunner];
    for (const runner of [first, second]) await runner.prepare();
    for (let round = 0; round < 5; round++) {
      await register(`k${round}`);
      await first.catchUp();
      await second.catchUp();
    }
    for (const all of positions.values()) expect(all).toEqual([...all].sort());
    const head = await log.head();
    for (const { name } of projections) expect(second.position(name)).toBe(head);
  });

  test('does not read poisoned events again in the next runner', async () => {
    await register('x');
    const { runner, models } = open([counting()]);
    await runner.prepare();
    await runner.catchUp();
    const settings = { title: 'B', description: null, languages: ['ru' as const], styles: [], layers: [] };
    await commands.catalog.execute({ type: 'SetCorpus', corpus_id: 'b', settings }, cause);
    await runner.catchUp();
    const head = await log.head();
    expect((await models.builds())[0]!.checkpoint).not.toBe(head);
    await runner.park();
    expect((await models.builds())[0]!.checkpoint).toBe(head);
  });

  test('builds a raised version alongside the live one, which is used until then', async () => {
    await register('x', 'y');
    const before = open([counting(1)]);
    await before.runner.prepare();
    await before.runner.catchUp();
    const after = open([counting(2)]);
    await after.runner.prepare();
    expect(after.reader.get('keys', 'all')).toEqual({ n: 2, version: 2 });
    await after.runner.catchUp();
    expect(after.reader.get('keys', 'all')).toEqual({ n: 2, version: 4 });
    expect((await after.models.builds()).map(({ version, live }) => ({ version, live }))).toEqual([
      { version: 2, live: true },
    ]);
    await register('z');
    await after.runner.catchUp();
    expect(after.reader.get('keys', 'all')!.n).toBe(3);
  });

  test('does not delay the live builds while building from the start', async () => {
    for (let i = 0; i < 30; i++) await register(`k${i}`);
    const before = open([counting(1)]);
    await before.runner.prepare();
    await before.runner.catchUp();
    const fresh: Projection = {
      ...counting(),
      name: 'fresh',
      collections: [{ name: 'fresh_keys', fields: {} }],
      on: {
        DocumentRegistered: () => [{ op: 'increment', collection: 'fresh_keys', key: 'all', by: { n: 1 } }],
      },
    };
    const both = open([counting(1), fresh]);
    const slow = new ProjectionRunner({
      log: { readAll: (after, _limit) => log.readAll(after, 1), head: () => log.head() },
      store: both.models,
      projections: [counting(1), fresh],
      clock,
    });
    await slow.prepare();
    await register('late');
    await slow.step();
    expect(both.reader.get('keys', 'late')).not.toBeNull();
    expect(both.reader.get('fresh_keys', 'all')).toBeNull();
    await slow.catchUp();
    expect(both.reader.get('fresh_keys', 'all')).toEqual({ n: 31 });
    expect(both.reader.get('keys', 'all')!.n).toBe(31);
  });

  test('ends a batch with the event that reaches the limit of chunks', async () => {
    const seen: number[] = [];
    const events = Array.from({ length: 5 }, (_, n) => ({
      type: 'ChunksAdded',
      id: `e${n}`,
      position: String(n + 1).padStart(16, '0'),
      data: { chunks: Array(40).fill({}) },
    })) as unknown as RecordedEvent[];
    const { models } = open([counting()]);
    const runner = new ProjectionRunner({
      log: {
        readAll: async (after) => events.filter(({ position }) => position > (after ?? '')),
        head: async () => events.at(-1)!.position,
      },
      store: models,
      projections: [counting()],
      clock,
      chunksMax: 80,
      onCommit: (_, position) => seen.push(Number(position)),
    });
    await runner.prepare();
    await runner.catchUp();
    expect(seen).toEqual([2, 4, 5]);
  });

  test('records a failing event with its error and without its content, and continues', async () => {
    await register('x', 'bad', 'y');
    const { runner, reader, models } = open([counting(1, (key) => key === 'bad')]);
    await runner.prepare();
    await runner.catchUp();
    expect(reader.get('keys', 'all')!.n).toBe(2);
    expect(await models.poisoned()).toMatchObject([
      { projection: 'counting', error: 'TypeError', position: '0000000000000003' },
    ]);
  });

  test('stops a rebuild at a failing event, while the live build continues', async () => {
    await register('x');
    const first = open([counting(1)]);
    await first.runner.prepare();
    await first.runner.catchUp();
    const { runner, reader } = open([counting(2, (key) => key === 'x')]);
    await runner.prepare();
    await expect(runner.catchUp()).rejects.toMatchObject({ code: 'internal' });
    expect(reader.get('keys', 'all')).toEqual({ n: 1, version: 1 });
  });

  test('skips the same failing events in a rebuild of the same version as in the live build', async () => {
    await register('x', 'bad', 'y');
    const { runner, reader, models } = open([counting(1, (key) => key === 'bad')]);
    await runner.prepare();
    await runner.catchUp();
    await models.startBuild('counting');
    await runner.prepare();
    await runner.catchUp();
    expect(runner.building).toBe(false);
    expect(reader.get('keys', 'all')!.n).toBe(2);
  });

  test('lets a projection that is ahead wait for the others, and continues with all of them', async () => {
    await register('x', 'y', 'z');
    const one = open([counting()]);
    await one.runner.prepare();
    await one.runner.catchUp();
    const other: Projection = {
      ...counting(),
      name: 'other',
      collections: [{ name: 'other_keys', fields: {} }],
      on: {
        DocumentRegistered: () => [{ op: 'increment', collection: 'other_keys', key: 'all', by: { n: 1 } }],
      },
    };
    const both = open([counting(), other]);
    await both.runner.prepare();
    await register('w');
    await both.runner.catchUp();
    expect(both.reader.get('keys', 'all')!.n).toBe(4);
    expect(both.reader.get('other_keys', 'all')!.n).toBe(4);
  });

  test('passes every event once with several runners over a distant store that loses calls and replies', async () => {
    for (let i = 0; i < 60; i++) await register(`k${i}`);
    const faults = fc.constantFrom('none', 'none', 'none', 'none', 'refused', 'reply lost');
    await fc.assert(
      fc.asyncProperty(
        fc.array(faults, { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 3 }),
        async (outcomes, sizes, count) => {
          const file = `${randomUUID()}.sqlite`;
          let [commits, reads] = [0, 0];
          const small = {
            head: () => log.head(),
            readAll: (after: string | null) => log.readAll(after, sizes[reads++ % sizes.length]!),
          };
          const runners = Array.from({ length: count }, () => {
            const opened = open([counting()], file);
            const { commit } = opened.models;
            let turn: Promise<unknown> = Promise.resolve();
            // In the order they were sent, each a moment later.
            opened.models.commit = (...args) => {
              const done = turn.then(async () => {
                await setImmediate();
                const outcome = commits < 200 ? outcomes[commits++ % outcomes.length] : 'none';
                if (outcome === 'refused') throw new Failure('unavailable', 'away');
                const answer = await commit(...args);
                if (outcome === 'reply lost') throw new Failure('unavailable', 'away');
                return answer;
              });
              turn = done.catch(() => {});
              return done;
            };
            const { reader, models } = opened;
            return {
              reader,
              runner: new ProjectionRunner({ log: small, store: models, projections: [counting()], clock }),
            };
          });
          for (const { runner } of runners) await runner.prepare();
          await Promise.all(
            runners.map(async ({ runner }) => {
              for (let rejected = true; rejected; )
                rejected = await runner.catchUp().then(
                  () => false,
                  () => true,
                );
            }),
          );
          expect(runners[0]!.reader.get('keys', 'all')!.n).toBe(60);
        },
      ),
      { numRuns: 60 },
    );
  });

  /** A history with events of many types. */
  async function fullHistory(): Promise<void> {
    const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
    await register('x', 'y');
    for (const doc_id of [1, 2, 1]) {
      const document = commands.document(doc_id);
      const state = await document.load();
      const revision = state.lastRevision + 1;
      const text = `Текст документа ${doc_id} в редакции ${revision}. Второе предложение о налогах.`;
      const doc_key = doc_id === 1 ? 'x' : 'y';
      const content_hash = `h${revision}`;
      const facts = newFacts({
        doc_id,
        corpus_id: 'a',
        doc_key,
        title: 'Икс',
        lang: 'ru',
        layer,
        content_hash,
      });
      const provision = { heading: 'Глава', path: ['Глава'], number: '1', unit: 'article' };
      const chunk = chunkOf(0, text.length, { ...provision, lang: 'ru' });
      await document.execute(
        [
          { type: 'StartRevision', facts, root: '/r', path: 'x.md', input_hash: 'i' },
          { type: 'AddChunks', revision, batch: { text, chunks: [chunk] } },
          { type: 'Publish', revision },
        ],
        cause,
      );
    }
    await commands.document(2).execute({ type: 'Withdraw', reason: null }, cause);
    const of = (request_id: string) => askFacts({ request_id, corpus_id: 'a', lang: 'ru' });
    const endings: ((request_id: string) => DomainEvent)[] = [
      (id) => ({ type: 'AnswerGiven', data: answerGiven({ ...of(id), answer: 'Налоги платят все.' }) }),
      (id) => ({ type: 'AnswerWithheld', data: answerWithheld(of(id)) }),
      (id) => ({ type: 'AnswerFailed', data: { ...of(id), code: 'timeout', retryable: true } }),
    ];
    for (const [i, ending] of endings.entries()) {
      const request_id = `r${i}`;
      const ask = commands.ask(request_id);
      const question = questionAsked({ request_id, corpus_id: 'a', query: 'Кто платит налоги?' });
      await ask.execute({ type: 'Ask', question }, cause);
      await ask.execute({ type: 'End', ending: ending(request_id) as never }, cause);
    }
    await commands
      .ask('r0')
      .execute(
        { type: 'Rate', rating: { request_id: 'r0', subject: 's', rating: 'up', comment: 'хорошо' } },
        cause,
      );
  }

  test('gives the same dump after a rebuild, byte for byte, regardless of how the events were batched', async () => {
    await fullHistory();
    const whole = open(projections);
    await whole.runner.prepare();
    await whole.runner.catchUp();
    const dump = [...whole.reader.dump()];
    expect(dump.length).toBeGreaterThan(10);

    const piecemeal = open(projections, 'other.sqlite');
    const slow = new ProjectionRunner({
      log: { readAll: (after, _limit) => log.readAll(after, 1), head: () => log.head() },
      store: piecemeal.models,
      projections,
      clock,
    });
    await slow.prepare();
    await slow.catchUp();
    while (piecemeal.store.sweep(1));
    expect([...piecemeal.reader.dump()]).toEqual(dump);

    for (const { name } of projections) whole.store.startBuild(name);
    await whole.runner.prepare();
    await whole.runner.catchUp();
    expect([...whole.reader.dump()]).toEqual(dump);
  });

  test('ends at the same dump wherever it is interrupted', async () => {
    await fullHistory();
    const whole = open(projections);
    await whole.runner.prepare();
    await whole.runner.catchUp();
    const dump = [...whole.reader.dump()];
    const total = (await log.readAll(null, 1000)).length;
    for (let cut = 1; cut < total; cut += 3) {
      const file = `cut-${cut}.sqlite`;
      const limited: BuildStore = open(projections, file).models;
      const early = new ProjectionRunner({
        log: {
          readAll: async (after, _limit) =>
            (await log.readAll(after, 2)).filter((e) => Number(e.position) <= cut),
          head: () => log.head(),
        },
        store: limited,
        projections,
        clock,
      });
      await early.prepare();
      await early.catchUp();
      const later = open(projections, file);
      await later.runner.prepare();
      await later.runner.catchUp();
      expect([...later.reader.dump()]).toEqual(dump);
    }
  });
});
