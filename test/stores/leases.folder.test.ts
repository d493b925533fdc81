import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { leaseMs } from '../../src/ports/leases.ts';
import { FolderLeases } from '../../src/stores/embedded/leases.ts';
import { leasesContract } from './leases.contract.ts';

describe('leases in a folder', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  leasesContract(() => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-leases-'));
    folders.push(folder);
    let now = Date.now();
    return {
      open: () => new FolderLeases(join(folder, 'leases'), () => now),
      runOut: async () => {
        now += leaseMs + 1;
      },
    };
  });
});
