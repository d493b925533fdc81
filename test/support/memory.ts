/** Measures retained memory in a separate process, because the test process also contains data of other tests. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Garbage is collected within the call, not concurrently. */
const flags = ['--expose-gc', '--single-threaded-gc', '--input-type=module-typescript'];
const ruler = `
  const mb = (kind) => (globalThis.gc(), process.memoryUsage()[kind] / 2 ** 20);
  const print = (...values) => console.log(JSON.stringify(values));`;

/**
 * Runs a module that calls `print` once, and returns the printed values. In the module, `mb` returns the retained
 * memory of a `process.memoryUsage()` kind in MB. `imports`: imported names, each with its module.
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
