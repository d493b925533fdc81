/** Read models with text by people, while people are forgotten. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Projection, ProjectionRunner, renewalPauseMs } from '../../projections/runner.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { Failure } from '../../src/failures.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import { ModelsReader } from '../../src/read-models/models-reader.ts';
import { ModelsStore } from '../../src/read-models/models-store.ts';
import { directModels } from '../support/direct-models.ts';
import { newFolder } from '../support/folder.ts';

const clock = { now: () => new Date('2026-05-01T10:00:00Z') };
const cause = { actor: 'system', correlation_id: 'c' };

const comments: Projection = {
  name: 'comments',
  version: 1,
  collections: [{ name: 'comments', fields: {} }],
  on: {
    AnswerRated: ({ data }) => [
      { op: 'put', collection: 'comments', key: data.request_id, doc: { comment: data.comment } },
    ],
  },
};

let folder: string;
let log: EmbeddedLog;
let commands: Commands;
let gone: Set<string>;
let now: number;
const closing: (() => void)[] = [];
beforeEach(() => {
  folder = newFolder('renewals');
  log = new EmbeddedLog(directLog(new LogStore(join(folder, 'history.sqlite'))));
  commands = new Commands(log, clock);
  gone = new Set();
  now = 1_000_000;
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await log.close();
});

/** The history as read with the remaining keys. */
const blanked = (event: RecordedEvent): RecordedEvent =>
  event.type === 'AnswerRated' && gone.has(event.data.subject)
    ? { ...event, data: { ...event.data, comment: null } }
    : event;

/** A runner as a separate process would have it; `atOnce`: the number of events per batch. */
function open(file = 'models.sqlite', atOnce = 1, version = 1) {
  const path = join(folder, file);
  const projection = { ...comments, version };
  const store = new ModelsStore(path, [projection]);
  const faults = { startBuild: 0 };
  const reader = new ModelsReader(path);
  closing.push(
    () => reader.close(),
    () => store.close(),
  );
  let begun = 0;
  let forgotten = 0;
  const models = directModels(store);
  const runner = new ProjectionRunner({
    log: {
      readAll: async (after) => (await log.readAll(after, atOnce)).map(blanked),
      head: () => log.head(),
    },
    store: {
      ...models,
      startBuild: (name) => {
        begun++;
        if (faults.startBuild-- > 0) throw new Failure('storage_full', 'The disk is full.');
        return models.startBuild(name);
      },
    },
    projections: [projection],
    clock,
    renews: true,
    onForgotten: () => forgotten++,
    elapsedMs: () => now,
  });
  return { runner, reader, faults, begun: () => begun, forgotten: () => forgotten };
}

async function say(subject: string): Promise<void> {
  const data = { request_id: `r-${subject}`, subject, rating: 'up' as const, comment: `of ${subject}` };
  await commands.record(`ask-${subject}`, -1, [{ type: 'AnswerRated', data }], cause);
}
async function forget(subject: string): Promise<void> {
  gone.add(subject);
  const data = { subject, forgotten_at: clock.now().toISOString() };
  await commands.record(`forgetting-${subject}`, -1, [{ type: 'SubjectForgotten', data }], cause);
}
const said = (reader: ModelsReader, subject: string) => reader.get('comments', `r-${subject}`)?.comment;
const people = Array.from({ length: 50 }, (_, n) => `s${n}`);

test('forgetting many people together takes two renewals, even late in the first one', async () => {
  for (const one of people) await say(one);
  const { runner, reader, begun } = open();
  await runner.prepare();
  await runner.catchUp();
  await forget('s0');
  // The renewal has read everything s1 said when s1 and all others are forgotten.
  while (!runner.building) await runner.step();
  for (let n = 0; n < 20; n++) await runner.step();
  for (const one of people.slice(1)) await forget(one);
  await runner.catchUp();
  expect(said(reader, 's0')).toBeNull();
  expect(said(reader, 's1')).toBe('of s1');
  expect(runner.owes('comments') || runner.building).toBe(true);
  now += renewalPauseMs;
  await runner.catchUp();
  for (const one of people) expect(said(reader, one)).toBeNull();
  expect(begun()).toBe(2);
  expect(runner.owes('comments') || runner.building).toBe(false);
});

