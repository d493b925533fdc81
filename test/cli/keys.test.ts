import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { forget } from '../../src/history/forget.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { ended, startCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const secret = 'a master key that both places have';
const masterKey = readConfig({ DOCENT_MASTER_KEY: secret }).DOCENT_MASTER_KEY;
const cause = { actor: 'system', correlation_id: 'c' };
let now = '2026-01-01T10:00:00Z';
const clock = { now: () => new Date(now) };

let folder: string;
beforeEach(() => {
  folder = newFolder('keys');
});

const docent = (place: string, master: string, ...args: string[]) =>
  ended(startCommand(folder, args, { DOCENT_DATA: join(folder, place), DOCENT_MASTER_KEY: master }));

it('keys can be exported and imported in wrapped form, without restoring anybody who was forgotten', async () => {
  const a = await openLogAt(join(folder, 'a'), 'docent', { masterKey });
  const commands = new Commands(a.log, clock);
  const rate = (subject: string) => {
    const data = {
      request_id: 'r',
      subject,
      rating: 'up' as const,
      comment: `of ${subject}`,
      previous: null,
    };
    return commands.record(`ask-${subject}`, -1, [{ type: 'AnswerRated', data }], cause);
  };
  await rate('old');
  now = '2026-05-01T10:00:00Z';
  await rate('mine');
  await rate('theirs');
  // Exported before the person is forgotten.
  const out = await docent('a', secret, 'export', '--keys', '--out', 'keys.jsonl');
  expect(out).toMatchObject({ status: 0, stderr: expect.stringContaining('3 keys') });
  expect(statSync(join(folder, 'keys.jsonl')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'keys.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3);
  await forget({ keys: a.keys, commands, clock, renewed: async () => {} }, 'mine', cause);
  const expired = { before: '2026-02-01', keys_destroyed: 1, expired_at: now };
  await commands.record('retention', -1, [{ type: 'WordsExpired', data: expired }], cause);
  await a.close();
  expect(await docent('a', secret, 'export', '--out', 'history.jsonl')).toMatchObject({ status: 0 });

  expect(await docent('b', secret, 'import', 'history.jsonl')).toMatchObject({ status: 0 });
  await expect(openLogAt(join(folder, 'b'), 'docent', { masterKey })).rejects.toEqual(failure('invalid'));
  expect(await docent('b', secret, 'import', '--keys', 'keys.jsonl')).toMatchObject({
    status: 0,
    stdout: 'Imported 1 key.\n',
  });
  const b = await openLogAt(join(folder, 'b'), 'docent', { masterKey });
  expect(await b.log.readStream('ask-theirs')).toMatchObject([{ data: { comment: 'of theirs' } }]);
  expect(await b.log.readStream('ask-mine')).toMatchObject([{ data: { comment: null, forgotten: true } }]);
  expect(await b.log.readStream('ask-old')).toMatchObject([{ data: { comment: null, forgotten: true } }]);
  await b.close();

  const other = await docent('c', 'another master key, as long as that', 'import', '--keys', 'keys.jsonl');
  expect(other).toMatchObject({ status: 2, stderr: expect.stringContaining('DOCENT_MASTER_KEY') });
});
