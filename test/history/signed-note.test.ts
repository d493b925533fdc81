import { expect, it } from 'vitest';
import { readCheckpoint, signCheckpoint } from '../../src/history/checkpoint.ts';
import { sha256 } from '../../src/history/merkle.ts';
import {
  isSignedBy,
  newSigningKey,
  readNote,
  readSigningKey,
  readVerifyingKey,
  signNote,
} from '../../src/history/signed-note.ts';

it('reads the note and key from the documentation of the format', () => {
  const key = readVerifyingKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  const note = readNote(
    'If you think cryptography is the answer to your problem,\n' +
      "then you don't know what your problem is.\n\n" +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
  )!;
  expect(isSignedBy(note, key)).toBe(true);
  expect(isSignedBy({ ...note, text: note.text.replace('your', 'my') }, key)).toBe(false);
  expect(key.text).toBe('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
});

const key = readSigningKey(newSigningKey('docent.example'));

it('can read notes that it signs', () => {
  const other = readSigningKey(newSigningKey('docent.example'));
  const note = readNote(signNote('Текст\n\nи ещё\n', key, other))!;
  expect(note.text).toBe('Текст\n\nи ещё\n');
  expect(isSignedBy(note, key.verifying)).toBe(true);
  expect(isSignedBy(note, readVerifyingKey(other.verifying.text))).toBe(true);
  expect(isSignedBy(note, readSigningKey(newSigningKey('docent.example')).verifying)).toBe(false);
});

it('can read checkpoints that it signs', () => {
  const root = sha256('root');
  const note = signCheckpoint({ origin: 'docent.example', size: 12, root }, key);
  expect(note.split('\n').slice(0, 4)).toEqual(['docent.example', '12', root.toString('base64'), '']);
  expect(readCheckpoint(note)).toMatchObject({ origin: 'docent.example', size: 12, root });
});

it.each(['', 'a', 'a\n\n', 'a\n1\n\n— x eA==\n', 'a\n\n— name\n', 'no break\n\n— name AAAAAAAA'])(
  'reads no checkpoint from %j',
  (text) => expect(readCheckpoint(text)).toBeNull(),
);

it.each([
  ['a public key', () => readVerifyingKey('name+00000000+AAAA')],
  [
    'a public key with another key’s hash',
    () => readVerifyingKey(key.verifying.text.replace('docent.', 'x.')),
  ],
  ['a secret key', () => readSigningKey('PRIVATE+KEY+name+00000000+AAAA')],
  ['a name', () => newSigningKey('two words')],
])('rejects an invalid %s', (_, act) => {
  expect(act).toThrow(expect.objectContaining({ code: 'invalid' }));
});
