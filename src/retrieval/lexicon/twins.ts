/**
 * Which documents say the same in two languages, by their structure alone, and which of their sections stand for each
 * other.
 *
 * Two acts may well have the same article numbers, so the sequence alone proves nothing: corresponding sections of a
 * translation also have corresponding lengths (Gale and Church, "A Program for Aligning Sentences in Bilingual
 * Corpora", 1993) and the same figures and Latin words. Each pair of sections is weighed as a log-likelihood ratio of
 * "translations of each other" to "any two sections"; documents that are numbered are aligned by their numbers, others
 * by the best path through both (Needleman and Wunsch), and a document's twin is the one that fits best from both sides.
 */
import type { Section, SectionedDocument } from './sections.ts';

/** The same sections in two documents: places in their lists of sections, rising in both. */
export interface Alignment {
  pairs: [a: number, b: number][];
  /** Natural logarithm of how much likelier it is that one translates the other than that they only look alike. */
  score: number;
}

export interface Twins extends Alignment {
  a: SectionedDocument;
  b: SectionedDocument;
}

/** Standard deviation of the logarithm of the ratio of lengths, of translations and of any two sections. */
const spread = { translation: 0.25, any: 0.8 };
/** Added to lengths, in letters: between a heading of one word and one of two lies little. */
const lengthFloor = 20;
/** No length speaks against a pair more than this: translators leave things out. */
const leastLikely = -4;
const anchorWeight = 1.5;
/** What many figures of which none is shared count, and how many are many. */
const noneShared = { weight: -0.5, from: 3 };
const otherDepth = -1;
const gap = -2.5;
/** What makes twins: likelihood in all and for each pair, and the part of both documents' sections that is paired. */
const least = { score: 8, perPair: 0.8, paired: 0.6 };
/** From so many numbered sections on, and a half of all, a document is aligned by its numbers. */
const numberedAtLeast = 5;
/** Cells of the best path: of larger documents without numbers nothing is looked for. */
const cellsMax = 100_000;

function byLength(a: string, b: string): number {
  const ratio = Math.log((b.length + lengthFloor) / (a.length + lengthFloor));
  const { translation, any } = spread;
  const likelihood = Math.log(any / translation) - (ratio * ratio * (translation ** -2 - any ** -2)) / 2;
  return Math.max(leastLikely, likelihood);
}

function byAnchors({ anchors: a }: Section, { anchors: b }: Section): number {
  const fewer = Math.min(a.size, b.size);
  if (fewer === 0) return 0;
  let shared = 0;
  for (const one of a) if (b.has(one)) shared++;
  if (shared === 0) return fewer < noneShared.from ? 0 : noneShared.weight;
  return (anchorWeight * shared) / fewer;
}

/** How much likelier two sections are to be the same in two languages than any two; -Infinity where numbers differ. */
function likeness(a: Section, b: Section): number {
  if (a.number !== b.number) return Number.NEGATIVE_INFINITY;
  const headed = a.heading !== '' && b.heading !== '';
  return (
    byLength(a.text, b.text) +
    (headed ? byLength(a.heading, b.heading) : 0) +
    byAnchors(a, b) +
    (a.depth === b.depth ? 0 : otherDepth)
  );
}

const isNumbered = (sections: readonly Section[]): boolean => {
  const numbered = sections.filter(({ number }) => number !== null).length;
  return numbered >= numberedAtLeast && numbered * 2 >= sections.length;
};

function byNumber(a: readonly Section[], b: readonly Section[]): Alignment {
  const places = new Map<string, number>();
  for (const [n, { number }] of b.entries())
    if (number !== null && !places.has(number)) places.set(number, n);
  const pairs: [number, number][] = [];
  let score = 0;
  let last = -1;
  for (const [n, section] of a.entries()) {
    const place = section.number === null ? undefined : places.get(section.number);
    if (place === undefined || place <= last) continue;
    pairs.push([n, place]);
    score += likeness(section, b[place]!);
    last = place;
  }
  return { pairs, score: score + gap * (a.length + b.length - 2 * pairs.length) };
}

function byBestPath(a: readonly Section[], b: readonly Section[]): Alignment {
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  /** 0: neither has a pair here, 1: a's section has none, 2: b's has none, 3: they are a pair. */
  const step = new Uint8Array(best.length);
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      if (i + j === 0) continue;
      const at = i * width + j;
      const ways = [
        i > 0 ? best[at - width]! + gap : Number.NEGATIVE_INFINITY,
        j > 0 ? best[at - 1]! + gap : Number.NEGATIVE_INFINITY,
        i > 0 && j > 0 ? best[at - width - 1]! + likeness(a[i - 1]!, b[j - 1]!) : Number.NEGATIVE_INFINITY,
      ];
      best[at] = Math.max(...ways);
      step[at] = ways.indexOf(best[at]!) + 1;
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [a.length, b.length];
  while (i + j > 0) {
    const taken = step[i * width + j];
    if (taken === 3) pairs.push([i - 1, j - 1]);
    if (taken !== 2) i--;
    if (taken !== 1) j--;
  }
  return { pairs: pairs.reverse(), score: best.at(-1)! };
}

/** How the sections of two documents correspond; null where they are no translations of each other. */
export function align(a: readonly Section[], b: readonly Section[]): Alignment | null {
  const [fewer, more] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (fewer < least.paired * more) return null;
  const numbered = isNumbered(a);
  if (numbered !== isNumbered(b) || (!numbered && a.length * b.length > cellsMax)) return null;
  const found = numbered ? byNumber(a, b) : byBestPath(a, b);
  const { pairs, score } = found;
  const isTwin =
    score >= least.score && score >= least.perPair * pairs.length && pairs.length >= least.paired * more;
  return isTwin ? found : null;
}

/** Of documents whose sections are equally many or nearly so, each is compared with at most so many others. */
const comparedMax = 400;

/**
 * The twins among documents, ordered by their keys, whatever the order they are given in. Yields undefined between
 * pieces of work, then returns.
 */
export function* findTwins(documents: readonly SectionedDocument[]): Generator<undefined, Twins[]> {
  const all = documents.toSorted((one, other) => (one.doc_key < other.doc_key ? -1 : 1));
  /** By document and language of the other one: the best so far. */
  const best = new Map<string, Twins>();
  const keyOf = ({ doc_id }: SectionedDocument, { lang }: SectionedDocument) => `${doc_id} ${lang}`;
  for (const [n, a] of all.entries()) {
    let compared = 0;
    for (const b of all.slice(n + 1)) {
      if (a.lang === b.lang || a.layer !== b.layer || compared >= comparedMax) continue;
      const [fewer, more] = [a.sections.length, b.sections.length].sort((one, other) => one - other);
      if (fewer! < least.paired * more!) continue;
      compared++;
      yield;
      const found = align(a.sections, b.sections);
      if (found === null) continue;
      const twins = { a, b, ...found };
      for (const key of [keyOf(a, b), keyOf(b, a)])
        if (found.score > (best.get(key)?.score ?? 0)) best.set(key, twins);
    }
  }
  return [...new Set(best.values())].filter(
    (twins) => best.get(keyOf(twins.a, twins.b)) === twins && best.get(keyOf(twins.b, twins.a)) === twins,
  );
}
