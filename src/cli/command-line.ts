/** The name by which the command was called, so that suggested commands can be typed as shown. */
import { basename, relative } from 'node:path';

/**
 * The words before the arguments: `npx docent` or `docent` if the package is installed, `node src/docent.js` in a
 * checkout. `entry` is the path with which the process was started.
 */
export function programName(entry: string | undefined, env: NodeJS.ProcessEnv, cwd: string): string {
  if (entry === undefined || basename(entry) === 'docent')
    return env.npm_command === 'exec' ? 'npx docent' : 'docent';
  const path = relative(cwd, entry);
  return `node ${path.startsWith('..') ? entry : path}`;
}

/** A command to be typed, with its arguments. */
export const commandLine = (args: string): string =>
  `${programName(process.argv[1], process.env, process.cwd())} ${args}`;
