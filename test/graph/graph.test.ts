import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractEntities } from '../../src/graph/extract.ts';
import { foldGraph, GraphFold } from '../../src/graph/fold.ts';
import { figuresOf, type Graph } from '../../src/graph/graph.ts';
import { askGraph, type GraphQuestion } from '../../src/graph/query.ts';
import type { FoldedDocument } from '../../src/graph/records.ts';
import { type StatedMentions, statedMentions } from '../../src/graph/stated.ts';
import type { Language } from '../../src/text/languages/index.ts';

interface Passage {
  text: string;
  unit?: string;
  number?: string;
  heading?: string;
}

let lastId = 0;
function document(
  doc_key: string,
  passages: Passage[],
  {
    lang = 'ru',
    layer = 'norm',
    title = doc_key,
    stated = { person: null, office: null },
  }: { lang?: Language; layer?: string; title?: string; stated?: StatedMentions } = {},
): FoldedDocument {
  let start = 0;
  const chunks = passages.map(({ text, unit = null, number = null, heading = '' }, n) => {
    const chunk = {
      chunk_index: number ?? String(n + 1).padStart(3, '0'),
      unit,
      number,
      start,
      entities: extractEntities({ text, lang, unit, number, heading }),
    };
    start += text.length + 2;
    return chunk;
  });
  return {
    doc_id: ++lastId,
    corpus_id: 'law',
    doc_key,
    revision: 1,
    title,
    lang,
    layer,
    chunk_count: chunks.length,
    published_at: '2026-01-01T00:00:00.000Z',
    stated,
    chunks,
  };
}

const article = (number: string, text: string): Passage => ({ unit: 'article', number, text });
const law = document(
  'law',
  [
    article('1', 'Судей назначает Президент Республики по представлению Верховного суда.'),
    article('2', 'Верховный суд заседает в городе Нуртау в порядке статьи 3.'),
    article('3', 'Президента Республики замещает Председатель Сената, как сказано в статье 1.'),
  ],
  { title: 'Закон о судах' },
);
const note = document('note', [{ text: 'Статья 2 Закона о судах изменена. Данияр Сейтов, Верховный суд.' }], {
  layer: 'commentary',
});
const other = document(
  'other',
  [{ text: 'Об этом писал Сейтов в городе Сазе. По статье 7 Кодекса Кенсая.' }],
  {
    layer: 'commentary',
  },
);
const documents = [law, note, other];
const rank = (layer: string) => (layer === 'norm' ? 0 : 1);
const graph = foldGraph(documents, rank);

const ask = (question: Partial<GraphQuestion>, of: Graph = graph) =>
  askGraph(of, { entity: null, to: null, query: null, relation: null, depth: 1, limit: 50, ...question });
const names = (ids: readonly string[], of: Graph = graph) => ids.map((id) => of.nodes.get(id)!.name);
const whole = (of: Graph) => {
  const { nodes, edges } = of.inOrder();
  return [
    nodes.map(({ id, kind, name, count, places }) => ({ id, kind, name, count, places })),
    edges.map(({ from, to, relation, count, places }) => ({ from, to, relation, count, places })),
  ];
};

