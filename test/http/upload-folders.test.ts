import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeUploadFolder, sweepUploads } from '../../src/admin/upload-folders.ts';
import { newFolder } from '../support/folder.ts';
import { openDoor } from './admin-door.ts';

test('removes only the upload folders of killed processes', async () => {
  const within = newFolder('sweep');
  const left = (name: string, hoursAgo: number) => {
    const path = join(within, name);
    mkdirSync(path);
    writeFileSync(join(path, 'a.md'), '# A');
    const time = Date.now() / 1000 - hoursAgo * 3600;
    utimesSync(path, time, time);
    return path;
  };
  const own = await makeUploadFolder(within);
  // No process id is this large.
  const dead = left('docent-upload-99999999-abc', 2);
  const nameless = left('docent-upload-abcdef', 2);
  const recent = left('docent-upload-99999998-abc', 0);
  const running = left(`docent-upload-${process.ppid}-abc`, 2);
  const others = left('something-else', 2);
  await sweepUploads(within);
  expect([own, dead, nameless, recent, running, others].map((path) => existsSync(path))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('removes them before accepting an upload', async () => {
  const left = join(tmpdir(), `docent-upload-99999999-${process.pid}`);
  mkdirSync(left);
  const time = Date.now() / 1000 - 2 * 3600;
  utimesSync(left, time, time);
  const door = await openDoor({}, { library: false });
  await door.server.ready();
  expect(existsSync(left)).toBe(false);
  await door.close();
});
