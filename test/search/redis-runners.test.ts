/**
 * Any number of runners over one chunk index in Redis must end with the same result as one over the embedded store.
 * Calls and replies arrive late, in any order or not at all; runners read different numbers of events; some stop early.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunks } from '../../projections/chunks.ts';
import { type Projection, ProjectionRunner } from '../../projections/runner.ts';
import { Failure } from '../../src/failures.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import type { Entry } from '../../src/ports/read-models.ts';
import { ModelsReader } from '../../src/read-models/models-reader.ts';
import { ModelsStore } from '../../src/read-models/models-store.ts';
import { RedisChunkStore } from '../../src/search/redis/chunk-store.ts';
import { keysBelow } from '../../src/search/redis/contents.ts';
import { entriesOf } from '../../src/storage/entries.ts';
import { type Redis, RedisConnection } from '../../src/storage/redis-connection.ts';
import { directModels } from '../support/direct-models.ts';
import { newFolder } from '../support/folder.ts';
import { type OwnServer, startRedis } from '../support/own-server.ts';
import { embed, histories, logOf } from '../support/random-history.ts';
import { withOwnRedis } from '../support/servers.ts';

const clock = { now: () => new Date('2026-05-01T10:00:00Z') };

type Outcome = 'done' | 'call lost' | 'reply lost';

interface RunnerPlan {
  /** How many events it reads at a time, used in rotation. */
  sizes: number[];
  /** Calls reach the server in the order in which they were sent. */
  inOrder: boolean;
  outcomes: Outcome[];
  /** Stops after this many steps, with its last calls still in flight; null: never. */
  stopsAfter: number | null;
}

const runnerPlan: fc.Arbitrary<RunnerPlan> = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
  inOrder: fc.boolean(),
  outcomes: fc.array(
    fc.constantFrom<Outcome>(...Array<Outcome>(12).fill('done'), 'call lost', 'reply lost'),
    { minLength: 1, maxLength: 40 },
  ),
  stopsAfter: fc.option(fc.integer({ min: 3, max: 30 })),
});

/** The first runner continues to the end. */
const runnerPlans = fc
  .array(runnerPlan, { minLength: 2, maxLength: 3 })
  .map(([first, ...others]) => [{ ...first!, stopsAfter: null }, ...others]);

/** After this many calls, none is lost any more. */
const troubledCalls = 300;

/** A connection whose calls and replies take as long as the scheduler decides. */
function late(redis: Redis, scheduler: fc.Scheduler, { inOrder, outcomes }: RunnerPlan): Redis {
  let [arrivals, calls] = [Promise.resolve(), 0];
  const through = async <T>(act: () => Promise<T>): Promise<T> => {
    const outcome = calls < troubledCalls ? outcomes[calls % outcomes.length] : 'done';
    calls++;
    const moment = () => scheduler.schedule(Promise.resolve(), 'call');
    const arrived = inOrder ? arrivals.then(moment) : moment();
    arrivals = arrived;
    await arrived;
    if (outcome === 'call lost') throw new Failure('unavailable', 'lost');
    const [reply] = await Promise.allSettled([act()]);
    await scheduler.schedule(Promise.resolve(), 'reply');
    if (outcome === 'reply lost') throw new Failure('unavailable', 'lost');
    if (reply.status === 'rejected') throw reply.reason;
    return reply.value;
  };
  return {
    call: (...args) => through(() => redis.call(...args)),
    callBytes: (...args) => through(() => redis.callBytes(...args)),
    run: (script, key, ...args) => through(() => redis.run(script, key, ...args)),
    close: () => redis.close(),
  };
}

const namespace = 'docent';
const openStore = (redis: Redis) =>
  new RedisChunkStore({ redis, namespace, projection: chunks, compute: embed });

/** The contents of the live build. */
async function contents(store: RedisChunkStore): Promise<Entry[]> {
  const live = (await store.builds()).find((build) => build.live)!;
  const entries: Entry[] = [];
  for await (const names of store.names(live)) {
    for (let rest: readonly string[] = names; rest.length > 0; ) {
      const { values } = (await store.values(live, rest))!;
      entries.push(...entriesOf(rest, values));
      rest = rest.slice(values.length);
    }
  }
  return entries;
}

async function runWhole(store: RedisChunkStore, events: readonly RecordedEvent[]): Promise<void> {
  const runner = new ProjectionRunner({ log: logOf(events), store, projections: [chunks], clock });
  await runner.prepare();
  await runner.catchUp();
  while (await store.sweep(100));
}

/** The result of one runner over the embedded store. */
async function embedded(folder: string, events: readonly RecordedEvent[]): Promise<Entry[]> {
  const path = join(folder, `${randomUUID()}.sqlite`);
  const store = new ModelsStore(path, [chunks], { compute: embed });
  const runner = new ProjectionRunner({
    log: logOf(events),
    store: directModels(store),
    projections: [chunks],
    clock,
  });
  await runner.prepare();
  await runner.catchUp();
  const reader = new ModelsReader(path);
  const all = reader.builds().flatMap((build) => [...reader.entries(build)]);
  reader.close();
  store.close();
  return all;
}

