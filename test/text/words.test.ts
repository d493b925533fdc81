import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemKazakh } from '../../src/language/kk/stemmer.ts';
import {
  grams,
  isQuestionWord,
  isStopWord,
  prefix,
  secondStem,
  stem,
  stems,
  words,
} from '../../src/text/words.ts';
import { kept } from '../support/memory.ts';

describe('words', () => {
  it('returns the same words for several lines as for each line', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(line, line, (one, other) => {
        expect(words(`${one}\n${other}`)).toEqual([...words(one), ...words(other)]);
      }),
    );
  });

  it('splits text into lower-case runs of letters, digits and underscores', () => {
    expect(words('Статья 23, п. 2: «API_key» v2.0 — да!')).toEqual([
      'статья',
      '23',
      'п',
      '2',
      'api_key',
      'v2',
      '0',
      'да',
    ]);
    expect(words('')).toEqual([]);
    expect(words(' — … ')).toEqual([]);
  });

  it('folds ё, stress marks, soft hyphens, zero-width spaces and compatibility forms', () => {
    expect(words('Ёлка за́мок пере\u00adнос ну\u200bль \u0435\u0308ж ѝх ﬁne ² Ⅳ')).toEqual([
      'елка',
      'замок',
      'перенос',
      'нуль',
      'еж',
      'их',
      'fine',
      '2',
      'iv',
    ]);
  });

  it('cuts long runs after 64 letters', () => {
    expect(words(`${'а'.repeat(1000)} да`)).toEqual(['а'.repeat(64), 'да']);
  });

  it('keeps й and Kazakh letters, even if typed as a letter and a mark', () => {
    expect(words('Мои\u0306 әкім')).toEqual(['мой', 'әкім']);
  });

  it('replaces look-alike letters of the wrong script', () => {
    expect(words('кoнституция пpезидeнт мемлекетiк әдiлдiк мəтін')).toEqual([
      'конституция',
      'президент',
      'мемлекетік',
      'әділдік',
      'мәтін',
    ]);
    expect(words('sеrvеr')).toEqual(['server']);
    expect(words('webсайт')).toEqual(['webсайт']);
  });

  it('finds the same words in any case and any context', () => {
    fc.assert(
      // Three digits after a space may be the thousands of a number, so a letter separates the words.
      fc.property(fc.array(fc.stringMatching(/^[а-яa-z][а-яa-z0-9]{0,7}$/), { maxLength: 12 }), (list) => {
        const plain = words(list.join(' '));
        expect(words(list.join(', ').toUpperCase())).toEqual(plain);
        expect(plain).toHaveLength(list.length);
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const once = words(text);
        expect(words(once.join('; '))).toEqual(once);
      }),
    );
  });
});

describe('stem', () => {
  it('uses Snowball by script and the Kazakh stemmer by letter', () => {
    expect(stems('конституции Конституцией running provisions мемлекеттің')).toEqual([
      'конституц',
      'конституц',
      'run',
      'provis',
      'мемлекет',
    ]);
  });

  it('leaves numbers and codes unchanged', () => {
    expect(stems('42 v2s 1с')).toEqual(['42', 'v2s', '1с']);
  });

  it('gives a Cyrillic word without Kazakh letters a second, Kazakh stem', () => {
    expect(stem('заңдардың')).toBe('заң');
    expect(secondStem('халыктардан')).toBe('халык');
    expect(secondStem('заңдардың')).toBeNull();
    expect(secondStem('server')).toBeNull();
    expect(secondStem('сот')).toBeNull();
  });
});

describe('stemKazakh', () => {
  it.each([
    ['құқығы', 'құқық'],
    ['құқықтары', 'құқық'],
    ['азаматтарының', 'азамат'],
    ['кітабы', 'кітап'],
    ['кітабын', 'кітап'],
    ['мүшелерімен', 'мүше'],
    ['республиканың', 'республика'],
    ['сотқа', 'сот'],
    ['өз', 'өз'],
    ['үйі', 'үйі'],
  ])('%s → %s', (word, expected) => {
    expect(stemKazakh(word)).toBe(expected);
  });
});

describe('parts of words', () => {
  it('uses five letters as the prefix', () => {
    expect(prefix('конституция')).toBe('конст');
    expect(prefix('дом')).toBe('дом');
  });
  it('uses 4-grams with a mark before and after', () => {
    expect(grams('дома')).toEqual(['_дом', 'дома', 'ома_']);
    expect(grams('я')).toEqual(['_я_']);
  });
});

describe('stop and question words', () => {
  it('exist in the three languages', () => {
    for (const word of ['и', 'the', 'және', 'какой', 'when', 'қашан']) expect(isStopWord(word)).toBe(true);
    for (const word of ['какой', 'when', 'қашан']) expect(isQuestionWord(word)).toBe(true);
    expect(isQuestionWord('the')).toBe(false);
    for (const word of ['закон', 'law', 'заң', '23']) expect(isStopWord(word)).toBe(false);
  });
});

describe('the cache of analysed text', () => {
  it('retains only words, not texts, and only the latest of words that do not recur', async () => {
    const [ofTexts, ofWords] = await kept(
      { stems: new URL('../../src/text/words.ts', import.meta.url) },
      `
      const text = (n) => 'слово и дело '.repeat(80_000) + ' неповторимоеслово' + n;
      stems(text(0));
      const before = mb('heapUsed');
      for (let n = 1; n <= 10; n++) stems(text(n));
      const after = mb('heapUsed');
      const word = (n) => [...String(n)].map((digit) => 'абвгдежзик'[digit]).join('');
      const thousand = (n) => Array.from({ length: 1_000 }, (_, k) => word(n * 1_000 + k)).join(' ');
      for (let n = 0; n < 150; n++) stems(thousand(n));
      print(after - before, mb('heapUsed') - after);`,
    );
    expect(ofTexts).toBeLessThan(8);
    expect(ofWords).toBeLessThan(10);
  });
});
