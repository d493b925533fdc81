/** The contract for every ResponseCache. `open` returns `instances` that share their answers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Computed, ResponseCache } from '../../src/ports/response-cache.ts';

export interface OpenedCaches {
  instances: ResponseCache[];
  close(): Promise<void>;
}

const still = new AbortController().signal;

/** A computation that begins and waits to be given its result; callers may already have left by then. */
export function paused() {
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Computed<unknown>>();
  result.promise.catch(() => {});
  const make = async (signal: AbortSignal) => {
    begun.resolve();
    const made = await result.promise;
    signal.throwIfAborted();
    return made;
  };
  return { make, begun: begun.promise, end: result.resolve, fail: result.reject };
}

export function responseCacheContract(name: string, open: () => Promise<OpenedCaches>): void {
  describe(`cached answers: ${name}`, () => {
    let opened: OpenedCaches;
    let one: ResponseCache;
    beforeEach(async () => {
      opened = await open();
      one = opened.instances[0]!;
    });
    afterEach(() => opened.close());

    const made = (value: unknown): Computed<unknown> => ({ value, keep: true });

    it('computes one answer for a hundred simultaneous callers', async () => {
      let makings = 0;
      const { make, begun, end } = paused();
      const counted = (signal: AbortSignal) => {
        makings++;
        return make(signal);
      };
      const asked = Array.from({ length: 100 }, (_, i) =>
        opened.instances[i % opened.instances.length]!.once('k', counted, still),
      );
      await begun;
      end(made({ text: 'ответ' }));
      const answers = await Promise.all(asked);
      expect(makings).toBe(1);
      expect(new Set(answers.map(({ value }) => JSON.stringify(value)))).toEqual(
        new Set(['{"text":"ответ"}']),
      );
      expect(answers.filter(({ cached }) => !cached)).toHaveLength(1);
    });

    it('stores it for later callers, separately for each key', async () => {
      await one.once('a', async () => made(1), still);
      const refuse = async () => {
        throw new Error('made again');
      };
      for (const cache of opened.instances)
        expect(await cache.once('a', refuse, still)).toEqual({ value: 1, cached: true });
      expect(await one.once('b', async () => made(2), still)).toEqual({ value: 2, cached: false });
    });

    it('clears everything for all instances, including answers in progress', async () => {
      await one.once('a', async () => made(1), still);
      const { make, begun, end } = paused();
      const making = one.once('b', make, still);
      await begun;
      await opened.instances.at(-1)!.clear();
      end(made(1));
      expect(await making).toEqual({ value: 1, cached: false });
      for (const key of ['a', 'b'])
        expect(await one.once(key, async () => made(2), still)).toEqual({ value: 2, cached: false });
    });

    it('does not store answers that are marked so', async () => {
      await one.once('k', async () => ({ value: 1, keep: false }), still);
      expect(await one.once('k', async () => made(2), still)).toEqual({ value: 2, cached: false });
    });

    it('lets the others compute their own if the first one fails', async () => {
      const { make, begun, fail } = paused();
      const failing = one.once('k', make, still);
      await begun;
      const others = opened.instances.map((cache) => cache.once('k', async () => made('own'), still));
      fail(new Error('cancelled'));
      await expect(failing).rejects.toThrow('cancelled');
      for (const other of others) expect((await other).value).toBe('own');
    });

    /** A computation that continues until no caller waits for it. */
    function endless() {
      const begun = Promise.withResolvers<void>();
      const deserted = Promise.withResolvers<void>();
      const make = (signal: AbortSignal) => {
        begun.resolve();
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => {
          deserted.resolve();
          reject(new Error('deserted'));
        });
        return promise;
      };
      return { make, begun: begun.promise, deserted: deserted.promise };
    }
    const cancelled = expect.objectContaining({ name: 'Failure', code: 'cancelled' });

    it('continues while a caller waits, and stops when the last one disconnects', async () => {
      const { make, begun, deserted } = endless();
      const refuse = async () => {
        throw new Error('made again');
      };
      const [first, second] = [new AbortController(), new AbortController()];
      const asked = one.once('k', make, first.signal);
      await begun;
      const other = one.once('k', refuse, second.signal);
      first.abort();
      await expect(asked).rejects.toEqual(cancelled);
      second.abort();
      await expect(other).rejects.toEqual(cancelled);
      await deserted;
    });

    it('delivers the answer to those still waiting', async () => {
      const { make, begun, end } = paused();
      const first = new AbortController();
      const asked = one.once('k', make, first.signal);
      asked.catch(() => {});
      await begun;
      const other = one.once('k', async () => made('own'), still);
      first.abort();
      end(made('shared'));
      expect(await other).toEqual({ value: 'shared', cached: true });
    });

    it('computes again for a caller that arrives after all others have disconnected', async () => {
      const { make, begun } = endless();
      const first = new AbortController();
      const asked = one.once('k', make, first.signal);
      await begun;
      first.abort();
      await expect(asked).rejects.toEqual(cancelled);
      expect(await one.once('k', async () => made('new'), still)).toEqual({ value: 'new', cached: false });
    });
  });
}
