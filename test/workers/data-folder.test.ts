import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/workers/data-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a data folder is made for its owner alone, and so is each above it that is missing', () => {
  makeFolder(join(folder, 'a', 'b'));
  expect([join(folder, 'a'), join(folder, 'a', 'b')].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);
  makeFolder(join(folder, 'a'));
});
