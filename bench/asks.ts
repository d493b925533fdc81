/** Recorded asks: how many a second with 64 in flight, and how many appends beside a bare SQLite batch loop. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { openApp } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { eventSchemas } from '../src/domain/events.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import { openEmbedded } from '../src/threads/embedded.ts';
import { makeLibrary } from './library.ts';
import { percentile, withFolder } from './speed.ts';

const inFlight = 64;
const seconds = 10;

const configFor = (folder: string): Config => ({ ...readConfig({}, '/dev/null'), DOCENT_DATA: folder });

const sampleQuestions = [
  'На какой срок избирается Президент?', 'Сколько депутатов в Парламенте?', 'статья 23', 'Кто назначает премьер-министра?', 'Мемлекеттік тіл қандай?',
  'Президент қанша жылға сайланады?', 'How long is the term of the President?', 'Article 42', 'Who appoints judges?', 'Можно ли лишить гражданства?',
  'Имеют ли граждане право на мирные собрания?', 'What is the capital of the republic?', 'пункт 2 статьи 42', 'Салықты кім төлейді?', 'Как изменить Конституцию?',
];

/** Asks a second through the use case, 64 in flight, for ten seconds. */
async function asksPerSecond(folder: string, corpus_id: string, questions: readonly string[]) {
  const app = await openApp(configFor(folder));
  const caller = { actor: 'public', key_id: null, subject: null };
  const times: number[] = [];
  const one = async (query: string) => {
    const start = performance.now();
    for await (const part of app.ask({ query, corpus_id, channel: 'http', caller }, new AbortController().signal)) {
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
        while (performance.now() - start < seconds * 1000) await one(`${questions[next++ % questions.length]} ${next}`);
      }),
    );
    const elapsedS = (performance.now() - start) / 1000;
    const delay = await eventLoopDelay(app, corpus_id, questions);
    return { asks_per_s: Math.round(times.length / elapsedS), p50_ms: percentile(times, 0.5), p99_ms: percentile(times, 0.99), ...delay };
  } finally {
    await app.close();
  }
}

/** The longest time one turn of the event loop took while questions come one after the other. */
async function eventLoopDelay(app: Awaited<ReturnType<typeof openApp>>, corpus_id: string, questions: readonly string[]) {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  for (const query of questions.slice(0, 60)) {
    for await (const _ of app.ask({ query, corpus_id, channel: 'http', caller: { actor: 'public', key_id: null, subject: null } }, new AbortController().signal));
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

/** Appends of one event each, 64 in flight, against transactions of 64 rows in a bare loop over the same table. */
export async function appends() {
  return withFolder(async (folder) => {
    const data = JSON.stringify({ query: 'вопрос '.repeat(60) });
    const rowsS = 5;
    const stores = await openEmbedded({ folder });
    const started = performance.now();
    let appended = 0;
    const event = () => ({ id: uuidv7(), type: 'QuestionAsked' as const, version: eventSchemas.QuestionAsked.version, time: new Date().toISOString(), actor: 'public', correlation_id: 'c', causation_id: null, data: JSON.parse(data) });
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (performance.now() - started < rowsS * 1000) {
          await stores.log.append(`ask-${uuidv7()}`, -1, [event()]);
          appended++;
        }
      }),
    );
    const perS = appended / ((performance.now() - started) / 1000);
    await stores.close();

    const db = new DatabaseSync(join(folder, 'bare.sqlite'));
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT, revision INTEGER, id TEXT, type TEXT, version INTEGER, time TEXT, actor TEXT, correlation_id TEXT, causation_id TEXT, data TEXT) STRICT; CREATE UNIQUE INDEX events_by_stream ON events (stream, revision)');
    const insert = db.prepare('INSERT INTO events (stream, revision, id, type, version, time, actor, correlation_id, causation_id, data) VALUES (?,?,?,?,?,?,?,?,?,?)');
    const bareStart = performance.now();
    let bare = 0;
    while (performance.now() - bareStart < rowsS * 1000) {
      db.exec('BEGIN IMMEDIATE');
      for (let i = 0; i < inFlight; i++) {
        const e = event();
        insert.run(`ask-${uuidv7()}`, 0, e.id, e.type, e.version, e.time, e.actor, e.correlation_id, e.causation_id, JSON.stringify(e.data));
      }
      db.exec('COMMIT');
      bare += inFlight;
    }
    const barePerS = bare / ((performance.now() - bareStart) / 1000);
    db.close();
    return { appends_per_s: Math.round(perS), bare_per_s: Math.round(barePerS), ratio: perS / barePerS };
  });
}
