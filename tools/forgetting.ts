/**
 * What it costs that people can be forgotten: the same ask of a sample corpus, recorded as it is and recorded sealed, by
 * somebody who has a key that day and by somebody new, in turns in one run. Nothing but the history they are recorded in
 * is different.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAsk } from '../src/answering/ask.ts';
import type { Ask } from '../src/answering/ask-port.ts';
import { openApp } from '../src/app.ts';
import { SourceLinks } from '../src/asks/source-links.ts';
import { readConfig } from '../src/config.ts';
import { uuidv7 } from '../src/domain/ids.ts';
import { Commands } from '../src/event-sourcing/commands.ts';
import type { EventLog } from '../src/ports/event-log.ts';
import { adapterConfig } from '../src/workers/adapter-config.ts';
import { openLogAt } from '../src/workers/main-log.ts';
import { openStores, type Stores } from '../src/workers/stores.ts';
import { onPath, startEventStore, startRedis } from '../test/support/own-server.ts';
import { percentile, withFolder } from './speed.ts';

const rounds = 200;
const warmUp = 20;
const namespace = 'asks';
const corpus_id = 'krk_2026';
const question = 'На какой срок избирается Президент, и кто его избирает?';
const never = new AbortController().signal;
const clock = { now: () => new Date() };

interface Servers {
  log: string;
  redis: string;
}

/** A corpus to ask of. */
async function takeIn(folder: string, servers: Servers | null): Promise<void> {
  const app = await openApp({
    ...readConfig({}, '/dev/null'),
    DOCENT_DATA: folder,
    DOCENT_NAMESPACE: namespace,
    EVENTSTOREDB_URL: servers?.log ?? null,
    REDIS_URL: servers?.redis ?? null,
  });
  try {
    const path = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
    await app.ingest({ path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' });
    await app.caughtUp();
  } finally {
    await app.close();
  }
}

/** The ask core over these read models, which records in another history. No answer is kept for others. */
async function asking({ log: catalogLog, reads }: Stores, log: EventLog): Promise<Ask['ask']> {
  const { corpora } = await new Commands(catalogLog, clock).catalog.load();
  return createAsk({
    clock,
    pages: new SourceLinks({ publicUrl: null, secret: null, clock }),
    newId: () => uuidv7(),
    corpus: (id) => corpora.get(id) ?? null,
    wording: (scope, text) => reads.wording(scope, text),
    retrieve: (request, signal) => reads.retrieve(request, signal),
    commands: new Commands(log, clock),
  }).ask;
}

/** In ms. */
async function timed(ask: Ask['ask'], subject: string): Promise<number> {
  const started = performance.now();
  const caller = { actor: 'public', key_id: null, subject };
  for await (const part of ask({ query: question, corpus_id, channel: 'http', caller }, never))
    if (part.type === 'error') throw new Error(part.detail);
  return performance.now() - started;
}

async function over(wiring: string, folder: string, servers: Servers | null) {
  const data = join(folder, 'asks');
  await takeIn(data, servers);
  const eventstoreUrl = servers?.log ?? null;
  const redisUrl = servers?.redis ?? null;
  const stores = await openStores(adapterConfig({ folder: data, namespace, eventstoreUrl, redisUrl }));
  const plain = await openLogAt(servers?.log ?? join(folder, 'plain'), 'plain', null);
  const sealed = await openLogAt(servers?.log ?? join(folder, 'sealed'), 'sealed', { redisUrl });
  const kinds = ['unsealed', 'known', 'new'] as const;
  const times: Record<(typeof kinds)[number], number[]> = { unsealed: [], known: [], new: [] };
  try {
    const asks = {
      unsealed: await asking(stores, plain.log),
      known: await asking(stores, sealed.log),
      new: await asking(stores, sealed.log),
    };
    // One for each round: keys are kept in memory for a moment, and people ask less often than that.
    const day = clock.now().toISOString().slice(0, 10);
    for (let round = -warmUp; round < rounds; round++)
      await sealed.keys!.take([{ subject: `known ${round}`, day }]);
    for (let round = -warmUp; round < rounds; round++) {
      // Whoever comes first in a round is another each time.
      for (let n = 0; n < kinds.length; n++) {
        const kind = kinds[(n + round + warmUp) % kinds.length]!;
        const ms = await timed(asks[kind], `${kind} ${round}`);
        if (round >= 0) times[kind].push(ms);
      }
    }
  } finally {
    await sealed.close();
    await plain.close();
    await stores.close();
  }
  const unsealed_ms = percentile(times.unsealed, 0.5);
  /** The median of what it takes longer than the unsealed ask of its round. */
  const more = (kind: 'known' | 'new') =>
    percentile(
      times[kind].map((ms, n) => ms - times.unsealed[n]!),
      0.5,
    );
  return {
    wiring,
    unsealed_ms,
    known_asker_ms: percentile(times.known, 0.5),
    new_asker_ms: percentile(times.new, 0.5),
    known_to_unsealed: 1 + more('known') / unsealed_ms,
    new_to_unsealed: 1 + more('new') / unsealed_ms,
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
