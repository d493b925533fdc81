/** The read models of a past moment: printed, queried and compared. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ended, startCommand } from '../support/command.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { withEventStore } from '../support/servers.ts';

const scratch = newFolder('past');

const run = (args: string[], env: NodeJS.ProcessEnv = {}) => ended(startCommand(scratch, args, env));
const write = (library: string, days: number) =>
  writeFiles(scratch, {
    [`${library}/leave.md`]: `# Leave\n\nEvery employee has ${days} days of paid leave.\n`,
  });

withEventStore('over EventStoreDB', (start) => {
  it('replay writes a folder that can be queried without the server', async () => {
    const env = {
      EVENTSTOREDB_URL: (await start()).url,
      DOCENT_NAMESPACE: `past-${randomUUID()}`,
      DOCENT_DATA: './served',
      DOCENT_KEYS: './keys',
    };
    write('rules', 28);
    await run(['ingest', './rules', '--corpus', 'rules'], env);
    const question = 'How many days of paid leave does an employee have?';
    expect((await run(['ask', question], env)).stdout).toContain('28 days');
    const until = new Date().toISOString();
    write('rules', 35);
    await run(['ingest', './rules', '--corpus', 'rules'], env);
    expect(await run(['replay', '--until', until, '--out', './kept'], env)).toMatchObject({ status: 0 });
    const kept = { DOCENT_DATA: './kept' };
    expect((await run(['ask', question], kept)).stdout).toContain('28 days');
  });
});

it('replay shows what was known before a document was replaced', async () => {
  write('handbook', 28);
  await run(['ingest', './handbook', '--corpus', 'handbook']);
  const question = 'How many days of paid leave does an employee have?';
  // Text by people is sealed with keys that a copy does not have.
  expect((await run(['ask', question])).stdout).toContain('28 days');
  const newest = await run(['history', '--limit', '1']);
  const before: string = JSON.parse(newest.stdout).position;
  write('handbook', 35);
  await run(['ingest', './handbook', '--corpus', 'handbook']);

  const now = new Date().toISOString();
  const replay = (...args: string[]) => run(['replay', '--until', ...args]);
  const [present, kept, documents, changes, same, wrong, early, unknown] = await Promise.all([
    run(['ask', question]),
    replay(before, '--out', './then'),
    replay(before, '--projection', 'documents'),
    run(['diff', before, now, '--projection', 'documents', '--json']),
    run(['diff', now, now]),
    replay('yesterday'),
    replay('1999-12-31'),
    run(['diff', before, now, '--projection', 'none']),
  ]);
  expect(present.stdout).toContain('35 days');
  expect(kept).toMatchObject({ status: 0, stderr: expect.stringContaining('DOCENT_DATA=./then') });
  expect(documents.stdout).toMatch(/^documents\trecord documents .*"revision":1/m);
  expect(documents.stdout).not.toContain('"revision":2');
  const changed = changes.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(changed).toContainEqual(
    expect.objectContaining({
      projection: 'documents',
      kind: 'changed',
      fields: expect.arrayContaining(['doc.revision']),
    }),
  );
  expect(same).toMatchObject({ status: 0, stdout: '' });
  expect(wrong).toMatchObject({ status: 2 });
  expect(early).toMatchObject({ status: 1, stderr: expect.stringContaining('had not begun') });
  expect(unknown).toMatchObject({ status: 2 });
  const [past, again] = await Promise.all([
    run(['ask', question], { DOCENT_DATA: './then' }),
    replay(before, '--out', './then'),
  ]);
  expect(past.stdout).toContain('28 days');
  expect(again).toMatchObject({ status: 2 });
});
