/** The lexicon over every wiring of the stores: it follows the documents, and the wiring must not show. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import type { LearnedRecord, TwinsRecord, WordsRecord } from '../../src/ports/lexicon.ts';
import type { ReadSide } from '../../src/stores/read-side.ts';
import { adapterConfig } from '../../src/workers/adapter-config.ts';
import { openReadSide } from '../../src/workers/open-read-models.ts';
import { testNamespace, withRedis } from '../support/servers.ts';
import { discrepancies, type Servers, storyConfig } from './story.ts';

const sample = (name: string) => join(import.meta.dirname, '..', '..', 'samples', 'krk_2026', 'old', name);
/** An act in two languages, and a text that only has the same form. */
const files = {
  'a.html': sample('constitution-1994-ru.html'),
  'b.txt': sample('constitution-1994-en.txt'),
};
const manifest = (visibility: string) =>
  `id: acts\ntitle: Acts\nlanguages: [ru, en]\nlayers:\n  - {name: main, title: Main, visibility: ${visibility}}\n`;

type Step = { put?: (keyof typeof files)[]; remove?: (keyof typeof files)[]; visibility?: string };

/** A folder to take documents in from, and the service over it. */
function opening(servers: Partial<Servers>) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-lexicon-'));
  const library = join(folder, 'library');
  mkdirSync(library);
  const config = storyConfig(folder, servers);
  const { readModels } = adapterConfig({
    folder: config.DOCENT_DATA,
    redisUrl: servers.REDIS_URL ?? null,
    namespace: servers.DOCENT_NAMESPACE ?? 'docent',
  });
  return {
    open: () => openApp(config, { asksSoon: false }),
    take(app: App, { put = [], remove = [], visibility = 'public' }: Step) {
      writeFileSync(join(library, 'corpus.yaml'), manifest(visibility));
      for (const name of put) copyFileSync(files[name], join(library, name));
      for (const name of remove) rmSync(join(library, name));
      return app.ingest({
        ...{ path: library, corpus_id: null, layer: null },
        ...{ prune: true, yes: true, actor: 'system' },
      });
    },
    async shown() {
      const reads = await openReadSide(readModels);
      try {
        return await lexiconIn(reads);
      } finally {
        await reads.close();
      }
    },
    end: () => rmSync(folder, { recursive: true }),
  };
}

/** What is learned after each step; documents by their keys. */
async function learned(servers: Partial<Servers>, steps: readonly Step[]): Promise<unknown[]> {
  const service = opening(servers);
  const seen: unknown[] = [];
  try {
    const app = await service.open();
    try {
      for (const step of steps) {
        await service.take(app, step);
        await app.caughtUp();
        await app.learned();
        seen.push(await service.shown());
      }
      expect(await discrepancies(app)).toEqual({});
    } finally {
      await app.close();
    }
  } finally {
    service.end();
  }
  return seen;
}

async function lexiconIn(reads: ReadSide) {
  const all = async <T>(collection: string) =>
    (await reads.find(collection, { limit: 100 })).items as unknown as T[];
  const documents = await all<{ doc_id: number; doc_key: string }>('documents');
  const keyOf = (id: number) => documents.find(({ doc_id }) => doc_id === id)!.doc_key;
  const [twins, words, [corpus]] = await Promise.all([
    all<TwinsRecord>('lexicon_twins'),
    all<WordsRecord>('lexicon_words'),
    all<LearnedRecord>('lexicon_learned'),
  ]);
  return {
    words: words.sort((a, b) => (a.links[0]![0] < b.links[0]![0] ? -1 : 1)),
    twins: twins
      .map((one) => [keyOf(one.doc_id), one.twins.map(({ doc_id, at }) => [keyOf(doc_id), at])])
      .sort(),
    kept: corpus?.words.length,
  };
}

const both: Step = { put: ['a.html', 'b.txt'] };
const nothing = { words: [], twins: [], kept: 0 };
let reference: unknown;
beforeAll(async () => {
  [reference] = await learned({}, [both]);
});

it('holds the words and twins of an act in two languages', () => {
  const { words, twins } = reference as { words: WordsRecord[]; twins: [string, [string, number[]][]][] };
  const links = words.flatMap((one) => one.links);
  expect(links.find(([en, ru]) => en === 'judg' && ru === 'судья')?.[2]).toBeGreaterThan(3);
  expect(twins.flatMap(([key, own]) => own.map(([other, at]) => [key, other, at.slice(0, 4)]))).toEqual([
    ['a', 'b', [-1, 1, 2, 3]],
    ['b', 'a', [-1, 1, 2, 3]],
  ]);
});

it('is the same whatever the order of ingestion', async () => {
  const steps: Step[] = [{ put: ['b.txt'] }, { put: ['a.html'] }];
  expect(await learned({}, steps)).toEqual([nothing, reference]);
});

it('is learned by the next process where one ended before it had', async () => {
  const service = opening({});
  try {
    const first = await service.open();
    await service.take(first, both);
    await first.close();
    const next = await service.open();
    await next.learned();
    await next.close();
    expect(await service.shown()).toEqual(reference);
  } finally {
    service.end();
  }
});

it('forgets what a withdrawn document taught, and what a restricted layer teaches', async () => {
  const steps: Step[] = [both, { remove: ['b.txt'] }, { put: ['b.txt'] }, { visibility: 'restricted' }];
  expect(await learned({}, steps)).toEqual([reference, nothing, reference, nothing]);
});

withRedis('the lexicon in Redis', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  it('is the same, and follows the documents alike', async () => {
    const servers = { REDIS_URL: server.url, DOCENT_NAMESPACE: testNamespace() };
    expect(await learned(servers, [both, { remove: ['b.txt'] }])).toEqual([reference, nothing]);
  });
});
