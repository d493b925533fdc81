/** The command line: arguments, output and exit status. It owns the process. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Service } from './app.ts';
import type { ChatChange } from './cli/chat-settings.ts';
import { commandLine, programName } from './cli/command-line.ts';
import type { Shell } from './cli/completion.ts';
import type { EvalOptions } from './cli/eval.ts';
import type { GraphQueryOptions } from './cli/graph.ts';
import type { HistoryOptions } from './cli/history.ts';
import type { InitOptions } from './cli/init.ts';
import { printMessage, ReaderGone, surviveReaders } from './cli/output.ts';
import type { VerifyHistoryOptions } from './cli/proof.ts';
import { type Config, ConfigError, reachedAt, readConfig, variables } from './config.ts';
import { answering, styles } from './domain/events.ts';
import { Failure } from './failures.ts';
import { boundHeaps } from './operations/heaps.ts';
import { version } from './version.ts';

/** Exit statuses of the contract; `ask` and `verify` also use 3. */
const failed = 1;
const wrongUsage = 2;
/** The status used by shells for a command ended by Ctrl-C. */
const interrupted = 130;
const statuses = '0 done, 1 failed, 2 wrong usage or configuration, 130 interrupted';

const environment = () =>
  Object.entries(variables)
    .map(
      ([name, { default: fallback, about }]) =>
        `  ${name.padEnd(24)} ${about}${fallback === null ? '' : ` (${fallback})`}`,
    )
    .join('\n');

