/** The number of reads in an administration request must not grow with the data, because the read queue is limited. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KeyRing } from '../../src/access/keys.ts';
import { createAdministration } from '../../src/admin/administration.ts';
import type { Reads } from '../../src/answering/reads.ts';
import { PublicCorpora } from '../../src/asks/public-corpora.ts';
import { readConfig } from '../../src/config.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { CuratedAnswers } from '../../src/faq/curated-answers.ts';
import { Backfills } from '../../src/ingest/embedding/backfill.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { offlineEmbedder } from '../../src/models/offline.ts';
import type { Query } from '../../src/ports/read-models.ts';
import { newFolder } from '../support/folder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const acting = { name: 'olga', request_id: 'r' };
const cause = { actor: 'admin:olga', correlation_id: 'r' };
const layer = { name: 'main', title: null, kind: 'text' as const, visibility: 'public' as const };
const settings = { title: 'C', description: null, languages: ['en' as const], styles: [], layers: [layer] };
const source = { doc_id: 1, revision: 1, content_hash: 'h', ref: 'a#1' };

/** Read models with `n` records in every collection, and a log of the reads. */
function readsOf(n: number): { reads: Reads; calls: string[] } {
  const calls: string[] = [];
  const record = (collection: string, i: number) => ({
    corpus_id: `c${i}`,
    doc_id: i,
    doc_key: 'one',
    entry_id: i,
    origin: 'curated',
    answer_key: `a${i}`,
    prompt_version: null,
    sources: [{ ...source, doc_id: i }],
    status: 'published',
    layer: 'main',
    ...settings,
    layers: [{ ...layer, visibility: 'restricted' }],
    document_count: 1,
    chunk_count: 1,
    query: `question ${i}`,
    asked_at: '2026-01-01T00:00:00.000Z',
    revision: 1,
    content_hash: 'h',
    counter: `${collection}:${i}`,
  });
  const answers: Omit<Reads, 'retrieve' | 'candidates' | 'holding' | 'understand'> = {
    get: async (collection) => record(collection, 1),
    getMany: async (collection, keys) => keys.map((_, i) => record(collection, i)),
    find: async (collection: string, { limit = 50, offset = 0 }: Query) => ({
      items: Array.from({ length: Math.min(limit, Math.max(0, n - offset)) }, (_, i) =>
        record(collection, offset + i),
      ),
      total: n,
    }),
    chunks: async () => ({ items: [], total: n }),
    coverage: async () => [{ corpus_id: 'c1', chunks: n, embedded: n }],
    embedders: async () => ['e'],
    embeddedByDocument: async () => [{ doc_id: 1, embedded: 1 }],
  };
  const reads = new Proxy(answers as Reads, {
    get: (target, method: keyof Reads) => {
      calls.push(method);
      return target[method];
    },
  });
  return { reads, calls };
}

const unused = (): never => {
  throw new Error('No list needs this.');
};

/** The number of reads that each list makes if every collection has `n` records. */
async function readsByList(n: number): Promise<Record<string, number>> {
  const folder = newFolder('fan-out');
  const log = new EmbeddedLog(directLog(new LogStore(join(folder, 'history'))));
  const clock = new ManualClock();
  const commands = new Commands(log, clock);
  const ids = Array.from({ length: n }, (_, i) => `c${i}`);
  await commands.catalog.execute(
    ids.map((corpus_id) => ({ type: 'RegisterCorpus' as const, corpus_id, settings })),
    cause,
  );
  await commands.catalog.execute(
    ids.map((corpus_id) => ({
      type: 'RegisterDocuments' as const,
      corpus_id,
      documents: [{ doc_key: 'one', root: null }],
    })),
    cause,
  );
  const made = {
    owner_email: null,
    corpus_ids: [],
    rate_limit_rpm: 1,
    rate_limit_rph: 1,
    created_by: 'olga',
  };
  await commands.apiKeys.execute(
    ids.map((name) => ({
      type: 'Create' as const,
      key: { ...made, name, prefix: name, hash: name, created_at: '2026-01-01T00:00:00.000Z' },
    })),
    cause,
  );
  const { reads, calls } = readsOf(n);
  const progress = { waitFor: async () => {}, changes: () => 0 };
  const backfills = new Backfills({
    commands,
    reads,
    embedder: offlineEmbedder,
    clock,
    caughtUp: async () => {},
    onTrouble: () => {},
  });
  const use = createAdministration({
    log,
    commands,
    reads,
    progress,
    clock,
    config: readConfig({}, '/none'),
    embedder: offlineEmbedder,
    generations: { all: async () => [] },
    keys: new KeyRing({ commands, clock }),
    backfills,
    audit: { read: async () => {} },
    proveEvent: unused,
    trial: unused,
    recordTrial: unused,
    checkReady: () => {},
    evaluations: { list: unused, read: unused },
    chats: { place: unused },
    restore: unused,
    inspect: unused,
    ingest: unused,
    forget: unused,
    faq: new CuratedAnswers({ reads, commands, progress, clock, waitForOwnWrites: async () => {} }),
  });
  const page = { limit: 500, offset: 0 };
  const lists: Record<string, () => Promise<unknown>> = {
    stats: () => use.stats(null, acting),
    queries: () => use.queries(page, acting),
    documents: () => use.documents(page),
    apiKeys: () => use.apiKeys(page),
    corpora: () => use.corpora(page),
    embeddings: () => use.embeddingStatus(),
    audit: () => use.auditLog(page),
    unanswered: () => use.unanswered(page, acting),
    publicCorpora: () => new PublicCorpora(reads, progress, 'c1').list(),
    faq: () => use.faqEntries(page, acting),
    backfill: () => use.backfill({ doc_key: 'one', batch_size: 50 }, acting),
  };
  const counted: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) {
    calls.length = 0;
    await list();
    counted[name] = calls.length;
  }
  await log.close();
  return counted;
}

test('each list needs as many reads for three hundred records as for three', async () => {
  const few = await readsByList(3);
  expect(await readsByList(300)).toEqual(few);
  expect(Math.max(...Object.values(few))).toBeLessThanOrEqual(6);
});

test('the public corpus list has one read in flight, regardless of the names of restricted layers', async () => {
  const corpora = Array.from({ length: 300 }, (_, i) => ({
    corpus_id: `c${i}`,
    ...settings,
    layers: [layer, { ...layer, name: `closed ${i}`, visibility: 'restricted' }],
    document_count: 3,
    chunk_count: 30,
    updated_at: '2026-01-01T00:00:00.000Z',
  }));
  let [underWay, most] = [0, 0];
  const find = async (collection: string, { where }: Query) => {
    most = Math.max(most, ++underWay);
    await setImmediate();
    underWay--;
    if (collection === 'corpora') return { items: corpora, total: corpora.length };
    const items = (where!.corpus_id as string[]).map((corpus_id) => ({ corpus_id, chunk_count: 10 }));
    return { items, total: items.length };
  };
  const list = await new PublicCorpora({ find }, { changes: () => 0 }, 'c1').list();
  expect(list.map(({ document_count, chunk_count }) => [document_count, chunk_count])).toEqual(
    corpora.map(() => [2, 20]),
  );
  expect(most).toBe(1);
});
