import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { crossReferences } from '../../src/asks/cross-references.ts';
import type { GraphQueryResponse } from '../../src/asks/graph-schema.ts';
import { Failure } from '../../src/failures.ts';
import type { GraphQuestion } from '../../src/graph/graph.ts';
import { bridge } from '../answering/passages.ts';

const text = 'As article 5 says, the bridge is red. See article 5.';
const at = (needle: string, from = 0) => {
  const start = text.indexOf(needle, from);
  return { ref: 'bridge#001', doc_id: 3, revision: 2, ordinal: 0, start, end: start + needle.length };
};
const target = 'provision:law:article 5';
const response = (places: GraphQueryResponse['edges'][number]['places']): GraphQueryResponse => ({
  corpus_id: 'town',
  found: [target],
  nodes: [],
  edges: [
    {
      from: 'document:bridge',
      to: target,
      relation: 'refers_to',
      count: places.length,
      source_refs: [],
      places,
    },
    {
      from: target,
      to: 'provision:law:article 6',
      relation: 'refers_to',
      count: 1,
      source_refs: [],
      places: [at('See')],
    },
  ],
  cut: false,
  up_to_date: true,
  position: null,
});
const wanted = {
  corpus_id: 'town',
  layers: ['main'],
  provisions: [{ doc_key: 'law', unit: 'article' as const, number: '5' }],
  referring: 'to' as const,
};
const deps = (response: GraphQueryResponse, asked: GraphQuestion[] = []) => ({
  graph: {
    query: async (_: string, question: GraphQuestion) => {
      asked.push(question);
      return response;
    },
  },
  reads: { chunks: async () => ({ items: [{ ...bridge(text), embedded: false }], total: 1 }) },
});
const both = [at('article 5'), at('article 5', 20)];

test('lists each passage that refers to a provision once, at its first reference', async () => {
  const asked: GraphQuestion[] = [];
  const { items, more } = await crossReferences(deps(response(both), asked), wanted);
  expect(asked).toMatchObject([{ entity: target, relation: 'refers_to', depth: 1 }]);
  expect(items.map(({ passage, start, end }) => passage.text.slice(start, end))).toEqual(['article 5']);
  expect(items[0]?.start).toBe(3);
  expect(more).toBe(false);
});

test('groups references from a provision by their target', async () => {
  const { items } = await crossReferences(deps(response(both)), { ...wanted, referring: 'from' });
  expect(items.map(({ to }) => to)).toEqual([{ doc_key: 'law', unit: 'article', number: '6' }]);
});

test('reports further references if the graph stores fewer places than it counts', async () => {
  const held = response(both);
  held.edges[0]!.count = 30;
  expect((await crossReferences(deps(held), wanted)).more).toBe(true);
});

test('omits text that has changed since, or is not visible', async () => {
  const old = response(both.map((place) => ({ ...place, revision: 1 })));
  expect((await crossReferences(deps(old), wanted)).items).toEqual([]);
  expect((await crossReferences(deps(response(both)), { ...wanted, layers: ['other'] })).items).toEqual([]);
});

test('does not confuse provisions with the same number in different texts', async () => {
  const other = { ...response(both), found: ['provision:other:article 5'] };
  expect((await crossReferences(deps(other), wanted)).items).toEqual([]);
});

test('reads sixty passages a few at a time', async () => {
  const places = Array.from({ length: 60 }, (_, n) => ({
    ...at('article 5'),
    ref: `bridge#${n}`,
    ordinal: n,
  }));
  let [underWay, most, read] = [0, 0, 0];
  const chunks = async () => {
    most = Math.max(most, ++underWay);
    await setImmediate();
    underWay--;
    read++;
    return { items: [], total: 0 };
  };
  await crossReferences({ ...deps(response(places)), reads: { chunks } }, wanted);
  expect(read).toBe(60);
  expect(most).toBeLessThanOrEqual(8);
});

test('reports an unavailable graph as a failure', async () => {
  const query = async () => {
    throw new Failure('unavailable', 'Redis is unavailable.');
  };
  await expect(crossReferences({ ...deps(response([])), graph: { query } }, wanted)).rejects.toMatchObject({
    code: 'unavailable',
  });
});
