/**
 * Texts made to keep the service busy: each function that reads questions, histories or documents gets the worst of a
 * corpus of fragments, repeated and mixed to the longest that a door lets through, within a budget of processor time
 * of its thread (which does not grow when the machine is busy with something else).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyseQuestion, withoutReportingVerbs } from '../../src/answering/reading/question.ts';
import { readConversation } from '../../src/answering/understanding/conversation.ts';
import { understand } from '../../src/answering/understanding/question.ts';
import { readQuestion } from '../../src/answering/understanding/reading.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';
import { extractEntities } from '../../src/graph/extract.ts';
import { GraphFold } from '../../src/graph/fold.ts';
import { askGraph } from '../../src/graph/query.ts';
import { detectLanguage, repairLayout } from '../../src/text/language.ts';
import { identityOf } from '../../src/text/question-identity.ts';
import { parseReferences } from '../../src/text/references/parse.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { units } from '../../src/text/units.ts';
import { words } from '../../src/text/words.ts';
import { overBudget } from './budget.ts';
import { filled, fragments, fullHistory, longest, strangeWords } from './corpus.ts';

const layer = { title: null, kind: 'text', visibility: 'public' } as const;
const settings: CorpusSettings = {
  title: { ru: 'Конституция', en: 'Constitution' },
  description: null,
  languages: ['ru', 'kk', 'en'],
  styles: [],
  layers: [
    { ...layer, name: 'norm' },
    { ...layer, name: 'old', title: 'Конституция 1995 года', kind: 'superseded' },
  ],
};

/** A graph of some thousand names, many of which differ by a letter. */
function graphOfNames() {
  const fold = new GraphFold(() => 0);
  const chunks = Array.from({ length: 300 }, (_, n) => {
    const names = Array.from(
      { length: 10 },
      (_, k) => `Сейт${strangeWords(1, n * 10 + k).slice(1)}ов Президент`,
    );
    const text = `Статья ${n + 1}. ${names.map((name) => `Здесь ${name} назначает.`).join(' ')}`;
    const entities = extractEntities({ text, lang: 'ru', unit: null, number: null, heading: '' });
    return { chunk_index: String(n), unit: null, number: null, start: n * 10_000, entities };
  });
  const facts = { doc_id: 1, revision: 1, doc_key: 'd', corpus_id: 'c', title: 'D', lang: 'ru' as const };
  const stated = { person: null, office: null };
  const published_at = '2026-01-01T00:00:00.000Z';
  fold.add({ ...facts, layer: 'norm', chunk_count: 300, stated, published_at, chunks });
  for (const _ of fold.settle());
  return fold.graph;
}
const graph = graphOfNames();
const around = { to: null, query: null, relation: null, depth: 3, limit: 200 };

const readers: [string, number, (text: string) => unknown][] = [
  ['repairLayout', longest.question, repairLayout],
  ['detectLanguage', longest.question, (text) => detectLanguage(text)],
  ['readQuestion', longest.question, (text) => readQuestion(text, settings)],
  ['identityOf', longest.question, identityOf],
  ['withoutReportingVerbs', longest.question, withoutReportingVerbs],
  ['analyseQuestion', longest.question, (text) => analyseQuestion(text, { documents: 10, df: new Map() })],
  [
    'understand',
    longest.message,
    (text) => understand(text.slice(0, 300), readConversation(fullHistory(text)).turns, settings),
  ],
  ['parseReferences', longest.message, (text) => parseReferences(text)],
  ['splitSentences', longest.text, splitSentences],
  ['units', longest.text, units],
  ['words', longest.text, words],
  [
    'extractEntities',
    longest.chunk,
    (text) => extractEntities({ text, lang: 'ru', unit: null, number: null, heading: '' }),
  ],
  [
    'what a name means in the graph',
    longest.question,
    (text) => askGraph(graph, { ...around, entity: text }),
  ],
  [
    'what a text names in the graph',
    longest.question,
    (text) => askGraph(graph, { ...around, entity: null, query: text }),
  ],
  [
    'a path through the graph',
    longest.question,
    (text) => askGraph(graph, { ...around, entity: text, to: [...text].reverse().join('') }),
  ],
];

describe.each(readers)('%s', (_name, length, reader) => {
  test('reads each fragment, repeated, within its budget', () => {
    for (const fragment of fragments) {
      const text = filled([fragment], length);
      expect(
        overBudget(() => reader(text)),
        JSON.stringify(fragment),
      ).toBeNull();
    }
  });

  test('reads mixtures within its budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...fragments), { minLength: 2, maxLength: 6 }),
        (parts) => overBudget(() => reader(filled(parts, length))) === null,
      ),
      { numRuns: 40 },
    );
  });
});
