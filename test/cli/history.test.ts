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
  const changed = await run(['verify', 'history', 'changed.jsonl', ...trust, '--json']);
  expect(changed.status).toBe(3);
  expect(JSON.parse(changed.stdout)).toMatchObject({
    intact: false,
    problems: [{ kind: 'outside' }, { kind: 'root' }],
  });
  expect(await run(['verify', 'history', ...trust])).toMatchObject({ status: 0 });

  const sealing = await run(['history', '--stream', 'sealing', '--from', '2020-01-01']);
  expect(JSON.parse(sealing.stdout)).toMatchObject({ type: 'HistorySealed', actor: 'system', revision: 0 });
  const first = await run(['history', '--forwards', '--limit', '2']);
  expect(
    first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(
    exported.stdout
      .split('\n')
      .slice(1, 3)
      .map((line) => JSON.parse(line).id),
  );
  const [one, two] = first.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const behind = await run(['history', '--forwards', '--limit', '1', '--position', one.position]);
  expect(JSON.parse(behind.stdout)).toEqual(two);
  const before = await run(['history', '--position', two.position]);
  expect(JSON.parse(before.stdout)).toEqual(one);
  expect(await run(['history', '--from', 'yesterday'])).toMatchObject({ status: 2 });
  expect(await run(['history', '--position', 'none'])).toMatchObject({ status: 2 });
});
