/** The secret that the service signs with, stored in the data folder and shared by all its processes. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../failures.ts';

const bytes = 32;

/** Reads the secret, or creates it if it is missing. Processes that do so simultaneously get the same secret. */
export function folderSecret(path: string): Buffer {
  const known = read(path);
  if (known) return known;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(bytes).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
    // A link appears with its complete content, and fails if another process was first.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Failure('unavailable', `${path} cannot be written.`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
  const made = read(path);
  if (!made)
    throw new Failure(
      'unavailable',
      `${path} does not contain a secret: delete it, and a new one will be generated.`,
    );
  return made;
}

function read(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Failure('unavailable', `${path} cannot be read.`, { cause: error });
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length !== bytes)
    throw new Failure(
      'unavailable',
      `${path} does not contain a secret: delete it, and a new one will be generated.`,
    );
  return secret;
}