/** Runs a command line and sets the process's exit status. */
export async function main(argv: readonly string[]): Promise<void> {
  // Called before the modules of a command are loaded, because loading them would make the young generation grow to 32
  // MB.
  boundHeaps();
  surviveReaders();
  const program = new Command(programName(process.argv[1], process.env, process.cwd()))
    .description('Answers questions over collections of documents and cites its sources.')
    .version(version)
    .showHelpAfterError(`(${commandLine('--help')} lists the commands and the environment)`)
    .exitOverride()
    .addHelpText('after', () =>
      [
        '\nTo try it without a server or key:',
        `  ${commandLine('demo')}`,
        '\nYour own documents:',
        `  ${commandLine('ingest ./my-folder --corpus handbook')}`,
        `  ${commandLine('ask "How many days of leave do I have?" --corpus handbook')}`,
        `  ${commandLine('serve')}`,
        `\nExit status: ${statuses}`,
        `\nEnvironment (also read from a file .env):\n${environment()}`,
      ].join('\n'),
    );

  program
    .command('serve')
    .description('start the HTTP server')
    .action(() => withConfig(async (config) => (await import('./cli/serve.ts')).serve(config)));

  program
    .command('demo')
    .description('ingest the sample corpora into ./data/demo and start the server')
    .action(() => withConfig(async (config) => (await import('./cli/serve.ts')).demo(config)));

  for (const [name, what] of [
    ['slack', 'Slack'],
    ['telegram', 'Telegram'],
  ] as const)
    program
      .command(name)
      .description(`answer in ${what} only, without the HTTP server (serve does both)`)
      .action(() => withConfig(async (config) => (await import('./cli/serve.ts')).serveChat(config, name)));

  program
    .command('ingest')
    .description('ingest folders or files; unchanged ones are skipped')
    .argument('<path...>', 'folders or files')
    .option('--corpus <id>', "target corpus (default: the id in the folder's corpus.yaml)")
    .option('--layer <name>', 'layer of documents that do not specify one')
    .option('--prune', 'withdraw documents whose files are no longer in the folder')
    .option('--yes', 'let --prune withdraw more than half of a folder')
    .option('--json', 'print the summary as JSON')
    .action(
      async (
        paths: string[],
        options: { corpus?: string; layer?: string; prune?: boolean; yes?: boolean; json?: boolean },
      ) => {
        await withApp(async (app) => (await import('./cli/commands.ts')).ingestPaths(app, paths, options));
      },
    );

  program
    .command('inspect')
    .description('show the parsed content of a file, without ingesting it')
    .argument('<file>', 'the file')
    .option('--html', 'print a page to open in a browser next to the original')
    .addHelpText(
      'after',
      '\nShows the outline, the text by chunk with pages, links and struck-out text, and what was omitted and why.',
    )
    .action(async (file: string, options: { html?: boolean }) => {
      process.exitCode = await (await import('./cli/inspect.ts')).inspect(file, options);
    });

  program
    .command('ask')
    .description('ask a question; the answer is streamed, followed by its sources')
    .argument('<question...>', 'the question')
    .option('--corpus <id>', 'corpus to ask (default: DOCENT_DEFAULT_CORPUS, or the only corpus)')
    .addOption(new Option('--style <style>', 'answer style, if the corpus offers styles').choices(styles))
    .option('--json', 'print the answer as a JSON object')
    .addHelpText('after', `\nExit status: ${statuses}; 3 no answer found`)
    .action(
      (words: string[], options: { corpus?: string; style?: (typeof styles)[number]; json?: boolean }) =>
        withApp(async (app, config) => {
          const { askQuestion } = await import('./cli/commands.ts');
          return askQuestion(app, words.join(' '), { ...options, publicUrl: reachedAt(config) });
        }, true),
    );

  program
    .command('corpora')
    .description('list the active corpora')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withApp(async (app) => (await import('./cli/commands.ts')).listCorpora(app, options)),
    );

  program
    .command('documents')
    .description('list documents with their chunk counts')
    .option('--corpus <id>', 'only documents in this corpus')
    .option('--json', 'print JSON')
    .action((options: { corpus?: string; json?: boolean }) =>
      withApp(async (app) => (await import('./cli/commands.ts')).listDocuments(app, options)),
    );

  const chats = program
    .command('chats')
    .description('show or change the settings of Slack channels and Telegram groups');
  chats
    .command('list', { isDefault: true })
    .description('list the channels and groups that have their own settings')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withApp(async (app) => (await import('./cli/chat-settings.ts')).listChats(app, options)),
    );
  chats
    .command('set')
    .description('change settings of a channel or group; omitted settings stay unchanged')
    .argument('<name>', 'slack/<channel id> or telegram/<group id>')
    .addOption(new Option('--answers <which>', 'which messages to answer').choices(answering))
    .addOption(
      new Option('--threads <which>', 'which messages to answer in threads').choices([
        'mentions',
        'questions',
      ]),
    )
    .option('--silent <yes|no>', 'stay silent if there is no answer', yesOrNo)
    .option('--ephemeral <yes|no>', 'show answers only to the asker (Slack)', yesOrNo)
    .option('--bots <yes|no>', 'answer other bots', yesOrNo)
    .option('--muted <yes|no>', 'do not answer at all', yesOrNo)
    .option('--corpora <ids...>', 'allowed corpora; the first is the default')
    .option(
      '--helpers <names...>',
      'people to mention in requests for help: U… or S… in Slack, @name in Telegram',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample: ${commandLine('chats set slack/C0123ABCD --answers questions --helpers U024BE7LH')}`,
    )
    .action((name: string, { json, ...change }: ChatChange & { json?: boolean }) =>
      withApp(async (app) =>
        (await import('./cli/chat-settings.ts')).setChat(app, name, change, { ...(json && { json }) }),
      ),
    );

  const graph = program.command('graph').description('query or export the knowledge graph');
  graph
    .command('query')
    .description('print the neighbours of a name, a provision or a node, with their sources')
    .argument('<entity...>', 'a name in any form, a provision, or the id of a node')
    .option('--corpus <id>', 'corpus (default: as for ask)')
    .addOption(
      new Option('--relation <kind>', 'only edges of this kind').choices([
        'mentions',
        'refers_to',
        'defines',
        'holds',
      ]),
    )
    .addOption(
      new Option('--depth <edges>', 'maximum distance in edges').choices(['1', '2', '3']).default('1'),
    )
    .option('--limit <nodes>', 'maximum number of nodes, 1 to 200', wholeNumber(1, 200), 50)
    .option('--json', 'print the result as a JSON object')
    .addHelpText('after', `\nExit status: ${statuses}; 3 the graph has no such entity`)
    .action((words: string[], options: Omit<GraphQueryOptions, 'depth'> & { depth: string }) =>
      withApp(async (app) =>
        (await import('./cli/graph.ts')).askGraph(app, words.join(' '), {
          ...options,
          depth: Number(options.depth),
        }),
      ),
    );
  graph
    .command('export')
    .description('export the whole graph of a corpus')
    .option('--corpus <id>', 'corpus (default: as for ask)')
    .addOption(
      new Option('--format <format>', 'output format').choices(['graphml', 'json']).default('graphml'),
    )
    .action((options: { corpus?: string; format: 'graphml' | 'json' }) =>
      withApp(async (app) => (await import('./cli/graph.ts')).exportGraph(app, options)),
    );
  program
    .command('replay')
    .description('rebuild all read models from the history, alongside the live ones')
    .option('--dump', 'then print all records in a fixed order')
    .option(
      '--until <moment>',
      'print them as of a day, a time or a position, without touching the live ones',
    )
    .option('--projection <name>', 'with --until: only this projection')
    .option(
      '--out <folder>',
      'with --until: save them to this folder, with the history up to then, so that it can be queried',
    )
    .action((options: { dump?: boolean; until?: string; projection?: string; out?: string }) =>
      withConfig(async (config) => {
        const { until } = options;
        if (until !== undefined)
          return (await import('./cli/past.ts')).replayUntil(config, { ...options, until });
        return (await import('./cli/commands.ts')).replay(config, options);
      }),
    );

  program
    .command('diff')
    .description('list what changed in the read models between two moments')
    .argument('<from>', 'a day, a time or a position')
    .argument('<to>', 'a day, a time or a position')
    .option('--projection <name>', 'only this projection')
    .option('--json', 'print the old and new values as JSON lines')
    .action((from: string, to: string, options: { projection?: string; json?: boolean }) =>
      withConfig(async (config) => (await import('./cli/past.ts')).diff(config, [from, to], options)),
    );

  const verify = program.command('verify').description('verify stored data against the history');

  verify
    .command('projections')
    .description('replay the history separately and list the entries of the read models that differ')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExit status: ${statuses}; 3 differences found`)
    .action((options: { json?: boolean }) =>
      withApp(async (app) => (await import('./cli/maintenance.ts')).verifyProjections(app, options)),
    );

  verify
    .command('history')
    .description('verify the history, or an export of it, against its signed checkpoints')
    .argument('[export]', 'a file made by export (default: the history itself)')
    .requiredOption('--key <key...>', 'trusted public keys, or files that contain them')
    .option('--checkpoint <file...>', 'checkpoints kept elsewhere')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExit status: ${statuses}; 3 verification failed`)
    .action((file: string | undefined, options: VerifyHistoryOptions) =>
      withConfig(async (config) => (await import('./cli/proof.ts')).verifyHistory(config, file, options)),
    );

  verify
    .command('proof')
    .description('check a proof made by "prove"; nothing else is needed')
    .argument('<file>', 'the proof')
    .requiredOption('--key <key...>', 'trusted public keys, or files that contain them')
    .addHelpText('after', `\nExit status: ${statuses}; 3 verification failed`)
    .action((file: string, options: { key: string[] }) =>
      withConfig(async () => (await import('./cli/proof.ts')).verifyProof(file, options)),
    );

  program
    .command('prove')
    .description('prove that an event is in the history, or that the history has only grown')
    .argument('[event_id]', 'the event')
    .option('--since <file>', 'an earlier checkpoint, to prove that the history has only grown since')
    .option('--from <export>', 'read a file made by export instead of the history itself')
    .action((eventId: string | undefined, options: { since?: string; from?: string }) =>
      withConfig(async (config) => (await import('./cli/proof.ts')).prove(config, eventId, options)),
    );

  program
    .command('history')
    .description('print events of the history as JSON lines, newest first')
    .option('--stream <name>', 'only events in this stream')
    .option('--type <type>', 'only events of this type')
    .option('--actor <actor>', 'only events by this actor: admin:<name>, key:<id>, public or system')
    .option('--request <id>', 'only events for this request')
    .option('--from <time>', 'only events since this day or time')
    .option('--to <time>', 'only events up to and including this day or time')
    .option('--position <position>', 'start after this position, in the direction of reading')
    .option('--limit <n>', 'maximum number', wholeNumber(1, 1_000_000_000), 50)
    .option('--forwards', 'oldest first')
    .option('--follow', 'print all events, then new ones as they arrive, until Ctrl-C')
    .action((options: HistoryOptions) =>
      withConfig(async (config) => (await import('./cli/history.ts')).showHistory(config, options)),
    );

  program
    .command('dossier')
    .description('print everything recorded about an ask, with the texts as they were at that time')
    .argument('<request_id>', 'the ask')
    .option('--json', 'print JSON instead of Markdown')
    .option('--html', 'print HTML instead of Markdown')
    .action((requestId: string, options: { json?: boolean; html?: boolean }) =>
      withConfig(async (config) =>
        (await import('./cli/history.ts')).printDossier(config, requestId, options),
      ),
    );

  program
    .command('forget')
    .description('irreversibly erase all questions of a person and the answers to them')
    .argument('[subject]', 'the subject, as named in the query log and the dossier')
    .option('--lost-keys', 'erase what was encrypted with keys that are missing and will not be recovered')
    .action((subject: string | undefined, { lostKeys }: { lostKeys?: boolean }, command: Command) => {
      if ((subject === undefined) !== (lostKeys === true))
        command.error('error: specify a subject or --lost-keys', { exitCode: wrongUsage });
      return subject === undefined
        ? withConfig(async (config) => (await import('./cli/history.ts')).forgetLostKeys(config))
        : withApp(async (app) => (await import('./cli/commands.ts')).forgetSubject(app, subject));
    });

  program
    .command('export')
    .description('export the history as JSON lines, with everything needed for proofs')
    .option('--keys', 'export the encryption keys of personal data instead, wrapped by the master key')
    .option('--out <file>', 'output file (default: stdout)')
    .action(({ out, keys }: { out?: string; keys?: boolean }) =>
      withConfig(async (config) =>
        keys
          ? (await import('./cli/keys.ts')).exportKeys(config, out)
          : (await import('./cli/history.ts')).exportHistory(config, out),
      ),
    );

  program
    .command('import')
    .description('import an export into an empty history, and compare every event')
    .argument('<file>', 'a file made by export')
    .option('--keys', 'import a file of encryption keys, made by export --keys')
    .action((file: string, { keys }: { keys?: boolean }) =>
      withConfig(async (config) =>
        keys
          ? (await import('./cli/keys.ts')).importKeys(config, file)
          : (await import('./cli/history.ts')).importHistory(config, file),
      ),
    );

  program
    .command('seal')
    .description(
      'seal the history now, as a server with DOCENT_SEAL_KEY does periodically, and print the checkpoint',
    )
    .action(() => withApp(async (app) => (await import('./cli/proof.ts')).seal(app)));

  program
    .command('seal-key')
    .description('generate a key for sealing the history (DOCENT_SEAL_KEY)')
    .argument('<name>', 'name of the history, such as the host at which it is served')
    .action((name: string) => withConfig(async () => (await import('./cli/proof.ts')).sealKey(name)));

  program
    .command('backup')
    .description('copy the data folder, even while it is in use')
    .argument('<folder>', 'target folder; must be empty or missing')
    .action((folder: string) =>
      withConfig(async (config) => (await import('./cli/maintenance.ts')).backup(config.DOCENT_DATA, folder)),
    );

  program
    .command('copy-history')
    .description('copy a history from a data folder to EventStoreDB or back, and compare every event')
    .requiredOption('--from <place>', 'a data folder, or esdb://…')
    .requiredOption('--to <place>', 'a data folder, or esdb://…')
    .action(({ from, to }: { from: string; to: string }) =>
      withConfig(async (config) =>
        (await import('./cli/maintenance.ts')).moveHistory(from, to, config.DOCENT_NAMESPACE),
      ),
    );

  program
    .command('backfill')
    .description('compute missing embeddings')
    .argument('[doc_key]', 'only for the documents with this key')
    .option('--batch-size <n>', 'number of chunks per batch, 1 to 200', wholeNumber(1, 200), 50)
    .action((docKey: string | undefined, options: { batchSize: number }) =>
      withApp(async (app) =>
        (await import('./cli/commands.ts')).backfill(app, docKey ?? null, options.batchSize),
      ),
    );

  program
    .command('eval')
    .description('evaluate a set of questions: quality, confidence, latency and cost of the answers')
    .argument('<questions>', 'a file of questions, one JSON object per line, optionally gzipped')
    .option('--corpus <id...>', 'corpus to ask, or NAME=ID for the corpus called NAME in the set')
    .option('--qrels <file>', 'relevance judgements (default: qrels.tsv next to the questions)')
    .option('--only <text>', 'only questions whose corpus, language or category contains this')
    .option('--limit <n>', 'maximum number of questions', wholeNumber(1, 1_000_000))
    .option('--at-once <n>', 'number of questions asked concurrently', wholeNumber(1, 64), 1)
    .option('--base <url>', 'ask a running server instead of the data folder')
    .option('--key <file>', 'with --base: a file with an API key')
    .option('--admin <file>', 'with --base: a file with name:password, to read costs and evidence scores')
    .option('--json <file>', 'save all answers and metrics to this file')
    .option('--against <file>', 'compare with an earlier run saved by --json')
    .option('--keep <name>', 'keep the report in the data folder, where administrators can read it')
    .action((file: string, options: EvalOptions) =>
      options.base === undefined
        ? withApp(
            async (app, { DOCENT_DATA }) =>
              (await import('./cli/eval.ts')).evaluateApp(app, DOCENT_DATA, file, options),
            true,
          )
        : withConfig(async ({ DOCENT_DATA }) =>
            (await import('./cli/eval.ts')).evaluateServer(options.base!, DOCENT_DATA, file, options),
          ),
    );

  program
    .command('doctor')
    .description('check configuration, servers, tokens, clock, disk and permissions, and give advice')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit status: 0 no fault found, 1 at least one fault')
    .action(async (options: { json?: boolean }) => {
      process.exitCode = await (await import('./cli/doctor.ts')).doctor(options);
    });

  program
    .command('init')
    .description('interactively create a .env with an administrator, and the manifest of a corpus')
    .option('--admin <name>', 'name of the administrator')
    .option('--password-stdin', 'read the password from the first line of stdin (default: one is generated)')
    .option('--corpus <id>', 'identifier of the corpus')
    .option('--title <title>', 'title of the corpus')
    .option('--folder <folder>', 'folder of its documents')
    .addOption(new Option('--public <who>', 'who may ask').choices(['open', 'key']))
    .option('--port <port>', 'port the server listens on', wholeNumber(1, 65_535))
    .addHelpText(
      'after',
      '\nOn a terminal, it asks for values that were not given as options; otherwise it uses the defaults.',
    )
    .action(async (options: InitOptions) => {
      process.exitCode = await (await import('./cli/init.ts')).init(options);
    });

  program
    .command('completion')
    .description('print a shell script that completes commands')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nbash, zsh: eval "$(docent completion bash)"; fish: docent completion fish | source',
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./cli/completion.ts');
      await (await import('./cli/output.ts')).write(completionScript(program, shell));
    });

  program
    .command('hash-password')
    .description('hash a password for DOCENT_ADMINS=name:admin:<hash>')
    .action(async () => {
      const { askAndHash } = await import('./access/hash-password.ts');
      const { print } = await import('./cli/output.ts');
      await print(await askAndHash(process.stdin, (text) => process.stderr.write(text)));
    });

  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

function yesOrNo(value: string): boolean {
  if (value !== 'yes' && value !== 'no') throw new InvalidArgumentError('must be yes or no');
  return value === 'yes';
}

const wholeNumber = (min: number, max: number) => (text: string) => {
  const n = Number(text);
  if (!/^\d+$/.test(text) || n < min || n > max)
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`);
  return n;
};

/** Prints an error and returns the exit status. */
function reportError(error: unknown): number {
  if (error instanceof ReaderGone) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
  if (error instanceof ConfigError) {
    printMessage('Invalid configuration:');
    for (const fault of error.faults) printMessage(`  ${fault}`);
    return wrongUsage;
  }
  if (error instanceof Failure) {
    printMessage(error.detail);
    return error.code === 'invalid' ? wrongUsage : error.code === 'cancelled' ? interrupted : failed;
  }
  printMessage(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return failed;
}

async function withConfig(work: (config: Config) => Promise<number | undefined>): Promise<void> {
  process.exitCode = (await work(readConfig())) ?? 0;
}

async function withApp(
  work: (app: Service, config: Config) => Promise<number | undefined>,
  asksSoon = false,
): Promise<void> {
  await withConfig(async (config) => {
    const { openApp } = await import('./app.ts');
    const app = await openApp(config, { onTrouble: printMessage, asksSoon });
    try {
      return await work(app, config);
    } finally {
      await app.close();
    }
  });
}
