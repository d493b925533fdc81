/** Model calls during a lookup, the use of their results, and the fallback without them. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { candidatesFor, runRetrieval } from '../../../src/answering/retrieval/retrieve.ts';
import { Retriever } from '../../../src/answering/retrieval/retriever.ts';
import {
  type ModelRetrievalDeps,
  retrieveAsConfigured,
  retrieveWithModels,
} from '../../../src/answering/retrieval/with-models.ts';
import type { Layer } from '../../../src/domain/events.ts';
import { Failure } from '../../../src/failures.ts';
import type { ChunkSearch } from '../../../src/ports/chunk-search.ts';
import { type Embedder, noUsage, type Reranker } from '../../../src/ports/models.ts';
import type { Hit, RetrievalRequest, RetrievalResult, Retrieved } from '../../../src/reading/passages.ts';
import { openChunkSearch } from '../../../src/search/sqlite/chunk-search.ts';
import { ChunkWriter, createChunkTables } from '../../../src/search/sqlite/chunks.ts';
import { putDocument } from '../../reading/documents.ts';

const still = () => new AbortController().signal;
const away = new Failure('timeout', 'It took too long.');
const request: RetrievalRequest = {
  corpus_id: 'c',
  layers: ['main'],
  question: 'what?',
  lang: null,
  references: [],
  limit: 5,
};

/** A passage found by words; only its id, text and scores matter. */
const hit = (id: number, text: string, score: number) =>
  ({
    id,
    text,
    score,
    bm25: score,
    facts: { title: '', event_date: null, metadata: {} },
    chunk: { path: [], heading: '', question: null, number: null },
  }) as unknown as Hit;
const seven = hit(7, 'seven', 1);
const nine = hit(9, 'nine', 0.5);
const ten = hit(10, 'ten', 0.8);

function retrieving({ fails = [] }: { fails?: readonly ('embed' | 'rerank')[] } = {}) {
  const calls: string[] = [];
  const asked: RetrievalRequest[] = [];
  const embedder: Embedder = {
    name: 'e',
    dimension: 1,
    deterministic: false,
    embed: async (texts, _kind, _signal, onUsage) => {
      onUsage?.({ ...noUsage, embed_tokens: 3 });
      calls.push(`embed ${texts.join(', ')}`);
      if (fails.includes('embed')) throw away;
      return texts.map((_, n) => Float32Array.of(n + 1));
    },
  };
  const reranker: Reranker = {
    name: 'r',
    rerank: async (question, passages, _signal, onUsage) => {
      onUsage?.({ ...noUsage, search_units: 1 });
      calls.push(`rerank ${question}: ${passages.map((one) => one.trim()).join(', ')}`);
      if (fails.includes('rerank')) throw away;
      return passages.map((_, n) => n / 10);
    },
  };
  const deps: ModelRetrievalDeps = {
    retrieve: async (one) => {
      asked.push(one);
      return { question: one.question } as RetrievalResult;
    },
    candidates: async ({ models }, query) => {
      calls.push(`candidates ${query ?? 'of the question'} ${models?.vector?.values[0] ?? 'by words'}`);
      return { hits: query === null ? [seven, nine] : [ten, nine], query: 'what?', corrections: [] };
    },
    embedder: async () => embedder,
    reranker,
  };
  return { run: retrieveWithModels(deps), deps, calls, asked };
}

const found = (asked: readonly RetrievalRequest[]) => asked[0]!.models?.found;
const ids = (given: Retrieved | undefined) => given?.hits.map(({ id }) => id);

