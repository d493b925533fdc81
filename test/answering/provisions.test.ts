import { describe, expect, test } from 'vitest';
import { fromPassages } from '../../src/answering/kinds/passages/compose.ts';
import { exact } from '../../src/answering/kinds/provisions/compose.ts';
import { AnswerBuilder } from '../../src/answering/writing/builder.ts';
import { closed, paragraphs } from '../../src/answering/writing/layout.ts';
import { asked, bridge, found } from './passages.ts';

const article = bridge(
  'Article 4. Toll\n\n1. A toll is paid at the gate.\n2. Those are free:\n1) children;\n2) the keeper.',
);
article.chunk = { ...article.chunk, heading: 'Article 4. Toll', number: '4', unit: 'article' };
const quotes = (builder: AnswerBuilder) => builder.citations.map(({ quote }) => quote);

describe('the title of an article', () => {
  test('is shown with a point requested by number, and not quoted', () => {
    const start = article.text.indexOf('1) children');
    const finding = {
      unit: 'article',
      number: '4',
      chain: [
        { unit: 'article' as const, number: '4' },
        { unit: 'point' as const, number: '2' },
        { unit: 'subpoint' as const, number: '1' },
      ],
      unknownAct: false,
      provisions: [{ passage: article, start, end: start + '1) children;'.length }],
      neighbours: [],
      near: [],
    };
    const { builder } = exact(
      asked('article 4(2)(1)'),
      { ...found([article], 'article 4(2)(1)'), exact: [finding] },
      'current',
    );
    expect(builder.answer).toBe('Article 4. Toll\n\n2. Those are free:\n1) children;');
    expect(quotes(builder)).toEqual(['2. Those are free:', '1) children;']);
  });

  test('is shown for a question that consists of the title, and not quoted', () => {
    const { builder } = fromPassages(asked('toll'), found([article], 'toll'), 'current');
    const body = article.text.slice(article.text.indexOf('1. A toll'));
    expect(builder.answer).toBe(`Article 4. Toll\n\n${body}`);
    expect(quotes(builder)).toEqual([body]);
  });
});

test('shows articles with the same number below the titles of their acts', () => {
  const of = (doc_id: number, title: string, text: string) => {
    const passage = bridge(`Article 4\n\n${text}`);
    passage.facts = { ...passage.facts, doc_id, title };
    passage.chunk = { ...passage.chunk, heading: 'Article 4', number: '4', unit: 'article' };
    return { passage, start: 0, end: passage.text.length };
  };
  const provisions = [of(1, 'Ferries Act', 'Ferries run daily.'), of(2, 'Bridges Act', 'Bridges are free.')];
  const chain = [{ unit: 'article' as const, number: '4' }];
  const said = (some: typeof provisions) => {
    const finding = { ...chain[0]!, chain, unknownAct: false, provisions: some, neighbours: [], near: [] };
    const hits = some.map(({ passage }) => passage);
    return exact(asked('article 4'), { ...found(hits, 'article 4'), exact: [finding] }, 'current').builder
      .answer;
  };
  expect(said(provisions)).toBe(
    'Ferries Act: Article 4\n\nFerries run daily.\n\nBridges Act: Article 4\n\nBridges are free.',
  );
  expect(said(provisions.slice(0, 1))).toBe('Article 4\n\nFerries run daily.');
});

describe('an item far below the introduction of its list', () => {
  const quoted = (text: string, item: string) => {
    const builder = new AnswerBuilder();
    const hit = bridge(text);
    const start = text.indexOf(item);
    paragraphs(builder, asked(''), [{ hit, start, end: start + item.length, own: 1 }]);
    return builder.answer;
  };

  test('is quoted in one sentence with the introduction', () => {
    expect(quoted('The ferry stops at:\n– Quay;\n– Mill.', '– Mill.')).toBe(
      'The ferry stops at:\n– Mill. (The bridge)',
    );
  });

  test('is shown with the number of items shown and in total', () => {
    const items = Array.from({ length: 30 }, (_, n) => `– Landing of the ferry ${n} on the river`);
    const text = `The ferry stops at:\n${items.join(';\n')}.`;
    const builder = new AnswerBuilder();
    const end = text.indexOf('\n');
    const cut = paragraphs(builder, asked(''), [{ hit: bridge(text), start: 0, end, own: 1 }]);
    const { answer } = closed(asked(''), 'ordinary', builder, cut).builder;
    expect(answer).toContain(items[21]);
    expect(answer).not.toContain(items[22]);
    expect(answer).toMatch(/The list is shown only in part: 22 of 30\.$/);
  });

  test('is quoted like a row with its columns', () => {
    expect(quoted('Stop | Hour\nQuay | 7\nMill | 9', 'Mill | 9')).toBe('Stop | Hour\nMill | 9 (The bridge)');
  });
});
