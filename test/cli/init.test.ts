/** Setting up from scratch, and shell completion. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { verifyPassword } from '../../src/access/admins.ts';
import { readConfig } from '../../src/config.ts';
import { parseManifest } from '../../src/ingest/manifest.ts';
import { ended, startCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder('init');
});

async function init(args: readonly string[], input = '') {
  const child = startCommand(folder, ['init', ...args]);
  child.stdin.end(input);
  return ended(child);
}

test('init writes valid settings, an administrator and a manifest, and overwrites nothing', async () => {
  const done = await init([
    '--corpus',
    'rules',
    '--title',
    'Правила: "все"',
    '--public',
    'key',
    '--port',
    '9090',
  ]);
  expect(done).toMatchObject({ status: 0, stderr: '' });
  const path = join(folder, '.env');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const config = readConfig({}, path);
  expect(config).toMatchObject({ PORT: 9090, DOCENT_PUBLIC: 'key', DOCENT_DEFAULT_CORPUS: 'rules' });
  expect(config.DOCENT_MASTER_KEY).not.toBeNull();
  const [, password = ''] = /^Administrator admin, password (\S+) /m.exec(done.stdout) ?? [];
  const [admin] = config.DOCENT_ADMINS;
  expect([admin!.name, admin!.role, await verifyPassword(password, admin!.hash)]).toEqual([
    'admin',
    'admin',
    true,
  ]);
  const written = readFileSync(path, 'utf8');
  expect(written).not.toContain(password);
  const { manifest, faults } = parseManifest(readFileSync(join(folder, 'rules', 'corpus.yaml'), 'utf8'));
  expect([manifest?.id, manifest?.settings.title, faults]).toEqual(['rules', 'Правила: "все"', []]);
  expect(await init([])).toMatchObject({ status: 1, stderr: expect.stringContaining('was not changed') });
  expect(readFileSync(path, 'utf8')).toBe(written);
});

test('init takes a password from a pipe, and keeps an existing manifest', async () => {
  writeFileSync(join(folder, 'corpus.yaml'), 'id: mine\n');
  const done = await init(['--folder', '.', '--admin', 'olga', '--password-stdin'], 'долгий пароль\n');
  expect(done).toMatchObject({ status: 0, stdout: expect.not.stringContaining('пароль') });
  const [admin] = readConfig({}, join(folder, '.env')).DOCENT_ADMINS;
  expect(await verifyPassword('долгий пароль', admin!.hash)).toBe(true);
  expect(readFileSync(join(folder, 'corpus.yaml'), 'utf8')).toBe('id: mine\n');
});

test('init writes nothing if an answer is invalid', async () => {
  for (const [args, input] of [
    [['--admin', 'a:b'], ''],
    [['--corpus', 'a b'], ''],
    [['--password-stdin'], 'short\n'],
  ] as const)
    expect((await init(args, input)).status).toBe(2);
  expect(() => statSync(join(folder, '.env'))).toThrow();
});

test('shells complete commands and the options of each', async () => {
  const [bash, zsh, fish] = await Promise.all(
    ['bash', 'zsh', 'fish'].map((shell) => ended(startCommand(folder, ['completion', shell]))),
  );
  const complete = (...words: string[]) =>
    execFileSync('bash', [
      '-c',
      `${bash!.stdout}\nCOMP_WORDS=(docent "$@"); COMP_CWORD=$#; _docent; echo "\${COMPREPLY[@]}"`,
      ...['bash', ...words],
    ])
      .toString()
      .trim()
      .split(' ');
  expect(complete('in')).toEqual(['ingest', 'inspect', 'init']);
  expect(complete('chats', '')).toEqual(['list', 'set']);
  expect(complete('chats', 'set', '--an')).toEqual(['--answers']);
  expect(complete('ask', '--s')).toEqual(['--style']);
  expect(zsh!.stdout).toContain('bashcompinit');
  expect(fish!.stdout).toMatch(/^complete -c docent -n '__docent_given \\'\\'' -f -a doctor -d '/m);
  const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
  if (has('zsh')) {
    const given = 'setopt ksharrays; COMP_WORDS=(docent chats set --an); COMP_CWORD=3; _docent';
    const script = `${zsh!.stdout}\n${given}; echo "\${COMPREPLY[@]}"`;
    // Outside its editor, zsh does not filter the choice by the letters already typed.
    expect(execFileSync('zsh', ['-f', '-c', script]).toString()).toMatch(/^--answers --threads /);
  }
  if (has('fish')) {
    const script = `${fish!.stdout}\ncomplete -C 'docent verify history --k'`;
    expect(execFileSync('fish', ['--no-config', '-c', script]).toString()).toMatch(/^--key\t.*\n$/);
  }
  expect((await ended(startCommand(folder, ['completion', 'cmd']))).status).toBe(2);
});
