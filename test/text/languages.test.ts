import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { expand, WordTable } from '../../src/text/languages/forms.ts';
import {
  all,
  anyOf,
  formsOf,
  languageByLetters,
  languages,
  letter,
  phrasesOf,
  scriptOf,
  wholeWords,
} from '../../src/text/languages/index.ts';
import { stem, stemIn, words } from '../../src/text/words.ts';

describe('the notation of packs', () => {
  test.each([
    ['пункт(а|у|ом)?', ['пункт', 'пункта', 'пункту', 'пунктом']],
    ['ст[ао]', ['ста', 'сто']],
    ['laws?', ['law', 'laws']],
    ['сказа(л(а|и)?|ть)', ['сказал', 'сказала', 'сказали', 'сказать']],
    ['тармақ*', ['тармақ*']],
  ])('%s', (form, expected) => {
    expect(expand(form)).toEqual(expected);
  });

  test.each(['a(b', 'ab)', 'a[b', 'a*b', '(a*|b)c'])('"%s" is refused', (form) => {
    expect(() => expand(form)).toThrow('languages/forms.ts');
  });

  test('the first word said holds, and a longer beginning before a shorter', () => {
    const table = new WordTable<string>().add('тармақ*', 'point').add('тармақша* тармақ', 'subpoint');
    expect(['тармақ', 'тармақтың', 'тармақшаның', 'тарма'].map((word) => table.get(word))).toEqual([
      'subpoint',
      'point',
      'subpoint',
      undefined,
    ]);
  });

  test('phrases match whole words, nothing where there are none', () => {
    const please = wholeWords(phrasesOf('будьте добр(ы|а), please\nесли мож*'), 'i');
    expect(['Будьте добры!', 'displeased', 'если можно', 'please?'].map((text) => please.test(text))).toEqual(
      [true, false, true, true],
    );
    expect(new RegExp(anyOf()).test('')).toBe(false);
    expect(() => anyOf('(?:a+)+')).toThrow('languages/forms.ts');
  });
});

describe.each(all.map(({ language, pack }) => [language, pack] as const))('the pack %s', (language, pack) => {
  /** Every text of the pack with the path of its field. */
  const texts = (value: unknown, path: string): [string, string][] =>
    typeof value === 'string'
      ? [[path, value]]
      : value !== null && typeof value === 'object'
        ? Object.entries(value).flatMap(([name, one]) => texts(one, `${path}.${name}`))
        : [];

  test('writes its words in the notation, folded', () => {
    const { script: _, letters: __, typing: ___, phrases: ____, ...rest } = pack;
    for (const [path, text] of texts(rest, language)) {
      expect(text, path).toBe(text.toLowerCase().replaceAll('ё', 'е'));
      for (const part of text.split(/[,\s]+/)) expect(() => anyOf(...phrasesOf(part)), path).not.toThrow();
    }
    for (const list of [pack.stopWords.function, pack.synonyms])
      for (const word of formsOf(list)) expect(words(word)).toEqual([word]);
  });

  test('has a stemmer that leaves the beginning of a word', () => {
    for (const word of `${pack.synonyms} ${pack.related}`.split(/\s+/).filter(Boolean))
      for (const one of [stem(word), stemIn(word, language)]) expect(one.charAt(0)).toBe(word.charAt(0));
  });

  test('has every month, day and key', () => {
    expect(formsOf(pack.calendar.months)).toHaveLength(12);
    expect(formsOf(pack.calendar.weekdays)).toHaveLength(7);
    expect(pack.typing.keyboard.keys).toHaveLength(pack.typing.keyboard.letters.length);
  });
});

describe('the registry', () => {
  test('has one default a script and one language a letter of its own', () => {
    for (const script of new Set(all.map(({ pack }) => pack.script))) {
      const defaults = all.filter(({ pack }) => pack.script === script && pack.isDefaultOfScript);
      expect(defaults.map(({ language }) => language)).toHaveLength(1);
    }
    const own = all.flatMap(({ pack }) => [...pack.letters.own]);
    expect(own).toHaveLength(new Set(own).size);
  });

  test('has no letter that expressions made of its packs do not know', () => {
    const known = new RegExp(`^${letter}+$`, 'u');
    for (const { pack } of all) {
      expect(pack.letters.alphabet).toMatch(known);
      expect(`${letter}`).toContain(`\\p{Script=${pack.script}}`);
    }
  });

  test('tells a language by its letters, a script by the last one', () => {
    expect(['қала', 'город', 'city', '42'].map(languageByLetters)).toEqual(['kk', null, null, null]);
    expect(['город', 'city', 'webсайт', '42'].map(scriptOf)).toEqual(['Cyrillic', 'Latin', 'Cyrillic', null]);
    expect(languages).toEqual(['ru', 'kk', 'en']);
  });
});

test('no other file of what reads texts and questions names a word of a language in Cyrillic letters', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = ['text', 'graph', 'retrieval', 'answering', 'ingest', 'faq'].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  );
  const sources = files.filter((name) => name.endsWith('.ts') && !name.startsWith(join('text', 'languages')));
  expect(sources.length).toBeGreaterThan(80);
  for (const name of sources) {
    const code = readFileSync(join(source, name), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/\/\/.*$/gm, '');
    expect(code.match(/\p{Script=Cyrillic}{2,}/gu) ?? [], name).toEqual([]);
  }
});
