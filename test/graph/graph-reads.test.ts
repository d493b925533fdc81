import { describe, expect, test } from 'vitest';
import type { GraphQuestion } from '../../src/graph/graph.ts';
import { GraphReads, type GraphScope } from '../../src/graph/graph-reads.ts';
import { graphRecords, type Passage, published, withdrawn } from './records.ts';

const article = (number: string, text: string): Passage => ({ unit: 'article', number, text });
const law = published('law', { doc_id: 1, title: 'Закон о судах' }, [
  article('1', 'Судей назначает Президент по представлению Верховного суда.'),
  article('2', 'Где заседает Верховный суд, говорит статья 3. Это назначает Президент.'),
  article('3', 'Его замещает Председатель, как сказано в статье 1 и в статье 9.'),
]);
const note = published(
  'note',
  { doc_id: 2, layer: 'commentary', metadata: { speaker: 'Данияр Сейтов', position: 'председатель Сената' } },
  [{ text: 'Изменена статья 2 Закона о судах. Об этом знает Верховный суд.' }],
);
const secret = published('secret', { doc_id: 3, layer: 'hidden' }, [
  { text: 'Это решает Тайная служба, и знает Верховный суд по статье 2.' },
]);
const scope: GraphScope = { corpus_id: 'law', layers: ['norm', 'commentary'] };

function graphOf(...documents: (typeof law)[]) {
  const records = graphRecords();
  for (const event of documents.flat()) records.take(event);
  const reads = new GraphReads(records.reads);
  const ask = (question: Partial<GraphQuestion>, of = scope) =>
    reads.query(of, {
      entity: null,
      to: null,
      query: null,
      relation: null,
      depth: 1,
      limit: 50,
      ...question,
    });
  return { records, reads, ask };
}
const { ask, reads } = graphOf(law, note, secret);
const triples = ({ edges }: Awaited<ReturnType<typeof ask>>) =>
  edges.map(({ from, relation, to }) => `${from} ${relation} ${to}`).sort();
const court = 'name:верховн суд';
const provision = (number: string) => `provision:law:article ${number}`;

describe('a question', () => {
  test('about a name is answered with its connections, in any form of the name, and their places', async () => {
    const answer = await ask({ entity: 'Верховным судом' });
    expect(answer.found).toEqual([court]);
    expect(answer.nodes.map(({ id, kind, name, count }) => [id, kind, name, count])).toEqual([
      [court, 'name', 'Верховный суд', 3],
      ['document:note', 'document', 'note', 2],
      [provision('1'), 'provision', 'Закон о судах: статья 1', 2],
      [provision('2'), 'provision', 'Закон о судах: статья 2', 2],
    ]);
    expect(triples(answer)).toEqual([
      `document:note mentions ${court}`,
      `document:note refers_to ${provision('2')}`,
      ...[provision('1'), provision('2')].map((id) => `${id} mentions ${court}`),
    ]);
    const [{ places }] = answer.nodes as [(typeof answer.nodes)[number]];
    expect(places.map(({ ref }) => ref)).toEqual(['law#1', 'law#2', 'note#001']);
    expect(places[0]).toMatchObject({ doc_id: 1, revision: 1, ordinal: 0, start: 43, end: 58 });
  });

  test('about a provision is answered with references to and from it', async () => {
    expect(triples(await ask({ entity: 'статья 3', relation: 'refers_to' }))).toEqual([
      `${provision('2')} refers_to ${provision('3')}`,
      `${provision('3')} refers_to ${provision('1')}`,
    ]);
    // References to a named act; an article that occurs nowhere has no node.
    expect(triples(await ask({ entity: provision('2'), relation: 'refers_to' }))).toContain(
      `document:note refers_to ${provision('2')}`,
    );
    expect((await ask({ entity: 'статья 9' })).found).toEqual([]);
  });

  test('about an office is answered with its holders, from metadata', async () => {
    const answer = await ask({ entity: 'Сейтов' });
    expect(answer.nodes.map(({ kind, name }) => [kind, name])).toEqual([
      ['person', 'Данияр Сейтов'],
      ['document', 'note'],
      ['organisation', 'председатель Сената'],
    ]);
    expect(answer.edges.map(({ relation }) => relation).sort()).toEqual(['holds', 'mentions', 'mentions']);
  });

  test('is searched for names and provisions, longest names first', async () => {
    const query = 'Что Президент и Верховный суд говорят о статье 1?';
    expect((await ask({ query })).found).toEqual([provision('1'), court, 'name:президент']);
  });

  test('about two names finds the shortest path', async () => {
    const { nodes, edges } = await ask({ entity: 'Сейтов', to: 'Президент' });
    expect(nodes.map(({ name }) => name)).toEqual([
      'Данияр Сейтов',
      'note',
      'Закон о судах: статья 2',
      'Президент',
    ]);
    expect(edges.map(({ relation }) => relation)).toEqual(['mentions', 'refers_to', 'mentions']);
    expect(await ask({ entity: 'Сейтов', to: 'Марс' })).toMatchObject({ nodes: [], edges: [] });
  });

  test('follows a limited number of edges, and reports if there are more', async () => {
    const near = await ask({ entity: court, depth: 1 });
    const far = await ask({ entity: court, depth: 2 });
    expect(far.nodes.length).toBeGreaterThan(near.nodes.length);
    expect(far.nodes.map(({ id }) => id)).toContain(provision('3'));
    expect([near.cut, far.cut]).toEqual([false, false]);
    const cut = await ask({ entity: court, depth: 3, limit: 2 });
    expect([cut.nodes.length, cut.cut]).toEqual([2, true]);
  });

  test('about a relation alone is answered with its strongest edges', async () => {
    const { edges, cut } = await ask({ relation: 'refers_to' });
    expect([edges.map(({ relation }) => relation), cut]).toEqual([Array(3).fill('refers_to'), false]);
    expect(await ask({ relation: 'refers_to', limit: 2 })).toMatchObject({ cut: true });
  });
});

