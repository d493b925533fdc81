/** Publishes checkpoints to a folder or an address, so that copies exist outside the history. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failures.ts';
import { readCheckpoint } from './checkpoint.ts';

const postMs = 10_000;

export interface CheckpointTarget {
  /** Publishes a checkpoint that covers `size` events. May fail with `unavailable`. */
  publish(size: number, checkpoint: string): Promise<void>;
  /** The number of events covered by the last published checkpoint; 0 if there is none or it is unknown. */
  kept(): Promise<number>;
}

/**
 * `to` is either an http(s) address to which each checkpoint is posted, or a folder in which each checkpoint becomes a
 * file. In the folder, the file `latest` is the checkpoint that covers the most events.
 */
export function checkpointTarget(to: string): CheckpointTarget {
  return /^https?:\/\//.test(to)
    ? { publish: (_, checkpoint) => post(to, checkpoint), kept: async () => 0 }
    : { publish: (size, text) => write(to, size, text), kept: () => keptIn(to) };
}

async function post(url: string, checkpoint: string): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: checkpoint,
    signal: AbortSignal.timeout(postMs),
  }).catch((cause: unknown) => {
    throw new Failure('unavailable', 'The destination of checkpoints cannot be reached.', { cause });
  });
  await reply.body?.cancel();
  if (!reply.ok)
    throw new Failure('unavailable', `The destination of checkpoints responded with status ${reply.status}.`);
}

const fileOf = (folder: string, name: string) => join(folder, `${name}.checkpoint`);

async function write(folder: string, size: number, checkpoint: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const names = [String(size).padStart(15, '0')];
    // Another instance may already have published a later one.
    if ((await keptIn(folder)) <= size) names.push('latest');
    for (const file of names.map((name) => fileOf(folder, name))) {
      await writeFile(`${file}.part`, checkpoint);
      await rename(`${file}.part`, file);
    }
  } catch (cause) {
    throw new Failure('unavailable', 'The folder for checkpoints is not writable.', { cause });
  }
}

async function keptIn(folder: string): Promise<number> {
  const text = await readFile(fileOf(folder, 'latest'), 'utf8').catch(() => '');
  return readCheckpoint(text)?.size ?? 0;
}