describe('a lookup', () => {
  it("embeds its question, then uses the candidates in the reranker's order", async () => {
    const { run, calls, asked } = retrieving();
    expect((await run(request, still())).models).toEqual({
      embedder: 'e',
      reranker: 'r',
      degraded: false,
      usage: { ...noUsage, embed_tokens: 3, search_units: 1 },
    });
    expect(calls).toEqual(['embed what?', 'candidates of the question 1', 'rerank what?: seven, nine']);
    expect(found(asked)).toEqual({
      hits: [
        { ...nine, score: 1 },
        { ...seven, score: 0.5 },
      ],
      query: 'what?',
      corrections: [],
      reordered: true,
    });
  });

  it('reuses the vector of a repeated question', async () => {
    const { run, calls } = retrieving();
    await run(request, still());
    await run(request, still());
    expect(calls.filter((call) => call.startsWith('embed'))).toHaveLength(1);
  });

  it('calls no model for a provision requested by number', async () => {
    const { run, calls, asked } = retrieving();
    const references = [{ number: '5' }] as unknown as RetrievalRequest['references'];
    expect((await run({ ...request, references }, still())).models).toBeUndefined();
    expect(calls).toEqual([]);
    expect(asked[0]).not.toHaveProperty('models');
  });

  it('falls back to words and their order if the models do not respond, and says so', async () => {
    const { run, asked } = retrieving({ fails: ['embed', 'rerank'] });
    expect((await run(request, still())).models).toMatchObject({
      embedder: null,
      reranker: null,
      degraded: true,
    });
    expect(found(asked)).toMatchObject({ hits: [seven, nine], reordered: false });
  });

  it('is cancelled with its question', async () => {
    const { run, asked } = retrieving({ fails: ['rerank'] });
    await expect(run(request, AbortSignal.abort())).rejects.toBe(away);
    expect(asked).toEqual([]);
  });
});

describe('further queries', () => {
  const queries = async () => ['one', 'two'];

  it('are embedded in one call, and ranked together with the results of the question', async () => {
    const { run, calls, asked } = retrieving();
    await run(request, still(), queries);
    expect(calls.toSorted()).toEqual([
      ...['candidates of the question 1', 'candidates one 1', 'candidates two 2', 'embed one, two'],
      ...['embed what?', 'rerank what?: nine, ten, seven'],
    ]);
    expect(found(asked)).toMatchObject({
      hits: [
        { id: 7, bm25: 1, score: 1 },
        // The words of the question find none of these.
        { id: 10, bm25: 0, score: 0.8 },
        { id: 9, bm25: 0.5, score: 0.5 },
      ],
      reordered: true,
    });
  });

  it('keep the fused order if the reranker does not respond', async () => {
    const { run, asked } = retrieving({ fails: ['rerank'] });
    expect((await run(request, still(), queries)).models).toMatchObject({ reranker: null, degraded: true });
    expect(ids(found(asked))).toEqual([9, 10, 7]);
  });

  it('run without an embedder and a reranker, which then leave the lookup unchanged', async () => {
    const { deps, calls, asked } = retrieving();
    const run = retrieveAsConfigured(deps, { ...deps, reranker: null, embeds: false });
    expect(await run(request, still())).not.toHaveProperty('models');
    expect([calls, asked]).toEqual([[], [request]]);
    asked.length = 0;
    expect((await run(request, still(), queries)).models).toMatchObject({ degraded: false });
    expect(calls).toEqual([
      ...['candidates of the question by words', 'candidates one by words', 'candidates two by words'],
    ]);
    expect(ids(found(asked))).toEqual([9, 10, 7]);
  });

  it('that arrive late delay only the reranking, and change nothing if they are missing', async () => {
    const { run, calls, asked } = retrieving();
    const late = Promise.withResolvers<string[]>();
    const running = run(request, still(), () => late.promise);
    await expect.poll(() => calls).toEqual(['embed what?', 'candidates of the question 1']);
    late.resolve([]);
    const plain = retrieving();
    expect(await running).toEqual(await plain.run(request, still()));
    expect(found(asked)).toEqual(found(plain.asked));
  });
});

