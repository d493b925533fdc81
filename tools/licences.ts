/** The licences of all production dependencies, from the lock file: `npm run licences`. */
import { readFileSync } from 'node:fs';

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
}

export interface Licensed {
  name: string;
  version: string;
  /** The SPDX identifier; `unknown` if the package states none. */
  licence: string;
}

export function licences(): Licensed[] {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  return Object.entries(lock.packages as Record<string, Locked>).flatMap(
    ([path, { version, license, dev }]) =>
      path === '' || dev
        ? []
        : [
            {
              name: path.replace(/^.*node_modules\//, ''),
              version: version ?? '',
              licence: license ?? 'unknown',
            },
          ],
  );
}

if (import.meta.main) {
  const byLicence = Map.groupBy(licences(), ({ licence }) => licence);
  const lines = [...byLicence]
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([licence, packages]) => [
      `${licence} (${packages.length})`,
      ...packages.map(({ name, version }) => `  ${name} ${version}`),
    ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}
