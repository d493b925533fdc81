/**
 * `npm run bench`: what the service is measured by, each figure beside a bare measure of the same run, printed as
 * tables and kept in tools/results/. Absolute figures hold for the machine they were taken on; nothing is asserted.
 * `npm run bench -- --help` lists the measures and their arguments.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

type Row = Record<string, unknown>;
interface Measure {
  /** What is measured, for the help. */
  what: string;
  /** What it takes behind its name; a measure whose usage begins with `<` is not run without. */
  usage?: string;
  run(args: readonly string[]): Promise<Row[]>;
}

const measures: Record<string, Measure> = {
  replay: {
    what: 'how fast 100,000 events pass through all projections, and up to a past moment',
    run: async () => [await (await import('./replay.ts')).replay(100_000)],
  },
  appends: {
    what: 'events appended a second, beside a bare loop over SQLite',
    run: async () => (await import('./asks.ts')).appends(),
  },
  asks: {
    what: 'recorded asks a second, over the samples and over 50,000 chunks',
    run: async () => {
      const { asksOnSamples, asksOnChunks } = await import('./asks.ts');
      return [await asksOnSamples(), await asksOnChunks(50_000)];
    },
  },
  'source-refs': {
    what: 'how soon sources are found among 1,000, 50,000 and 100,000 chunks',
    run: async () => {
      const { sourceRefs } = await import('./speed.ts');
      return [await sourceRefs(1_000), await sourceRefs(50_000), await sourceRefs(100_000)];
    },
  },
  start: {
    what: 'how soon the service answers after its start, with 50,000 chunks',
    run: async () => [await (await import('./speed.ts')).start(50_000)],
  },
  ingest: {
    usage: '[folder or file…]',
    what: 'how long `docent ingest` takes until all can be found; without arguments over made documents',
    run: async (paths) => (await import('./ingest.ts')).ingestSpeed(paths),
  },
  http: {
    what: 'what the door costs beside a bare Fastify route, and /health beside 200 open streams',
    run: async () => (await import('./http.ts')).http(),
  },
  hostile: {
    usage: '[--chunks <number>] [--kind <name,…>] [--seconds <number>]',
    what: 'what a hundred hostile clients, each kind alone and all together, leave to honest ones',
    run: async (args) => (await import('./hostile.ts')).hostile(args),
  },
  memory: {
    usage: '[--asks <number>] [--rate <number>]',
    what: 'what 50,000 asks leave in memory',
    run: async (args) => (await import('./hostile.ts')).memory(args),
  },
  'redis-retrieval': {
    what: 'retrieval from 50,000 chunks in Redis, beside FT.SEARCH of the same words',
    run: async () => (await import('./redis.ts')).redisRetrieval(50_000),
  },
  cohere: {
    what: 'what the service adds to a model that writes, over HTTP',
    run: async () => (await import('./cohere.ts')).cohere(),
  },
  model: {
    usage: '<folder>',
    what: 'what becomes of recorded answers of a model (answers.jsonl, false-sentences.jsonl, docs) on their way',
    run: async ([folder]) => (await import('./model.ts')).model(folder!),
  },
  sealing: {
    what: 'events a second through the offline verification, and sealing',
    run: async () => (await import('./sealing.ts')).sealing(),
  },
  forgetting: {
    what: 'what sealing what people say adds to a recorded ask',
    run: async () => (await import('./forgetting.ts')).forgetting(),
  },
  chats: {
    what: 'how soon fifty chats at once see a sign, a text and the whole answer',
    run: async () => (await import('./chats.ts')).chatsAtOnce(),
  },
  graph: {
    what: 'how long names take to extract, and how soon the knowledge graph answers',
    run: async () => (await import('./graph.ts')).graph(),
  },
  'redis-quality': {
    usage: '<folder…>',
    what: 'whether evaluation sets are ranked over the servers as they are over files',
    run: async (folders) => (await import('./redis-quality.ts')).redisQuality(folders),
  },
  quality: {
    usage: '<folder…> [--out <folder>]',
    what: 'ranking, answers and abstention over evaluation sets (corpus.jsonl, queries.jsonl, qrels.tsv)',
    run: async (args) => {
      const at = args.indexOf('--out');
      const folders = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
      return (await import('./application.ts')).quality(folders, at < 0 ? null : (args[at + 1] ?? null));
    },
  },
  vectors: {
    usage: '<folder…>',
    what: 'what vectors of several qualities do to the ranking of words',
    run: async (folders) => (await import('./vectors.ts')).vectors(folders),
  },
  fit: {
    usage:
      '<folder…> [--questions <file,…>] [--held <file,…>] <corpus=folder…> [--data <folder>] [--out <file>]',
    what: 'learns the weights of sentences and of evidence',
    run: async (args) => {
      const given = (option: string) => {
        const at = args.indexOf(option);
        return at < 0 ? null : (args[at + 1] ?? null);
      };
      const options = ['--questions', '--held', '--data', '--out'];
      const plain = args.filter((one, n) => !options.includes(one) && !options.includes(args[n - 1] ?? ''));
      const named = plain.filter((one) => one.includes('=')).map((one) => one.split('=') as [string, string]);
      const { provenance } = await (await import('./fit.ts')).fit({
        folders: plain.filter((one) => !one.includes('=')),
        questions: given('--questions')?.split(',') ?? [],
        held: given('--held')?.split(',') ?? [],
        corpora: new Map(named),
        data: given('--data'),
        out: given('--out'),
      });
      return Object.entries(provenance.held).map(([set, held]) => ({ set, ...held }));
    },
  },
};
const needsArguments = ({ usage }: Measure) => usage?.startsWith('<') === true;

const help = `npm run bench                       all measures that need no arguments
npm run bench -- <measure> […]      one of them

${Object.entries(measures)
  .map(([name, { usage = '', what }]) => `  ${`${name} ${usage}`.trim()}\n      ${what}`)
  .join('\n')}

The tables are kept in tools/results/. Figures hold for the machine they were taken on.
`;

/** Ends the process with what is wrong and how it is meant. */
function misused(message: string): never {
  process.stderr.write(`${message}\nnpm run bench -- --help lists the measures and their arguments.\n`);
  process.exit(2);
}

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h') {
  process.stdout.write(help);
  process.exit(0);
}
const chosen =
  name === undefined
    ? Object.entries(measures).filter(([, one]) => !needsArguments(one))
    : [[name, find(name)] as const];

function find(wanted: string): Measure {
  return measures[wanted] ?? misused(`There is no measure "${wanted}".`);
}
const results = join(import.meta.dirname, 'results');
for (const [measure, one] of chosen) {
  if (needsArguments(one) && args.length === 0) misused(`${measure} needs ${one.usage}.`);
  process.stderr.write(`${measure} …\n`);
  const rows = (await one.run(args)).map(rounded);
  console.table(rows);
  mkdirSync(results, { recursive: true });
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown' };
  writeFileSync(
    join(results, `${measure}.json`),
    `${JSON.stringify({ measure, at: new Date().toISOString(), machine, rows }, null, 2)}\n`,
  );
}

/** Four significant digits are more than any run repeats. */
function rounded(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([k, v]) => [
      k,
      typeof v === 'number' && !Number.isInteger(v) ? Number(v.toPrecision(4)) : v,
    ]),
  );
}
