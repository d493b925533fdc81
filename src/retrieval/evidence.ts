/**
 * Whether the passages found can answer the question at all.
 *
 * Source: measured on sets with questions that nothing answers. A word covers a term when their stems are equal, or,
 * for terms of 5 letters and more, when they begin alike for max(4, .7 of the term) letters and .6 of the word.
 * S: the largest weighted share of the question's terms in one sentence with its title, over the top 5 passages (the
 * source has 3, with the same result), less .05 a rank; P: the share in the top passage; G: how far the top score
 * stands above the mean of the next nine; n: the number of terms, at most 12.
 *   z0 = 3.5 S + 1.5 P + 1.5 G + .2 n
 * Departures: what a hyphened word says and names the index does not know weigh more (see `missing`); a sentence
 * without what the question says to be there covers nothing; a word that is only related to a term counts for a part
 * of it (related.ts), and G counts up to .6 only, since in a small index one rare word makes any passage stand out; on
 * the sets measured the latter changes nothing.
 */
import { splitSentences } from '../text/sentences.ts';
import { stem, words } from '../text/words.ts';
import { opposed, turned } from './polarity.ts';
import type { Question, Term } from './question.ts';

/** A sentence of a passage with what the comparison needs. */
export interface Sentence {
  /** UTF-16 offsets into the passage's text. */
  start: number;
  end: number;
  words: string[];
  /** Weighted share of the question's terms in the sentence with its title, and in its own words alone. */
  share: number;
  own: number;
}

/** A passage cut into sentences and held against a question. */
export interface MatchedPassage {
  score: number;
  title: string;
  titleStems: string[];
  text: string;
  sentences: Sentence[];
  /** Weighted share of the question's terms in title and text. */
  share: number;
  /** Title or text hold every name of the question. */
  named: boolean;
}

export interface Evidence {
  /** z0 − .8 [a number is missing] − .8 [a name is missing] − 1.6 [missing]: what the decision is made by. */
  score: number;
  /** S, P, G and n as above. */
  sentence: number;
  passage: number;
  gap: number;
  terms: number;
  /** Numbers and names of the question that the best sentence with its title does not hold. */
  missingNumbers: string[];
  missingNames: string[];
  /** Names of the question that the index does not know and the best sentence does not hold: nothing answers it. */
  unknownNames: string[];
  /** It lacks a name the index does not know, or speaks of a president where a vice-president is asked about. */
  missing: boolean;
  /** The best sentence says the opposite of what is asked, or does not deny what the question denies. */
  polarity: boolean;
}

/** Whether a word's stem stands for a term. */
export function covers(term: string, word: string): boolean {
  if (term === word) return true;
  if (term.length < 5) return false;
  const least = Math.max(4, Math.ceil(0.7 * term.length), Math.ceil(0.6 * word.length));
  if (word.length < least || term.length < least) return false;
  for (let n = 0; n < least; n++) if (term.charCodeAt(n) !== word.charCodeAt(n)) return false;
  return true;
}

/** As `covers`, for names: the Constitutional Court is not in every text of the Constitution. */
const coversName = (name: string, word: string): boolean =>
  covers(name, word) && (word.startsWith(name) || word.length >= name.length - 2);

/** Part of a term's weight that a related word of a text earns. */
const relatedShare = 0.7;

/** How much of a term a word's stem stands for: 1 for the word itself, less for a related one, 0 for others. */
const meets = (term: Term, word: string): number =>
  term.stems.some((one) => covers(one, word)) ? 1 : term.related.includes(word) ? relatedShare : 0;

/** A sentence of a text with its words and their stems, whatever the question. */
interface CutSentence {
  start: number;
  end: number;
  words: string[];
  stems: string[];
}

/**
 * The passages questions meet most often, cut into sentences: cutting and stemming one takes longer than holding it
 * against a question. Forgotten all at once when there are too many.
 */
const cuts = new Map<string, CutSentence[]>();
const cutsMax = 600;

const pointMark = /^\s*\(?\d{1,3}(?:\.\d{1,3})*[.)](?=\s)/;

function cut(text: string, from: number): CutSentence[] {
  const key = from === 0 ? text : `${from} ${text}`;
  const known = cuts.get(key);
  if (known) return known;
  const made = splitSentences(text.slice(from)).map((span) => {
    const [start, end] = [span.start + from, span.end + from];
    // "2." in front of a point counts nothing the point says.
    const list = words(text.slice(start, end).replace(pointMark, ''));
    return { start, end, words: list, stems: list.map(stem) };
  });
  if (cuts.size >= cutsMax) cuts.clear();
  cuts.set(key, made);
  return made;
}