describe('with an index', () => {
  const opened: DatabaseSync[] = [];
  afterEach(() => {
    for (const db of opened.splice(0)) db.close();
  });
  const layer: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
  const chunks = [
    'Мэр города служит пять лет.',
    'Мэра избирают жители города.',
    'Совет города заседает зимой.',
    'Трудовой договор расторгается по инициативе работодателя с уведомлением за месяц.',
  ].map((text) => ({ number: null, unit: null, heading: '', text }));

  function town(rerank: Reranker['rerank'] | null) {
    const db = new DatabaseSync(':memory:');
    opened.push(db);
    createChunkTables(db, 'c_');
    const writer = new ChunkWriter(db, 'c_');
    for (const [n, chunk] of chunks.entries())
      putDocument(writer, { doc_id: n + 1, title: '', layer, lang: 'ru', event_date: `202${n}-05-01` }, [
        chunk,
      ]);
    const read: number[] = [];
    const store = openChunkSearch(db, 'c_');
    const search: ChunkSearch = {
      ...store,
      passages: (wanted) => {
        read.push(...wanted);
        return store.passages(wanted);
      },
    };
    const retriever = new Retriever(search, null);
    const from: Pick<ModelRetrievalDeps, 'retrieve' | 'candidates'> = {
      retrieve: (one, signal) => runRetrieval(retriever, search, one, signal),
      candidates: (one, query, limit, signal) => candidatesFor(retriever, one, query, limit, signal),
    };
    const reranker = rerank && { name: 'r', rerank };
    const run = retrieveAsConfigured(from, { embedder: async () => null, reranker, embeds: false });
    const ask = (question: string, searches?: readonly string[]) =>
      run(
        { corpus_id: 'town', layers: ['norm'], question, lang: 'ru', references: [], limit: 10 },
        still(),
        searches && (async () => searches),
      );
    return { ask, read };
  }
  const asFound: Reranker['rerank'] = async (_question, passages) => passages.map((_, n) => 1 - n / 100);
  const question = 'Сколько лет служит мэр города?';
  const bySacking = 'расторжение трудового договора работодателем';

  it('reads each passage once, and gives the same answer as without models if the order is unchanged', async () => {
    const plain = town(null);
    const expected = await plain.ask(question);
    expect(expected.answerable).toBe(true);
    const { ask, read } = town(asFound);
    const { models, ...rest } = await ask(question);
    expect(models).toMatchObject({ reranker: 'r' });
    expect(rest.sentences).toEqual(expected.sentences);
    expect(rest.hits).toEqual(expected.hits);
    expect(read).toEqual(plain.read);
    expect(new Set(read).size).toBe(read.length);
  });

  it('ignores further queries if no model is configured', async () => {
    const { models, ...rest } = await town(null).ask(question, []);
    expect(models).toMatchObject({ embedder: null, reranker: null });
    expect(rest).toEqual(await town(null).ask(question));
  });

  it('finds what the words miss with a further query, and scores its sentences against the question', async () => {
    const { ask } = town(async (_question, passages) =>
      passages.map((one) => (one.includes('договор') ? 1 : 0)),
    );
    const asked = 'Когда могут выгнать?';
    expect((await ask(asked)).hits).toEqual([]);
    const { hits, sentences, evidence } = await ask(asked, [bySacking]);
    expect(hits[0]!.text).toContain('Трудовой договор');
    expect(sentences[0]).toMatchObject({ passage: 0, start: 0 });
    expect(evidence.features.gap).toBe(0);
  });

  it('searches only the documents that the question selects with a further query', async () => {
    const { ask } = town(null);
    const { hits } = await ask('Что сказали о выборах мэра в мае 2021 года?', [bySacking, 'заседает совет']);
    expect(hits.map(({ facts }) => facts.doc_id)).toEqual([2]);
  });
});

it('gives vectors computed from the words no weight in addition to the words', async () => {
  const { deps, calls } = retrieving();
  const embedder = { ...(await deps.embedder())!, deterministic: true };
  const found = await retrieveWithModels({ ...deps, embedder: async () => embedder })(request, still());
  expect(found.models).toMatchObject({ embedder: null, reranker: 'r' });
  expect(calls[0]).toBe('candidates of the question by words');
});
