import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '../../src/text/edit-distance.ts';
import { spokenAs } from '../../src/text/spoken.ts';
import { slips, typingCost, typingCosts } from '../../src/text/typing-errors.ts';

describe('spokenAs', () => {
  it.each([
    ['избераеться', 'избирается', 'vowels without stress, an ending'],
    ['тока', 'только', 'a word as it is said'],
    ['агенство', 'агентство', 'a letter nobody hears'],
    ['щастье', 'счастье', 'two letters for one sound'],
    ['зделать', 'сделать', 'a consonant before a voiced one'],
    ['рускава', 'русского', 'an ending by ear'],
    ['кукык', 'құқық', 'Kazakh without its own letters'],
    ['dissolushun', 'dissolution', 'an ending by ear'],
    ['reciepts', 'receipts', 'vowels in another order'],
    ['fonetik', 'phonetic', 'letters of one sound'],
  ])('%s sounds as %s: %s', (typed, meant) => {
    expect(spokenAs(typed)).toBe(spokenAs(meant));
  });

  it.each([
    ['палата', 'палатка'],
    ['resident', 'president'],
    ['қала', 'дала'],
  ])('%s sounds otherwise than %s', (a, b) => {
    expect(spokenAs(a)).not.toBe(spokenAs(b));
  });

  it('leaves numbers and words of unknown scripts as they are', () => {
    expect(spokenAs('1235')).toBe('1235');
    expect(spokenAs('αβγ')).toBe('αβγ');
  });
});

describe('typingCost', () => {
  const cost = (typed: string, meant: string) =>
    typingCost(typed, meant, spokenAs(typed) === spokenAs(meant));

  it('costs nothing to type a word as it is', () => {
    expect(cost('закон', 'закон')).toBe(0);
  });

  it.each([
    ['салик', 'салық', slips.lacking + slips.alike, 'a letter the keyboard lacks, and one that sounds alike'],
    ['стулица', 'столица', slips.other, 'another letter'],
    ['сталица', 'столица', slips.alike, 'a letter that sounds alike'],
    ['сголица', 'столица', slips.other, 'no neighbour on the keyboard'],
    ['стошица', 'столица', slips.neighbour, 'the neighbour on the keyboard'],
    ['столца', 'столица', slips.missing, 'a letter left out'],
    ['стоилца', 'столица', slips.swapped, 'two letters swapped'],
    ['столлица', 'столица', slips.extraDouble, 'a letter typed twice'],
    ['расчет', 'рассчет', slips.missingDouble, 'one of two equal letters'],
    ['пистма', 'письма', slips.neighbour, 'the neighbour of a letter without a sound'],
    ['писма', 'письма', slips.missingSilent, 'a letter without a sound'],
    ['избераеться', 'избирается', slips.heard, 'many letters, and one sound'],
    ['гражданен', 'гражданин', slips.alike, 'a letter that sounds alike'],
  ])('%s for %s: %d (%s)', (typed, meant, expected) => {
    expect(cost(typed, meant)).toBe(expected);
  });

  it('is Infinity where it is more than asked for', () => {
    expect(typingCost('столца', 'столица', false, slips.missing - 1)).toBe(Infinity);
    expect(typingCosts('абв', 'где', 1)).toBeNull();
  });

  it('costs as many slips as there are edits at least, and stops at a bound without changing what is below', () => {
    const word = fc.stringMatching(/^[абвь]{1,7}$/);
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 30 }), (typed, meant, most) => {
        const whole = typingCost(typed, meant, false);
        const edits = editDistance(typed, meant, 20);
        expect(whole).toBeGreaterThanOrEqual(edits * slips.missingDouble);
        expect(typingCost(typed, meant, false, most)).toBe(whole <= most ? whole : Infinity);
      }),
    );
  });
});
