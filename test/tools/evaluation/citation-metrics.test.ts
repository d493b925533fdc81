import { describe, expect, it } from 'vitest';
import {
  citationScores,
  entailsByWords,
  type Quoted,
  statementsOf,
} from '../../../tools/evaluation/citation-metrics.ts';

/** A premise entails a statement if it contains all its letters. */
const byLetters = (premise: string, statement: string) =>
  [...statement].every((one) => premise.includes(one));
const scores = (...statements: [string, string[]][]) =>
  citationScores(
    statements.map(([text, premises]) => ({ text, premises })),
    byLetters,
  );

describe('recall and precision', () => {
  it('are 1 if the citations of each statement support it', () => {
    expect(scores(['ab', ['abc']], ['d', ['d']])).toEqual({ recall: 1, precision: 1 });
  });

  it('drop for a statement without a citation, and for one that its citations do not entail', () => {
    // One of three statements is entailed; one of two citations is useful.
    expect(scores(['ab', ['ab']], ['c', []], ['d', ['x']])).toEqual({ recall: 1 / 3, precision: 1 / 2 });
  });

  it('count citations as useful that only together entail a statement', () => {
    expect(scores(['ab', ['a', 'b']])).toEqual({ recall: 1, precision: 1 });
  });

  it('count an irrelevant and unnecessary citation as useless', () => {
    expect(scores(['ab', ['ab', 'x']])).toEqual({ recall: 1, precision: 1 / 2 });
  });

  it('count two citations as useful if each entails the statement', () => {
    expect(scores(['ab', ['ab', 'abc']])).toEqual({ recall: 1, precision: 1 });
  });

  it('are 0 without citations, and undefined without statements', () => {
    expect(scores(['ab', []])).toEqual({ recall: 0, precision: 0 });
    expect(scores()).toBeNull();
  });
});

describe('statements', () => {
  const quoted = (answer: string, of: string, premise: string): Quoted => {
    const start = answer.indexOf(of);
    return { start, end: start + of.length, premise };
  };

  it('are sentences with their citations, without source names', () => {
    const answer = 'The bridge is red. (Bridges) It was built in 1932.\n\nIt is long. (Bridges, Lengths)';
    const citations = [
      quoted(answer, 'The bridge is red.', 'a'),
      quoted(answer, 'It was built in 1932.', 'b'),
      quoted(answer, 'It was built in 1932.', 'b'),
      quoted(answer, 'It is long.', 'c'),
    ];
    const statements = statementsOf(answer, citations);
    expect(statements.map(({ premises }) => premises)).toEqual([['a'], ['b'], ['c']]);
    expect(statements.at(-1)!.text).toBe('It is long.');
  });

  it('include the words that introduce them', () => {
    const answer = 'The commentary says:\nFishing is allowed.';
    expect(statementsOf(answer, [quoted(answer, 'Fishing is allowed.', 'a')])).toEqual([
      { text: answer, premises: ['a'] },
    ]);
  });
});

describe('entailment by words', () => {
  const premise = 'Bridges\nThe bridge over the river was built in 1932 and is painted red every spring.';

  it.each([
    ['The bridge over the river was built in 1932', true],
    ['The river bridge was built in 1932.', true],
    ['The bridge was built in 1933.', false],
    ['The bridge was not built in 1932.', false],
    ['Engineers from abroad drew the plans of the bridge.', false],
  ])('%s: %s', (statement, entailed) => {
    expect(entailsByWords(premise, statement)).toBe(entailed);
  });
});
