/**
 * A TypeScript client built as a user would build it: the types are generated from the served document, compiled
 * strictly, and run. The generator needs the TypeScript 6 API, installed as `typescript`; `tsc` comes from
 * `@typescript/native`.
 */
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder, writeFiles } from '../support/folder.ts';
import { type OpenedDoor, olga, openDoor } from './admin-door.ts';

const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));
const run = promisify(execFile);
/** The output of an installed script, including compilation errors. */
const runScript = (script: string, ...args: string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [join(installed, script), ...args]).catch((fault) => fault);

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** Sends only required fields, and uses guaranteed fields without checking for them. */
const client = `
import createClient from 'openapi-fetch';
import type { components, paths } from './docent.d.ts';

const [, , baseUrl = '', authorization = ''] = process.argv;
const docent = createClient<paths>({ baseUrl });

function had<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const corpora = had(await docent.GET('/api/corpora'));
const asked = had(await docent.POST('/api/ask', { body: { query: 'What does article 1 say?' } }));
const history: components['schemas']['HistoryMessage'][] = [
  { role: 'user', content: asked.query },
  { role: 'assistant', content: asked.answer },
];
const next = had(await docent.POST('/api/ask', { body: { query: 'And article 2?', history } }));
const found = had(await docent.POST('/api/source-refs', { body: { query: 'northern quay' } }));
const key = had(
  await docent.POST('/admin/api/api-keys', { body: { name: 'Portal' }, headers: { authorization } }),
);
const unasked = await docent.POST('/api/ask', { body: { query: ' ' } });
const fault = unasked.error;

console.log(
  JSON.stringify({
    corpora: corpora.map(({ corpus_id }) => corpus_id),
    headings: [asked, next].map(({ sources = [] }) => sources.map(({ heading }) => heading)),
    refs: found.source_refs.length === found.sources.length,
    quoted: asked.citations?.every(({ quote }) => asked.answer.includes(quote)),
    prefix: key.prefix,
    fault: fault !== undefined && typeof fault.detail === 'object' ? fault.detail.map(({ type }) => type) : null,
  }),
);
`;

let door: OpenedDoor;
let folder: string;

beforeAll(async () => {
  door = await openDoor();
  folder = newFolder('client');
  symlinkSync(installed, join(folder, 'node_modules'));
});

afterAll(() => door.close());

test('a generated client compiles and works', async () => {
  const address = await door.server.listen({ host: '127.0.0.1', port: 0 });
  writeFiles(folder, {
    'src/client.ts': client,
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  });

  // A request may omit a field with a default; without this option the generator requires it.
  const types = ['--default-non-nullable', 'false', '-o', join(folder, 'src/docent.d.ts')];
  await runScript('openapi-typescript/bin/cli.js', `${address}/api/openapi.json`, ...types);
  const { stdout: faults } = await runScript('@typescript/native/bin/tsc', '-p', folder);
  expect(faults).toBe('');

  const { stdout } = await run(process.execPath, [join(folder, 'src/client.ts'), address, olga]);
  expect(JSON.parse(stdout)).toEqual({
    corpora: ['krk_2026'],
    headings: [['Article 1. Mooring'], ['Article 2. Night']],
    refs: true,
    quoted: true,
    prefix: expect.stringMatching(/^dk_/),
    fault: [expect.any(String)],
  });
});
