/** The contract for every store of subjects' keys. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredKey, SubjectKeys } from '../../src/ports/subject-keys.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const day = '2026-01-01';

export interface OpenedKeys {
  master: Uint8Array;
  /** The same keys as another process sees them. */
  open(): SubjectKeys;
  close(): Promise<void>;
}

export function subjectKeysContract(name: string, make: (master: Uint8Array) => Promise<OpenedKeys>): void {
  describe(`subjects' keys: ${name}`, () => {
    let opened: OpenedKeys;
    let keys: SubjectKeys;
    beforeEach(async () => {
      opened = await make(randomBytes(32));
      keys = opened.open();
    });
    afterEach(() => opened.close());

    it('are unique to a subject and day, and shared by all processes', async () => {
      const other = opened.open();
      const both = await Promise.all([keys, other].map((one) => one.take([{ subject: 's', day }])));
      expect(both[1]).toEqual(both[0]);
      const [, twice, tomorrow, theirs] = await keys.take([
        { subject: 's', day },
        { subject: 's', day },
        { subject: 's', day: '2026-01-02' },
        { subject: 't', day },
      ]);
      expect(twice).toEqual(both[0]![0]);
      expect(new Set([twice, tomorrow, theirs].map((key) => key!.id)).size).toBe(3);
      expect(twice!.key).toHaveLength(32);
    });

    it('are found by their ids, but not those of another store', async () => {
      const [key] = await keys.take([{ subject: 's', day }]);
      expect(await opened.open().find([key!.id, key!.id])).toEqual([key!.key, key!.key]);
      await expect(keys.find([key!.id, 'unknown'])).rejects.toEqual(failure('unavailable'));
    });

    it('that are missing count as destroyed everywhere once they are given up', async () => {
      const [key] = await keys.take([{ subject: 's', day }]);
      expect([await keys.knows(key!.id), await keys.knows('unknown')]).toEqual([true, false]);
      const other = opened.open();
      await other.giveUpMissing();
      await other.giveUpMissing();
      expect(await keys.find([key!.id, 'unknown'])).toEqual([key!.key, null]);
      expect(await keys.knows('unknown')).toBe(true);
      expect(await keys.destroy({ subject: 's' })).toBe(1);
    });

    it('are destroyed everywhere, and never recreated', async () => {
      const other = opened.open();
      const [mine, theirs] = await keys.take([
        { subject: 's', day },
        { subject: 't', day },
      ]);
      await keys.take([{ subject: 's', day: '2026-01-02' }]);
      expect(await keys.destroy({ subject: 's' })).toBe(2);
      expect(await keys.destroy({ subject: 's' })).toBe(0);
      expect(await other.find([mine!.id, theirs!.id])).toEqual([null, theirs!.key]);
      const [anew] = await other.take([{ subject: 's', day }]);
      expect(anew!.id).not.toBe(mine!.id);
      expect(await keys.find([mine!.id])).toEqual([null]);
    });

    it('can be moved between stores, and a subject forgotten in either stays forgotten', async () => {
      const purposes = Array.from({ length: 1_205 }, (_, n) => ({ subject: `s ${n}`, day }));
      const taken = await keys.take(purposes);
      await keys.destroy({ subject: 's 0' });
      const all: StoredKey[] = [];
      let from: string | null = null;
      do {
        const portion: Awaited<ReturnType<SubjectKeys['stored']>> = await keys.stored(from);
        all.push(...portion.keys);
        from = portion.next;
      } while (from !== null);
      expect(all.filter(({ wrapped }) => wrapped === null)).toEqual([
        { id: taken[0]!.id, of: null, wrapped: null },
      ]);
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set(taken.map(({ id }) => id)));
      expect(await keys.putBack(all)).toBe(0);

      const elsewhere = await make(opened.master);
      try {
        const theirs = elsewhere.open();
        const [own] = await theirs.take([{ subject: 's 1', day }]);
        expect(await theirs.putBack(all)).toBe(1_204);
        const found = await theirs.find([own!.id, ...taken.map(({ id }) => id)]);
        expect(found).toEqual([own!.key, null, ...taken.slice(1).map(({ key }) => key)]);
        expect(await theirs.take([{ subject: 's 1', day }])).toEqual([own]);
        // Both keys of that day are destroyed with their subject, and are not restored.
        expect(await theirs.destroy({ subject: 's 1' })).toBe(2);
        expect(await theirs.putBack(all)).toBe(0);
        expect(await theirs.find([own!.id, taken[1]!.id])).toEqual([null, null]);
        expect((await theirs.take([{ subject: 's 1', day }]))[0]!.id).not.toBe(own!.id);
        // A key that exists here is removed if it was destroyed in the other store.
        await theirs.putBack([{ id: taken[2]!.id, of: null, wrapped: null }]);
        expect(await theirs.find([taken[2]!.id])).toEqual([null]);
        expect((await theirs.take([{ subject: 's 2', day }]))[0]!.id).not.toBe(taken[2]!.id);
      } finally {
        await elsewhere.close();
      }
      const stranger = await make(randomBytes(32));
      try {
        await expect(stranger.open().putBack(all)).rejects.toEqual(failure('invalid'));
        expect(await stranger.open().knows(taken[5]!.id)).toBe(false);
      } finally {
        await stranger.close();
      }
    });

    it('for past days are destroyed together', async () => {
      const [old, recent] = await keys.take([
        { subject: 's', day: '2025-12-31' },
        { subject: 's', day },
      ]);
      expect(await keys.destroy({ before: day })).toBe(1);
      expect(await keys.find([old!.id, recent!.id])).toEqual([null, recent!.key]);
    });
  });
}
