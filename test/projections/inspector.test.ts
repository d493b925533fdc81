import { describe, expect, it } from 'vitest';
import { BuildInspector } from '../../projections/inspector.ts';
import type { Build } from '../../src/ports/read-models.ts';

const build = (name: string, more: Partial<Build> = {}): Build => ({
  ...{ name, version: 1, build: 1, checkpoint: '1', live: true },
  ...more,
});

/** Builds of so many portions each; `broken`: what a portion tells. */
function inspect(
  builds: Build[],
  portions: number,
  broken: (name: string, portion: number) => string[],
  { tookMs = 5, isLive = (_: Build): boolean => true } = {},
) {
  let now = 0;
  const looked: string[] = [];
  /** What was recorded of builds, and which were then begun. */
  const marked: string[] = [];
  const begun: string[] = [];
  const inspector = new BuildInspector({
    models: {
      builds: async () => builds,
      async *faults({ name }) {
        for (let n = 0; n < portions; n++) {
          looked.push(`${name} ${n}`);
          now += tookMs;
          yield broken(name, n);
        }
      },
      markBroken: async (found, fault) => {
        marked.push(`${found.name}: ${fault}`);
        return isLive(found);
      },
      startBuild: async (name) => {
        begun.push(name);
        return build(name, { live: false });
      },
    },
    isOwn: ({ version }) => version === 1,
    now: () => now,
  });
  /** Turns at every 10 ms up to a moment. */
  const until = async (end: number) => {
    for (; now < end; now += 10) await inspector.turn();
  };
  return { inspector, looked, marked, begun, until };
}

describe('the inspector', () => {
  it('works for 5 ms in 100, then rests for twice as long as the round took', async () => {
    const { inspector, looked, until } = inspect([build('a'), build('b')], 10, () => []);
    await until(1_000);
    expect(looked.length).toBeGreaterThan(5);
    expect(looked.length).toBeLessThanOrEqual(10);
    expect(inspector.busy).toBe(true);
    await until(4_000);
    expect(looked).toHaveLength(20);
    expect(inspector.busy).toBe(false);
    await until(6_500);
    expect(looked).toHaveLength(20);
    await until(10_000);
    expect(looked.length).toBeGreaterThan(20);
  });

  it('looks at as many portions in a turn as are quick', async () => {
    const { looked, until } = inspect([build('a'), build('b')], 10, () => [], { tookMs: 0.1 });
    await until(10);
    expect(looked).toHaveLength(20);
  });

  it('leaves alone what does not serve, or is not its own', async () => {
    const { looked, until } = inspect(
      [build('a', { live: false }), build('b', { version: 2 }), build('c')],
      1,
      () => [],
    );
    await until(1_000);
    expect(looked).toEqual(['c 0']);
  });

  it('has a build made anew in which something does not hold at two looks, and not again at once', async () => {
    const { marked, begun, until } = inspect([build('a'), build('b')], 3, (name, n) =>
      name === 'b' && n === 1 ? ['a word lacks an id', 'another too'] : [],
    );
    await until(6_000);
    expect(marked).toEqual(['b: a word lacks an id']);
    expect(begun).toEqual(['b']);
    await until(60_000);
    expect(begun).toEqual(['b']);
    await until(700_000);
    expect(begun).toEqual(['b', 'b']);
  });

  it('says of each build that it is broken, also of one that took the place of a broken one just now', async () => {
    const builds = [build('a')];
    const { marked, begun, until } = inspect(builds, 1, () => ['broken']);
    await until(6_000);
    builds[0] = build('a', { build: 2 });
    marked.length = 0;
    await until(12_000);
    expect(marked).not.toEqual([]);
    expect(begun).toEqual(['a']);
  });

  it('has made anew what was found broken once, though it looks well now', async () => {
    const { marked, begun, until } = inspect([build('a', { fault: 'a word lacks an id' })], 1, () => []);
    await until(1_000);
    expect(marked).toEqual(['a: a word lacks an id']);
    expect(begun).toEqual(['a']);
  });

  it('begins nothing for a build that another has taken the place of', async () => {
    const { begun, until } = inspect([build('a')], 1, () => ['broken'], { isLive: () => false });
    await until(1_000);
    expect(begun).toEqual([]);
  });

  it('takes nothing for broken that is well at the second look', async () => {
    let seen = 0;
    const { marked, until } = inspect([build('a')], 2, (_, n) => (n === 0 && seen++ === 0 ? ['gone'] : []));
    await until(20_000);
    expect(marked).toEqual([]);
  });

  it('begins anew after an error, when it has rested', async () => {
    let fails = true;
    const { looked, until, inspector } = inspect([build('a')], 1, () => {
      if (fails) throw new Error('away');
      return [];
    });
    await expect(inspector.turn()).rejects.toThrow('away');
    fails = false;
    await until(4_000);
    expect(looked).toHaveLength(1);
    await until(6_000);
    expect(looked).toHaveLength(2);
  });
});
