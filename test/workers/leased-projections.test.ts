import { afterEach, expect, it } from 'vitest';
import type { Build, Passed, ProjectionLeases } from '../../src/ports/read-models.ts';
import { LeasedProjections } from '../../src/workers/leased-projections.ts';

const projections = ['one', 'two'].map((name) => ({
  ...{ name, version: 1, on: {} },
  collections: [{ name: `${name}s`, fields: {} }],
}));
const build = (name: string, checkpoint: string): Build => ({
  ...{ name, version: 1, build: 1, checkpoint, live: true },
});
const passed = (projection: string, at: string): Passed => ({ projection, build: 1, checkpoint: '1', at });

const opened: LeasedProjections[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** An instance that holds some of the leases, and what it hears from others and tells them. */
async function open(held: string[]) {
  let hear: (passed: Passed) => void = () => {};
  const reported: string[] = [];
  const commits: unknown[] = [];
  /** Settles the tellings under way. */
  const reporting: (() => void)[] = [];
  const leases: ProjectionLeases = {
    hold: async () => {},
    holds: (name) => held.includes(name),
    report: (all) => {
      reported.push(all.map(({ projection, at }) => `${projection} ${at}`).join());
      return new Promise((resolve) => reporting.push(resolve));
    },
    watch: async (onPassed) => {
      hear = onPassed;
    },
    passed: async () => {
      throw new Error('Nobody needs to ask.');
    },
    release: async () => {},
  };
  const onCommit = (...args: unknown[]) => commits.push(args);
  const leased = await LeasedProjections.open({ leases, projections, onCommit, onChange: () => {} });
  opened.push(leased);
  return { leased, hear: (one: Passed) => hear(one), reported, commits, reporting };
}

it('who runs none hears of each step that others take, and asks for nothing', async () => {
  const { leased, hear, commits, reported } = await open([]);
  expect(leased.held).toBe('');
  leased.check([build('one', '1'), build('two', '1')]);
  hear(passed('one', '4'));
  hear(passed('one', '4'));
  hear({ ...passed('two', '7'), build: 2 });
  hear(passed('one', '6'));
  expect(commits).toEqual([
    ['one', '1', ['ones']],
    ['two', '1', ['twos']],
    ['one', '4', ['ones']],
    ['one', '6', ['ones']],
  ]);
  expect(reported).toEqual([]);
});

it('what it runs itself it is told nothing of', async () => {
  const { leased, hear, commits } = await open(['one']);
  expect(leased.held).toBe('one');
  leased.check([build('one', '1'), build('two', '1')]);
  hear(passed('one', '4'));
  expect(commits).toEqual([['two', '1', ['twos']]]);
});

it('tells others of one step at a time, and of the last one before it rests', async () => {
  const { leased, reported, reporting } = await open(['one']);
  await leased.report([passed('one', '2')], false);
  await leased.report([passed('one', '3')], false);
  const rested = leased.report([passed('one', '4')], true);
  reporting.shift()!();
  while (reporting.length === 0) await Promise.resolve();
  reporting.shift()!();
  await rested;
  expect(reported).toEqual(['one 2', 'one 4']);
  await leased.report([passed('one', '4')], true);
  expect(reported).toHaveLength(2);
});
