/**
 * Tests every regular expression for untrusted input on text built from what it matches: none may exceed the budget for
 * the longest possible question. New expressions are included automatically.
 */
import { expect, test } from 'vitest';
import { modulesAnew } from '../support/modules-anew.ts';
import { overBudget } from './budget.ts';
import { filled, longest } from './corpus.ts';
import { type Expression, filesOf, findAll, literalsIn, madeBy, pumped } from './expressions.ts';

const rooms = [
  'src/language',
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
  'src/storage',
  'src/log',
  'src/read-models',
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

/** Text that makes nearly every expression backtrack. */
const general = ['и ', 'a', 'А', '1', '1.', ' ', '\n', '.', '-', '"', '(', 'статья 1 ', 'Aa '].map((unit) =>
  filled([unit], longest.question),
);

/** The expressions of a module that take too long, with the text that shows it. */
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

test.each(rooms)('literals in %s', (room) => {
  expect(tooSlow(distinct(filesOf(room).flatMap(literalsIn)))).toEqual([]);
});

test('expressions built from the words of the languages', async () => {
  // Loading the modules again builds all expressions again.
  const anew = modulesAnew();
  const made = await madeBy(async () => {
    await anew.load('src/asks/ask.ts');
    await anew.load('src/answering/retrieval/retriever.ts');
  });
  anew.end();
  expect(made.length).toBeGreaterThan(100);
  expect(tooSlow(distinct(made))).toEqual([]);
});

test('this check detects a slow expression', () => {
  const slow = { place: 'here', source: '\\s+\\s+x', flags: '' };
  expect(overBudget(() => findAll(slow, ' '.repeat(700)))).not.toBeNull();
});
