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

  expect((await run(['ask', question])).stdout).toContain('35 days');
  const kept = await run(['replay', '--until', before, '--out', './then']);
  expect(kept).toMatchObject({ status: 0, stderr: expect.stringContaining('DOCENT_DATA=./then') });
  expect((await run(['ask', question], { DOCENT_DATA: './then' })).stdout).toContain('28 days');
  expect(await run(['replay', '--until', before, '--out', './then'])).toMatchObject({ status: 2 });

  const documents = await run(['replay', '--until', before, '--projection', 'documents']);
  expect(documents.stdout).toMatch(/^documents\trecord documents .*"revision":1/m);
  expect(documents.stdout).not.toContain('"revision":2');
  const now = new Date().toISOString();
  const changes = await run(['diff', before, now, '--projection', 'documents', '--json']);
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
  expect(await run(['diff', now, now])).toMatchObject({ status: 0, stdout: '' });
  expect(await run(['replay', '--until', 'yesterday'])).toMatchObject({ status: 2 });
  expect(await run(['replay', '--until', '1999-12-31'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('had not begun'),
  });
  expect(await run(['diff', before, now, '--projection', 'none'])).toMatchObject({ status: 2 });
});