test('the graph contains nothing from an invisible layer', async () => {
  const said = JSON.stringify([
    await ask({ entity: court, depth: 3 }),
    await ask({ entity: 'Тайная служба' }),
    await ask({ query: 'Тайная служба' }),
    await ask({ entity: 'document:secret' }),
    await reads.whole(scope),
  ]);
  expect(said).not.toMatch(/secret|Тайн|тайн/);
  const all = await ask({ entity: 'Тайная служба' }, { ...scope, layers: ['norm', 'commentary', 'hidden'] });
  expect(all.nodes[0]?.name).toBe('Тайная служба');
});

test('withdrawing a document removes exactly what it contributed', async () => {
  const both = graphOf(law, note);
  both.records.take(withdrawn(2, 1));
  expect(await both.reads.whole(scope)).toEqual(await graphOf(law).reads.whole(scope));
});

test('a node read alone equals the node in the whole graph', async () => {
  const { nodes, edges } = await reads.whole(scope);
  expect(nodes.length).toBeGreaterThan(8);
  for (const node of nodes) {
    const answer = await ask({ entity: node.id });
    expect(answer.nodes[0]).toEqual(node);
    const joined = edges.filter(({ from, to }) => from === node.id || to === node.id);
    expect(answer.edges.filter(({ from, to }) => from === node.id || to === node.id)).toEqual(joined);
  }
});

test('the figures cover the whole graph', async () => {
  const { nodes, edges } = await reads.whole(scope);
  const figures = await reads.figures(scope, 1);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  expect(sum(figures.nodes_by_kind)).toBe(nodes.length);
  expect(sum(figures.edges_by_relation)).toBe(edges.length);
  expect(figures.edges_by_relation).toMatchObject({ refers_to: 3, holds: 1, defines: 0 });
  expect(figures).toMatchObject({ pairs: edges.length, updated_at: '2026-01-01T00:00:00.000Z' });
  expect(figures.top.map(({ name }) => name)).toEqual(['Верховный суд']);
});

describe('the target of a reference', () => {
  const said = (text: string, doc_id = 7) =>
    published(`said ${doc_id}`, { doc_id, layer: 'commentary' }, [{ text }]);
  const leadsTo = async (text: string, ...documents: (typeof law)[]) => {
    const { edges } = await graphOf(...documents, said(text)).ask({ relation: 'refers_to' });
    return edges.filter(({ from }) => from === 'document:said 7').map(({ to }) => to);
  };
  const code = published('code', { doc_id: 8, title: 'Кодекс о воде' }, [article('2', 'Вода чиста.')]);

  test('is the named act, otherwise the leading text, otherwise unknown', async () => {
    expect(await leadsTo('Об этом говорит статья 2.', law)).toEqual([provision('2')]);
    expect(await leadsTo('Об этом говорит статья 2 Кодекса о воде.', law, code)).toEqual([
      'provision:code:article 2',
    ]);
    expect(await leadsTo('Об этом говорит статья 2.', law, code)).toEqual([]);
    expect(await leadsTo('Об этом говорит статья 2 Закона о печати.', law, code)).toEqual([]);
  });

  test('is a text in the same language if there is one', async () => {
    const english = published('act', { doc_id: 9, lang: 'en', title: 'Act' }, [article('2', 'Courts sit.')]);
    expect(await leadsTo('Об этом говорит статья 2.', law, english)).toEqual([provision('2')]);
  });
});

describe('the kind and the name of a node', () => {
  const node = async (...passages: Passage[]) => {
    const { ask } = graphOf(published('text', { doc_id: 5 }, passages));
    return (await ask({ entity: 'Нуртау' })).nodes[0];
  };
  const named = (kind: 'place' | 'law', text = 'Нуртау') => [{ kind, text, start: 0, end: text.length }];

  test('come from a model if one was used, and replace those found by rules', async () => {
    expect(await node({ text: 'О нём и Нуртау молчит.' })).toMatchObject({ kind: 'name' });
    expect(await node({ text: 'Нуртау велик, а Сенат мал.', named: named('place') })).toMatchObject({
      kind: 'place',
      name: 'Нуртау',
      count: 1,
    });
    expect(await node({ text: 'Здесь Нуртау.', named: [] })).toBeUndefined();
  });

  test('are the most frequent ones; a term counts only if there is nothing else', async () => {
    const term = { text: 'Под Нуртау понимается город.' };
    expect(await node(term)).toMatchObject({ kind: 'term' });
    expect(await node(term, { text: 'Нуртау', named: named('place') })).toMatchObject({ kind: 'place' });
  });

  test('use the dictionary form, as far as endings reveal it', async () => {
    const { ask } = graphOf(
      published('text', { doc_id: 5 }, [
        { text: 'О том знает и Палата регионов. Без Палаты регионов и Палаты регионов нельзя.' },
      ]),
    );
    expect((await ask({ entity: 'Палаты регионов' })).nodes[0]).toMatchObject({
      name: 'Палата регионов',
      count: 3,
    });
  });
});
