/** Production dependencies are imported by production code, and have permitted licences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { licences } from '../tools/licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Required by the project's owner, and used through another package. */
const fixed = ['@redis/search'];

test('every production dependency is imported by a source file', () => {
  const sources = ['src', 'connectors', 'projections', 'web']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const unused = Object.keys(dependencies).filter(
    (name) => !sources.includes(`'${name}'`) && !sources.includes(`'${name}/`),
  );
  expect(unused.filter((name) => !fixed.includes(name))).toEqual([]);
});

/** Also required by the owner; its manifest names no licence. */
const unsaid = ['cohere-ai'];

test('every production package declares a licence, and none is copyleft', () => {
  const binding = licences().filter(
    ({ name, licence }) =>
      (licence === 'unknown' && !unsaid.includes(name)) ||
      (/GPL|SSPL|BUSL/.test(licence) && !/ OR /.test(licence)),
  );
  expect(binding).toEqual([]);
});
