import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openTemporaryFolder, sweepUntil } from '../../src/workers/temporary-folders.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';

const closing = new AbortController();
afterEach(() => closing.abort());

test('folders of killed processes are deleted when the service starts, and others are kept', async () => {
  const within = newFolder('uploads');
  const mine = await openTemporaryFolder(within);
  const stale = join(within, 'stale');
  mkdirSync(stale);
  writeFileSync(join(stale, 'alive'), '');
  writeFileSync(join(stale, 'file.pdf'), 'words');
  const minuteAgo = new Date(Date.now() - 60_000);
  utimesSync(join(stale, 'alive'), minuteAgo, minuteAgo);
  sweepUntil(closing.signal, within);
  await eventually(() => expect(readdirSync(within).map((name) => join(within, name))).toEqual([mine.path]));
  await mine.remove();
  expect(readdirSync(within)).toEqual([]);
});
