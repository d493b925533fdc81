/** Recorded asks per second with 64 in flight, over the samples and over synthetic chunks. */
import { setTimeout as delay } from 'node:timers/promises';
import { openApp } from '../src/app.ts';
import { Failure } from '../src/failures.ts';
import { takeInSamples } from '../test/support/samples.ts';
import { makeLibrary } from './library.ts';
import { configFor, percentile, withFolder } from './speed.ts';

const inFlight = 64;
const seconds = 10;
const warmUp = 30;
/** How long a client waits after the busy service rejects a question, in ms. */
const refusedMs = 1_000;
const never = new AbortController().signal;

const sampleQuestions = [
  'На какой срок избирается Президент?',
  'Сколько депутатов в Парламенте?',
  'статья 23',
  'Кто назначает премьер-министра?',
  'Мемлекеттік тіл қандай?',
  'Президент қанша жылға сайланады?',
  'How long is the term of the President?',
  'Article 42',
  'Who appoints judges?',
  'Можно ли лишить гражданства?',
  'Имеют ли граждане право на мирные собрания?',
  'What is the capital of the republic?',
  'пункт 2 статьи 42',
  'Салықты кім төлейді?',
  'Как изменить Конституцию?',
];

/** `chunks`: the size of the synthetic library. */
export const asks = async (chunks: number): Promise<Record<string, unknown>[]> => [
  await withFolder(async (folder) => {
    const app = await openApp(configFor(folder));
    await takeInSamples(app);
    await app.close();
    return { library: 'samples', ...(await asksPerSecond(folder, 'krk_2026', sampleQuestions)) };
  }),
  await withFolder(async (folder) => {
    const { corpus_id, questions } = await makeLibrary(folder, chunks);
    return { library: `${chunks} chunks`, ...(await asksPerSecond(folder, corpus_id, questions)) };
  }),
];

/** Asks per second through the use case. */
async function asksPerSecond(folder: string, corpus_id: string, questions: readonly string[]) {
  // Opened as a server opens it.
  const app = await openApp(configFor(folder), { manyAsk: true });
  const times: number[] = [];
  let refused = 0;
  /** Each reader is a separate client. */
  const ask = async (query: string, reader: number) => {
    const caller = { actor: 'public', key_id: null, subject: `reader ${reader}` };
    for await (const part of app.ask({ query, corpus_id, channel: 'http', caller }, never))
      if (part.type === 'error') throw new Failure(part.code, part.detail);
  };
  const one = async (query: string, reader: number) => {
    const start = performance.now();
    try {
      await ask(query, reader);
      times.push(performance.now() - start);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'unavailable')) throw error;
      refused++;
      await delay(refusedMs);
    }
  };
  try {
    for (const question of questions.slice(0, warmUp)) await one(question, 0);
    times.length = 0;
    refused = 0;
    const start = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: inFlight }, async (_, reader) => {
        // Every question has a different text, so that no cache can answer it.
        while (performance.now() - start < seconds * 1000)
          await one(`${questions[next++ % questions.length]} ${next}`, reader);
      }),
    );
    return {
      asks_per_s: Math.round((times.length * 1000) / (performance.now() - start)),
      p50_ms: percentile(times, 0.5),
      p99_ms: percentile(times, 0.99),
      refused,
    };
  } finally {
    await app.close();
  }
}
