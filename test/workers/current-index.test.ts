import { describe, expect, it } from 'vitest';
import { CurrentIndex } from '../../src/workers/current-index.ts';

/** Builds that serve one after the other, each for so many looks. */
function over(...builds: string[]) {
  const opened: string[] = [];
  const index = new CurrentIndex(
    { liveIndex: async () => (builds.length > 1 ? builds.shift()! : builds[0]!) },
    (build) => {
      opened.push(build);
      return build;
    },
  );
  return { index, opened };
}

describe('the index that serves', () => {
  it('is opened once for as long as it serves', async () => {
    const { index, opened } = over('1', '1', '1', '1', '2');
    expect(await index.read(async (build) => build)).toBe('1');
    expect(await index.read(async (build) => build)).toBe('1');
    expect(await index.read(async (build) => build)).toBe('2');
    expect(opened).toEqual(['1', '2']);
  });

  it('is read again where it has gone meanwhile, whether that was noticed or not', async () => {
    const { index } = over('1', '2', '2', '2');
    expect(await index.read(async (build) => `words of ${build}`)).toBe('words of 2');
    const gone = over('1', '2', '2', '2');
    const read = async (build: string) => {
      if (build === '1') throw new Error('no such table');
      return build;
    };
    expect(await gone.index.read(read)).toBe('2');
  });

  it('fails as the reading does while it still serves', async () => {
    const { index } = over('1');
    await expect(index.read(async () => Promise.reject(new Error('slow')))).rejects.toThrow('slow');
  });

  it('is told to be away where builds go faster than they are read', async () => {
    const { index } = over('1', '2', '3', '4', '5', '6', '7');
    await expect(index.read(async (build) => build)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterS: 1,
    });
  });
});
