/** Code that reads lines and the ends of texts stays within the budget, even if they are far longer than any question. */
import { expect, test } from 'vitest';
import { plainOf } from '../../connectors/telegram/html.ts';
import { joinWrapped } from '../../src/ingest/blocks.ts';
import { resolveDirectives } from '../../src/ingest/formats/directives.ts';
import { parseMarkdown } from '../../src/ingest/formats/markdown.ts';
import { globMatcher } from '../../src/ingest/glob.ts';
import { readProvision } from '../../src/ingest/provisions.ts';
import { bareQuestion } from '../../src/ingest/questions.ts';
import { replaceEnclosed, withoutEnd } from '../../src/text/trimming.ts';
import { judge } from '../../tools/evaluation/judging.ts';
import { overBudget } from './budget.ts';
import { filled, longest } from './corpus.ts';

const judged = (answer: string) =>
  judge(
    { expect: 'answer', lang: 'ru', category: 'who', must_contain: ['шесть лет'] },
    { answer, mode: 'ordinary', lang: 'ru', citations: [] },
  );

const cases: Record<string, () => unknown> = {
  'signs that do not end a text': () => withoutEnd(`${filled(['?'], longest.text)}a`, /[\s?]/),
  'brackets that do not close': () => replaceEnclosed(filled(['('], longest.text), ['(', ')'], () => ' '),
  'a word that does not end a line': () => joinWrapped(`${filled(['я'], longest.text)} -`, 'а', new Set()),
  'a number that is no number': () => readProvision(`${filled(['IVXLC'], longest.text)}ъ`),
  'a directive of many options': () => resolveDirectives(`{a${'[]'.repeat(27)}x`),
  'a directive whose content does not end': () => resolveDirectives(`{a(${filled([')['], longest.text)}`),
  'tags that do not end': () => resolveDirectives(filled(['{{<'], longest.text)),
  'variants that do not end': () => resolveDirectives(`{ifdef(${filled(['{ifndef('], longest.text)}`),
  'variants of nothing': () => resolveDirectives(`{ifdef(${filled(['{ifndef()}'], longest.text)}`),
  'a tag of quotes': () => resolveDirectives(`a {% x ${filled(["'a"], 20_000)}${filled(['a'], 20_000)}%}`),
  'HTML tags that do not end': () => parseMarkdown(`<div>\n${filled(['<a '], longest.text)}`),
  'a question of spaces': () => bareQuestion(`Вопрос${filled([' '], longest.text)}x`),
  'markup that does not end': () => plainOf(filled(['<'], longest.text)),
  'a pattern of many asterisks': () => globMatcher('*a*a*a*a*b')(filled(['a'], 150)),
  'a pattern of many folders': () => globMatcher('**/**/**/**/x')(filled(['a/'], 200)),
  'an answer of full stops': () => judged(filled(['.'], longest.chunk)),
  'an answer of spaces': () => judged(`Да.${filled([' '], longest.text)}.`),
  'a tag of spaces': () => resolveDirectives(`{%${filled([' '], longest.chunk)}`),
};

test.each(Object.entries(cases))('%s', (_kind, act) => {
  expect(overBudget(act)).toBeNull();
});
