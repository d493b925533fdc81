import { join } from 'node:path';
import { describe } from 'vitest';
import { leaseMs } from '../../src/ports/leases.ts';
import { FolderLeases } from '../../src/read-models/folder-leases.ts';
import { newFolder } from '../support/folder.ts';
import { leasesContract } from './leases.contract.ts';

describe('leases in a folder', () => {
  leasesContract(() => {
    const folder = newFolder('leases');
    let now = Date.now();
    return {
      open: () => new FolderLeases(join(folder, 'leases'), () => now),
      runOut: async () => {
        now += leaseMs + 1;
      },
    };
  });
});
