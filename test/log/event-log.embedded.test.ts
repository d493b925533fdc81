import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventCodec } from '../../src/log/encoding.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { note, notes } from '../support/events.ts';
import { newFolder } from '../support/folder.ts';
import { openLogThread } from '../support/log-thread.ts';
import { openOnSmallDisk } from '../support/small-disk.ts';
import { eventLogContract, everything, type History, take } from './event-log.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });

async function embedded(open: (path: string, codec?: EventCodec) => EventLog): Promise<History> {
  const dir = newFolder('log');
  const logs: EventLog[] = [];
  return {
    open: async (codec) => {
      const log = open(join(dir, 'history.sqlite'), codec);
      logs.push(log);
      return log;
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}

const openDirect = (path: string, codec?: EventCodec) =>
  new EmbeddedLog(directLog(new LogStore(path)), codec);

eventLogContract('embedded, through its thread', () => embedded(openLogThread));
eventLogContract('embedded, in one thread', () => embedded(openDirect));

/**
 * Counts commits in the file's journal: frames whose header contains the size of the file
 * (https://sqlite.org/fileformat.html#the_write_ahead_log).
 */
async function commits(path: string): Promise<number> {
  const wal = await readFile(`${path}-wal`);
  const pageSize = wal.readUInt32BE(8);
  let count = 0;
  for (let at = 32; at + 24 + pageSize <= wal.length; at += 24 + pageSize) {
    if (wal.readUInt32BE(at + 4) !== 0) count++;
  }
  return count;
}

const script = fileURLToPath(new URL('../support/append-forever.ts', import.meta.url));

const appendForever = (path: string): ChildProcess =>
  spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('the embedded history', () => {
  let path: string;
  beforeEach(() => {
    path = join(newFolder('log'), 'history.sqlite');
  });

  it.each([
    ['a newer format', 1000, 'newer_format'],
    ['an earlier format', 1, 'invalid'],
  ])('rejects a file with %s and leaves it unchanged', async (_, format, code) => {
    new LogStore(path).close();
    const file = new DatabaseSync(path);
    file.exec(`PRAGMA user_version=${format}`);
    file.close();
    const before = await readFile(path);
    expect(() => new LogStore(path)).toThrow(failure(code));
    await expect(openLogThread(path).head()).rejects.toEqual(failure(code));
    expect(await readFile(path)).toEqual(before);
  });

  it('is readable only by its owner, including its journal', async () => {
    const log = openDirect(path);
    await log.append('a', -1, notes(1));
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    await log.close();
  });

  it('rejects a missing file when opened read-only', () => {
    expect(() => new LogStore(path, { readOnly: true })).toThrow(failure('not_found'));
  });

  it('rejects a file that is not a database', async () => {
    await writeFile(path, 'Not a database, but long enough to be read as one. '.repeat(100));
    expect(() => new LogStore(path)).toThrow(failure('internal'));
  });

  it('writes simultaneous appends in one transaction', async () => {
    const log = openLogThread(path);
    await log.append('a', -1, notes(1));
    const before = await commits(path);
    await Promise.all(Array.from({ length: 64 }, (_, i) => log.append(`ask-${i}`, -1, notes(2))));
    expect((await commits(path)) - before).toBe(1);
    expect(await log.readAll(null, 1000)).toHaveLength(129);
    await log.close();
  });

  it('fails only the conflicting appends of a shared transaction', async () => {
    const log = openLogThread(path);
    const outcomes = await Promise.allSettled([
      log.append('a', -1, notes(1)),
      log.append('a', -1, notes(1)),
      log.append('b', -1, notes(1)),
      log.append('a', 0, notes(1)),
    ]);
    expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await log.readAll(null, 10)).toHaveLength(3);
    await log.close();
  });

  it('completes all calls before it closes', async () => {
    const log = openLogThread(path);
    const pending = Array.from({ length: 20 }, (_, i) => log.append(`ask-${i}`, -1, notes(1)));
    await log.close();
    for (const appended of await Promise.all(pending)) expect(appended.revision).toBe(0);
  });

  it('limits a read of large events to a few', async () => {
    const log = openDirect(path);
    const large = Array.from({ length: 6 }, () => note('x'.repeat(300_000)));
    for (const [n, event] of large.entries()) await log.append('large', n - 1, [event]);
    await log.append('small', -1, notes(3));
    const store = new LogStore(path, { readOnly: true });
    expect(store.readStream('large', 0, 200)).toMatchObject({ rows: [{}, {}], more: true });
    expect(store.readStream('large', 5, 200)).toMatchObject({ rows: [{}], more: false });
    expect(store.readStream('large', 4, 200)).toMatchObject({ rows: [{}, {}], more: true });
    expect(store.readStream('large', 6, 200)).toEqual({ rows: [], more: false });
    expect(store.readStream('small', 0, 200)).toMatchObject({ rows: [{}, {}, {}], more: false });
    expect((await log.readStream('large')).map(({ id }) => id)).toEqual(large.map(({ id }) => id));
    store.close();
    await log.close();
  });

  it('loses nothing on a full disk and continues when there is space again', async () => {
    const { opened: store, fill, free } = openOnSmallDisk(() => new LogStore(path));
    const log = new EmbeddedLog(directLog(store));
    const large = () => note('x'.repeat(400_000));
    await log.append('a', -1, [large()]);
    fill(50);
    const lost = [large(), large()];
    await expect(log.append('a', 0, lost)).rejects.toEqual(failure('storage_full'));
    expect(store.append([{ stream: 'b', expectedRevision: -1, events: [] }])).toEqual([
      { ok: true, appended: { revision: -1, position: null } },
    ]);
    expect(await log.readAll(null, 10)).toHaveLength(1);
    free();
    expect(await log.append('a', 0, lost)).toMatchObject({ revision: 2 });
    await log.close();
    const again = openDirect(path);
    expect(await everything(again)).toHaveLength(3);
    await again.close();
  });

  it('follows events appended by another process', async () => {
    const log = openLogThread(path);
    const child = appendForever(path);
    const taken = await take(log, null, 8);
    await kill(child);
    expect(taken).toEqual(await log.readAll(null, taken.length));
    await log.close();
  });

  it('loses nothing acknowledged when the process is killed, 20 times over', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 20; round++) {
      const child = appendForever(path);
      const lines = createInterface(child.stdout!);
      const moment = (round * 53) % 120;
      let printed = 0;
      lines.on('line', (id) => {
        acknowledged.push(id);
        if (printed++ === moment) child.kill('SIGKILL');
      });
      await once(lines, 'close');
      expect(printed).toBeGreaterThan(moment);
      const log = openDirect(path);
      const all = await everything(log, 1000);
      const stored = new Set(all.map((e) => e.id));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      for (const stream of ['a', 'b', 'c', 'd']) {
        const revisions = all.filter((e) => e.stream === stream).map((e) => e.revision);
        expect(revisions).toEqual(revisions.map((_, i) => i));
        // Both events of an append, or neither.
        expect(revisions.length % 2).toBe(0);
      }
      await log.close();
    }
  });
});

describe.each([
  ['deleted', async (path: string) => Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`)))],
  [
    'replaced by another',
    async (path: string) => {
      await rm(path);
      const other = new LogStore(join(path, '..', 'other.sqlite'));
      other.close();
      await rename(join(path, '..', 'other.sqlite'), path);
    },
  ],
])('a history whose file is %s while it is open', (_, remove) => {
  it('rejects appends that would be lost, and reports the problem', async () => {
    const path = join(newFolder('log'), 'history.sqlite');
    const log = openDirect(path);
    const { revision } = await log.append('notes', -1, [note('first')]);
    expect(await log.degraded?.()).toBeNull();
    await remove(path);
    const gone = {
      code: 'unavailable',
      detail: 'The history is missing from the data folder; nothing is written.',
    };
    await expect(log.append('notes', revision, [note('second')])).rejects.toMatchObject(gone);
    await expect(log.degraded?.()).rejects.toMatchObject(gone);
    await log.close();
  });
});
