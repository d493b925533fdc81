/**
 * What it costs that people can be forgotten: the two appends of a recorded ask, written as they are, sealed for somebody who
 * has a key that day and for somebody new, in turns, beside a whole ask of a sample corpus in the same run.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { eventSchemas } from '../src/domain/events.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import type { EventLog } from '../src/ports/event-log.ts';
import { openLogAt } from '../src/workers/main-log.ts';
import { onPath, startEventStore, startRedis } from '../test/support/own-server.ts';
import { percentile, withFolder } from './speed.ts';

const rounds = 300;
const question = 'На какой срок избирается Президент, и кто его избирает?';

const event = (subject: string, query: string) => ({
  id: uuidv7(),
  type: 'QuestionAsked' as const,
  version: eventSchemas.QuestionAsked.version,
  time: new Date().toISOString(),
  actor: 'public',
  correlation_id: 'c',
  causation_id: null,
  data: {
    ...{ request_id: 'r', corpus_id: 'c', channel: 'http' as const, style: null, key_id: null, subject },
    ...{ asked_at: 't', query, history: [], deadline: 't', body_hash: null },
  },
});

/** A question, and what is as long as its answer, in ms. */
async function record(log: EventLog, subject: string): Promise<number> {
  const stream = `ask-${uuidv7()}`;
  const started = performance.now();
  await log.append(stream, -1, [event(subject, question)]);
  await log.append(stream, 0, [event(subject, question.repeat(20))]);
  return performance.now() - started;
}

async function over(wiring: string, folder: string, servers: { log: string; redis: string } | null) {
  const place = servers?.log ?? join(folder, 'sealed');
  const plain = await openLogAt(servers?.log ?? join(folder, 'plain'), 'plain', null);
  const sealed = await openLogAt(place, 'sealed', { redisUrl: servers?.redis ?? null });
  const times: Record<'plain' | 'known' | 'new', number[]> = { plain: [], known: [], new: [] };
  try {
    for (let round = -20; round < rounds; round++) {
      const taken = {
        plain: await record(plain.log, 's'),
        known: await record(sealed.log, 's'),
        new: await record(sealed.log, `s ${round}`),
      };
      if (round < 0) continue;
      for (const kind of ['plain', 'known', 'new'] as const) times[kind].push(taken[kind]);
    }
  } finally {
    await sealed.close();
    await plain.close();
  }
  const app = await openApp({
    ...readConfig({}, '/dev/null'),
    DOCENT_DATA: join(folder, 'asks'),
    DOCENT_NAMESPACE: 'asks',
    EVENTSTOREDB_URL: servers?.log ?? null,
    REDIS_URL: servers?.redis ?? null,
  });
  const asks: number[] = [];
  try {
    const path = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
    const ingest = { path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' };
    await app.ingest(ingest);
    await app.caughtUp();
    const caller = { actor: 'public', key_id: null, subject: 's' };
    for (let round = -20; round < rounds; round++) {
      const started = performance.now();
      // Never twice the same text, so that no cache could answer it.
      const query = `${question} ${round}`;
      const input = { query, corpus_id: 'krk_2026', channel: 'http' as const, caller };
      for await (const part of app.ask(input, new AbortController().signal))
        if (part.type === 'error') throw new Error(part.detail);
      if (round >= 0) asks.push(performance.now() - started);
    }
  } finally {
    await app.close();
  }
  const [bare, known, fresh, ask] = [times.plain, times.known, times.new, asks].map((all) =>
    percentile(all, 0.5),
  ) as [number, number, number, number];
  // The asks were those of somebody who has a key.
  const unsealed = ask - (known - bare);
  return {
    wiring,
    two_appends_ms: bare,
    sealed_ms: known,
    sealed_new_asker_ms: fresh,
    ask_ms: ask,
    ask_to_unsealed: ask / unsealed,
    new_asker_to_unsealed: (unsealed + fresh - bare) / unsealed,
  };
}

export async function forgetting(): Promise<Record<string, number | string>[]> {
  const rows = [await withFolder((folder) => over('embedded', folder, null))];
  if (!onPath('eventstored') || !onPath('redis-server')) return rows;
  const [log, redis] = await Promise.all([
    startEventStore(),
    startRedis(['--appendonly', 'yes', '--appendfsync', 'always']),
  ]);
  try {
    rows.push(await withFolder((folder) => over('servers', folder, { log: log.url, redis: redis.url })));
  } finally {
    await Promise.all([log.stop(), redis.stop()]);
  }
  return rows;
}
