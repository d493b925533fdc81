/** Simulates a full disk with a page limit: as with ENOSPC, SQLite fails with SQLITE_FULL during a transaction. */
import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';

/** Opens an object that uses one database, and returns functions that limit and restore its disk space. */
export function openOnSmallDisk<T>(open: () => T): {
  opened: T;
  fill(pagesLeft: number): void;
  free(): void;
} {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const opened = open();
  const db = exec.mock.contexts[0] as DatabaseSync;
  exec.mockRestore();
  return {
    opened,
    fill: (pagesLeft) => {
      const used = Number(db.prepare('PRAGMA page_count').get()?.page_count);
      db.exec(`PRAGMA max_page_count=${used + pagesLeft}`);
    },
    free: () => db.exec('PRAGMA max_page_count=1000000'),
  };
}
