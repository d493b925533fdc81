import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Rooms, and the rooms each may import from (itself always). A path that is no folder is a file of src/. */
const mayImport: Record<string, readonly string[]> = {
  'src/failures': [],
  'src/version': [],
  'src/async': ['src/failures'],
  'src/text': [],
  'src/domain': ['src/failures'],
  'src/ports': ['src/domain'],
  'src/event-sourcing': ['projections', 'src/domain', 'src/failures', 'src/ports', 'src/reads'],
  'src/reads': ['src/ports', 'src/retrieval'],
  'src/corpora': [
    'src/api',
    'projections',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/ports',
    'src/reads',
  ],
  'src/retrieval': ['src/domain', 'src/failures', 'src/ports', 'src/text'],
  'src/models': ['src/domain', 'src/failures', 'src/ports', 'src/text'],
  'src/stores': ['src/async', 'src/domain', 'src/failures', 'src/ports', 'src/text', 'src/models'],
  'src/answering': ['src/async', 'src/domain', 'src/failures', 'src/ports', 'src/text', 'src/retrieval'],
  'src/api': ['src/domain'],
  'src/jobs': ['src/api', 'src/domain', 'src/event-sourcing', 'src/failures', 'src/ports', 'src/reads'],
  'src/administration': [
    ...[
      'projections',
      'src/access',
      'src/api',
      'src/config',
      'src/domain',
      'src/event-sourcing',
      'src/failures',
    ],
    ...['src/ingest', 'src/jobs', 'src/ports', 'src/reads', 'src/retrieval'],
  ],
  projections: ['src/domain', 'src/failures', 'src/ports', 'src/text'],
};

/** Rooms nobody but the named may import from. */
const onlyFor: Record<string, readonly string[]> = {
  'src/stores': ['src/app', 'src/workers', 'src/stores'],
  'src/workers': ['src/app', 'src/cli', 'src/workers'],
  'src/http': ['src/cli', 'src/http', 'src/asks'],
  'src/app': ['src/cli', 'src/main', 'src/http', 'connectors', 'src/app', 'src/asks'],
  'src/cli': ['src/main', 'src/cli'],
};

function files(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && /\.ts$/.test(e.name))
    .map((e) => join(e.parentPath, e.name));
}

function roomOf(path: string): string {
  const parts = relative(root, path).split('/');
  return parts[0] === 'src' ? `src/${parts[1]!.replace(/\.ts$/, '')}` : parts[0]!;
}

const imports = ['src', 'projections', 'connectors'].flatMap((top) => {
  return files(join(root, top)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target]) => ({
      file: relative(root, file),
      from: roomOf(file),
      to: roomOf(resolve(dirname(file), target!)),
    })),
  );
});

test('imports point one way', () => {
  const wrong = imports.filter(
    ({ from, to }) => from !== to && mayImport[from] !== undefined && !mayImport[from].includes(to),
  );
  expect(wrong).toEqual([]);
});

test('stores, threads and doors are seen only by those who may see them', () => {
  const wrong = imports.filter(
    ({ from, to }) => from !== to && onlyFor[to] !== undefined && !onlyFor[to].includes(from),
  );
  expect(wrong).toEqual([]);
});

test('server adapters, models and connectors are loaded only when they are configured', () => {
  const heavy = /from '(?:@eventstore\/db-client|redis|@redis\/\w+|cohere-ai|telegraf|@slack\/bolt)'/;
  const behind = ['src/stores/server/', 'src/models/', 'connectors/'];
  for (const file of ['src', 'projections', 'connectors'].flatMap((top) => files(join(root, top)))) {
    const path = relative(root, file);
    const source = readFileSync(file, 'utf8');
    if (behind.some((folder) => path.startsWith(folder))) continue;
    expect(source, path).not.toMatch(heavy);
    expect(source, path).not.toMatch(/^import (?!type ).*from '[^']*stores\/server/m);
  }
});
