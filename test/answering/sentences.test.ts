import { describe, expect, test } from 'vitest';
import type { Found } from '../../src/answering/reading/read.ts';
import { arranged, sentenceBehind, withContext } from '../../src/answering/writing/sentences.ts';

const hit = (text: string, chunk: { question?: string; number?: string } = {}) =>
  ({
    id: 1,
    text,
    chunk: { question: null, number: null, heading: '', path: [], lang: 'en', ...chunk },
  }) as unknown as Found;

/** What is quoted of a text for one of its sentences. */
function quoted(text: string, sentence: string, own: number, chunk = {}, whole?: true): string[] {
  const start = text.indexOf(sentence);
  const found = hit(text, chunk);
  return withContext({ hit: found, start, end: start + sentence.length, own, ...(whole && { whole }) }).map(
    (one) => text.slice(one.start, one.end),
  );
}

describe('what a sentence is quoted with', () => {
  const list = 'The ferry stops at:\n– Quay;\n– Mill;\n– Lighthouse.';

  test('an item stands with its head, and for its whole list where it has nothing of the question itself', () => {
    expect(quoted(list, '– Mill;', 1)).toEqual(['The ferry stops at:', '– Mill;']);
    expect(quoted(list, '– Mill;', 0)).toEqual([list]);
  });

  test('of steps, and of what is listed, an item that answers stands for all of them', () => {
    expect(quoted(list, '– Mill;', 1, {}, true)).toEqual([list]);
  });

  test('a step stands with the command it announces, also where it is the last', () => {
    const steps =
      'To start:\n1. Open a shell.\n2. Run the command:\n\n\tferry start\n\tferry ready\n\nDogs are free.';
    const whole = steps.slice(0, steps.indexOf('\n\nDogs'));
    expect(quoted(steps, '2. Run the command:', 0)).toEqual([whole.slice(whole.indexOf('2.'))]);
    expect(quoted(steps, '1. Open a shell.', 1, {}, true)).toEqual([whole]);
    expect(quoted(steps, 'To start:', 1)).toEqual([whole]);
    expect(quoted(steps, '2. Run the command:', 1, {}, true)).toEqual([whole]);
  });

  test('a step within a step stands for the steps around it, an item of a list within a list for its own', () => {
    const inner = 'To start:\n1. Open a shell.\n2. Note down:\n  – your name;\n  – your mail.\n3. Wait.';
    expect(quoted(inner, '– your mail.', 1, {}, true)).toEqual([inner]);
    const nested = 'Stops:\n– Quay, with\n  – a crane;\n  – a shed.\n– Mill.';
    expect(quoted(nested, '– a shed.', 1, {}, true)).toEqual(['– Quay, with\n  – a crane;\n  – a shed.']);
  });

  test('a row stands with its columns, and where all are asked for the table is told', () => {
    const table = 'Stop | Fare\nQuay | 2\nMill | 3';
    expect(quoted(table, 'Mill | 3', 1)).toEqual(['Stop | Fare', 'Mill | 3']);
    expect(quoted(table, 'Mill | 3', 0)).toEqual(['Stop | Fare', 'Mill | 3']);
    expect(quoted(table, 'Mill | 3', 0, {}, true)).toEqual([table]);
  });

  test('a point of a provision stands for itself', () => {
    const text = 'Article 1. Ferries\n1. Ferries stop at night.\n2. Dogs are carried free.';
    expect(quoted(text, '2. Dogs are carried free.', 0, { number: '1' })).toEqual(['Dogs are carried free.']);
  });

  test('the answer of a pair is told whole where it is short or begins with the sentence', () => {
    const pair = { question: 'May dogs come?' };
    const short = 'No. They stay on the quay.';
    expect(quoted(short, 'They stay on the quay.', 1, pair)).toEqual([short]);
    const long = `No. ${'A keeper looks after the animals of all who travel. '.repeat(5)}Dogs stay on the quay.`;
    expect(quoted(long, 'Dogs stay on the quay.', 1, pair)).toEqual(['Dogs stay on the quay.']);
    expect(quoted(long, 'No.', 1, pair)).toEqual([long]);
  });
});

test('the answer to a question in the text is told without the question, to the end of its paragraph', () => {
  const text = 'Boats come daily.\n\nMay dogs come?\nYes, on a lead. Cats stay at home.\n\nCarts pay.';
  expect(quoted(text, 'Yes, on a lead.', 1)).toEqual(['Yes, on a lead. Cats stay at home.']);
});

test('a sentence that points back is told with the one before it in its paragraph', () => {
  const text = 'Tickets are sold on board. This way costs more. Carts pay.\n\nThis is a ferry.';
  expect(quoted(text, 'This way costs more.', 1)).toEqual([
    'Tickets are sold on board. This way costs more.',
  ]);
  expect(quoted(text, 'Carts pay.', 1)).toEqual(['Carts pay.']);
  expect(quoted(text, 'This is a ferry.', 1)).toEqual(['This is a ferry.']);
});

test('behind a sentence stands the next of its paragraph', () => {
  const text = 'The ferry was sold. It had sunk twice.\n\nDogs are free.';
  const behind = (sentence: string) => {
    const start = text.indexOf(sentence);
    const next = sentenceBehind({ hit: hit(text), start, end: start + sentence.length });
    return next && text.slice(next.start, next.end);
  };
  expect(behind('The ferry was sold.')).toBe('It had sunk twice.');
  expect(behind('It had sunk twice.')).toBeNull();
  expect(behind('Dogs are free.')).toBeNull();
});

describe('several sentences of one passage', () => {
  const text = 'Carts pay.\n\nThe ferry stops at:\n– Quay;\n\n– Mill;\n– Lighthouse.\n\nDogs are free.';
  const found = hit(text);
  const at = (sentence: string, whole?: true) => ({
    hit: found,
    start: text.indexOf(sentence),
    end: text.indexOf(sentence) + sentence.length,
    own: 1,
    ...(whole && { whole }),
  });
  const texts = (...[chosen, order]: Parameters<typeof arranged>) =>
    arranged(chosen, order).map((group) => group.map(({ start, end }) => text.slice(start, end)));

  test('stand in its order, or in that in which they were chosen', () => {
    const chosen = [at('Dogs are free.'), at('Carts pay.')];
    expect(texts(chosen)).toEqual([['Carts pay.', 'Dogs are free.']]);
    expect(texts(chosen, 'chosen')).toEqual([['Dogs are free.', 'Carts pay.']]);
  });

  test('are told once where one holds the others', () => {
    const list = 'The ferry stops at:\n– Quay;\n\n– Mill;\n– Lighthouse.';
    expect(texts([at('– Lighthouse.'), at('– Mill;', true)])).toEqual([[list]]);
  });
});
