/** Code that reads lines and text endings stays within the budget, even for input far longer than any question. */
import { expect, test } from 'vitest';
import { plainOf } from '../../connectors/telegram/html.ts';
import { joinWrapped } from '../../src/formats/blocks.ts';
import { resolveDirectives } from '../../src/formats/directives.ts';
import { parseMarkdown } from '../../src/formats/markdown.ts';
import { readProvision } from '../../src/formats/provisions.ts';
import { globMatcher } from '../../src/ingest/glob.ts';
import { bareQuestion } from '../../src/ingest/leaflets.ts';
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
  'punctuation before the end of a text': () => withoutEnd(`${filled(['?'], longest.text)}a`, /[\s?]/),
  'unclosed brackets': () => replaceEnclosed(filled(['('], longest.text), ['(', ')'], () => ' '),
  'a word that does not end a line': () => joinWrapped(`${filled(['я'], longest.text)} -`, 'а', new Set()),
  'an invalid number': () => readProvision(`${filled(['IVXLC'], longest.text)}ъ`),
  'a directive with many options': () => resolveDirectives(`{a${'[]'.repeat(27)}x`),
  'an unclosed directive': () => resolveDirectives(`{a(${filled([')['], longest.text)}`),
  'unclosed tags': () => resolveDirectives(filled(['{{<'], longest.text)),
  'unclosed variants': () => resolveDirectives(`{ifdef(${filled(['{ifndef('], longest.text)}`),
  'empty variants': () => resolveDirectives(`{ifdef(${filled(['{ifndef()}'], longest.text)}`),
  'a tag with many quotes': () =>
    resolveDirectives(`a {% x ${filled(["'a"], 20_000)}${filled(['a'], 20_000)}%}`),
  'unclosed HTML tags': () => parseMarkdown(`<div>\n${filled(['<a '], longest.text)}`),
  'a question with many spaces': () => bareQuestion(`Вопрос${filled([' '], longest.text)}x`),
  'unclosed markup': () => plainOf(filled(['<'], longest.text)),
  'a pattern with many asterisks': () => globMatcher('*a*a*a*a*b')!(filled(['a'], 150)),
  'a pattern with many folders': () => globMatcher('**/**/**/**/x')!(filled(['a/'], 200)),
  'an answer with only full stops': () => judged(filled(['.'], longest.chunk)),
  'an answer with many spaces': () => judged(`Да.${filled([' '], longest.text)}.`),
  'a tag with only spaces': () => resolveDirectives(`{%${filled([' '], longest.chunk)}`),
};

test.each(Object.entries(cases))('%s', (_kind, act) => {
  expect(overBudget(act)).toBeNull();
});
