/** What is asked of models for a look-up, and what becomes of one that does not answer. */
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failures.ts';
import { type Embedder, noUsage, type Reranker } from '../../src/ports/models.ts';
import type { RetrievalRequest } from '../../src/retrieval/passages.ts';
import type { RetrievalResult } from '../../src/retrieval/pipeline.ts';
import { retrieveWithModels } from '../../src/retrieval/with-models.ts';

const still = () => new AbortController().signal;
const away = new Failure('timeout', 'It took too long.');
const request: RetrievalRequest = {
  ...{ corpus_id: 'c', layers: ['main'], question: 'what?', lang: null, references: [], limit: 5 },
};

function retrieving({ fails = [] }: { fails?: readonly ('embed' | 'rerank')[] } = {}) {
  const calls: string[] = [];
  const asked: RetrievalRequest[] = [];
  const embedder: Embedder = {
    ...{ name: 'e', dimension: 1, deterministic: false },
    embed: async ([text], _kind, _signal, onUsage) => {
      onUsage?.({ ...noUsage, embed_tokens: 3 });
      calls.push(`embed ${text}`);
      if (fails.includes('embed')) throw away;
      return [Float32Array.of(1)];
    },
  };
  const reranker: Reranker = {
    name: 'r',
    rerank: async (question, passages, _signal, onUsage) => {
      onUsage?.({ ...noUsage, search_units: 1 });
      calls.push(`rerank ${question}: ${passages.join(', ')}`);
      if (fails.includes('rerank')) throw away;
      return passages.map((_, n) => n / 10);
    },
  };
  const run = retrieveWithModels({
    retrieve: async (one) => {
      asked.push(one);
      return { question: one.question } as RetrievalResult;
    },
    candidates: async ({ models }) => {
      calls.push(`candidates ${models?.vector?.embedder ?? 'by words'}`);
      return [
        { id: 7, text: 'seven' },
        { id: 9, text: 'nine' },
      ];
    },
    embedder: async () => embedder,
    reranker,
  });
  return { run, calls, asked };
}

describe('a look-up', () => {
  it('has the vector of its question, then what the reranker says of the candidates', async () => {
    const { run, calls, asked } = retrieving();
    expect((await run(request, still())).models).toEqual({
      ...{ embedder: 'e', reranker: 'r', degraded: false },
      usage: { ...noUsage, embed_tokens: 3, search_units: 1 },
    });
    expect(calls).toEqual(['embed what?', 'candidates e', 'rerank what?: seven, nine']);
    expect(asked[0]!.models).toEqual({
      vector: { embedder: 'e', values: Float32Array.of(1) },
      relevance: [
        [7, 0],
        [9, 0.1],
      ],
    });
  });

  it('has the vector of a question again that was looked up before', async () => {
    const { run, calls } = retrieving();
    await run(request, still());
    await run(request, still());
    expect(calls.filter((call) => call.startsWith('embed'))).toHaveLength(1);
  });

  it('of a provision asked for by its number asks no model', async () => {
    const { run, calls, asked } = retrieving();
    const references = [{ number: '5' }] as unknown as RetrievalRequest['references'];
    expect((await run({ ...request, references }, still())).models).toBeUndefined();
    expect(calls).toEqual([]);
    expect(asked[0]).not.toHaveProperty('models');
  });

  it('goes by words, in their order, where the models do not answer, and says so', async () => {
    const { run, asked } = retrieving({ fails: ['embed', 'rerank'] });
    expect((await run(request, still())).models).toMatchObject({
      embedder: null,
      reranker: null,
      degraded: true,
    });
    expect(asked[0]!.models).toEqual({ vector: null, relevance: [] });
  });

  it('is given up with its question', async () => {
    const { run, asked } = retrieving({ fails: ['rerank'] });
    await expect(run(request, AbortSignal.abort())).rejects.toBe(away);
    expect(asked).toEqual([]);
  });
});
