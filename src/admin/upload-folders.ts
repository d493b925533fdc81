/**
 * Temporary folders for uploads. They are named after the process that creates them, so that those of killed processes
 * can be recognized.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'docent-upload-';
/**
 * A process that is not visible here (such as one in another container) may share the parent folder, so recent folders
 * may be in use.
 */
const abandonedMs = 3_600_000;

/** Creates a folder for an upload, with owner-only access. */
export function makeUploadFolder(within = tmpdir()): Promise<string> {
  return mkdtemp(join(within, `${prefix}${process.pid}-`));
}

/** Deletes the folders of killed processes. Called before this process accepts any upload. */
export async function sweepUploads(within = tmpdir(), now = Date.now()): Promise<void> {
  const names = await readdir(within).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(within, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isDirectory() || (process.getuid && found.uid !== process.getuid())) continue;
    const pid = Number(/^\d+(?=-)/.exec(name.slice(prefix.length))?.[0] ?? Number.NaN);
    if (pid !== process.pid && (isAlive(pid) || now - found.mtimeMs < abandonedMs)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
