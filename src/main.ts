/** The command line: what it is called with, what it prints, how it ends. Owns the process. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { App } from './app-port.ts';
import { commandLine, programName } from './cli/command-line.ts';
import type { EvalOptions } from './cli/eval.ts';
import type { AskOptions } from './cli/graph.ts';
import type { HistoryOptions } from './cli/history.ts';
import { printMessage, ReaderGone, surviveReaders } from './cli/output.ts';
import type { VerifyHistoryOptions } from './cli/proof.ts';
import { type Config, ConfigError, reachedAt, readConfig, variables } from './config.ts';
import { styles } from './domain/events.ts';
import { Failure } from './failures.ts';
import { version } from './version.ts';

/** Exit statuses of the contract; `ask` and `verify` add a 3 of their own. */
const failed = 1;
const wrongUsage = 2;
/** As a shell has it for a command that Ctrl-C ended. */
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
  surviveReaders();
  const program = new Command(programName(process.argv[1], process.env, process.cwd()))
    .description('Answers questions over collections of documents and shows its sources.')
    .version(version)
    .showHelpAfterError(`(${commandLine('--help')} lists the commands and the environment)`)
    .exitOverride()
    .addHelpText('after', () =>
      [
        '\nA first look, without any server or key:',
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
      .description(`answer in ${what} alone, without the HTTP server (serve does both)`)
      .action(() => withConfig(async (config) => (await import('./cli/serve.ts')).serveChat(config, name)));

  program
    .command('ingest')
    .description('take in folders or files; what is unchanged is left alone')
    .argument('<path...>', 'folders or files')
    .option('--corpus <id>', 'corpus to take them into (a folder with a corpus.yaml names it itself)')
    .option('--layer <name>', 'layer of documents that name none')
    .option('--prune', 'withdraw documents that have gone from the folder')
    .option('--yes', 'let --prune withdraw more than half of a folder')
    .option('--json', 'print the summary as JSON')
    .action(
      (
        paths: string[],
        options: { corpus?: string; layer?: string; prune?: boolean; yes?: boolean; json?: boolean },
      ) => withApp(async (app) => (await import('./cli/commands.ts')).ingestPaths(app, paths, options)),
    );

  program
    .command('ask')
    .description('ask a question; the answer is written as it comes, its sources below it')
    .argument('<question...>', 'the question')
    .option('--corpus <id>', 'corpus to ask (default: DOCENT_DEFAULT_CORPUS, or the only one there is)')
    .addOption(new Option('--style <style>', 'how to answer, where the corpus offers styles').choices(styles))
    .option('--json', 'print one JSON object instead')
    .addHelpText('after', `\nExit status: ${statuses}; 3 nothing was found to answer with`)
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
    .option('--corpus <id>', 'only of this corpus')
    .option('--json', 'print JSON')
    .action((options: { corpus?: string; json?: boolean }) =>
      withApp(async (app) => (await import('./cli/commands.ts')).listDocuments(app, options)),
    );

  const graph = program.command('graph').description('the knowledge graph');
  graph
    .command('query')
    .description('what a name, a provision or a node is joined with, and where that is said')
    .argument('<entity...>', 'a name in any form, a provision, or the id of a node')
    .option('--corpus <id>', 'corpus (default: as of ask)')
    .addOption(
      new Option('--relation <kind>', 'only edges of this kind').choices([
        ...['mentions', 'refers_to', 'near', 'holds', 'defines'],
      ]),
    )
    .addOption(new Option('--depth <edges>', 'edges to go').choices(['1', '2', '3']).default('1'))
    .option('--limit <nodes>', 'nodes at most, 1 to 200', wholeNumber(1, 200), 50)
    .option('--json', 'print one JSON object instead')
    .addHelpText('after', `\nExit status: ${statuses}; 3 the graph knows nothing by this name`)
    .action((words: string[], options: Omit<AskOptions, 'depth'> & { depth: string }) =>
      withApp(async (app) =>
        (await import('./cli/graph.ts')).askGraph(app, words.join(' '), {
          ...options,
          depth: Number(options.depth),
        }),
      ),
    );
  graph
    .command('export')
    .description('write the whole graph of a corpus')
    .option('--corpus <id>', 'corpus (default: as of ask)')
    .addOption(
      new Option('--format <format>', 'of what is written').choices(['graphml', 'json']).default('graphml'),
    )
    .action((options: { corpus?: string; format: 'graphml' | 'json' }) =>
      withApp(async (app) => (await import('./cli/graph.ts')).exportGraph(app, options)),
    );
  graph
    .command('split')
    .description('part a name from the entity it was taken for; as query --json has it among keys')
    .argument('<key>', 'a key of a node, "name:…"', nameKey)
    .option('--corpus <id>', 'corpus (default: as of ask)')
    .action((key: string, options: { corpus?: string }) =>
      withApp(async (app) => (await import('./cli/graph.ts')).splitEntity(app, key, options)),
    );
  graph
    .command('join')
    .description('undo a split: the name is again what its texts make of it')
    .argument('<split id>', 'its number, as splits has it', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action((splitId: number) =>
      withApp(async (app) => (await import('./cli/graph.ts')).joinEntity(app, splitId)),
    );
  graph
    .command('splits')
    .description('list the splits that hold, the newest first')
    .option('--corpus <id>', 'only of this corpus')
    .option('--json', 'print JSON')
    .action((options: { corpus?: string; json?: boolean }) =>
      withApp(async (app) => (await import('./cli/graph.ts')).listSplits(app, options)),
    );

  program
    .command('replay')
    .description('rebuild all read models from the history, beside the live ones')
    .option('--dump', 'print every record of them, in a fixed order')
    .option(
      '--until <moment>',
      'print them as they were at a day, a time or a position; those that serve stay',
    )
    .option('--projection <name>', 'with --until: only this one')
    .option('--out <folder>', 'with --until: keep them there, with the history up to then, to be asked')
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
    .description('what is otherwise in the read models at one moment than at an earlier one')
    .argument('<from>', 'a day, a time or a position')
    .argument('<to>', 'a day, a time or a position')
    .option('--projection <name>', 'only of this one')
    .option('--json', 'print what was and what is, as lines of JSON')
    .action((from: string, to: string, options: { projection?: string; json?: boolean }) =>
      withConfig(async (config) => (await import('./cli/past.ts')).diff(config, [from, to], options)),
    );

  const verify = program.command('verify').description('hold what is stored against the history');

  verify
    .command('projections')
    .description('replay the history into a separate place and name where the read models are not the same')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExit status: ${statuses}; 3 something differs`)
    .action((options: { json?: boolean }) =>
      withApp(async (app) => (await import('./cli/maintenance.ts')).verifyProjections(app, options)),
    );

  verify
    .command('history')
    .description('hold the history, or an export of it, against its signed checkpoints')
    .argument('[export]', 'a file made by export; without it the history itself')
    .requiredOption('--key <key...>', 'public keys that are trusted, or files that hold them')
    .option('--checkpoint <file...>', 'checkpoints that were kept outside')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExit status: ${statuses}; 3 it does not hold`)
    .action((file: string | undefined, options: VerifyHistoryOptions) =>
      withConfig(async (config) => (await import('./cli/proof.ts')).verifyHistory(config, file, options)),
    );

  verify
    .command('proof')
    .description('check a proof made by prove; needs nothing else')
    .argument('<file>', 'the proof')
    .requiredOption('--key <key...>', 'public keys that are trusted, or files that hold them')
    .addHelpText('after', `\nExit status: ${statuses}; 3 it does not hold`)
    .action((file: string, options: { key: string[] }) =>
      withConfig(async () => (await import('./cli/proof.ts')).verifyProof(file, options)),
    );

  program
    .command('prove')
    .description('prove that an event is in the history, or that it has only grown')
    .argument('[event_id]', 'the event')
    .option('--since <file>', 'an earlier checkpoint, instead of an event')
    .option('--from <export>', 'a file made by export, instead of the history itself')
    .action((eventId: string | undefined, options: { since?: string; from?: string }) =>
      withConfig(async (config) => (await import('./cli/proof.ts')).prove(config, eventId, options)),
    );

  program
    .command('history')
    .description('print events of the history as lines of JSON, the newest first')
    .option('--stream <name>', 'only of this stream')
    .option('--type <type>', 'only of this type')
    .option('--actor <actor>', 'only what this one did: admin:<name>, key:<id>, public or system')
    .option('--request <id>', 'only what belongs to this request')
    .option('--from <time>', 'only from this day or time on')
    .option('--to <time>', 'only up to this day or time, with it')
    .option('--position <position>', 'only what comes behind this place, in the direction it is read in')
    .option('--limit <n>', 'how many at most', wholeNumber(1, 1_000_000_000), 50)
    .option('--forwards', 'the oldest first')
    .option('--follow', 'all from the oldest on, and then those that come, until Ctrl-C')
    .action((options: HistoryOptions) =>
      withConfig(async (config) => (await import('./cli/history.ts')).showHistory(config, options)),
    );

  program
    .command('dossier')
    .description('print all that is recorded of an ask, with the texts as they stood then')
    .argument('<request_id>', 'the ask')
    .option('--json', 'print JSON instead of Markdown')
    .option('--html', 'print a page instead of Markdown')
    .action((requestId: string, options: { json?: boolean; html?: boolean }) =>
      withConfig(async (config) =>
        (await import('./cli/history.ts')).printDossier(config, requestId, options),
      ),
    );

  program
    .command('forget')
    .description('erase everything a person asked and was answered, irreversibly')
    .argument('[subject]', 'who it was, as the query log and the dossier name them')
    .option(
      '--lost-keys',
      'instead: all that is sealed with keys that are missing, and will not be found again',
    )
    .action((subject: string | undefined, { lostKeys }: { lostKeys?: boolean }, command: Command) => {
      if ((subject === undefined) !== (lostKeys === true))
        command.error('error: name a subject, or --lost-keys', { exitCode: wrongUsage });
      return subject === undefined
        ? withConfig(async (config) => (await import('./cli/history.ts')).forgetLostKeys(config))
        : withApp(async (app) => (await import('./cli/commands.ts')).forgetSubject(app, subject));
    });

  program
    .command('export')
    .description('write the history as lines of JSON, with all that proofs are made of')
    .option('--keys', "instead: the keys of people's words, wrapped by the master key")
    .option('--out <file>', 'where to; without it to the output')
    .action(({ out, keys }: { out?: string; keys?: boolean }) =>
      withConfig(async (config) =>
        keys
          ? (await import('./cli/keys.ts')).exportKeys(config, out)
          : (await import('./cli/history.ts')).exportHistory(config, out),
      ),
    );

  program
    .command('import')
    .description('put an export back into an empty history, and compare it event by event')
    .argument('<file>', 'a file made by export')
    .option('--keys', 'the file is one of keys: they are put beside those that are here')
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
      'seal the history now, as a server with DOCENT_SEAL_KEY does by itself, and print the checkpoint',
    )
    .action(() => withApp(async (app) => (await import('./cli/proof.ts')).seal(app)));

  program
    .command('seal-key')
    .description('make a key to seal the history with, for DOCENT_SEAL_KEY')
    .argument('<name>', 'what the history is called, such as the host it is served at')
    .action((name: string) => withConfig(async () => (await import('./cli/proof.ts')).sealKey(name)));

  program
    .command('backup')
    .description('copy the data folder, also while it is in use')
    .argument('<folder>', 'where to; must be empty or missing')
    .action((folder: string) =>
      withConfig(async (config) => (await import('./cli/maintenance.ts')).backup(config.DOCENT_DATA, folder)),
    );

  program
    .command('copy-history')
    .description('copy a history from a data folder to EventStoreDB or back, and compare it event by event')
    .requiredOption('--from <place>', 'a data folder, or esdb://…')
    .requiredOption('--to <place>', 'a data folder, or esdb://…')
    .action(({ from, to }: { from: string; to: string }) =>
      withConfig(async (config) =>
        (await import('./cli/maintenance.ts')).moveHistory(from, to, config.DOCENT_NAMESPACE),
      ),
    );

  program
    .command('backfill')
    .description('compute the vectors that are missing')
    .argument('[doc_key]', 'only of the documents with this key')
    .option('--batch-size <n>', 'chunks at a time, 1 to 200', wholeNumber(1, 200), 50)
    .action((docKey: string | undefined, options: { batchSize: number }) =>
      withApp(async (app) =>
        (await import('./cli/commands.ts')).backfill(app, docKey ?? null, options.batchSize),
      ),
    );

  program
    .command('eval')
    .description('evaluate a set of questions: quality, confidence, latency and cost of the answers')
    .argument('<questions>', 'a file of questions, a line of JSON each, gzipped or not')
    .option('--corpus <id...>', 'corpus to ask, or NAME=ID for what the set calls NAME')
    .option('--qrels <file>', 'which documents answer what (default: qrels.tsv beside the questions)')
    .option('--only <text>', 'only questions whose corpus, language or category holds this')
    .option('--limit <n>', 'only so many', wholeNumber(1, 1_000_000))
    .option('--at-once <n>', 'questions under way at once', wholeNumber(1, 64), 1)
    .option('--base <url>', 'ask a running server instead of the data folder')
    .option('--key <file>', 'with --base: a file that holds an API key')
    .option('--admin <file>', 'with --base: a file that holds name:password, to read costs and evidence')
    .option('--json <file>', 'keep every answer and figure there')
    .option('--against <file>', 'compare with what --json kept of an earlier run')
    .action((file: string, options: EvalOptions) =>
      options.base === undefined
        ? withApp(async (app) => (await import('./cli/eval.ts')).evaluateApp(app, file, options), true)
        : withConfig(async () =>
            (await import('./cli/eval.ts')).evaluateServer(options.base!, file, options),
          ),
    );

  program
    .command('hash-password')
    .description('the hash of a password, for DOCENT_ADMINS=name:admin:<hash>')
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

const wholeNumber = (min: number, max: number) => (text: string) => {
  const n = Number(text);
  if (!/^\d+$/.test(text) || n < min || n > max)
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}`);
  return n;
};

/** As the administration takes it over HTTP. */
const nameKey = (text: string) => {
  if (!/^name:./.test(text) || text.length > nameKeyMax)
    throw new InvalidArgumentError(`must begin with "name:" and have ${nameKeyMax} characters at most`);
  return text;
};
const nameKeyMax = 500;

/** Says what went wrong and returns the exit status. */
function reportError(error: unknown): number {
  if (error instanceof ReaderGone) return 0;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
  if (error instanceof ConfigError) {
    printMessage('The environment is not right:');
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
  work: (app: App, config: Config) => Promise<number | undefined>,
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
