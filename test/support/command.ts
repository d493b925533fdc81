/** Runs the command as a separate process in a separate folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const entry = fileURLToPath(new URL('../../src/docent.js', import.meta.url));

export interface Ended {
  stdout: string;
  stderr: string;
  status: number | null;
  signal: string | null;
}

/** Starts it with only the necessary environment and `env`. `node`: options before the entry script. */
export function startCommand(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  node: readonly string[] = [],
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [...node, entry, ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  });
}

/** Resolves with its output and exit status. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { stdout, stderr, status, signal };
}