/** Reads a passage for a question: its sentences from `from` on and what each covers. */
export function matchPassage(
  question: Question,
  title: string,
  text: string,
  score: number,
  from = 0,
): MatchedPassage {
  const { terms } = question;
  const total = terms.reduce((sum, term) => sum + term.weight, 0) || 1;
  const shareOf = (covered: readonly number[]) =>
    terms.reduce((sum, term, n) => sum + covered[n]! * term.weight, 0) / total;
  const titleStems = words(title).map(stem);
  const byTitle = terms.map((term) => Math.max(0, ...titleStems.map((word) => meets(term, word))));
  const anywhere = [...byTitle];
  const known = new Map<string, [n: number, much: number][]>();
  const asked = words(question.text);
  const without = turned(asked, words(title));
  const sentences = cut(text, from).map(({ start, end, words: list, stems }) => {
    // "Without a court decision" says nothing of what may be done with one.
    if (without || turned(asked, list)) return { start, end, words: list, share: 0, own: 0 };
    const covered = [...byTitle];
    const own = terms.map(() => 0);
    for (const one of stems) {
      let hits = known.get(one);
      if (!hits) {
        hits = [];
        for (let n = 0; n < terms.length; n++) {
          const much = meets(terms[n]!, one);
          if (much > 0) hits.push([n, much]);
        }
        known.set(one, hits);
      }
      for (const [n, much] of hits) {
        covered[n] = Math.max(covered[n]!, much);
        own[n] = Math.max(own[n]!, much);
        anywhere[n] = Math.max(anywhere[n]!, much);
      }
    }
    return { start, end, words: list, share: shareOf(covered), own: shareOf(own) };
  });
  const named = question.names.every(
    (name) =>
      titleStems.some((one) => coversName(name, one)) ||
      [...known.keys()].some((one) => coversName(name, one)),
  );
  return {
    score,
    title,
    titleStems,
    text,
    sentences,
    share: without ? 0 : shareOf(anywhere),
    named: named && !without,
  };
}

/** How far the first score stands above the mean of the next nine; 1 for a single passage, 0 for none. */
export function gap(scores: readonly number[]): number {
  const first = scores[0] ?? 0;
  const rest = scores.slice(1, 10);
  if (first <= 0) return 0;
  return rest.length === 0 ? 1 : (first - rest.reduce((sum, one) => sum + one, 0) / rest.length) / first;
}

/**
 * The evidence score from which on a question is answered. Where titles tell passages apart, a title alone covers
 * part of the question, and the same score means less; where all titles are alike (answers of a FAQ) it means more.
 * So the threshold moves with the share of different titles among the passages found.
 */
export function threshold(titles: readonly string[]): number {
  const different = new Set(titles.filter((title) => title !== '')).size;
  const share = titles.length < 2 ? 1 : Math.max(0, different - 1) / (titles.length - 1);
  return thresholds.alike + (thresholds.apart - thresholds.alike) * share;
}

const thresholds = { alike: 3.3, apart: 3.7 };

/** A name nobody here knows ends it; other numbers and names count, polarity is only told: it says little outside questions made to mislead. */
export function enough(evidence: Evidence, limit: number): boolean {
  return evidence.score >= limit && evidence.unknownNames.length === 0;
}

const gapMax = 0.6;
/** Set by hand; 3 in its place refuses a few more on the sets measured and answers no better. */
const requiredCost = 1.6;

/** Weighs matches of the best passages, best first, and the scores of at least ten. */
export function weigh(
  question: Question,
  matches: readonly MatchedPassage[],
  scores: readonly number[],
): Evidence {
  let best: { match: MatchedPassage; sentence: Sentence; share: number } | null = null;
  for (const [rank, match] of matches.slice(0, 5).entries()) {
    for (const sentence of match.sentences) {
      const share = sentence.share - 0.05 * rank;
      if (!best || share > best.share) best = { match, sentence, share };
    }
  }
  const sentence = Math.max(0, best?.share ?? 0);
  const passage = matches[0]?.share ?? 0;
  const terms = Math.min(12, question.terms.length);
  const z0 = 3.5 * sentence + 1.5 * passage + 1.5 * Math.min(gapMax, gap(scores)) + 0.2 * terms;
  const near = best ? [...best.sentence.words, ...words(best.match.title)] : [];
  const nearStems = near.map(stem);
  const missingNumbers = question.numbers.filter((number) => !near.includes(number));
  const missingNames = question.names.filter((name) => !nearStems.some((word) => coversName(name, word)));
  const polarity = best !== null && opposed(words(question.text), near);
  const there = (one: string) => nearStems.some((word) => covers(one, word));
  const missing =
    question.strangers.some((one) => !there(one)) ||
    question.compounds.some(([first, last]) => there(last) && !there(first));
  const score =
    z0 -
    (missingNumbers.length > 0 ? 0.8 : 0) -
    (missingNames.length > 0 ? 0.8 : 0) -
    (missing ? requiredCost : 0);
  return {
    score,
    sentence,
    passage,
    gap: gap(scores),
    terms,
    missingNumbers,
    missingNames,
    unknownNames: question.unknownNames.filter((one) => !there(one)),
    missing,
    polarity,
  };
}
