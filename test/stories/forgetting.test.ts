import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { ended, startCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { askOf } from './story.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const acting = { name: 'olga', request_id: 'r' };
const cause = { actor: 'admin:olga', correlation_id: 'r' };
const within = 150_000;

let folder: string;
let data: string;
const opened: Service[] = [];
const open = async () => {
  const app = await openApp(readConfig({ DOCENT_DATA: data, LOG_LEVEL: 'silent' }), { asksSoon: false });
  opened.push(app);
  return app;
};
beforeEach(() => {
  folder = newFolder('forgetting');
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** Excluded from the search, because an administrator's query is recorded as the administrator's. */
const asking = async (app: Service, name: string) => {
  const { items } = await app.admin.queries({ limit: 10, offset: 0 }, acting);
  return items.filter((entry) => JSON.stringify(entry).includes(name)).length;
};
const files = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
/** The files that contain the words in any stored encoding. */
const holding = (words: string) =>
  files(data).filter((path) => {
    const bytes = readFileSync(path);
    return [Buffer.from(words), Buffer.from(words, 'utf16le')].some((text) => bytes.includes(text));
  });

it(
  'forgetting a subject removes their words from every file, keeps those of others, and survives a rebuild',
  async () => {
    const documents = writeFiles(join(folder, 'documents'), {
      'leave.md': '# Leave\n\nEvery employee has 24 days of leave a year.\n',
    });
    const app = await open();
    await app.ingest({ path: documents, corpus_id: 'leave', actor: 'system' });
    const other = await open();

    const mine = await askOf('leave', app, 'How many days of leave has Zanzibarov?', 's-mine');
    await askOf('leave', other, 'How many days of leave has Zanzibarov?', 's-mine');
    const theirs = await askOf('leave', app, 'How many days of leave has Quillfeather?', 's-theirs');
    const rating = { rating: 'down' as const, comment: 'Wrongly told to Zanzibarov' };
    await app.recordedAsks.rate(mine, rating, {
      actor: 'public',
      key_id: null,
      subject: 's-mine',
      mayRead: () => true,
    });
    await Promise.all([app.caughtUp(), other.caughtUp()]);
    expect(await asking(other, 'Zanzibarov')).toBe(2);
    // Sealed in the history, and readable with the keys.
    expect(holding('Zanzibarov').map((path) => path.replace(/-wal$/, ''))).not.toContain(
      join(data, 'history.sqlite'),
    );
    expect((await app.admin.dossier(mine, acting)).asked).toMatchObject({
      subject: 's-mine',
      query: 'How many days of leave has Zanzibarov?',
    });

    await (await app.forget('s-mine', cause)).done;

    await expect(app.recordedAsks.find(mine)).rejects.toEqual(failure('gone'));
    await eventually(async () => {
      await expect(other.recordedAsks.find(mine)).rejects.toEqual(failure('gone'));
      for (const each of [app, other]) {
        expect(await asking(each, 'Zanzibarov')).toBe(0);
        expect(await asking(each, 'Quillfeather')).toBe(1);
      }
    });
    expect(await other.recordedAsks.find(theirs)).toMatchObject({ request_id: theirs });
    const { asked, answer, ratings } = await other.admin.dossier(mine, acting);
    expect({ asked, answer, ratings }).toMatchObject({
      asked: { subject: 's-mine', query: '', forgotten: true },
      answer: { text: '' },
      ratings: [],
    });
    await eventually(() => {
      expect(holding('Zanzibarov')).toEqual([]);
      expect(holding('zanzibarov')).toEqual([]);
    });
    expect(holding('Quillfeather')).not.toEqual([]);
    expect(await app.verifyProjections()).toMatchObject({ same: true });
    expect((await app.admin.auditLog({ action: 'subject.forget', limit: 5, offset: 0 })).items).toMatchObject(
      [{ actor: 'olga', target: 's-mine' }],
    );

    // A forgotten person may ask again under the same subject. Words recorded elsewhere at that very moment are lost
    // with the rest.
    await eventually(async () => {
      const again = await askOf('leave', other, 'How many days of leave?', 's-mine');
      expect(await app.recordedAsks.find(again)).toMatchObject({ request_id: again });
    });
  },
  within,
);

it(
  'a service without its keys says so, seals nothing until they are given up, and then treats all data as forgotten',
  async () => {
    const documents = writeFiles(join(folder, 'documents'), {
      'leave.md': '# Leave\n\nEvery employee has 24 days of leave a year.\n',
    });
    const app = await open();
    await app.ingest({ path: documents, corpus_id: 'leave', actor: 'system' });
    const mine = await askOf('leave', app, 'How many days of leave has Zanzibarov?', 's-mine');
    await app.caughtUp();
    await opened.pop()!.close();
    for (const path of files(data).filter((one) => /keys\.sqlite/.test(one))) rmSync(path);

    for (let start = 0; start < 2; start++)
      await expect(open()).rejects.toEqual(
        expect.objectContaining({ code: 'invalid', detail: expect.stringContaining('forget --lost-keys') }),
      );
    const env = { DOCENT_DATA: data, LOG_LEVEL: 'silent' };
    const refused = await ended(startCommand(folder, ['forget'], env));
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--lost-keys') });
    expect(await ended(startCommand(folder, ['forget', '--lost-keys'], env))).toMatchObject({ status: 0 });

    const again = await open();
    await expect(again.recordedAsks.find(mine)).rejects.toEqual(failure('gone'));
    await eventually(async () => expect(await asking(again, 'Zanzibarov')).toBe(0));
    expect(await again.verifyProjections()).toMatchObject({ same: true });
    await eventually(() => expect(holding('Zanzibarov')).toEqual([]));
    const next = await askOf('leave', again, 'How many days of leave?', 's-mine');
    expect(await again.recordedAsks.find(next)).toMatchObject({ request_id: next });
    expect((await again.admin.auditLog({ action: 'keys.give_up', limit: 5, offset: 0 })).total).toBe(1);
  },
  within,
);

it(
  'a service does not start with another master key, and does not treat missing keys as forgotten',
  async () => {
    await (await open()).close();
    opened.splice(0);
    const config = readConfig({
      DOCENT_DATA: data,
      DOCENT_MASTER_KEY: 'another key of thirty-two characters',
    });
    await expect(openApp(config)).rejects.toEqual(failure('invalid'));

    const { log, close } = await openLogAt(data, 'docent', {});
    const comment = { request_id: 'r', subject: 's', rating: 'up', comment: 'Said', previous: null };
    const event = { id: uuidv7(), type: 'AnswerRated', version: 1, time: '2026-01-01T00:00:00.000Z' };
    await log.append('a', -1, [
      { ...event, actor: 'public', correlation_id: 'r', causation_id: null, data: comment } as never,
    ]);
    await close();
    const keysFolder = join(folder, 'elsewhere');
    await expect(openLogAt(data, 'docent', { keysFolder })).rejects.toEqual(failure('invalid'));
    const elsewhere = await openLogAt(data, 'docent', { keysFolder }, { keysMayMiss: true });
    await expect(elsewhere.log.readStream('a')).rejects.toEqual(failure('unavailable'));
    await elsewhere.close();
  },
  within,
);