test('people forgotten soon after a renewal are combined into the next one', async () => {
  for (const one of people) await say(one);
  const { runner, reader, begun } = open();
  await runner.prepare();
  await runner.catchUp();
  await forget('s0');
  await runner.catchUp();
  for (const one of people.slice(1, 20)) {
    await forget(one);
    await runner.catchUp();
  }
  expect(said(reader, 's1')).toBe('of s1');
  expect(begun()).toBe(2);
  // New events are shown in the meantime.
  await say('late');
  await runner.catchUp();
  expect(said(reader, 'late')).toBe('of late');
  now += renewalPauseMs;
  await runner.catchUp();
  for (const one of people.slice(0, 20)) expect(said(reader, one)).toBeNull();
  expect(said(reader, 's30')).toBe('of s30');
  expect(begun()).toBe(2);
});

test('the next process finishes an interrupted renewal and starts another for people forgotten meanwhile', async () => {
  for (const one of people) await say(one);
  const first = open();
  await first.runner.prepare();
  await first.runner.catchUp();
  await forget('s0');
  while (!first.runner.building) await first.runner.step();
  for (let n = 0; n < 20; n++) await first.runner.step();
  await forget('s1');
  await say('later');
  // The live build has passed it when the process ends.
  const head = await log.head();
  while (first.runner.position('comments') !== head) await first.runner.step();
  expect(first.runner.building).toBe(true);
  const second = open();
  await second.runner.prepare();
  await second.runner.catchUp();
  now += renewalPauseMs;
  await second.runner.catchUp();
  expect(said(second.reader, 's1')).toBeNull();
  expect(said(second.reader, 's2')).toBe('of s2');
});

test('runners of one store renew for all of them, and finish', async () => {
  for (const one of people) await say(one);
  const runners = [open(), open()];
  for (const { runner } of runners) await runner.prepare();
  for (const { runner } of runners) await runner.catchUp();
  for (let round = 0; round < 10; round++) {
    await forget(people[round]!);
    for (let n = 0; n < 7; n++) await runners[(round + n) % 2]!.runner.step();
  }
  for (let round = 0; round < 6; round++) {
    now += renewalPauseMs;
    for (const { runner } of runners) await runner.catchUp();
  }
  for (const { runner, reader } of runners) {
    for (const one of people.slice(0, 10)) expect(said(reader, one)).toBeNull();
    expect(said(reader, 's30')).toBe('of s30');
    expect(runner.owes('comments') || runner.building).toBe(false);
  }
});

test('a person forgotten while a raised version is built soon disappears from it', async () => {
  for (const one of people) await say(one);
  const before = open();
  await before.runner.prepare();
  await before.runner.catchUp();
  const { runner, reader } = open('models.sqlite', 1, 2);
  await runner.prepare();
  for (let n = 0; n < 20; n++) await runner.step();
  await forget('s1');
  await runner.catchUp();
  now += renewalPauseMs;
  await runner.catchUp();
  expect(said(reader, 's1')).toBeNull();
  expect(said(reader, 's2')).toBe('of s2');
  expect(runner.owes('comments') || runner.building).toBe(false);
});

test('a renewal that could not begin is begun later', async () => {
  await say('s0');
  const { runner, reader, faults } = open();
  await runner.prepare();
  await runner.catchUp();
  await forget('s0');
  faults.startBuild = 1;
  await expect(runner.catchUp()).rejects.toMatchObject({ code: 'storage_full' });
  await runner.catchUp();
  expect(said(reader, 's0')).toBeNull();
});

test('text sealed with lost keys disappears when the loss is recorded', async () => {
  await say('s0');
  const { runner, reader, begun } = open();
  await runner.prepare();
  await runner.catchUp();
  expect(said(reader, 's0')).toBe('of s0');
  gone.add('s0');
  const data = { lost_at: clock.now().toISOString() };
  await commands.record('forgetting-keys', -1, [{ type: 'KeysLost', data }], cause);
  await runner.catchUp();
  expect(said(reader, 's0')).toBeNull();
  expect(begun()).toBe(1);
});

test('every runner reports that text must be dropped, even if another one was faster', async () => {
  await say('s0');
  const [first, second] = [open(), open()];
  for (const { runner } of [first, second]) {
    await runner.prepare();
    await runner.catchUp();
  }
  expect([first.forgotten(), second.forgotten()]).toEqual([0, 0]);
  await forget('s0');
  await first.runner.catchUp();
  expect(first.forgotten()).toBeGreaterThan(0);
  await second.runner.catchUp();
  expect(second.forgotten()).toBeGreaterThan(0);
});
