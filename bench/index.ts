/**
 * `npm run bench`: what the service is measured by, each figure beside a bare measure of the same run, printed as
 * tables and kept in bench/results/. Absolute figures hold for the machine they were taken on; nothing is asserted.
 *
 *   npm run bench                              everything below but what needs folders
 *   npm run bench -- quality <folder…> [--out <folder>]
 *   npm run bench -- vectors <folder…>
 *   npm run bench -- same-question <folder…>
 *   npm run bench -- fit <folder…> [--questions <file,…>] [--held <file,…>] <corpus=folder…> [--data <folder>] [--out <file>] [--keep]
 *   npm run bench -- ingest [folder or file…]
 *   npm run bench -- redis-quality <folder…>
 *   npm run bench -- hostile [--chunks <number>] [--together | --alone] [--seconds <number>] [--servers]
 *   npm run bench -- memory [--asks <number>] [--rate <number>]
 *   npm run bench -- replay | appends | asks | source-refs | start | http | chats | cohere | lexicon | graph | sealing | forgetting | redis-commits | redis-replay | redis-retrieval
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

type Row = Record<string, unknown>;
type Measure = (args: readonly string[]) => Promise<Row[]>;

const measures: Record<string, Measure> = {
  replay: async () => [await (await import('./replay.ts')).replay(100_000)],
  appends: async () => (await import('./asks.ts')).appends(),
  asks: async () => {
    const { asksOnSamples, asksOnChunks } = await import('./asks.ts');
    return [await asksOnSamples(), await asksOnChunks(50_000)];
  },
  'source-refs': async () => {
    const { sourceRefs } = await import('./speed.ts');
    return [await sourceRefs(1_000), await sourceRefs(50_000), await sourceRefs(100_000)];
  },
  start: async () => [await (await import('./speed.ts')).start(50_000)],
  ingest: async (paths) => (await import('./ingest.ts')).ingestSpeed(paths),
  http: async () => (await import('./http.ts')).http(),
  hostile: async (args) => (await import('./hostile.ts')).hostile(args),
  memory: async (args) => (await import('./hostile.ts')).memory(args),
  'redis-commits': async () => [await (await import('./redis.ts')).redisCommits(20_000)],
  'redis-replay': async () => (await import('./redis.ts')).redisReplay(30_000, 10_000),
  'redis-retrieval': async () => (await import('./redis.ts')).redisRetrieval(50_000),
  cohere: async () => (await import('./cohere.ts')).cohere(),
  sealing: async () => (await import('./sealing.ts')).sealing(),
  forgetting: async () => (await import('./forgetting.ts')).forgetting(),
  chats: async () => (await import('./chats.ts')).chatsAtOnce(),
  lexicon: async () => (await import('./lexicon.ts')).lexicon(),
  graph: async () => (await import('./graph.ts')).graph(),
  'redis-quality': async (folders) => {
    if (folders.length === 0) throw new Error('Name at least one folder with an evaluation set.');
    return (await import('./redis-quality.ts')).redisQuality(folders);
  },
  quality: async (args) => {
    const at = args.indexOf('--out');
    const folders = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
    if (folders.length === 0) throw new Error('Name at least one folder with an evaluation set.');
    return (await import('./application.ts')).quality(folders, at < 0 ? null : (args[at + 1] ?? null));
  },
  vectors: async (folders) => {
    if (folders.length === 0) throw new Error('Name at least one folder with an evaluation set.');
    return (await import('./vectors.ts')).vectors(folders);
  },
  fit: async (args) => {
    const given = (option: string) => {
      const at = args.indexOf(option);
      return at < 0 ? null : (args[at + 1] ?? null);
    };
    const options = ['--questions', '--held', '--data', '--out'];
    const plain = args.filter(
      (one, n) => one !== '--keep' && !options.includes(one) && !options.includes(args[n - 1] ?? ''),
    );
    const named = plain.filter((one) => one.includes('=')).map((one) => one.split('=') as [string, string]);
    const { provenance } = await (await import('./fit.ts')).fit({
      folders: plain.filter((one) => !one.includes('=')),
      questions: given('--questions')?.split(',') ?? [],
      held: given('--held')?.split(',') ?? [],
      corpora: new Map(named),
      data: given('--data'),
      out: given('--out'),
      keep: args.includes('--keep'),
    });
    return Object.entries(provenance.held).map(([set, held]) => ({ set, ...held }));
  },
  'same-question': async (folders) => {
    if (folders.length === 0) throw new Error('Name at least one folder with pairs of questions.');
    return (await import('./same-question.ts')).sameQuestions(folders);
  },
};
const needFolders = ['quality', 'vectors', 'same-question', 'redis-quality', 'fit'];

const [name, ...args] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(measures).filter((m) => !needFolders.includes(m)) : [name];
const results = join(import.meta.dirname, 'results');
for (const measure of chosen) {
  const run = measures[measure];
  if (run === undefined) {
    process.stderr.write(
      `There is no measure "${measure}"; there are ${Object.keys(measures).join(', ')}.\n`,
    );
    process.exit(2);
  }
  process.stderr.write(`${measure} …\n`);
  const rows = (await run(args)).map(rounded);
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
