import { describe, expect, test } from 'vitest';
import { covers } from '../../src/answering/reading/matching.ts';
import { languages, phrasesOf, textOf, wordsOfAll } from '../../src/text/languages/index.ts';
import { readSections } from '../../src/text/languages/sections.ts';
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

  test('are small groups of words as they are cut from text, each of a stem of its own', () => {
    for (const group of groups) {
      expect(words(name(group)), name(group)).toEqual(group);
      expect(new Set(group.map(stem)).size, name(group)).toBe(group.length);
      expect(group.length, name(group)).toBeGreaterThanOrEqual(2);
      expect(group.length, name(group)).toBeLessThanOrEqual(8);
    }
  });

  // «радио» has the stem of «ради»: every sentence with the preposition would speak of broadcasting.
  test('are no stop words, nor do their stems stand for one', () => {
    expect(groups.flat().filter((word) => isStopWord(word) || stopStems.has(stem(word)))).toEqual([]);
  });

  test('are grouped once: no group stands in another, none holds only what comparing beginnings finds anyway', () => {
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

  test('do not turn a statement round: antonyms are never related', () => {
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
  ])('%s is answered by %s, and the other way round', (one, other) => {
    expect(relatedStems(stem(one))).toContain(stem(other));
    expect(relatedStems(stem(other))).toContain(stem(one));
  });

  test.each([
    ['купить', 'продать'],
    ['buy', 'sell'],
  ])('%s is not answered by %s', (one, other) => {
    expect(relatedStems(stem(one))).not.toContain(stem(other));
  });

  test('finds a Kazakh word in forms whose letters tell the language and in those whose letters do not', () => {
    const [plain, telling] = [stem('аудан'), stem('ауданның')];
    expect(plain).not.toBe(telling);
    expect(relatedStems(stem('округ'))).toEqual(expect.arrayContaining([plain, telling]));
  });
});
