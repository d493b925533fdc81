import { expect, it } from 'vitest';
import { ProjectionFollower } from '../../projections/follower.ts';
import type { Projection } from '../../projections/runner.ts';
import type { Build } from '../../src/ports/read-models.ts';

const projection = (name: string): Projection => ({
  name,
  version: 1,
  collections: [{ name: `${name}s`, fields: {} }],
  on: {},
});
const build = (name: string, more: Partial<Build>): Build => ({
  ...{ name, version: 1, build: 1, checkpoint: null, live: true },
  ...more,
});

function follow(held: string[] = []) {
  const commits: unknown[] = [];
  const follower = new ProjectionFollower({
    projections: [projection('one'), projection('two')],
    holds: (name) => held.includes(name),
    onCommit: (...args) => commits.push(args),
  });
  return { follower, commits, held };
}

it('tells of each step of what another runs, once', () => {
  const { follower, commits } = follow(['two']);
  follower.check([build('one', { checkpoint: '3' }), build('two', { checkpoint: '1' })]);
  follower.look([{ projection: 'one', build: 1, checkpoint: '3', at: '5' }]);
  follower.look([{ projection: 'one', build: 1, checkpoint: '3', at: '5' }]);
  follower.check([build('one', { checkpoint: '4' }), build('two', { checkpoint: '7' })]);
  follower.look([{ projection: 'one', build: 2, checkpoint: '9', at: '9' }]);
  expect(commits).toEqual([
    ['one', '3', ['ones']],
    ['one', '5', ['ones']],
  ]);
});

it('tells of a build that took the place of another, and of one that was emptied', () => {
  const { follower, commits } = follow(['two']);
  follower.check([build('one', { checkpoint: '3', passed: '6' })]);
  follower.check([build('one', { checkpoint: '3', build: 2 }), build('one', { live: false, build: 3 })]);
  follower.check([build('one', { build: 4 })]);
  expect(commits).toEqual([
    ['one', '6', ['ones']],
    ['one', '3', ['ones']],
    ['one', null, ['ones']],
  ]);
});
