/** The command as a process: its output and its exit status. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ended, entry, startCommand } from '../support/command.ts';
import { newFolder, writeFiles } from '../support/folder.ts';

const scratch = newFolder('cli');

const start = (args: readonly string[], env?: NodeJS.ProcessEnv, node?: readonly string[]) =>
  startCommand(scratch, args, env, node);
const run = (...args: string[]) => ended(start(args));

describe('a question, depending on the existing corpora', () => {
  beforeAll(() => {
    writeFiles(scratch, {
      'handbook/leave.md': '# Leave\n\nEvery employee has 28 days of paid leave a year.\n',
      'harbour/berths.md': '# Berths\n\nA berth is let for one season.\n',
    });
  });

  it('goes to the only or the given corpus, and to none if there are several', async () => {
    const empty = await run('ask', 'How many days of leave are there?');
    expect(empty).toMatchObject({ stdout: '', status: 1 });
    expect(empty.stderr).toContain(`There is no corpus yet. Ingest documents: node ${entry} ingest`);

    expect(await run('ingest', './handbook', '--corpus', 'handbook')).toMatchObject({ status: 0 });
    const only = await run('ask', 'How many days of leave does an employee have?');
    expect(only).toMatchObject({ stderr: '', status: 0 });
    expect(only.stdout).toContain('28 days of paid leave a year. [1]');
    expect((await run('corpora')).stdout).toMatch(/^handbook \(default\)\t/);

    expect(await run('ingest', './harbour', '--corpus', 'harbour')).toMatchObject({ status: 0 });
    const [several, named, unknown, graph] = await Promise.all([
      run('ask', 'How long is a berth let?'),
      run('ask', 'How long is a berth let?', '--corpus', 'harbour', '--json'),
      run('ask', 'How long is a berth let?', '--corpus', 'krk_2026'),
      run('graph', 'export'),
    ]);
    expect(several).toMatchObject({ stdout: '', status: 1 });
    expect(several.stderr.split('\n')).toEqual([
      'There are several corpora, and the command does not specify one:',
      '  handbook  handbook',
      '  harbour   harbour',
      `Specify one: node ${entry} ask "…" --corpus handbook`,
      'or set DOCENT_DEFAULT_CORPUS.',
      '',
    ]);
    expect(graph).toMatchObject({ stdout: '', status: 1 });
    expect(graph.stderr).toContain(`Specify one: node ${entry} graph export --corpus handbook\n`);
    expect(JSON.parse(named.stdout)).toMatchObject({ mode: 'ordinary', source_refs: ['berths#001'] });
    expect(unknown).toMatchObject({ stdout: '', status: 1 });
    expect(unknown.stderr.split('\n')).toEqual([
      'There is no active corpus "krk_2026". Active corpora:',
      '  handbook  handbook',
      '  harbour   harbour',
      `Specify one: node ${entry} ask "…" --corpus handbook`,
      '',
    ]);
  });

  it('explains what to do if it could not be asked', async () => {
    mkdirSync(join(scratch, 'nothing'));
    const [nothing, forgotten, moments] = await Promise.all([
      run('ingest', './nothing', '--corpus', 'handbook'),
      run('forget', 'key:99'),
      run('diff', '5', '2026-10-04'),
    ]);
    expect(nothing.status).toBe(1);
    expect(nothing.stderr).toMatch(
      /^Nothing was ingested\. Supported file types: \.md, .*\.pdf.*, and plain text\.\n$/,
    );
    expect(forgotten).toMatchObject({ stdout: 'Forgotten: 0 keys destroyed.\n', status: 0 });
    expect(forgotten.stderr).toContain('as "subject"');
    expect(moments).toMatchObject({ stdout: '', status: 2 });
    expect(moments.stderr).toMatch(/^"5", which is not a position, must be a day /);
  });

  it('has one exit status if nothing is found, and others if it was not asked', async () => {
    const [nothing, asJson, blank, style] = await Promise.all([
      run('ask', 'Who painted the ceiling?', '--corpus', 'harbour'),
      run('ask', 'Who painted the ceiling?', '--corpus', 'harbour', '--json'),
      run('ask', ' ', '--corpus', 'harbour'),
      run('ask', 'Berths', '--style', 'poem'),
    ]);
    expect([nothing.status, asJson.status, blank.status, style.status]).toEqual([3, 3, 2, 2]);
    expect(nothing.stdout).not.toBe('');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ mode: 'no_answer' });
  });

  it('reports read models that differ from the history, with a separate exit status', async () => {
    const same = await run('verify', 'projections', '--json');
    expect(JSON.parse(same.stdout)).toMatchObject({ same: true });
    expect(same).toMatchObject({ stderr: '', status: 0 });
    const models = new DatabaseSync(join(scratch, 'data', 'models.sqlite'), { timeout: 60_000 });
    const [table] = models.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'c_corpora_[0-9]*'").all();
    models.exec(`UPDATE ${table!.name} SET doc = json_set(doc, '$.chunk_count', 5) WHERE key = 'harbour'`);
    const damaged = await run('verify', 'projections');
    models.exec(`UPDATE ${table!.name} SET doc = json_set(doc, '$.chunk_count', 1) WHERE key = 'harbour'`);
    models.close();
    expect(damaged).toMatchObject({ stderr: '', status: 3 });
    expect(damaged.stdout).toContain('\n  changed  record corpora harbour: doc.chunk_count\n');
    expect(damaged.stdout).toMatch(/^chunks +same, \d+ entries$/m);
  });

  it.each([
    ['replay', '--dump'],
    ['documents'],
    ['corpora', '--json'],
    ['ask', 'How long is a berth let?', '--corpus', 'harbour'],
    ['--help'],
  ])('ends quietly if its output is no longer read: %s', async (...args) => {
    const child = start(args);
    child.stdout.destroy();
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ stderr: stderr.replace(/^All read models were rebuilt.*\n/, ''), status }).toEqual({
      stderr: '',
      status: 0,
    });
  });
});

it('a serving process runs a watchdog', async () => {
  const names = "process.on('worker', ({ threadName }) => process.stderr.write('<' + threadName + '>'))";
  const env = { PORT: '0', DOCENT_DATA: join(scratch, 'watched') };
  const served = start(['serve'], env, ['--import', `data:text/javascript,${names}`]);
  let said = '';
  while (!said.includes('Docent is listening on')) said += (await once(served.stderr, 'data'))[0];
  const rest = ended(served);
  served.kill('SIGTERM');
  const { stderr, status } = await rest;
  expect(said + stderr).toContain('<watchdog>');
  expect(status).toBe(0);
});

describe('on an outdated Node', () => {
  const pretend = (more = '') => [
    '--import',
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });${more}`,
  ];
  const brought = process.platform === 'linux' || process.platform === 'win32';

  it.runIf(brought)('the command runs on the installed version, and ends with its status', async () => {
    const [version, wrong] = await Promise.all([
      ended(start(['--version'], {}, pretend())),
      ended(start(['nonsense'], {}, pretend())),
    ]);
    expect(version).toMatchObject({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
      status: 0,
    });
    expect(wrong).toMatchObject({ stdout: '', status: 2 });
  });

  it.runIf(brought)('the command passes on a termination signal, and ends with its parent', async () => {
    const env = { PORT: '0', DOCENT_DATA: join(scratch, 'serving') };
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const launcher = start(['serve'], env, pretend());
      let said = '';
      while (!said.includes('Docent is listening on')) said += (await once(launcher.stderr, 'data'))[0];
      const rest = ended(launcher);
      launcher.kill(signal);
      // The command holds the other end of the pipes, which close when it has ended.
      const { status } = await rest;
      expect(status).toBe(signal === 'SIGTERM' ? 0 : null);
    }
  });

  it('the command says what is missing if no suitable version is installed', async () => {
    const elsewhere = "Object.defineProperty(process, 'arch', { value: 'none' })";
    const { stderr, status } = await ended(start(['--version'], {}, pretend(elsewhere)));
    expect(stderr).toMatch(/^docent requires Node 24 or later; this is 20\.20\.2\. "npm ci"/);
    expect(status).toBe(2);
  });
});
