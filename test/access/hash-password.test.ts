import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { verifyPassword } from '../../src/access/admins.ts';
import { askAndHash } from '../../src/access/hash-password.ts';

/** The input, typed or piped, and the output. */
function session(text: string, isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const said: string[] = [];
  const hash = askAndHash(input, (line) => said.push(line));
  input.end(text);
  return { hash, said };
}
const refused = expect.objectContaining({ name: 'Failure', code: 'invalid' });

test('the first line of a pipe is the password, without its line ending', async () => {
  const { hash, said } = session('пароль с пробелом\nmore\n', false);
  expect(await hash).toMatch(/^scrypt\.15\.8\.1\.[\w-]{22}\.[\w-]{43}$/);
  expect(await verifyPassword('пароль с пробелом', await hash)).toBe(true);
  expect(said).toEqual([]);
});

test('on a terminal the password is asked for twice', async () => {
  const { hash, said } = session('long enough\nlong enough\n', true);
  expect(await verifyPassword('long enough', await hash)).toBe(true);
  expect(said.join('')).toBe('Password: \nAgain: \n');
});

test.each([
  ['before anything is typed', '\u0003'],
  ['in the middle of a password', 'long enough\u0003'],
  ['at the second prompt', 'long enough\nlong en\u0003'],
])('Ctrl-C ends the command %s and discards the input', async (_, text) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const hash = askAndHash(input, () => {});
  input.write(text);
  await expect(hash).rejects.toEqual(expect.objectContaining({ name: 'Failure', code: 'cancelled' }));
});

test.each([
  ['empty input', '', false],
  ['a short password', 'short\n', false],
  ['two different passwords', 'long enough\nlong enougj\n', true],
])('rejects %s', async (_, text, isTTY) => {
  await expect(session(text, isTTY).hash).rejects.toEqual(refused);
});
