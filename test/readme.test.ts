/** Runs the commands in the README and the pages as written; docs.test.ts checks everything else. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readSigningKey } from '../src/history/signed-note.ts';
import { EventStoreDouble } from './support/eventstore-double.ts';
import { newFolder } from './support/folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const everything = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: root })
  .sort()
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

test('npm scripts in the pages exist in the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...everything.matchAll(/\bnpm (?:run (\w+)|(test|start)\b)/g)].map(
    ([, script, own]) => script ?? own!,
  );
  expect(named).toContain('demo');
  for (const script of named) expect(Object.keys(scripts)).toContain(script);
});

test('services and profiles in the pages exist in compose.yaml', () => {
  const compose = readFileSync(join(root, 'compose.yaml'), 'utf8');
  for (const [, service] of everything.matchAll(/docker compose (?:run --rm|exec) (\w+)/g))
    expect(compose).toContain(`\n  ${service}:\n`);
  for (const [, profile] of everything.matchAll(/docker compose --profile (\w+)/g))
    expect(compose).toContain(`\n    profiles: [${profile}]\n`);
});

/** The commands of the pages, from blocks and running text, without comments, with continued lines joined. */
const commands = [
  ...[...everything.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!.replaceAll(/\\\n\s*/g, '').split('\n'),
  ),
  ...[...everything.matchAll(/`(node src\/docent\.js [^`]+)`/g)].map(([, code]) => code!),
].flatMap((line) => {
  const command = line.replace(/\s+#.*$/, '').trim();
  return command === '' ? [] : [command];
});

/** Commands that the text only mentions. */
const mentions = new Set([...everything.matchAll(/`docent ([a-z -]+)`/g)].map(([, words]) => words!));

describe('the commands in a checkout', () => {
  const folder = newFolder('readme', {
    'handbook/leave.md': '# Leave\n\nYou have 28 days of leave a year.\n',
    'note.md': '# Note\n\nArticle 42 is commented on here.\n',
  });
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Olga', '-c', 'user.email=olga@example.org', ...words], {
      cwd: folder,
      stdio: 'pipe',
    });
  const password = 'correct horse battery';
  const unused = new Set(commands);
  const servers: ChildProcess[] = [];
  let eventStore: EventStoreDouble;
  let address = '';
  /** Values that a reader has by then and fills in. */
  const known = {
    hash: '',
    key: '',
    ask: '',
    publicKey: '',
    eventId: '',
    requestId: '',
    moment: '',
    subject: '',
  };

  beforeAll(async () => {
    eventStore = await EventStoreDouble.start();
    for (const name of ['src', 'samples', 'package.json', '.env.example'])
      symlinkSync(join(root, name), join(folder, name));
  });
  afterAll(async () => {
    for (const server of servers) await end(server);
    await eventStore.stop();
  });

  /** The folder is a clone, and its origin has a newer commit. */
  function keepInGit(): void {
    git('init', '--quiet', '--initial-branch=main', 'handbook');
    git('-C', 'handbook', 'add', '.');
    git('-C', 'handbook', 'commit', '--quiet', '--message', 'Leave');
    git('clone', '--quiet', '--bare', 'handbook', 'handbook.git');
    git('-C', 'handbook', 'remote', 'add', 'origin', '../handbook.git');
    git('-C', 'handbook', 'fetch', '--quiet');
    git('-C', 'handbook', 'branch', '--quiet', '--set-upstream-to=origin/main');
    git('clone', '--quiet', 'handbook.git', 'elsewhere');
    writeFileSync(join(folder, 'elsewhere', 'desks.md'), '# Desks\n\nEach desk has two lamps.\n');
    git('-C', 'elsewhere', 'add', '.');
    git('-C', 'elsewhere', 'commit', '--quiet', '--message', 'Desks');
    git('-C', 'elsewhere', 'push', '--quiet');
  }

  /** The command on the page, and as run: with the reader's values, and without disturbing other tests. */
  function asRun(command: string): string {
    expect([...commands]).toContain(command);
    unused.delete(command);
    return command
      .replace('npm ci && ', '')
      .replace(/^rclone sync \S+ \S+ && /, '')
      .replaceAll('localhost:8080', address)
      .replace('curl -s', 'curl --fail-with-body -s')
      .replace('-u olga ', `-u 'olga:${password}' `)
      .replace('<hash>', known.hash)
      .replace('dk_…', known.key)
      .replace('<empty folder>', './copy')
      .replace('<public key>', known.publicKey)
      .replace('<event id>', known.eventId)
      .replace('<request id>', known.requestId)
      .replace('<moment>', known.moment)
      .replace('<subject>', known.subject)
      .replace('<from> <to>', `${known.moment} ${known.moment}`)
      .replace('<folder>', './then')
      .replace('esdb://host:2113?tls=false', eventStore.url);
  }

  function start(command: string): ChildProcess {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    return spawn('bash', ['-c', `${known.ask}${asRun(command)}`], {
      cwd: folder,
      env: { PATH, NODE_COMPILE_CACHE, HOME: folder, PORT: '0', npm_config_update_notifier: 'false' },
      // A separate process group, so that everything npm started ends with it.
      detached: true,
    });
  }

  async function run(command: string, input = ''): Promise<string> {
    const child = start(command);
    // Most commands read no input, and some end before it arrives.
    child.stdin!.on('error', () => {}).end(input);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    expect({ command, status, stdout, stderr }).toMatchObject({ status: 0 });
    return stdout;
  }

  /** Starts a server and returns its output up to a matching line. */
  async function serve(command: string, until: RegExp): Promise<string> {
    const server = start(command);
    servers.push(server);
    let said = '';
    for await (const line of createInterface({ input: server.stderr! })) {
      said += `${line}\n`;
      if (until.test(line)) break;
    }
    server.stderr!.resume();
    address = /http:\/\/(\S+)/.exec(said)?.[1] ?? '';
    return said;
  }

  async function end(server: ChildProcess): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    process.kill(-server.pid!, 'SIGTERM');
    await once(server, 'close');
  }

  it('work as written', async () => {
    const demo = await serve('npm ci && npm run demo', /^Try /);
    expect(demo).toMatch(/^Administrator {2}admin \/ \S+/m);
    for (const [question, answer] of [
      ['For how many years is the President elected?', 'six years'],
      ['На какой срок избирается Президент?', 'шесть лет'],
    ])
      expect(await run(`DOCENT_DATA=./data/demo node src/docent.js ask "${question}"`)).toContain(answer);
    // The suggestions of the demo are also tried as printed.
    expect(await suggested(/^Try\s+(.*)$/m.exec(demo)![1]!)).toContain('шесть лет');

    await run(
      'curl -s localhost:8080/api/ask -H \'content-type: application/json\' -d \'{"query":"Article 42"}\'',
    );
    known.ask = `${asRun("ask='content-type: application/json'")}; `;
    for (const command of commands.filter((one) => /^curl -sN? +localhost:8080\/(?:api|health)/.test(one)))
      if (unused.has(command) && !command.includes('x-api-key')) await run(command);
    await end(servers[0]!);

    expect(await run('DOCENT_DATA=./data/demo node src/docent.js graph query "Article 47"')).toContain('47');
    await run('DOCENT_DATA=./data/demo node src/docent.js graph export > graph.graphml');
    expect(readFileSync(join(folder, 'graph.graphml'), 'utf8')).toContain('<graphml');

    known.hash = (await run('node src/docent.js hash-password', `${password}\n`)).trim();
    await serve(
      'DOCENT_ADMINS="olga:admin:<hash>" DOCENT_DATA=./data/demo node src/docent.js serve',
      /listening/,
    );
    for (const command of commands.filter((one) => one.startsWith('curl') && unused.has(one))) {
      const reply = await run(command);
      known.key ||= /"key":"(dk_[^"]+)"/.exec(reply)?.[1] ?? '';
    }
    await end(servers[1]!);

    expect(await run('node src/docent.js inspect ./handbook/leave.md')).toContain('You have 28 days');
    await run('node src/docent.js ingest ./handbook --corpus handbook');
    expect(await run('node src/docent.js ask "How many days of leave do I have?"')).toContain('28 days');
    await serve('node src/docent.js serve', /listening/);
    await run('node src/docent.js backup <empty folder>');
    await end(servers[2]!);
    expect(
      await run('DOCENT_DATA=./copy node src/docent.js ask "How many days of leave do I have?"'),
    ).toContain('28 days');
    keepInGit();
    const inStep = 'node src/docent.js ingest ./handbook --corpus handbook --prune';
    expect(await run(`git -C ./handbook pull --quiet --ff-only && ${inStep}`)).toContain('1 document added');
    expect(await run(`rclone sync drive:handbook ./handbook && ${inStep}`)).toContain('2 unchanged');
    await run('test -f .env || cp .env.example .env');
    expect(await run('node src/docent.js --help')).toContain('DOCENT_DATA');
    await run("node src/docent.js copy-history --from ./data --to 'esdb://host:2113?tls=false'");
    expect(
      await run(
        'node src/docent.js chats set slack/C0123ABCD --answers questions --silent yes --helpers U024BE7LH',
      ),
    ).toMatch(/answers +questions/);
    expect(await run('node src/docent.js chats')).toContain('slack/C0123ABCD');
    await run('node src/docent.js replay');
    expect(await run('node src/docent.js verify projections')).toMatch(
      /^The read models match the history of \d+ events\.$/m,
    );

    const events = (await run('node src/docent.js history')).trim().split('\n');
    const asked = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'QuestionAsked');
    expect(asked.data.query).toBe('How many days of leave do I have?');
    known.requestId = asked.data.request_id;
    known.moment = asked.position;
    known.subject = asked.data.subject;
    expect(await run('node src/docent.js dossier <request id>')).toContain(
      'How many days of leave do I have?',
    );
    await run('node src/docent.js replay --until <moment> --out <folder>');
    await run('node src/docent.js diff <from> <to>');
    await run('node src/docent.js forget <subject>');
    const after = (await run('node src/docent.js history')).trim().split('\n');
    expect(after.map((line) => JSON.parse(line)).find(({ id }) => id === asked.id).data.query).toBe('');
    writeFileSync(
      join(folder, 'questions.jsonl'),
      `${JSON.stringify({ id: 1, text: 'How many days of leave do I have?', answers: ['28'], documents: ['leave'] })}\n`,
    );
    const measured = await run(
      'node src/docent.js eval questions.jsonl --corpus handbook --json before.json',
    );
    expect(measured).toMatch(/^contains +1$/m);
    expect(measured).toMatch(/^nDCG@10 +1$/m);
    expect(
      await run('node src/docent.js eval questions.jsonl --corpus handbook --against before.json'),
    ).toContain('0 questions had a different outcome, and 0 more a different wording.');
    await run('node src/docent.js seal-key docent.example > seal.key');
    known.publicKey = readSigningKey(readFileSync(join(folder, 'seal.key'), 'utf8')).verifying.text;
    await run('DOCENT_SEAL_KEY=seal.key DOCENT_SEAL_TO=./kept node src/docent.js seal');
    await run('node src/docent.js export --out history.jsonl');
    expect(
      await run(
        'node src/docent.js verify history history.jsonl --key <public key> --checkpoint ./kept/latest.checkpoint',
      ),
    ).toContain('The history matches its seals.');
    known.eventId = JSON.parse(readFileSync(join(folder, 'history.jsonl'), 'utf8').split('\n')[1]!).id;
    await run('node src/docent.js prove <event id> > event.tlog-proof');
    expect(await run('node src/docent.js verify proof event.tlog-proof --key <public key>')).toContain(
      known.eventId,
    );
    await run('DOCENT_DATA=./back node src/docent.js import history.jsonl');
    await run('node src/docent.js export --keys --out keys.jsonl');
    copyFileSync(join(folder, 'data', 'master-key'), join(folder, 'back', 'master-key'));
    await run('DOCENT_DATA=./back node src/docent.js import --keys keys.jsonl');
    await run('node src/docent.js forget --lost-keys');

    // These need resources that a test does not have (the network, a container engine, a chat), or are this test
    // itself.
    const left = [...unused].filter(
      (command) => !/^(?:npm (?:ci|test|run) ?|docker compose )|_BOT_TOKEN=/.test(command),
    );
    expect(left).toEqual([]);
  });

  it('exist even if they are only mentioned', async () => {
    for (const words of mentions) {
      const help = execFileSync(process.execPath, ['src/docent.js', ...words.split(' '), '--help'], {
        cwd: root,
        encoding: 'utf8',
      });
      expect(help).toMatch(new RegExp(`^Usage: .*\\b${words} `));
    }
  });

  async function suggested(command: string): Promise<string> {
    const child = spawn('bash', ['-c', command.replace('curl', 'curl --fail-with-body')], { cwd: folder });
    const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect({ command, status }).toEqual({ command, status: 0 });
    return stdout;
  }
});
