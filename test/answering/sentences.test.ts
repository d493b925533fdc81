import { describe, expect, test } from 'vitest';
import { arranged, sentenceBehind, withContext } from '../../src/answering/writing/sentences.ts';
import type { Found } from '../../src/reading/passages.ts';

const hit = (text: string, chunk: { question?: string; number?: string } = {}) =>
  ({
    id: 1,
    text,
    chunk: { question: null, number: null, heading: '', path: [], lang: 'en', ...chunk },
  }) as unknown as Found;

/** The text quoted for one sentence of a passage. */
function quoted(text: string, sentence: string, own: number, chunk = {}, whole?: true): string[] {
  const start = text.indexOf(sentence);
  const found = hit(text, chunk);
  return withContext({ hit: found, start, end: start + sentence.length, own, ...(whole && { whole }) }).map(
    (one) => text.slice(one.start, one.end),
  );
}

describe('the context quoted with a sentence', () => {
  const list = 'The ferry stops at:\n– Quay;\n– Mill;\n– Lighthouse.';

  test('adds its introduction to a list item, and the whole list if the item shares no word with the question', () => {
    expect(quoted(list, '– Mill;', 1)).toEqual(['The ferry stops at:', '– Mill;']);
    expect(quoted(list, '– Mill;', 0)).toEqual([list]);
  });

  test('adds all steps, or all items of a list that is the answer', () => {
    expect(quoted(list, '– Mill;', 1, {}, true)).toEqual([list]);
  });

  test('adds the command that a step announces, even to the last step', () => {
    const steps =
      'To start:\n1. Open a shell.\n2. Run the command:\n\n\tferry start\n\tferry ready\n\nDogs are free.';
    const whole = steps.slice(0, steps.indexOf('\n\nDogs'));
    expect(quoted(steps, '2. Run the command:', 0)).toEqual([whole.slice(whole.indexOf('2.'))]);
    expect(quoted(steps, '1. Open a shell.', 1, {}, true)).toEqual([whole]);
    expect(quoted(steps, 'To start:', 1)).toEqual([whole]);
    expect(quoted(steps, '2. Run the command:', 1, {}, true)).toEqual([whole]);
  });

  test('adds the outer steps to a nested step, but only its own list to a nested item', () => {
    const inner = 'To start:\n1. Open a shell.\n2. Note down:\n  – your name;\n  – your mail.\n3. Wait.';
    expect(quoted(inner, '– your mail.', 1, {}, true)).toEqual([inner]);
    const nested = 'Stops:\n– Quay, with\n  – a crane;\n  – a shed.\n– Mill.';
    expect(quoted(nested, '– a shed.', 1, {}, true)).toEqual(['– Quay, with\n  – a crane;\n  – a shed.']);
  });

  test('adds the columns to a row, and the whole table if all rows are requested', () => {
    const table = 'Stop | Fare\nQuay | 2\nMill | 3';
    expect(quoted(table, 'Mill | 3', 1)).toEqual(['Stop | Fare', 'Mill | 3']);
    expect(quoted(table, 'Mill | 3', 0)).toEqual(['Stop | Fare', 'Mill | 3']);
    expect(quoted(table, 'Mill | 3', 0, {}, true)).toEqual([table]);
  });

  test('is empty for a point of a provision', () => {
    const text = 'Article 1. Ferries\n1. Ferries stop at night.\n2. Dogs are carried free.';
    expect(quoted(text, '2. Dogs are carried free.', 0, { number: '1' })).toEqual(['Dogs are carried free.']);
  });

  test('is the whole answer of a pair if it is short or begins with the sentence', () => {
    const pair = { question: 'May dogs come?' };
    const short = 'No. They stay on the quay.';
    expect(quoted(short, 'They stay on the quay.', 1, pair)).toEqual([short]);
    const long = `No. ${'A keeper looks after the animals of all who travel. '.repeat(5)}Dogs stay on the quay.`;
    expect(quoted(long, 'Dogs stay on the quay.', 1, pair)).toEqual(['Dogs stay on the quay.']);
    expect(quoted(long, 'No.', 1, pair)).toEqual([long]);
  });
});

test('an answer after a question in the text is quoted without the question, to the end of its paragraph', () => {
  const text = 'Boats come daily.\n\nMay dogs come?\nYes, on a lead. Cats stay at home.\n\nCarts pay.';
  expect(quoted(text, 'Yes, on a lead.', 1)).toEqual(['Yes, on a lead. Cats stay at home.']);
});

test('a sentence that refers back is quoted with the preceding sentence in its paragraph', () => {
  const text = 'Tickets are sold on board. This way costs more. Carts pay.\n\nThis is a ferry.';
  expect(quoted(text, 'This way costs more.', 1)).toEqual([
    'Tickets are sold on board. This way costs more.',
  ]);
  expect(quoted(text, 'Carts pay.', 1)).toEqual(['Carts pay.']);
  expect(quoted(text, 'This is a ferry.', 1)).toEqual(['This is a ferry.']);
});

test('a sentence is followed by the next one in its paragraph', () => {
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

describe('several sentences from one passage', () => {
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

  test('follow the order of the passage, or the order of selection', () => {
    const chosen = [at('Dogs are free.'), at('Carts pay.')];
    expect(texts(chosen)).toEqual([['Carts pay.', 'Dogs are free.']]);
    expect(texts(chosen, 'chosen')).toEqual([['Dogs are free.', 'Carts pay.']]);
  });

  test('are quoted once if one contains the others', () => {
    const list = 'The ferry stops at:\n– Quay;\n\n– Mill;\n– Lighthouse.';
    expect(texts([at('– Lighthouse.'), at('– Mill;', true)])).toEqual([[list]]);
  });
});
