/** Verdicts, grouped by the rule behind them. Citations in the answers are enclosed in «…». */
import { expect, it } from 'vitest';
import { type Expectation, judge } from '../../../tools/evaluation/judging.ts';

/** An answer whose cited text is marked by angle quotes, which are removed. */
function reply(marked: string, mode = 'ordinary', lang = 'en') {
  const citations: { start: number; end: number }[] = [];
  let answer = '';
  for (const [n, piece] of marked.split(/[«»]/).entries()) {
    if (n % 2 === 1) citations.push({ start: answer.length, end: answer.length + piece.length });
    answer += piece;
  }
  return { answer, mode, lang, citations };
}

const wanted: Expectation = {
  expect: 'answer',
  lang: 'en',
  category: 'sentence',
  must_contain: ['six years|6 years'],
};
const long = Array.from({ length: 45 }, (_, n) => `word${n}`).join(' ');

it.each<[string, Partial<Expectation>, ReturnType<typeof reply>, string]>([
  ['the fact at the beginning', {}, reply('«The term is six years.» (Charter)'), 'right'],
  ['the fact in another spelling', {}, reply('«It lasts 6 years.»'), 'right'],
  ['a missing fact', {}, reply('«The term is long.»'), 'wrong'],
  ['a number inside another one', {}, reply('«It lasts 16 years.»'), 'wrong'],
  ['the fact only in the name of a source', {}, reply('«It is long.» (On six years)'), 'wrong'],
  ['the fact in a source name that counts', { labels: true }, reply('«It is long.» (On six years)'), 'right'],
  ['the fact buried', {}, reply(`«First, ${long}.» «Then it is six years.»`), 'partly'],
  [
    'a fact buried in an answer that may be long',
    { category: 'exact-ref' },
    reply(`«First, ${long}.» «Six years.»`),
    'right',
  ],
  ['in another language', {}, reply('«The term is six years.»', 'ordinary', 'ru'), 'partly'],
  [
    'a fact next to a misleading one',
    { must_not_contain: ['seven'] },
    reply('«Six years, or seven.»'),
    'partly',
  ],
  ['one of two facts', { must_contain: ['six years', 'ballot'] }, reply('«Six years.»'), 'partly'],
  [
    'one of two facts that belong together',
    { must_contain: ['six years', 'ballot'], together: true },
    reply('«Six years.»'),
    'wrong',
  ],
  ['no instead of yes', { polarity: 'yes' }, reply('«No, it is six years.»'), 'partly'],
  ['an abstention', {}, reply('Nothing was found.', 'no_answer'), 'wrongly refused'],
  ['an abstention that quotes the fact', {}, reply('Perhaps: «It is six years.»', 'no_answer'), 'partly'],
  [
    'an abstention without an answer in the documents',
    { expect: 'refusal', must_contain: [] },
    reply('Nothing.', 'no_answer'),
    'rightly refused',
  ],
  [
    'an answer that the documents do not contain',
    { expect: 'refusal', must_contain: [] },
    reply('«Six.»'),
    'wrongly answered',
  ],
  [
    'an answer that amounts to an abstention',
    { expect: 'refusal', must_contain: [], may_contain: ['Six'] },
    reply('«Six.»'),
    'rightly refused',
  ],
  ['a greeting', { expect: 'reply' }, reply('Hello!', 'greeting'), 'fitting'],
  ['a lecture in reply to a greeting', { expect: 'reply' }, reply('«Six.»'), 'unfitting'],
])('judges %s', (_, more, given, verdict) => {
  expect(judge({ ...wanted, ...more }, given).verdict).toBe(verdict);
});

it('detects repeated quotations', () => {
  const one = 'The term of the council is six years by law';
  expect(judge(wanted, reply(`«${one}.» «${one} everywhere.»`)).repeats).toBe(true);
  expect(
    judge(wanted, reply(`«${one}.» «Elections are held in a secret ballot every spring.»`)).repeats,
  ).toBe(false);
});

it('counts a failed question against the service', () => {
  const failed = { ...reply(''), mode: null, failed: 'status 500' };
  expect(judge(wanted, failed)).toMatchObject({ verdict: 'wrong', why: 'status 500' });
});
