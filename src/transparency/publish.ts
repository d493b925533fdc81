/** Where checkpoints are handed out to, so that they are also kept where the history is not. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failures.ts';

const postMs = 10_000;

/**
 * Hands checkpoints out to `to`: an http or https address that each is posted to, else a folder that each is written
 * into as a file of its own, `latest` being the last. Failure `unavailable` where that cannot be done.
 */
export function publisherTo(to: string): (size: number, checkpoint: string) => Promise<void> {
  return /^https?:\/\//.test(to)
    ? (_, checkpoint) => post(to, checkpoint)
    : (size, text) => write(to, size, text);
}

async function post(url: string, checkpoint: string): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: checkpoint,
    signal: AbortSignal.timeout(postMs),
  }).catch((cause: unknown) => {
    throw new Failure('unavailable', 'The place for checkpoints cannot be reached.', { cause });
  });
  await reply.body?.cancel();
  if (!reply.ok)
    throw new Failure('unavailable', `The place for checkpoints answers with status ${reply.status}.`);
}

async function write(folder: string, size: number, checkpoint: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const name of [String(size).padStart(15, '0'), 'latest']) {
      const file = join(folder, `${name}.checkpoint`);
      await writeFile(`${file}.part`, checkpoint);
      await rename(`${file}.part`, file);
    }
  } catch (cause) {
    throw new Failure('unavailable', 'The folder for checkpoints cannot be written.', { cause });
  }
}
