import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { expand, WordTable } from '../../src/language/forms.ts';
import {
  type ActRow,
  anyOf,
  formsOf,
  type HeadingRow,
  isDefaultOfScript,
  languageByLetters,
  languages,
  letter,
  phrasesOf,
  type QuestionRow,
  referenceUnits,
  rowsOf,
  scriptOf,
  scripts,
  textOf,
  type UnitRow,
  wholeWords,
} from '../../src/language/index.ts';
import { folderOf } from '../../src/language/registry.ts';
import { filesOf, lettersIn, readSections, rowsIn, sectionsIn } from '../../src/language/sections.ts';
import { stem, stemIn, words } from '../../src/text/words.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(source, folder, name));
/** Word files that only one module uses. */
const ownFiles = ['answering', 'question'].flatMap((folder) => filesIn(folder, '.txt'));
const namesIn = (file: string | URL) => [
  ...readSections([file instanceof URL ? file : pathToFileURL(file)]).keys(),
];

describe('word notation', () => {
  test.each([
    ['пункт(а|у|ом)?', ['пункт', 'пункта', 'пункту', 'пунктом']],
    ['ст[ао]', ['ста', 'сто']],
    ['laws?', ['law', 'laws']],
    ['сказа(л(а|и)?|ть)', ['сказал', 'сказала', 'сказали', 'сказать']],
    ['тармақ*', ['тармақ*']],
  ])('%s', (form, expected) => {
    expect(expand(form)).toEqual(expected);
  });

  test.each(['a(b', 'ab)', 'a[b', 'a*b', '(a*|b)c'])('"%s" is rejected', (form) => {
    expect(() => expand(form)).toThrow('src/language/forms.ts');
  });

  test('prefers a whole word to a prefix, and a longer prefix to a shorter one', () => {
    const table = new WordTable<string>().add('тармақ*', 'point').add('тармақша* тармақ', 'subpoint');
    expect(['тармақ', 'тармақтың', 'тармақшаның', 'тарма'].map((word) => table.get(word))).toEqual([
      'subpoint',
      'point',
      'subpoint',
      undefined,
    ]);
  });

  test('matches whole words in phrases, and nothing if there are none', () => {
    const please = wholeWords(phrasesOf('будьте добр(ы|а), please\nесли мож*'), 'i');
    expect(['Будьте добры!', 'displeased', 'если можно', 'please?'].map((text) => please.test(text))).toEqual(
      [true, false, true, true],
    );
    expect(new RegExp(anyOf()).test('')).toBe(false);
    expect(() => anyOf('(?:a+)+')).toThrow('src/language/forms.ts');
  });
});

