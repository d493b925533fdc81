/**
 * Text made to keep the service busy. Each function that reads questions, histories or documents gets the worst of a
 * corpus of fragments, repeated and mixed up to the maximum accepted length, within a budget of its thread's processor
 * time (which does not grow if the machine is busy).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable } from '../../src/cli/output.ts';
import type { CorpusSettings } from '../../src/domain/events.ts';
import { extract } from '../../src/graph/extract.ts';
import { keyOf } from '../../src/graph/names.ts';
import { readConversation } from '../../src/question/conversation.ts';
import { understand } from '../../src/question/question.ts';
import { readQuestion } from '../../src/question/read-question.ts';
import { analyseQuestion, withoutReportingVerbs } from '../../src/reading/analysed-question.ts';
import { detectLanguage, repairLayout } from '../../src/text/language.ts';
import { identityOf } from '../../src/text/question-identity.ts';
import { parseReferences } from '../../src/text/references/parse.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { units } from '../../src/text/units.ts';
import { words } from '../../src/text/words.ts';
import { overBudget, share } from './budget.ts';
import { filled, fragments, fullHistory, longest } from './corpus.ts';
import { conversation, mixture, question } from './mixtures.ts';

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
    'extract',
    longest.chunk,
    (text) => extract([{ text, lang: 'ru', unit: null, number: null, heading: '' }]),
  ],
  ['keyOf', longest.question, (text) => keyOf(text, 'ru')],
  ['printable', longest.text, printable],
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
      fc.property(mixture(length), (text) => {
        expect(overBudget(() => reader(text))).toBeNull();
      }),
      share(0.043),
    );
  });
});

test('reads any conversation within its budget', () => {
  fc.assert(
    fc.property(question, conversation, (query, history) => {
      expect(overBudget(() => understand(query, readConversation(history).turns, settings))).toBeNull();
    }),
    share(0.03),
  );
});
