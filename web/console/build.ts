/** Builds the console into web/console/dist. Run by `npm ci`, and called by the first start of the service. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Whether there is a build to serve. */
export const isBuilt = (): boolean => existsSync(new URL('dist/index.html', import.meta.url));

/** Builds the console. Does nothing if Vite is not installed, as without development dependencies. */
export async function buildConsole(): Promise<void> {
  const vite = await import('vite').catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });
  const root = fileURLToPath(new URL('.', import.meta.url));
  await vite?.build({ root, logLevel: 'warn' });
}

if (import.meta.main) await buildConsole();
