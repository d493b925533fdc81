/**
 * `npm run bench -- vectors <folder…>`: what vectors do to the ranking of words, by how good they are. There being no
 * real embeddings here, they are made: half of a document's vector is of its words, so that vectors and words err
 * alike, half is its own by chance; a question's leans to the own halves of the documents that answer it by so much as
 * `leanings` says, beside its words and noise. "vectors" is how well they rank alone, "words" how well the service ranks
 * without them, "both" what it makes of the two. The service gets them over HTTP, from a double of Cohere's API.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import type { Config } from '../src/config.ts';
import { CohereDouble, madeVector } from '../test/support/cohere-double.ts';
import { configFor } from './asks.ts';
import { type Dataset, readDataset } from './dataset.ts';
import { type Run, retrievalMetrics } from './evaluation/retrieval-metrics.ts';
import { withFolder } from './speed.ts';

const corpus_id = 'bench';
const dimension = 256;
const depth = 100;
/** How much of a question's vector points to what answers it, of a length of about one and a half. */
const leanings = [0, 0.2, 0.3, 0.4, 0.6];
/** Questions with a judgement that are asked of each set. */
const questionsMax = 150;
/** Beginning of a document's text that its first chunk is known by, in UTF-16 units. */
const beginning = 60;

export async function vectors(folders: readonly string[]): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const name of folders) {
    const set = readDataset(name);
    set.queries = set.queries.filter(({ id }) => set.judgements.has(id)).slice(0, questionsMax);
    rows.push(...(await withFolder((folder) => measured(set, folder))));
  }
  return rows;
}

async function measured(set: Dataset, folder: string): Promise<Record<string, unknown>[]> {
  const double = await CohereDouble.start();
  const config: Config = {
    ...configFor(join(folder, 'data')),
    COHERE_API_KEY: 'key',
    COHERE_BASE_URL: double.url,
    COHERE_CHAT_MODEL: null,
    COHERE_RERANK_MODEL: null,
    COHERE_EMBED_DIMENSION: dimension,
    MODEL_EMBED_MS: 60_000,
  };
  const idOf = new Map(set.documents.map(({ id, text }) => [text.trim().slice(0, beginning), id]));
  const documents = new Map(set.documents.map(({ id, text }) => [id, documentVector(id, text)]));
  const queries = new Map(set.queries.map((query) => [query.text, query]));
  let leans = 0;
  const vectorOf = (text: string): number[] => {
    const query = queries.get(text);
    if (query) return questionVector(query, set, leans);
    const body = text.slice(text.indexOf('\n') + 1).trim();
    const id = idOf.get(body.slice(0, beginning)) ?? idOf.get(text.trim().slice(0, beginning));
    return id === undefined ? documentVector(text, text) : documents.get(id)!;
  };
  double.embed = ({ texts }) => ({
    body: {
      id: 'e',
      embeddings: { float: texts.map(vectorOf) },
      meta: { billed_units: { input_tokens: 1 } },
    },
  });
  const file = join(folder, 'documents.jsonl');
  writeFileSync(file, set.documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
  try {
    await withApp(config, (app) =>
      app.ingest({ path: file, corpus_id, layer: null, prune: false, yes: false, actor: 'system' }),
    );
    const words = await withApp({ ...config, COHERE_EMBED_MODEL: null }, (app) => runOf(app, set));
    const rows: Record<string, unknown>[] = [];
    for (leans of leanings) {
      const both = await withApp(config, (app) => runOf(app, set));
      const alone: Run = new Map(
        set.queries.map((query) => {
          const asked = questionVector(query, set, leans);
          return [query.id, new Map([...documents].map(([id, vector]) => [id, dot(asked, vector)]))];
        }),
      );
      const [v, w, b] = [alone, words, both].map((run) => retrievalMetrics(set.judgements, run));
      rows.push({
        ...{ set: set.name, questions: set.queries.length, lean: leans },
        ...{ vectors_ndcg: v!['nDCG@10'], words_ndcg: w!['nDCG@10'], both_ndcg: b!['nDCG@10'] },
        ...{ words_recall20: w!['Recall@20'], both_recall20: b!['Recall@20'] },
      });
    }
    return rows;
  } finally {
    await double.stop();
  }
}

async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(config);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function runOf(app: App, set: Dataset): Promise<Run> {
  await app.caughtUp();
  const caller = { actor: 'public', key_id: null, subject: null };
  const never = new AbortController().signal;
  const run: Run = new Map();
  for (const { id, text } of set.queries) {
    const { sources } = await app.sourceRefs({ query: text, corpus_id, limit: depth, caller }, never);
    const keys = [...new Set(sources.map(({ doc_key }) => doc_key))];
    run.set(id, new Map(keys.map((key, n) => [key, keys.length - n])));
  }
  return run;
}

const documentVector = (id: string, text: string): number[] =>
  unit(sum([madeVector(text, dimension), own(`document ${id}`)]));

function questionVector({ id, text }: { id: string; text: string }, set: Dataset, leans: number): number[] {
  const answers = [...(set.judgements.get(id) ?? [])].flatMap(([one, grade]) => (grade > 0 ? [one] : []));
  const towards = unit(sum(answers.map((one) => own(`document ${one}`))));
  return unit(
    sum([madeVector(text, dimension), own(`question ${id}`), towards.map((value) => value * leans)]),
  );
}

/** A direction of a text's own, of unit length, the same in every run. */
function own(text: string): number[] {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 16777619) >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 4294967297;
  };
  return unit(
    Array.from(
      { length: dimension },
      () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    ),
  );
}

const sum = (vectors: readonly number[][]): number[] =>
  Array.from({ length: dimension }, (_, n) => vectors.reduce((total, vector) => total + vector[n]!, 0));

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((total, value, n) => total + value * b[n]!, 0);
