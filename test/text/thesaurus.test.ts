import { describe, expect, test } from 'vitest';
import { languages, phrasesOf, textOf, wordsOfAll } from '../../src/language/index.ts';
import { readSections } from '../../src/language/sections.ts';
import { covers } from '../../src/reading/matching.ts';
import { relatedStems } from '../../src/text/related.ts';
import { isStopWord, stem, words } from '../../src/text/words.ts';

const antonyms = readSections([new URL('antonyms.txt', import.meta.url)]);
const stopStems = new Set([...wordsOfAll('stopWords.function')].map(stem));

describe.each(languages)('related words of %s', (language) => {
  const groups = textOf(language, 'thesaurus.related')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
  const name = (group: readonly string[]) => group.join(' ');
  const key = (group: readonly string[]) => [...new Set(group.map(stem))].sort().join(' ');

  test('are small groups of tokens with distinct stems', () => {
    for (const group of groups) {
      expect(words(name(group)), name(group)).toEqual(group);
      expect(new Set(group.map(stem)).size, name(group)).toBe(group.length);
      expect(group.length, name(group)).toBeGreaterThanOrEqual(2);
      expect(group.length, name(group)).toBeLessThanOrEqual(8);
    }
  });

  // «радио» has the stem of «ради», so every sentence with that preposition would match broadcasting.
  test('are not stop words, and do not share a stem with one', () => {
    expect(groups.flat().filter((word) => isStopWord(word) || stopStems.has(stem(word)))).toEqual([]);
  });

  test('are grouped once: no group contains another, and each adds a match that prefixes alone do not find', () => {
    const sets = groups.map((group) => new Set(group.map(stem)));
    const within = groups.filter((group, n) =>
      sets.some((other, m) => m !== n && group.every((word) => other.has(stem(word)))),
    );
    const alike = groups.filter((group) => {
      const stems = group.map(stem);
      return stems.every((one) => stems.every((other) => covers(one, other)));
    });
    expect([...within, ...alike].map(name)).toEqual([]);
    expect(new Set(groups.map(key)).size).toBe(groups.length);
  });

  test('exclude antonyms, which would reverse the meaning', () => {
    const turned = phrasesOf(antonyms.get(language)!).filter((pair) => {
      const [a, b] = pair.split(' ').map(stem) as [string, string];
      return (
        a !== b &&
        groups.some((group) => group.some((one) => stem(one) === a) && group.some((one) => stem(one) === b))
      );
    });
    expect(turned).toEqual([]);
  });
});

describe('relatedStems', () => {
  test.each([
    ['тюрьма', 'заключения'],
    ['зарплата', 'вознаграждение'],
    ['jail', 'imprisonment'],
    ['sack', 'dismissal'],
    ['үй', 'баспана'],
    ['айлық', 'жалақы'],
  ])('relates %s and %s, in both directions', (one, other) => {
    expect(relatedStems(stem(one))).toContain(stem(other));
    expect(relatedStems(stem(other))).toContain(stem(one));
  });

  test.each([
    ['купить', 'продать'],
    ['buy', 'sell'],
  ])('does not relate %s to %s', (one, other) => {
    expect(relatedStems(stem(one))).not.toContain(stem(other));
  });

  test('finds a Kazakh word in forms with and without Kazakh letters', () => {
    const [plain, telling] = [stem('аудан'), stem('ауданның')];
    expect(plain).not.toBe(telling);
    expect(relatedStems(stem('округ'))).toEqual(expect.arrayContaining([plain, telling]));
  });
});
