/** Measures retained memory in a separate process, because other tests leave work and garbage in theirs. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Garbage is collected within the call, not concurrently. */
const flags = ['--expose-gc', '--single-threaded-gc', '--input-type=module-typescript'];
const ruler = `
  const mb = (kind) => (globalThis.gc(), process.memoryUsage()[kind] / 2 ** 20);
  const print = (...values) => console.log(JSON.stringify(values));`;

/**
 * Runs a module that calls `print` once, and returns the printed values. `mb` returns the retained memory of a kind of
 * `process.memoryUsage()` in MB. `imports`: the imported names, each with its module.
 */
export async function kept(imports: Record<string, URL>, program: string): Promise<unknown[]> {
  const head = Object.entries(imports).map(
    ([names, from]) => `import { ${names} } from ${JSON.stringify(from)};`,
  );
  const child = spawn(process.execPath, [...flags, '--eval', [...head, ruler, program].join('\n')]);
  const [printed, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (trouble !== '') throw new Error(trouble);
  return JSON.parse(printed) as unknown[];
}
