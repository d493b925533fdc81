import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { backupEmbedded, makeFolder } from '../../src/workers/data-folder.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder('folder');
});

it('a new data folder, and each parent that is created, is accessible only to its owner', () => {
  makeFolder(join(folder, 'a', 'b'));
  expect([join(folder, 'a'), join(folder, 'a', 'b')].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);
  makeFolder(join(folder, 'a'));
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A folder that others may read, with a readable history and secret. */
function openToOthers(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  const db = new DatabaseSync(join(path, 'history.sqlite'));
  db.exec('CREATE TABLE said (text TEXT)');
  db.close();
  writeFileSync(join(path, 'secret'), 'secret');
  for (const file of readdirSync(path)) chmodSync(join(path, file), 0o644);
  chmodSync(path, 0o755);
  return path;
}

it('a folder with a history is closed to others, and any other folder is left unchanged', () => {
  const own = openToOthers('own');
  makeFolder(own);
  expect(modeOf(own)).toBe(0o700);
  const other = join(folder, 'other');
  mkdirSync(other);
  chmodSync(other, 0o755);
  makeFolder(other);
  expect(modeOf(other)).toBe(0o755);
});

it('a backup is readable only by its owner, in any folder', async () => {
  const to = join(folder, 'backup');
  mkdirSync(to);
  chmodSync(to, 0o755);
  await backupEmbedded(openToOthers('own'), to);
  expect(readdirSync(to).map((file) => [file, modeOf(join(to, file))])).toEqual([
    ['history.sqlite', 0o600],
    ['secret', 0o600],
  ]);
});
