/** A history in a folder whose disk is full, with space reserved for vital writes. */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { DiskReserve } from '../../src/log/sqlite/reserve.ts';
import type { NewEvent } from '../../src/ports/event-log.ts';
import { note } from '../support/events.ts';
import { newFolder } from '../support/folder.ts';
import { openOnSmallDisk } from '../support/small-disk.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder('full');
});

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const large = () => note('x'.repeat(100_000));

/** Long enough to need its own database page. */
const revoked = (): NewEvent => ({
  ...note(''),
  type: 'ApiKeyRevoked',
  version: 1,
  data: { key_id: 1, revoked_at: '2026-05-01T12:00:00.000Z', revoked_by: 'o'.repeat(20_000) },
});

/** A log on a disk that, once full, has room only for the reserve. */
function onSmallDisk() {
  const path = join(folder, 'history.sqlite');
  let full = false;
  class Reserve extends DiskReserve {
    /** Once released, the reserve cannot be restored while the disk is full. */
    override hold(): boolean {
      return (!full || statSync(`${path}-reserve`, { throwIfNoEntry: false }) !== undefined) && super.hold();
    }
    override isRoomBeside(): boolean {
      return !full;
    }
    override release(): void {
      super.release();
      free();
    }
  }
  const { opened, fill, free } = openOnSmallDisk(
    () => new LogStore(path, { reserve: new Reserve(`${path}-reserve`) }),
  );
  return {
    store: opened,
    log: new EmbeddedLog(directLog(opened)),
    path,
    fill: () => {
      full = true;
      fill(0);
    },
    free: () => {
      full = false;
      free();
    },
  };
}

describe('on a full disk', () => {
  test('a key is revoked in the reserved space, and nothing else uses that space', async () => {
    const { log, store, path, fill } = onSmallDisk();
    await log.append('a', -1, [note('first')]);
    expect(store.degraded()).toBeNull();
    fill();
    await expect(log.append('b', -1, [large()])).rejects.toEqual(failure('storage_full'));
    expect(store.degraded()).toMatch(/^The disk is full/);

    await expect(log.append('api-keys', -1, [revoked()])).resolves.toMatchObject({ revision: 0 });
    expect(statSync(`${path}-reserve`, { throwIfNoEntry: false })).toBeUndefined();
    await expect(log.append('b', -1, [note('small')])).rejects.toEqual(failure('storage_full'));
    await expect(log.append('faq', -1, [revoked()])).resolves.toMatchObject({ revision: 0 });
    expect((await log.readAll(null, 10)).map(({ type }) => type)).toEqual([
      note('').type,
      'ApiKeyRevoked',
      'ApiKeyRevoked',
    ]);
    await log.close();
  });

  test('only vital writes succeed among several concurrent ones', async () => {
    const { store, fill, log } = onSmallDisk();
    await log.append('a', -1, [note('first')]);
    fill();
    const encoded = { id: '1', data: '{}', metadata: '{}' };
    const outcomes = store.append([
      { stream: 'b', expectedRevision: -1, events: [{ ...encoded, type: 'T', data: 'x'.repeat(100_000) }] },
      { stream: 'c', expectedRevision: -1, events: [{ ...encoded, type: 'T' }], vital: true },
    ]);
    expect(outcomes).toEqual([
      { ok: false, failure: failure('storage_full') },
      { ok: true, appended: expect.objectContaining({ revision: 0 }) },
    ]);
    await log.close();
  });

  test('everything can be written once there is space, and the reserve is restored', async () => {
    const { log, store, path, fill, free } = onSmallDisk();
    await log.append('a', -1, [note('first')]);
    fill();
    await expect(log.append('b', -1, [large()])).rejects.toEqual(failure('storage_full'));
    free();
    expect(store.degraded()).toBeNull();
    await expect(log.append('b', -1, [large()])).resolves.toMatchObject({ revision: 0 });
    expect(statSync(`${path}-reserve`).mode & 0o777).toBe(0o600);
    await log.close();
  });
});

test('vital writes do not go to a history whose file is gone, or to a new file in its place', async () => {
  const path = join(folder, 'history.sqlite');
  const reserve = new DiskReserve(`${path}-reserve`);
  const log = new EmbeddedLog(directLog(new LogStore(path, { reserve })));
  await log.append('a', -1, [note('first')]);
  rmSync(path);
  await expect(log.append('api-keys', -1, [revoked()])).rejects.toEqual(failure('unavailable'));
  writeFileSync(path, '');
  await expect(log.append('api-keys', -1, [revoked()])).rejects.toEqual(failure('unavailable'));
  await log.close();
});
