/**
 * `npm run bench`: benchmarks of the service, relative to a baseline in the same run where possible. Figures are
 * printed as a table and stored in tools/results/. They are valid only for the machine they were measured on; nothing
 * is asserted. `npm run bench -- --help` lists the benchmarks and their arguments.
 */
import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { recordLines, writeJson } from './evaluation/printing.ts';

interface Measure {
  /** A description for the help. */
  what: string;
  /** Its arguments; a benchmark whose usage begins with `<` is not run without them. */
  usage?: string;
  run(args: readonly string[]): Promise<Record<string, unknown>[]>;
}

const results = join(import.meta.dirname, 'results');

/** The value of a benchmark's only option, a number. */
function given(args: readonly string[], option: string, otherwise: number): number {
  const { values } = parseArgs({ args: [...args], options: { [option]: { type: 'string' } } });
  const value = Number(values[option] ?? otherwise);
  if (!(value > 0)) throw new Error(`--${option} requires a number above 0.`);
  return value;
}

const measures: Record<string, Measure> = {
  replay: {
    what: 'speed of all projections over recorded asks (50,000), and of building a past moment',
    usage: '[--asks <number>]',
    run: async (args) => (await import('./replay.ts')).replay(given(args, 'asks', 50_000)),
  },
  start: {
    what: 'time from the start of the service to its first answer, with recorded asks (50,000)',
    usage: '[--asks <number>]',
    run: async (args) => (await import('./replay.ts')).start(given(args, 'asks', 50_000)),
  },
  asks: {
    what: 'recorded asks per second, over the samples and over synthetic chunks (50,000)',
    usage: '[--chunks <number>]',
    run: async (args) => (await import('./asks.ts')).asks(given(args, 'chunks', 50_000)),
  },
  'source-refs': {
    what: 'latency of source lookups over 1,000, 50,000 and 100,000 chunks, or the given number; --servers: over EventStoreDB and Redis',
    usage: '[--chunks <number>] [--servers]',
    run: async (args) => (await import('./source-refs.ts')).sourceRefs(args),
  },
  ingest: {
    what: 'time of `docent ingest` until all documents can be found; without arguments, over synthetic documents (2,000)',
    usage: '[folder or file…] [--documents <number>]',
    run: async (args) => (await import('./ingest.ts')).ingestSpeed(args),
  },
  hostile: {
    what: 'service quality for legitimate clients during attacks by a hundred hostile ones, by kind and for all together',
    usage: '[--chunks <number>] [--kind <name,…>] [--seconds <number>]',
    run: async (args) => (await import('./hostile.ts')).hostile(args),
  },
  memory: {
    what: 'memory use after the given number of asks (50,000)',
    usage: '[--asks <number>] [--rate <number>]',
    run: async (args) => (await import('./hostile.ts')).memory(args),
  },
  chats: {
    what: 'time until fifty concurrent chats show a sign, some text and the complete answer',
    run: async () => (await import('./chats.ts')).chatsAtOnce(),
  },
  quality: {
    what: 'ranking, answers and abstention over evaluation sets (corpus.jsonl, queries.jsonl, qrels.tsv); --servers: over EventStoreDB and Redis; --against: compared with the reports of an earlier run',
    usage: '<folder…> [--servers] [--against <folder>]',
    run: async (args) => {
      const { quality, qualityOptions } = await import('./quality.ts');
      return quality(qualityOptions(args, results));
    },
  },
  model: {
    what: 'recorded model answers (answers.jsonl, false-sentences.jsonl, docs/): how much is wrongly removed, and how many false sentences pass',
    usage: '<folder>',
    run: async ([folder]) => (await import('./model.ts')).model(folder!),
  },
  fit: {
    what: 'learns the weights for sentences and evidence',
    usage:
      '<folder…> [--questions <file,…>] [--held <file,…>] <corpus=folder…> [--data <folder>] [--out <file>]',
    run: async (args) => {
      const { fitOptions, fitWeights } = await import('./fit.ts');
      return fitWeights(fitOptions(args));
    },
  },
};
const needsArguments = ({ usage }: Measure) => usage?.startsWith('<') === true;

const help = `npm run bench                       all benchmarks that need no arguments
npm run bench -- <benchmark> […]    one of them

${Object.entries(measures)
  .map(([name, { usage = '', what }]) => `  ${`${name} ${usage}`.trim()}\n      ${what}`)
  .join('\n')}

Figures are stored in tools/results/. They are valid only for the machine they were measured on.
`;

/** Ends the process with an error and the usage. */
function misused(message: string): never {
  process.stderr.write(`${message}\nnpm run bench -- --help lists the benchmarks and their arguments.\n`);
  process.exit(2);
}

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h') {
  process.stdout.write(help);
  process.exit(0);
}
const chosen =
  name === undefined ? Object.keys(measures).filter((one) => !needsArguments(measures[one]!)) : [name];
mkdirSync(results, { recursive: true });
for (const measure of chosen) {
  const one = measures[measure] ?? misused(`There is no benchmark "${measure}".`);
  if (needsArguments(one) && args.length === 0) misused(`${measure} requires ${one.usage}.`);
  process.stderr.write(`${measure} …\n`);
  const rows = await one.run(args);
  process.stdout.write(`${[...recordLines(rows)].join('\n')}\n`);
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown' };
  writeJson(join(results, `${measure}.json`), { measure, at: new Date().toISOString(), machine, rows });
}
