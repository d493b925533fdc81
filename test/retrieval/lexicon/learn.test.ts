import { expect, it } from 'vitest';
import type { WordsRecord } from '../../../src/ports/lexicon.ts';
import { compileLexicon } from '../../../src/retrieval/lexicon/compile.ts';
import { learnPairs, unitsOf } from '../../../src/retrieval/lexicon/learn.ts';
import { Lexicon } from '../../../src/retrieval/lexicon/lexicon.ts';
import { findTwins } from '../../../src/retrieval/lexicon/twins.ts';
import { act, random, whole, wordFor, written } from './documents.ts';

const meanings = act(11, 80);
const documents = [
  written(meanings, { lang: 'ru', doc_id: 1 }),
  // The sentences of an article in another order of words: only what occurs together tells.
  written(
    meanings.map((sentences, n) => {
      const next = random(n + 1);
      return sentences.map((sentence) => sentence.toSorted(() => next() - 0.5));
    }),
    { lang: 'en', doc_id: 2 },
  ),
];

it('learns which words translate each other from nothing but two texts', () => {
  const [twins] = whole(findTwins(documents));
  const { languages, links, seen } = whole(learnPairs(['en', 'ru'], unitsOf(twins!)));
  expect(languages).toEqual(['en', 'ru']);
  const times = new Map(seen[1]);
  const often = Array.from({ length: 150 }, (_, meaning) => meaning).filter(
    (meaning) => (times.get(wordFor(meaning, 'ru')) ?? 0) >= 4,
  );
  const right = often.filter((meaning) => {
    const own = links.filter(([, ru]) => ru === wordFor(meaning, 'ru')).sort((a, b) => b[2] - a[2]);
    return own[0]?.[0] === wordFor(meaning, 'en');
  });
  expect(often.length).toBeGreaterThan(50);
  expect(right.length / often.length).toBeGreaterThan(0.9);
});

it('learns the same whatever the order and the ids of the documents', () => {
  const words = (some: typeof documents) =>
    whole(compileLexicon('town', some)).filter(({ collection }) => collection === 'lexicon_words');
  const renumbered = documents.map((one, n) => ({ ...one, doc_id: 50 - n })).reverse();
  expect(words(documents).length).toBeGreaterThan(0);
  expect(words(renumbered)).toEqual(words(documents));
});

it('says for each chunk which one of the twin says the same', () => {
  const twins = whole(compileLexicon('town', documents)).filter(
    ({ collection }) => collection === 'lexicon_twins',
  );
  const at = meanings.map((_, n) => n);
  expect(twins.map(({ key, doc }) => [key, doc.twins])).toEqual([
    ['2', [{ doc_id: 1, revision: 1, lang: 'ru', at }]],
    ['1', [{ doc_id: 2, revision: 1, lang: 'en', at }]],
  ]);
});

it('learns nothing where no two documents say the same', () => {
  const apart = [written(act(1), { lang: 'ru' }), written(act(2), { lang: 'en', doc_id: 2 })];
  expect(whole(compileLexicon('town', apart))).toEqual([]);
});

const record = (corpus_id: string, links: WordsRecord['links'], seen: WordsRecord['seen']): WordsRecord => ({
  corpus_id,
  languages: ['en', 'ru'],
  links,
  seen,
});
const of = (lexicon: Lexicon, corpus: string, stem: string) =>
  lexicon.translations(corpus, stem, 'en', 'ru').map((one) => [one.stem, Number(one.probability.toFixed(2))]);

it('believes a corpus on its own words, others where it does not know them, and less', () => {
  const lexicon = new Lexicon();
  lexicon.put('law', [record('law', [['cabinet', 'кабинет', 9]], [[['cabinet', 9.5]], [['кабинет', 9]]])]);
  lexicon.put('cloud', [
    record('cloud', [['cabinet', 'шкаф', 4]], [[['cabinet', 4.5]], [['шкаф', 4]]]),
    record('cloud', [['disk', 'диск', 9]], [[['disk', 9.5]], [['диск', 9]]]),
  ]);
  expect(of(lexicon, 'law', 'cabinet')).toEqual([['кабинет', 0.9]]);
  expect(of(lexicon, 'cloud', 'cabinet')).toEqual([['шкаф', 0.8]]);
  expect(of(lexicon, 'law', 'disk')).toEqual([['диск', 0.72]]);
  expect(of(lexicon, 'speeches', 'cabinet').map(([stem]) => stem)).toEqual(['кабинет', 'шкаф']);
  expect(lexicon.translations('law', 'кабинет', 'ru', 'en')).toEqual([
    { stem: 'cabinet', probability: 9 / 9.5 },
  ]);
  lexicon.put('cloud', []);
  expect(of(lexicon, 'law', 'disk')).toEqual([]);
});

it('does not trust what was seen once', () => {
  const lexicon = new Lexicon();
  lexicon.put('law', [
    record(
      'law',
      [
        ['once', 'раз', 0.3],
        ['often', 'часто', 19],
      ],
      [
        [
          ['once', 1],
          ['often', 20],
        ],
        [],
      ],
    ),
  ]);
  expect(of(lexicon, 'law', 'once')).toEqual([['раз', 0.2]]);
  expect(of(lexicon, 'law', 'often')).toEqual([['часто', 0.93]]);
});

it('takes a stem that nobody knows for those that begin alike, and believes it less', () => {
  const lexicon = new Lexicon();
  const links: WordsRecord['links'] = [
    ['elect', 'выбор', 9],
    ['electorate', 'избирател', 9],
    ['ele', 'еле', 9],
  ];
  const seen: WordsRecord['seen'] = [links.map(([en]) => [en, 9.5]), []];
  lexicon.put('law', [record('law', links, seen)]);
  expect(of(lexicon, 'law', 'elect')).toEqual([['выбор', 0.9]]);
  expect(of(lexicon, 'law', 'election')).toEqual([
    ['выбор', 0.32],
    ['избирател', 0.32],
  ]);
  expect(of(lexicon, 'law', 'elem')).toEqual([]);
});
