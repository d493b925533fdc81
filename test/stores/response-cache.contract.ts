/** What every ResponseCache does. `open` gives `instances` that share their answers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Made, ResponseCache } from '../../src/ports/response-cache.ts';

export interface OpenedCaches {
  instances: ResponseCache[];
  close(): Promise<void>;
}

export function responseCacheContract(name: string, open: () => Promise<OpenedCaches>): void {
  describe(`answers kept: ${name}`, () => {
    let opened: OpenedCaches;
    let one: ResponseCache;
    beforeEach(async () => {
      opened = await open();
      one = opened.instances[0]!;
    });
    afterEach(() => opened.close());

    const made = (value: unknown): Made<unknown> => ({ value, keep: true });

    it('makes one answer for a hundred who ask the same at once', async () => {
      let makings = 0;
      const { promise: gate, resolve } = Promise.withResolvers<void>();
      const make = async () => {
        makings++;
        await gate;
        return made({ text: 'ответ' });
      };
      const asked = Array.from({ length: 100 }, (_, i) =>
        opened.instances[i % opened.instances.length]!.once('k', make),
      );
      setTimeout(resolve, 50);
      const answers = await Promise.all(asked);
      expect(makings).toBe(1);
      expect(new Set(answers.map(({ value }) => JSON.stringify(value)))).toEqual(
        new Set(['{"text":"ответ"}']),
      );
      expect(answers.filter(({ cached }) => !cached)).toHaveLength(1);
    });

    it('keeps it for who asks later, each key by itself', async () => {
      await one.once('a', async () => made(1));
      const refuse = async () => {
        throw new Error('made again');
      };
      for (const cache of opened.instances)
        expect(await cache.once('a', refuse)).toEqual({ value: 1, cached: true });
      expect(await one.once('b', async () => made(2))).toEqual({ value: 2, cached: false });
    });

    it('does not keep what is not to be kept', async () => {
      await one.once('k', async () => ({ value: 1, keep: false }));
      expect(await one.once('k', async () => made(2))).toEqual({ value: 2, cached: false });
    });

    it('lets the others make their own when the one that made it fails', async () => {
      const { promise: gate, reject } = Promise.withResolvers<never>();
      gate.catch(() => {});
      const begun = Promise.withResolvers<void>();
      const failing = one.once('k', () => {
        begun.resolve();
        return gate;
      });
      await begun.promise;
      const others = opened.instances.map((cache) => cache.once('k', async () => made('own')));
      reject(new Error('cancelled'));
      await expect(failing).rejects.toThrow('cancelled');
      for (const other of others) expect((await other).value).toBe('own');
    });
  });
}