describe('word files', () => {
  test('contain sections of words, rows and letter pairs, with comments', () => {
    const sections = sectionsIn([
      `# about\n\n[a.words]\n# what they are\none\ntwo three\n\n[a.none]\n\n[a.rows]\nx | | y\nz | one\n  two\n`,
      `[define]\nending = (s|es)\n[b.words]\nbox{ending} {other}\n[b.letters]\nё = е\nъ =\n`,
    ]);
    expect([...sections.keys()]).toEqual(['a.words', 'a.none', 'a.rows', 'b.words', 'b.letters']);
    expect(sections.get('a.words')).toBe('one\ntwo three');
    expect(sections.get('a.none')).toBe('');
    expect(rowsIn(sections.get('a.rows')!)).toEqual([
      ['x', '', 'y'],
      ['z', 'one two'],
    ]);
    expect(sections.get('b.words')).toBe('box(s|es) {other}');
    expect([...lettersIn(sections.get('b.letters')!)]).toEqual([
      ['ё', 'е'],
      ['ъ', ''],
    ]);
    expect(() => sectionsIn(['[a]\n', '[a]\n'])).toThrow('"a" is defined twice');
    expect(() => textOf('en', 'grammar.nothing')).toThrow('No language has a section "grammar.nothing"');
  });

  test('have the same sections in every language', () => {
    const [model, ...others] = languages.map((language) =>
      filesOf(folderOf(language)).map((file) => [basename(file.pathname), namesIn(file)]),
    );
    for (const other of others) expect(other).toEqual(model);
    for (const file of ownFiles)
      expect(namesIn(file), file).toEqual(namesIn(join(dirname(file), `${languages[0]}.txt`)));
  });

  test('have no unused section', () => {
    const sources = filesIn('', '.ts');
    const asked = sources.flatMap((path) => {
      const code = readFileSync(path, 'utf8');
      return [...code.matchAll(/['`]((?:\w|\.|\$\{\w+\})+)['`]/g)].map(([, name]) => ({
        path,
        pattern: new RegExp(`^${name!.replaceAll('.', '\\.').replace(/\$\{\w+\}/g, '\\w+')}$`),
        // The replacement for the last part of a name is given in the same file.
        isNamed: (last: string) => !name!.endsWith('}') || new RegExp(`\\b${last}\\b`).test(code),
      }));
    });
    const isAsked = (name: string, under: string) =>
      asked.some(
        ({ path, pattern, isNamed }) =>
          path.startsWith(under) && pattern.test(name) && isNamed(name.split('.').at(-1)!),
      );
    const [language] = languages;
    const unused = [
      ...filesOf(folderOf(language))
        .flatMap(namesIn)
        .filter((name) => !isAsked(name, source)),
      ...ownFiles.flatMap((file) => namesIn(file).filter((name) => !isAsked(name, dirname(dirname(file))))),
    ];
    expect(unused).toEqual([]);
  });
});

describe.each(languages)('the words of %s', (language) => {
  const files = [
    ...filesOf(folderOf(language)),
    ...ownFiles.filter((file) => basename(file) === `${language}.txt`).map((file) => pathToFileURL(file)),
  ];
  const sections = readSections(files.filter((file) => !file.pathname.includes('/references/')));

  test('are written in the notation, in folded form', () => {
    for (const [name, text] of sections) {
      if (/^(?:letters|typing|phrases)\.|^provisions\.units|^grammar\.officeHead/.test(name)) continue;
      expect(text, name).toBe(text.toLowerCase().replaceAll('ё', 'е'));
      for (const part of text.split(/[,\s]+| \| |=/))
        expect(() => anyOf(...phrasesOf(part.replace(/^\|$/, ''))), name).not.toThrow();
    }
    for (const name of ['stopWords.function', 'thesaurus.synonyms'])
      for (const word of formsOf(textOf(language, name))) expect(words(word)).toEqual([word]);
  });

  test('name the same units, acts and kinds of question as in every language', () => {
    const known = (all: readonly string[], some: readonly string[]) =>
      expect(some.filter((one) => !all.includes(one))).toEqual([]);
    known(
      referenceUnits,
      ['provisions.units', 'provisions.headings', 'phrases.units'].flatMap((name) =>
        rowsOf<UnitRow | HeadingRow>(language, name).map(([unit]) => unit),
      ),
    );
    known(
      'constitution code law decree order resolution charter rules instruction treaty'.split(' '),
      rowsOf<ActRow>(language, 'acts.kinds').map(([kind]) => kind),
    );
    known(
      'who which whose what many rank how when where whither whence why'.split(' ').concat('what for'),
      rowsOf<QuestionRow>(language, 'questionWords.kinds').map(([kind]) => kind),
    );
    known(['first noun', 'before preposition', 'last'], [textOf(language, 'grammar.officeHead')]);
  });

  test('have the same placeholders in sentences as in every language', () => {
    const holes = (text = '') => [...new Set(text.toLowerCase().match(/\{\w+\}/g) ?? [])].sort();
    const model = readSections(
      [
        ...filesOf(folderOf(languages[0])),
        ...ownFiles
          .filter((file) => basename(file) === `${languages[0]}.txt`)
          .map((file) => pathToFileURL(file)),
      ].filter((file) => !file.pathname.includes('/references/')),
    );
    for (const [name, text] of sections)
      if (name.startsWith('phrases.')) expect(holes(text), name).toEqual(holes(model.get(name)));
  });

  test('have a stemmer that keeps the beginning of a word', () => {
    const list = ['thesaurus.synonyms', 'thesaurus.related'].flatMap((name) =>
      formsOf(textOf(language, name)),
    );
    for (const word of list)
      for (const one of [stem(word), stemIn(word, language)]) expect(one.charAt(0)).toBe(word.charAt(0));
  });

  test('have every month, day and key', () => {
    expect(formsOf(textOf(language, 'calendar.months'))).toHaveLength(12);
    expect(formsOf(textOf(language, 'calendar.weekdays'))).toHaveLength(7);
    expect(textOf(language, 'typing.keyboard.keys')).toHaveLength(
      textOf(language, 'typing.keyboard.letters').length,
    );
  });
});

describe('the languages', () => {
  test('have one default per script, and each specific letter in one language', () => {
    for (const script of new Set(Object.values(scripts)))
      expect(
        languages.filter((language) => scripts[language] === script && isDefaultOfScript[language]),
      ).toHaveLength(1);
    const own = languages.flatMap((language) => [...textOf(language, 'letters.own')]);
    expect(own).toHaveLength(new Set(own).size);
  });

  test('have only letters covered by the expressions for their words', () => {
    const known = new RegExp(`^${letter}+$`, 'u');
    for (const language of languages) {
      expect(textOf(language, 'letters.alphabet')).toMatch(known);
      expect(letter).toContain(`\\p{Script=${scripts[language]}}`);
    }
  });

  test('are recognised by their letters, and a script by its last letter', () => {
    expect(['қала', 'город', 'city', '42'].map(languageByLetters)).toEqual(['kk', null, null, null]);
    expect(['город', 'city', 'webсайт', '42'].map(scriptOf)).toEqual(['Cyrillic', 'Latin', 'Cyrillic', null]);
    expect(languages).toEqual(['ru', 'kk', 'en']);
  });
});

test('no other source file that processes text contains Cyrillic words', () => {
  const files = ['text', 'graph', 'search', 'answering', 'ingest', 'faq'].flatMap((folder) =>
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
