/**
 * Every expression that reads what strangers send, over texts that are made of what it matches: none takes longer than
 * the budget for the longest question there may be. An expression that is written tomorrow is among them.
 */
import { expect, test } from 'vitest';
import { modulesAnew } from '../support/modules-anew.ts';
import { overBudget } from './budget.ts';
import { filled, longest } from './corpus.ts';
import { type Expression, filesOf, findAll, literalsIn, madeBy, pumped } from './expressions.ts';

const rooms = [
  'src/text',
  'src/graph',
  'src/search',
  'src/answering',
  'src/asks',
  'src/domain',
  'src/faq',
  'src/access',
  'src/http',
  'src/admin',
  'src/models',
  'src/stores',
  'src/ingest',
  'tools/evaluation',
  'src/history',
  'src/cli',
  'src/operations',
  'src/event-sourcing',
  'projections',
  'connectors',
  'web',
];

/** What nearly every expression has to look at once more. */
const general = ['и ', 'a', 'А', '1', '1.', ' ', '\n', '.', '-', '"', '(', 'статья 1 ', 'Aa '].map((unit) =>
  filled([unit], longest.question),
);

/** The expressions of a room that take too long, with the text that shows it. */
function tooSlow(expressions: Iterable<Expression>): string[] {
  const found: string[] = [];
  for (const expression of expressions)
    for (const text of [...pumped(expression, longest.question), ...general]) {
      const over = overBudget(() => findAll(expression, text));
      if (over !== null)
        found.push(
          `${expression.place} /${expression.source}/ on ${JSON.stringify(text.slice(0, 40))}: ${over}`,
        );
    }
  return found;
}

const distinct = (list: readonly Expression[]) =>
  new Map(list.map((one) => [`/${one.source}/${one.flags}`, one])).values();

test.each(rooms)('what is written out in %s', (room) => {
  expect(tooSlow(distinct(filesOf(room).flatMap(literalsIn)))).toEqual([]);
});

test('what is made of the words of the languages', async () => {
  // Loaded anew, all that is made of them is made again.
  const anew = modulesAnew();
  const made = await madeBy(async () => {
    await anew.load('src/answering/ask.ts');
    await anew.load('src/answering/reading/retriever.ts');
  });
  anew.end();
  expect(made.length).toBeGreaterThan(100);
  expect(tooSlow(distinct(made))).toEqual([]);
});

test('an expression that takes its time is found by this', () => {
  const slow = { place: 'here', source: '\\s+\\s+x', flags: '' };
  expect(overBudget(() => findAll(slow, ' '.repeat(900)))).not.toBeNull();
});
