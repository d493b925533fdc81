/** Documents made of invented words: what they say in one language is known in the other, word by word. */
import type { Language } from '../../../src/domain/events.ts';
import { type SectionedDocument, sectionsOf } from '../../../src/retrieval/lexicon/sections.ts';

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const russian = ['б', 'в', 'г', 'д', 'ж', 'з', 'к', 'л', 'м', 'п', 'р', 'с', 'т', 'ф'];
const english = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 't', 'v', 'z', 'h'];

/** A word for each meaning, not the same letters in both languages; ends in what no stemmer cuts. */
export const wordFor = (meaning: number, lang: Language): string =>
  lang === 'ru'
    ? `${russian[meaning % 14]}у${russian[Math.floor(meaning / 14) % 14]}юф`
    : `${english[(meaning * 5 + 3) % 14]}u${english[(Math.floor(meaning / 14) + 7) % 14]}ub`;

/** An act as the meanings of its words: articles of sentences. */
export type Act = readonly (readonly (readonly number[])[])[];

/** An act of so many articles, each of one to nine sentences. */
export function act(seed: number, articles = 30): Act {
  const next = random(seed);
  const upTo = (most: number) => 1 + Math.floor(next() * most);
  return Array.from({ length: articles }, () =>
    Array.from({ length: upTo(9) }, () =>
      Array.from({ length: 2 + upTo(6) }, () => Math.floor(next() ** 2 * 150)),
    ),
  );
}

/** An act written down in a language, its articles numbered from 1, or told apart by headings alone. */
export function written(
  meanings: Act,
  {
    lang,
    doc_id = 1,
    numbered = true,
    layer = 'main',
  }: { lang: Language; doc_id?: number; numbered?: boolean; layer?: string },
): SectionedDocument {
  const say = (sentence: readonly number[]) => `${sentence.map((one) => wordFor(one, lang)).join(' ')}.`;
  const passages = meanings.map((sentences, ordinal) => ({
    ordinal,
    text: sentences
      .map((sentence) => say(sentence).replace(/^./, (letter) => letter.toUpperCase()))
      .join('\n'),
    chunk: {
      chunk_index: String(ordinal + 1),
      heading: say(sentences[0]!.slice(0, 2)),
      path: [],
      number: numbered ? String(ordinal + 1) : null,
      unit: numbered ? 'article' : null,
      question: null,
      lang,
      start: 0,
      end: 1,
    },
  }));
  return { doc_id, doc_key: `${lang}-${doc_id}`, revision: 1, lang, layer, sections: sectionsOf(passages) };
}

/** What a generator that only yields between pieces of work returns. */
export function whole<T>(making: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}