describe('the graph', () => {
  test('is the same whatever the order of its documents, and each takes exactly its own away', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(documents), (some) => {
        const inOrder = documents.filter((one) => some.includes(one));
        expect(whole(foldGraph(some, rank))).toEqual(whole(foldGraph(inOrder, rank)));
      }),
    );
    const without = foldGraph([law, other], rank);
    expect(
      [...without.nodes.values()].flatMap(({ places }) => places).some(({ ref }) => ref.startsWith('note')),
    ).toBe(false);
    // The full name is gone with the note; the family name alone is still in the other text.
    expect(names(ask({ entity: 'Сейтов' }, without).found, without)).toEqual(['Сейтов']);
    expect(names(ask({ entity: 'Сейтов' }).found)).toEqual(['Данияр Сейтов']);
  });

  test('kept up while documents come, go and change, it is the one made afresh, whenever it is looked at', () => {
    const passages = [
      article('1', 'Верховный суд (далее — ВС) заседает в Нуртау по статье 2 Закона о печати.'),
      article('2', 'ВС назначает Данияр Сейтов. Сейтов ведёт заседание 1 марта 2024 года.'),
      article('3', 'По статье 1 и статье 9 решает Совет. Д. Сейтов и Верховный суд.'),
      { text: 'Об этом писал Сейтов: статья 2 Закона о печати, статья 3 Закона о судах.' },
      { text: 'Алия Сейтова и Арман Сейтов спорили о статье 1 в Нуртау.' },
      { text: 'ВС молчит. Верховный Совет (далее — ВС) говорит о свободе печати и свободе печати.' },
    ];
    const change = fc.oneof(
      fc.record({
        key: fc.constantFrom('law', 'note', 'press', 'other'),
        title: fc.constantFrom('Закон о судах', 'Закон о печати', 'Заметка'),
        layer: fc.constantFrom('norm', 'commentary'),
        said: fc.subarray(passages),
        stated: fc
          .constantFrom({}, { author: 'А. Сейтов' }, { by: 'Арман Сейтов', role: 'судья Верховного суда' })
          .map((metadata) => statedMentions(metadata, 'ru')),
      }),
      fc.record({ gone: fc.constantFrom('law', 'note', 'press', 'other') }),
      fc.record({ apart: fc.constantFrom([], ['name:сейтов'], ['name:верховн суд']) }),
      fc.constant('look' as const),
    );
    const ids = { law: 1, note: 2, press: 3, other: 4 };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const fold = new GraphFold(rank);
        const there = new Map<number, FoldedDocument>();
        let apart: readonly string[] = [];
        const look = () => {
          for (const _ of fold.settle());
          expect(whole(fold.graph)).toEqual(whole(foldGraph([...there.values()], rank, apart)));
          const named = ask({ query: 'Сейтов, Верховный суд, статья 2', depth: 2 }, fold.graph);
          expect(named.found).toEqual(
            ask(
              { query: 'Сейтов, Верховный суд, статья 2', depth: 2 },
              foldGraph([...there.values()], rank, apart),
            ).found,
          );
        };
        for (const one of changes) {
          if (one === 'look') look();
          else if ('apart' in one) fold.apart = apart = one.apart;
          else if ('gone' in one) {
            there.delete(ids[one.gone]);
            fold.remove(ids[one.gone]);
          } else {
            const { key, said, ...of } = one;
            const made = { ...document(key, said, of), doc_id: ids[key] };
            there.set(made.doc_id, made);
            fold.add(made);
          }
        }
        look();
        for (const id of Object.values(ids)) fold.remove(id);
        for (const _ of fold.settle());
        expect(whole(fold.graph)).toEqual([[], []]);
        expect([fold.weight, fold.graph.byWord.size, fold.graph.byNumber.size]).toEqual([0, 0, 0]);
      }),
    );
  });

  test('every node and edge rests on places in the texts', () => {
    for (const { count, places, id } of graph.nodes.values()) {
      expect([id, places.length]).toEqual([id, Math.min(count, 20)]);
      for (const { doc_id, ref } of places) {
        const owner = documents.find((one) => one.doc_id === doc_id)!;
        expect(owner.chunks.map(({ chunk_index }) => `${owner.doc_key}#${chunk_index}`)).toContain(ref);
      }
    }
    for (const { from, to, places } of graph.edges()) {
      expect(graph.nodes.has(from) && graph.nodes.has(to)).toBe(true);
      expect(places.length).toBeGreaterThan(0);
    }
  });

  test('tells which provisions refer to one, of the text itself, of an act that is named, and of one there is no text of', () => {
    const refers = ask({ entity: 'статья 3', relation: 'refers_to' });
    expect(refers.edges.map(({ from, to }) => names([from, to]))).toEqual([
      ['Закон о судах: статья 2', 'Закон о судах: статья 3'],
      ['Закон о судах: статья 3', 'Закон о судах: статья 1'],
    ]);
    const second = ask({ entity: 'статья 2', relation: 'refers_to' });
    expect(second.edges.map(({ from, to }) => names([from, to]))).toContainEqual([
      'note',
      'Закон о судах: статья 2',
    ]);
    expect([...graph.nodes.values()].map(({ name }) => name)).toContain('Кодекса Кенсая: статья 7');
  });

  test('finds an entity by inflected, misspelt and partial names', () => {
    for (const entity of ['Верховному суду', 'верховный суд', 'Верховнный суд'])
      expect(names(ask({ entity }).found)[0]).toBe('Верховный суд');
    expect(ask({ entity: 'Марсианский конгресс' }).found).toEqual([]);
  });

  test('finds what a text names', () => {
    const { found } = ask({ query: 'Где заседает Верховный суд и при чём тут статья 2?' });
    expect(names(found)).toEqual(['Закон о судах: статья 2', 'Верховный суд']);
  });

  test('goes as deep as it is asked, within its limit, and says when it is cut', () => {
    const one = ask({ entity: 'Нуртау' });
    const two = ask({ entity: 'Нуртау', depth: 2 });
    expect(one.cut).toBe(false);
    expect(two.nodes.length).toBeGreaterThan(one.nodes.length);
    expect(one.nodes.every((node) => two.nodes.includes(node))).toBe(true);
    const few = ask({ entity: 'Нуртау', depth: 3, limit: 2 });
    expect([few.nodes.length, few.cut]).toEqual([2, true]);
    expect(ask({ entity: 'Нуртау', depth: 3, limit: 2 })).toEqual(few);
    expect(ask({ relation: 'refers_to' }).edges.every(({ relation }) => relation === 'refers_to')).toBe(true);
  });

  test('tells the edges of what was asked before those among its neighbours', () => {
    const { found, edges } = ask({ entity: 'Нуртау', depth: 2 });
    const own = edges.map(({ from, to }) => found.includes(from) || found.includes(to));
    expect(own.lastIndexOf(true)).toBe(own.indexOf(false) - 1);
    const counts = (all: typeof edges) => all.map(({ count }) => count);
    for (const part of [edges.slice(0, own.indexOf(false)), edges.slice(own.indexOf(false))])
      expect(counts(part)).toEqual(counts(part).toSorted((a, b) => b - a));
  });

  test('tells the shortest path between two entities, and none where nothing joins them', () => {
    const { nodes, edges } = ask({ entity: 'Нуртау', to: 'Данияр Сейтов' });
    expect(nodes.map(({ name }) => name)).toEqual(['Нуртау', 'Верховный суд', 'Данияр Сейтов']);
    expect(edges).toHaveLength(2);
    const apart = foldGraph([law, document('far', [{ text: 'Мы видели Казахстан.' }])], rank);
    expect(ask({ entity: 'Нуртау', to: 'Казахстан' }, apart).nodes).toEqual([]);
    expect(ask({ entity: 'Нуртау', to: 'Атлантида' }).found).toHaveLength(1);
  });

  test('goes on from a node by its id', () => {
    const [id = ''] = ask({ entity: 'Верховный суд' }).found;
    expect(ask({ entity: id }).found).toEqual([id]);
  });

  test('calls amounts and provisions as the texts do: of a document in its language, of an act there is no text of in that of its name', () => {
    const of = foldGraph(
      [
        document('kk', [article('3', 'Шешім 20 күн ішінде қабылданады.')], {
          lang: 'kk',
        }),
        document('en', [{ text: 'According to Article 7 of the Labour Code the period is 30 days.' }], {
          lang: 'en',
        }),
        document('ru', [{ text: 'Срок составляет 40 дней. По статье 9 Закона «Об архивах».' }]),
      ],
      rank,
    );
    const called = [...of.nodes.values()].map(({ name }) => name);
    for (const name of ['20 күн', 'kk: 3-бап', '30 days', 'Labour Code: Article 7', '40 дней'])
      expect(called).toContain(name);
    expect(called.some((name) => name.endsWith('архивах»: статья 9'))).toBe(true);
  });

  test('knows who speaks in a document and in what office, as it states itself, with whoever texts name so', () => {
    const stated = statedMentions({ speaker: 'Данияр Сейтов', position: 'министр печати', lines: 7 }, 'ru');
    const speech = document('speech', [{ text: 'Мы строим мост.' }], { stated });
    const of = foldGraph([speech, other], rank);
    const [id = ''] = ask({ entity: 'Сейтов' }, of).found;
    expect(of.nodes.get(id)).toMatchObject({ kind: 'person', name: 'Данияр Сейтов', count: 2 });
    const joined = of.of(id).map(({ from, to, relation }) => [...names([from, to], of), relation]);
    expect(joined).toContainEqual(['speech', 'Данияр Сейтов', 'mentions']);
    expect(joined).toContainEqual(['Данияр Сейтов', 'министр печати', 'holds']);
    expect(of.nodes.get(id)!.places.map(({ ref }) => ref)).toContain('speech#001');
    expect(statedMentions({ lines: 7 }, 'ru')).toEqual({ person: null, office: null });
  });

  test('calls a document without a title by what it opens with, else by its key', () => {
    const untouched = document('r17', [{ text: 'Верховный суд заседает.' }], { title: '' });
    const [first, ...others] = untouched.chunks;
    const untitled = { ...untouched, chunks: [{ ...first!, opening: 'О заседаниях' }, ...others] };
    const called = (of: FoldedDocument) => foldGraph([of], rank).nodes.get('document:r17')!.name;
    expect([called(untitled), called(untouched)]).toEqual(['О заседаниях', 'r17']);
  });

  test('counts itself', () => {
    const figures = figuresOf(graph, 3);
    expect(figures.nodes).toBe(graph.nodes.size);
    expect(figures.edges_by_relation.refers_to).toBe(4);
    expect(figures.components).toBe(1);
    expect(figures.top[0]!.name).toBe('Верховный суд');
  });
});
