import { describe, expect, it } from 'vitest';
import { CurrentIndex } from '../../src/workers/current-index.ts';

/** Successive live builds, each for a given number of lookups. */
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

describe('the live index', () => {
  it('is opened once while it is live', async () => {
    const { index, opened } = over('1', '1', '1', '1', '2');
    expect(await index.read(async (build) => build)).toBe('1');
    expect(await index.read(async (build) => build)).toBe('1');
    expect(await index.read(async (build) => build)).toBe('2');
    expect(opened).toEqual(['1', '2']);
  });

  it('is read again if it was replaced meanwhile, noticed or not', async () => {
    const { index } = over('1', '2', '2', '2');
    expect(await index.read(async (build) => `words of ${build}`)).toBe('words of 2');
    const gone = over('1', '2', '2', '2');
    const read = async (build: string) => {
      if (build === '1') throw new Error('no such table');
      return build;
    };
    expect(await gone.index.read(read)).toBe('2');
  });

  it('fails like the read if it is still live', async () => {
    const { index } = over('1');
    await expect(index.read(async () => Promise.reject(new Error('slow')))).rejects.toThrow('slow');
  });

  it('is unavailable if builds are replaced faster than they are read', async () => {
    const { index } = over('1', '2', '3', '4', '5', '6', '7');
    await expect(index.read(async (build) => build)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterS: 1,
    });
  });
});
