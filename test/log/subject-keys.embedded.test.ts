import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyCache } from '../../src/log/key-cache.ts';
import { KeyFile } from '../../src/log/sqlite/subject-keys.ts';
import type { SubjectKeys } from '../../src/ports/subject-keys.ts';
import { directKeys, threadKeys } from '../../src/workers/open-keys.ts';
import { Threads } from '../../src/workers/threads.ts';
import { newFolder } from '../support/folder.ts';
import { subjectKeysContract } from './subject-keys.contract.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
let folder: string;
beforeEach(() => {
  folder = newFolder('keys');
});

const location = () => ({ file: join(folder, 'keys.sqlite'), master: null });
/** A separate file. */
const file = (master: Uint8Array) => ({
  file: join(mkdtempSync(join(folder, 'keys-')), 'keys.sqlite'),
  master,
});

subjectKeysContract('in a file', async (master) => {
  const opened: SubjectKeys[] = [];
  const place = file(master);
  return {
    master,
    open: () => {
      opened.push(directKeys(place));
      return opened.at(-1)!;
    },
    close: async () => {
      for (const one of opened) await one.close();
    },
  };
});

subjectKeysContract('in a file, through its thread', async (master) => {
  const threads = new Threads();
  const place = file(master);
  return {
    master,
    open: () => threadKeys(threads.start('log', { keys: place })),
    close: () => threads.close(),
  };
});

describe("the file of subjects' keys", () => {
  const bytes = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));

  it('contains no unencrypted key, and no trace of a destroyed one', () => {
    const keys = new KeyFile(join(folder, 'keys.sqlite'), { master: randomBytes(32) });
    const [taken] = keys.take([{ subject: 'telegram:someone', day: '2026-01-01' }]);
    expect(bytes().includes(Buffer.from(taken!.key))).toBe(false);
    expect(bytes().includes('telegram:someone')).toBe(true);
    keys.destroy({ subject: 'telegram:someone' });
    expect(bytes().includes('telegram:someone')).toBe(false);
    keys.close();
    expect(bytes().includes('telegram:someone')).toBe(false);
  });

  it('can be read only with its master key', () => {
    const path = join(folder, 'keys.sqlite');
    const master = randomBytes(32);
    const first = new KeyFile(path, { master });
    const [key] = first.take([{ subject: 's', day: '2026-01-01' }]);
    first.close();
    expect(() => new KeyFile(path, { master: randomBytes(32) })).toThrow(failure('invalid'));
    const again = new KeyFile(path, { master, readOnly: true });
    expect(again.find([key!.id])).toEqual([key!.key]);
    again.close();
  });
});

describe('briefly cached keys', () => {
  it('are looked up once, and not used after this process has destroyed them', async () => {
    const file = directKeys(location());
    let looks = 0;
    const counted: SubjectKeys = {
      ...file,
      find: (ids) => {
        looks++;
        return file.find(ids);
      },
    };
    const keys = new KeyCache(counted);
    const [key] = await keys.take([{ subject: 's', day: '2026-01-01' }]);
    expect(await keys.find([key!.id])).toEqual([key!.key]);
    expect(await keys.find([key!.id, key!.id])).toEqual([key!.key, key!.key]);
    expect(looks).toBe(1);
    await keys.destroy({ subject: 's' });
    expect(await keys.find([key!.id])).toEqual([null]);
    expect((await keys.take([{ subject: 's', day: '2026-01-01' }]))[0]!.id).not.toBe(key!.id);
    await keys.close();
  });
});
