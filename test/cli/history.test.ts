/** The commands for sealing, export, proofs and verification. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, startCommand } from '../support/command.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

const scratch = newFolder('seals');

const run = (args: string[], env: NodeJS.ProcessEnv = {}) => ended(startCommand(scratch, args, env));

it('verification names the changes in an export, and sealing needs a key', async () => {
  expect(await run(['seal'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('seal-key <name>'),
  });
  const made = await run(['seal-key', 'docent.example']);
  const secret = made.stdout.trim();
  const key = /docent\.example\+\S+/.exec(made.stderr)![0];
  expect(made.stderr).not.toContain(secret);

  writeFiles(scratch, {
    'handbook/leave.md': '# Leave\n\nEvery employee has 28 days of leave\u2028a year.\n',
  });
  expect(await run(['ingest', './handbook', '--corpus', 'handbook'])).toMatchObject({ status: 0 });
  const sealed = await run(['seal'], { DOCENT_SEAL_KEY: secret, DOCENT_SEAL_TO: './kept' });
  const kept = './kept/latest.checkpoint';
  expect(readFileSync(join(scratch, kept), 'utf8')).toBe(sealed.stdout);
  const exported = await run(['export']);
  writeFileSync(join(scratch, 'changed.jsonl'), exported.stdout.replaceAll('28 days', '82 days'));
  const trust = ['--key', key, '--checkpoint', kept];
  const history = (...args: string[]) => run(['history', ...args]);
  const [changed, intact, sealing, first, wrongTime, wrongPosition] = await Promise.all([
    run(['verify', 'history', 'changed.jsonl', ...trust, '--json']),
    run(['verify', 'history', ...trust]),
    history('--stream', 'sealing', '--from', '2020-01-01'),
    history('--forwards', '--limit', '2'),
    history('--from', 'yesterday'),
    history('--position', 'none'),
  ]);
  expect(changed.status).toBe(3);
  expect(JSON.parse(changed.stdout)).toMatchObject({
    intact: false,
    problems: [{ kind: 'outside' }, { kind: 'root' }],
  });
  expect(intact).toMatchObject({ status: 0 });
  expect(JSON.parse(sealing.stdout)).toMatchObject({ type: 'HistorySealed', actor: 'system', revision: 0 });
  const eventsIn = (lines: string[]) => lines.map((line) => JSON.parse(line));
  const [one, two] = eventsIn(first.stdout.trim().split('\n'));
  expect([one.id, two.id]).toEqual(eventsIn(exported.stdout.split('\n').slice(1, 3)).map(({ id }) => id));
  const [behind, before] = await Promise.all([
    history('--forwards', '--limit', '1', '--position', one.position),
    history('--position', two.position),
  ]);
  expect(JSON.parse(behind.stdout)).toEqual(two);
  expect(JSON.parse(before.stdout)).toEqual(one);
  expect([wrongTime.status, wrongPosition.status]).toEqual([2, 2]);
});