/**
 * Runs runners over events as they appear; each call takes its own time. A runner that stops leaves the rest to the others.
 */
async function runTogether(
  redis: Redis,
  events: readonly RecordedEvent[],
  plans: readonly RunnerPlan[],
  scheduler: fc.Scheduler,
): Promise<void> {
  let there = plans.length % 2 === 0 ? events.length : 1;
  const appear = async () => {
    while (there < events.length) {
      await scheduler.schedule(Promise.resolve(), 'append');
      there = Math.min(events.length, there + 5);
    }
  };
  const run = async (plan: RunnerPlan) => {
    let reads = 0;
    const store = openStore(late(redis, scheduler, plan));
    const log = logOf(
      events,
      () => there,
      () => plan.sizes[reads++ % plan.sizes.length]!,
    );
    const slow = {
      head: log.head,
      readAll: async (after: string | null, limit: number) => {
        await scheduler.schedule(Promise.resolve(), 'read');
        return log.readAll(after, limit);
      },
    };
    const runner = new ProjectionRunner({ log: slow, store, projections: [chunks], clock });
    let ready = false;
    for (let turn = 0; turn < (plan.stopsAfter ?? Number.POSITIVE_INFINITY); turn++) {
      try {
        if (!ready) await runner.prepare();
        ready = true;
        const atEnd = there === events.length;
        if (await runner.step()) continue;
        if (atEnd && !(await store.sweep(3))) break;
        // Another runner's progress is visible only by reading.
        ready = turn % 3 !== 0;
        await scheduler.schedule(Promise.resolve(), 'pause');
      } catch (error) {
        if (!(error instanceof Failure && error.retryable)) throw error;
      }
    }
  };
  await scheduler.waitFor(Promise.all([appear(), ...plans.map(run)]));
}

/** A projection's writes for some of the events. */
const writesOf = (projection: Projection, events: readonly RecordedEvent[]) =>
  events.flatMap((event) => projection.on[event.type]?.(event as never) ?? []);

/** Runs each act, once, before the call with its number is sent. */
function before(redis: Redis, acts: Map<number, () => Promise<unknown>>): Redis {
  let calls = 0;
  const through = async <T>(act: () => Promise<T>): Promise<T> => {
    const now = acts.get(calls);
    acts.delete(calls++);
    await now?.();
    return act();
  };
  return {
    call: (...args) => through(() => redis.call(...args)),
    callBytes: (...args) => through(() => redis.callBytes(...args)),
    run: (script, key, ...args) => through(() => redis.run(script, key, ...args)),
    close: () => redis.close(),
  };
}

withOwnRedis('several runners over Redis', () => {
  let server: OwnServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = RedisConnection.open({ url: server.url });
  });
  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  it('end like a single runner over the embedded store, and like a rebuild, in any interleaving', async () => {
    const folder = newFolder('runners');
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), histories(12), runnerPlans, async (scheduler, events, plans) => {
        await redis.call('FLUSHALL');
        await runTogether(redis, events, plans, scheduler);
        const store = openStore(redis);
        await runWhole(store, events);
        const together = await contents(store);
        expect(together).toEqual(await embedded(folder, events));
        await store.startBuild(chunks.name);
        await runWhole(store, events);
        expect(await contents(store)).toEqual(together);
        const [live] = await store.builds();
        for await (const keys of keysBelow(redis, `${namespace}:`))
          for (const key of keys) if (/^\{chunks\}:\d+:/.test(key)) expect(key).toContain(`:${live!.build}:`);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('can overtake a commit at any moment', async () => {
    const history = fc.sample(histories(30), { seed: 1, numRuns: 1 })[0]!;
    const position = (n: number) => history[n - 1]?.position ?? null;
    const quarter = Math.floor(history.length / 4);
    const whole = await embedded(newFolder('overtaken'), history);
    // One process has begun to commit half of the events and prepares its next commit; another process commits the same
    // half in two steps.
    const [first, second] = [quarter, quarter * 2];
    // Before each call, and after the last one.
    const moments = 11;
    for (let i = 0; i < moments; i++) {
      for (let j = i; j < moments; j++) {
        await redis.call('FLUSHALL');
        const other = openStore(redis);
        const [build] = await other.builds();
        const commit = (store: RedisChunkStore, from: number, to: number) =>
          store.commit(
            { ...build!, checkpoint: position(from) },
            position(to)!,
            writesOf(chunks, history.slice(from, to)),
          );
        const acts = [
          [i, () => commit(other, 0, first)],
          [j, () => commit(other, first, second)],
        ] as const;
        const both = () => commit(other, 0, first).then(() => commit(other, first, second));
        const late = i === j ? new Map([[i, both]]) : new Map(acts);
        const overtaken = openStore(before(redis, late));
        await commit(overtaken, 0, second);
        await commit(overtaken, second, history.length);
        if (i === moments - 1) expect(late.size).toBe(1);
        await runWhole(other, history);
        expect(await contents(other), `at ${i} and ${j}`).toEqual(whole);
      }
    }
  });
});
