/**
 * Where uploads are put down for a moment: folders of the system's temporary one, named after the process that makes
 * them, so that those of processes that were killed are known.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'docent-upload-';
/** A process elsewhere (in another container, say) may share the folder: what is younger may be its work. */
const abandonedMs = 3_600_000;

/** A new folder for one upload, for its owner alone. */
export function makeUploadFolder(within = tmpdir()): Promise<string> {
  return mkdtemp(join(within, `${prefix}${process.pid}-`));
}

/** Deletes what killed processes have left. Called before this process takes any upload. */
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
