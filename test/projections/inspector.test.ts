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
  tookMs = 5,
) {
  let now = 0;
  const looked: string[] = [];
  const replaced: string[] = [];
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
      replace: async ({ name }, fault) => {
        replaced.push(`${name}: ${fault}`);
      },
    },
    isOwn: ({ version }) => version === 1,
    now: () => now,
  });
  /** Turns at every 10 ms up to a moment. */
  const until = async (end: number) => {
    for (; now < end; now += 10) await inspector.turn();
  };
  return { inspector, looked, replaced, until };
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
    const { looked, until } = inspect([build('a'), build('b')], 10, () => [], 0.1);
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
    const { replaced, until } = inspect([build('a'), build('b')], 3, (name, n) =>
      name === 'b' && n === 1 ? ['a word lacks an id', 'another too'] : [],
    );
    await until(60_000);
    expect(replaced).toEqual(['b: a word lacks an id']);
    await until(700_000);
    expect(replaced).toEqual(['b: a word lacks an id', 'b: a word lacks an id']);
  });

  it('takes nothing for broken that is well at the second look', async () => {
    let seen = 0;
    const { replaced, until } = inspect([build('a')], 2, (_, n) => (n === 0 && seen++ === 0 ? ['gone'] : []));
    await until(20_000);
    expect(replaced).toEqual([]);
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
