/** What every store of subjects' keys does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubjectKeys } from '../../src/ports/subject-keys.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const day = '2026-01-01';

export interface OpenedKeys {
  /** Another process' view of the same keys. */
  open(): SubjectKeys;
  close(): Promise<void>;
}

export function subjectKeysContract(name: string, make: () => Promise<OpenedKeys>): void {
  describe(`subjects' keys: ${name}`, () => {
    let opened: OpenedKeys;
    let keys: SubjectKeys;
    beforeEach(async () => {
      opened = await make();
      keys = opened.open();
    });
    afterEach(() => opened.close());

    it('are one for a subject and day, whoever asks', async () => {
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

    it('that are missing count as destroyed for all, once they were given up', async () => {
      const [key] = await keys.take([{ subject: 's', day }]);
      expect([await keys.knows(key!.id), await keys.knows('unknown')]).toEqual([true, false]);
      const other = opened.open();
      await other.giveUpMissing();
      await other.giveUpMissing();
      expect(await keys.find([key!.id, 'unknown'])).toEqual([key!.key, null]);
      expect(await keys.knows('unknown')).toBe(true);
      expect(await keys.destroy({ subject: 's' })).toBe(1);
    });

    it('are destroyed for all, and never made again', async () => {
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

    it('of past days are destroyed together', async () => {
      const [old, recent] = await keys.take([
        { subject: 's', day: '2025-12-31' },
        { subject: 's', day },
      ]);
      expect(await keys.destroy({ before: day })).toBe(1);
      expect(await keys.find([old!.id, recent!.id])).toEqual([null, recent!.key]);
    });
  });
}
