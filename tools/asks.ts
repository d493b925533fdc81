/** Recorded asks: how many a second with 64 in flight, and how many appends beside a bare SQLite batch loop. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { eventSchemas } from '../src/domain/events.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import { EmbeddedLog } from '../src/stores/embedded/log.ts';
import { logSchema } from '../src/stores/embedded/log-store.ts';
import { threadLog } from '../src/workers/open-log.ts';
import { Thread } from '../src/workers/rpc.ts';
import { makeLibrary } from './library.ts';
import { percentile, withFolder } from './speed.ts';

const inFlight = 64;
const seconds = 10;

export const configFor = (folder: string): Config => ({
  ...readConfig({}, '/dev/null'),
  DOCENT_DATA: folder,
});

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

/** Asks a second through the use case, 64 in flight, for ten seconds. */
async function asksPerSecond(folder: string, corpus_id: string, questions: readonly string[]) {
  const app = await openApp(configFor(folder));
  const caller = { actor: 'public', key_id: null, subject: null };
  const times: number[] = [];
  const one = async (query: string) => {
    const start = performance.now();
    for await (const part of app.ask(
      { query, corpus_id, channel: 'http', caller },
      new AbortController().signal,
    )) {
      if (part.type === 'error') throw new Error(part.detail);
    }
    times.push(performance.now() - start);
  };
  try {
    for (const question of questions.slice(0, 30)) await one(question);
    times.length = 0;
    const start = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        // The question is never twice the same text, so that no cache could answer it.
        while (performance.now() - start < seconds * 1000)
          await one(`${questions[next++ % questions.length]} ${next}`);
      }),
    );
    const elapsedS = (performance.now() - start) / 1000;
    const delay = await eventLoopDelay(app, corpus_id, questions);
    return {
      asks_per_s: Math.round(times.length / elapsedS),
      p50_ms: percentile(times, 0.5),
      p99_ms: percentile(times, 0.99),
      ...delay,
    };
  } finally {
    await app.close();
  }
}

/** The longest time one turn of the event loop took while questions come one after the other. */
async function eventLoopDelay(
  app: Awaited<ReturnType<typeof openApp>>,
  corpus_id: string,
  questions: readonly string[],
) {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  for (const query of questions.slice(0, 60)) {
    for await (const _ of app.ask(
      {
        query: `${query} 0`,
        corpus_id,
        channel: 'http',
        caller: { actor: 'public', key_id: null, subject: null },
      },
      new AbortController().signal,
    ));
  }
  clearInterval(timer);
  return { event_loop_max_ms: longest };
}

export async function asksOnSamples() {
  return withFolder(async (folder) => {
    const app = await openApp(configFor(folder));
    for (const corpus of ['krk_2026', 'reestr_texts']) {
      const path = fileURLToPath(new URL(`../samples/${corpus}`, import.meta.url));
      await app.ingest({ path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' });
    }
    await app.close();
    return { library: 'samples', ...(await asksPerSecond(folder, 'krk_2026', sampleQuestions)) };
  });
}

export async function asksOnChunks(chunks: number) {
  return withFolder(async (folder) => {
    const { corpus_id, questions } = await makeLibrary(folder, chunks);
    return { library: `${chunks} chunks`, ...(await asksPerSecond(folder, corpus_id, questions)) };
  });
}

/** Appends through the port, in flight together, against transactions of 64 rows in a bare loop over the same table. */
export async function appends() {
  const rows = [];
  for (const [events, together] of [
    [64, 4],
    [1, 64],
    [1, 256],
  ] as const) {
    rows.push(await withFolder((folder) => appendsOf(folder, events, together)));
  }
  return rows;
}

const appendMs = 3000;
const bareRows = 64;
const query = 'вопрос '.repeat(60);

const event = () => ({
  id: uuidv7(),
  type: 'QuestionAsked' as const,
  version: eventSchemas.QuestionAsked.version,
  time: new Date().toISOString(),
  actor: 'public',
  correlation_id: 'c',
  causation_id: null,
  data: {
    request_id: 'r',
    corpus_id: 'c',
    channel: 'http' as const,
    style: null,
    key_id: null,
    subject: 's',
    asked_at: 't',
    query,
    history: [],
    deadline: 't',
    body_hash: null,
  },
});

async function appendsOf(folder: string, events: number, together: number) {
  const thread = new Thread(new URL('../src/workers/log-worker.ts', import.meta.url), {
    path: join(folder, 'history.sqlite'),
  });
  const log = new EmbeddedLog(threadLog(thread));
  await log.head();
  const started = performance.now();
  let appended = 0;
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (performance.now() - started < appendMs) {
        await log.append(`ask-${uuidv7()}`, -1, Array.from({ length: events }, event));
        appended += events;
      }
    }),
  );
  const perS = appended / ((performance.now() - started) / 1000);
  await log.close();
  const barePerS = bareAppends(join(folder, 'bare.sqlite'));
  return {
    events_an_append: events,
    in_flight: together,
    events_per_s: Math.round(perS),
    bare_per_s: Math.round(barePerS),
    ratio: perS / barePerS,
  };
}

function bareAppends(path: string): number {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; ${logSchema}`);
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?,?,?,?,?,?)',
  );
  const start = performance.now();
  let rows = 0;
  while (performance.now() - start < appendMs) {
    db.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < bareRows; i++) {
      const { id, type, data, ...metadata } = event();
      insert.run(`ask-${uuidv7()}`, 0, id, type, JSON.stringify(data), JSON.stringify(metadata));
    }
    db.exec('COMMIT');
    rows += bareRows;
  }
  const perS = rows / ((performance.now() - start) / 1000);
  db.close();
  return perS;
}
