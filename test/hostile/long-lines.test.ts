/** What reads lines and ends of texts keeps to the budget where these are far longer than any question. */
import { expect, test } from 'vitest';
import { joinWrapped } from '../../src/ingest/blocks.ts';
import { resolveDirectives } from '../../src/ingest/formats/directives.ts';
import { readProvision } from '../../src/ingest/provisions.ts';
import { replaceEnclosed, withoutEnd } from '../../src/text/trimming.ts';
import { overBudget } from './budget.ts';
import { filled, longest } from './corpus.ts';

const cases: Record<string, () => unknown> = {
  'signs that do not end a text': () => withoutEnd(`${filled(['?'], longest.text)}a`, /[\s?]/),
  'brackets that do not close': () => replaceEnclosed(filled(['('], longest.text), ['(', ')'], () => ' '),
  'a word that does not end a line': () => joinWrapped(`${filled(['я'], longest.text)} -`, 'а', new Set()),
  'a number that is no number': () => readProvision(`${filled(['IVXLC'], longest.text)}ъ`),
  'a tag of spaces': () => resolveDirectives(`{%${filled([' '], longest.chunk)}`),
};

test.each(Object.entries(cases))('%s', (_kind, act) => {
  expect(overBudget(act)).toBeNull();
});
