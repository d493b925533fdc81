/**
 * Judged questions: each specifies a good answer, and an answer gets one verdict. The rules are those of judge.py of
 * the judged sets, which were fitted to a reader's verdicts. They are deterministic.
 */
import notation from './judging-words.json' with { type: 'json' };

/** A range of an answer with a citation, in UTF-16 units. */
export interface CitedSpan {
  start: number;
  end: number;
}

/** The specification of a good answer. */
export interface Expectation {
  expect: 'answer' | 'refusal' | 'reply';
  lang: string;
  category: string;
  /** Facts, all required; a bar separates alternative spellings of a fact. */
  must_contain?: string[];
  must_not_contain?: string[];
  /** For an abstention: an answer that contains one of these is equally good. */
  may_contain?: string[];
  /** For an abstention: modes that count as one; default `no_answer`. */
  modes?: string[];
  polarity?: 'yes' | 'no';
  /** Whether source labels count as part of the answer. */
  labels?: boolean;
  /** Whether the facts count only together. */
  together?: boolean;
}

/** An answer to judge. `failed`: why there is none. */
export interface Reply {
  answer: string;
  mode: string | null;
  lang: string | null;
  citations: readonly CitedSpan[];
  failed?: string;
}

const verdicts = [
  'right',
  'partly',
  'wrong',
  'wrongly refused',
  'rightly refused',
  'wrongly answered',
  'fitting',
  'unfitting',
] as const;
export type Verdict = (typeof verdicts)[number];

export interface Judgement {
  verdict: Verdict;
  /** Why the answer falls short; empty if it is sufficient. */
  why: string;
  /** Whether the first sentence contains every fact; null if not applicable. */
  first: boolean | null;
  /** Whether two of the quoted sentences are redundant. */
  repeats: boolean;
  languageFits: boolean;
}

const fixedModes = ['greeting', 'meta'];
/** Sentences and words within which a fact counts as stated, not buried. */
const near = { sentences: 2, words: 38, wordsOfSecond: 30, wordsAnyhow: 25, roomy: 90 };
const categories = {
  sharp: ['who/when/how many'],
  long: ['exact-ref'],
  broad: ['comparison', 'multi-part', 'procedural', 'structure', 'style'],
};

const spaces: Record<string, string> = { '\u00a0': ' ', '\u202f': ' ' };
const signs: Record<string, string> = { '\u00ad': '-', '‑': '-', '‐': '-', '’': "'", '“': '"', '”': '"' };

/**
 * The text in lower case with ё as е and uniform spaces, quotes and dashes. The length is unchanged, so that offsets
 * stay valid.
 */
function fold(text: string): string {
  let folded = '';
  for (const letter of text) {
    const low = letter.toLowerCase();
    const one = low.length === letter.length ? low : letter;
    folded += one === 'ё' ? 'е' : (spaces[one] ?? signs[one] ?? one);
  }
  return folded;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const inWord = '[\\p{L}\\p{N}_]';

/**
 * An expression for one spelling of a fact in folded text. It matches at the start of a word; a short spelling or a
 * number matches whole words only.
 */
function pattern(phrase: string): RegExp {
  const list = fold(phrase.normalize('NFC')).split(/\s+/).filter(Boolean);
  const last = list.at(-1)?.at(-1) ?? '';
  const whole = /\p{Nd}/u.test(last) || (/\p{L}/u.test(last) && list.join('').length <= 4);
  return new RegExp(`(?<!${inWord})${list.map(escaped).join('\\s+')}${whole ? `(?!${inWord})` : ''}`, 'u');
}

/** Whether a text contains a fact, in any spelling. */
export const holds = (fact: string, text: string): boolean => find(fact, fold(text)) !== null;

/** The end of the first spelling of a fact found in folded text; null if it is missing. */
function find(fact: string, text: string): number | null {
  const ends = fact
    .split('|')
    .filter((phrase) => phrase.trim() !== '')
    .flatMap((phrase) => {
      const found = pattern(phrase).exec(text);
      return found ? [found.index + found[0].length] : [];
    });
  return ends.length === 0 ? null : Math.min(...ends);
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:[-'’.,/][\p{L}\p{N}]+)*/gu) ?? [];

const abbreviated = new RegExp(
  `(?:^|[\\s(«"“])(?:${notation.abbreviations.split(' ').map(escaped).join('|')}|[a-zа-яәғқңөұүіһ])\\.$`,
  'iu',
);
/** Starts at the first of several marks, so that a series of them is read once. */
const boundary = /(?<![.!?…])[.!?…]+[»”"')\]]*(?=\s+(?:[«“"'([*–—-]+\s*)?[A-ZА-ЯЁӘҒҚҢӨҰҮІҺ0-9])/gu;
const label = /\((?:[^()\n]|\([^()\n]*\))*\)[ \t]*$/gmu;
const block = /(?:[^\n]|\n(?![ \t]*\n))+/gu;

const touches = (spans: readonly CitedSpan[], start: number, end: number) =>
  spans.some((span) => start < span.end && span.start < end);

/** The answer with source labels after quotations blanked, so that offsets stay valid; unchanged without citations. */
export function withoutLabels(answer: string, cited: readonly CitedSpan[]): string {
  if (cited.length === 0) return answer;
  return answer.replace(label, (found, at: number) =>
    touches(cited, at, at + found.length) ? found : ' '.repeat(found.length),
  );
}

/**
 * The content sentences: without source labels and, if there are citations, without text that has none. A list stays
 * with its introduction; a piece of fewer than three words joins its neighbour.
 */
function sentencesOf(answer: string, cited: readonly CitedSpan[]): CitedSpan[] {
  const masked = withoutLabels(answer, cited);
  const short = (start: number, end: number) => wordsOf(masked.slice(start, end)).length < 3;
  const out: CitedSpan[] = [];
  for (const { 0: text, index } of masked.matchAll(block)) {
    const cuts: CitedSpan[] = [];
    let begin = index;
    for (const mark of text.matchAll(boundary)) {
      const end = index + mark.index + mark[0].length;
      if (abbreviated.test(masked.slice(begin, end))) continue;
      cuts.push({ start: begin, end });
      begin = end;
    }
    cuts.push({ start: begin, end: index + text.length });
    const pieces = cuts.flatMap(({ start, end }) => {
      const piece = masked.slice(start, end);
      if (piece.trim() === '') return [];
      return [
        {
          start: start + piece.length - piece.trimStart().length,
          end: end - piece.length + piece.trimEnd().length,
        },
      ];
    });
    const joined: CitedSpan[] = [];
    for (const { start, end } of pieces) {
      if (cited.length > 0 && !touches(cited, start, end)) continue;
      const before = joined.at(-1);
      const isTail = end === pieces.at(-1)!.end && short(start, end);
      if (before && (short(before.start, before.end) || isTail)) before.end = end;
      else joined.push({ start, end });
    }
    out.push(...joined);
  }
  return out;
}

/** The text with everything else blanked, so that offsets stay valid. */
function only(said: readonly CitedSpan[], text: string): string {
  let out = '';
  for (const { start, end } of said) out = out.padEnd(start, ' ').slice(0, start) + text.slice(start, end);
  return out.padEnd(text.length, ' ');
}

/**
 * The sentence at an offset, and the number of words up to it; a source label counts at the end of the preceding
 * sentence.
 */
function positionOf(
  end: number,
  said: readonly CitedSpan[],
  answer: string,
): { sentence: number; word: number } {
  const before = said.filter(({ start }) => start < end);
  const upTo = before.length > 0 ? before : said.slice(0, 1);
  const word = upTo.reduce(
    (sum, one) => sum + wordsOf(answer.slice(one.start, Math.min(one.end, Math.max(one.start, end)))).length,
    0,
  );
  return { sentence: Math.max(0, upTo.length - 1), word };
}

function isInPlace(category: string, { sentence, word }: { sentence: number; word: number }): boolean {
  if (categories.long.includes(category)) return true;
  if (categories.broad.includes(category)) return word <= near.roomy;
  const most = sentence > 0 && categories.sharp.includes(category) ? near.wordsOfSecond : near.words;
  return word <= near.wordsAnyhow || (sentence < near.sentences && word <= most);
}

/** Whether two of the quoted sentences are redundant: most words of the shorter one are in the other. */
function repeatsItself({ answer, citations }: Reply): boolean {
  const spans = new Map(citations.map(({ start, end }) => [`${start} ${end}`, { start, end }]));
  const quoted = [...spans.values()]
    .map(({ start, end }) => new Set(wordsOf(fold(answer.slice(start, end)))))
    .filter((list) => list.size >= 5);
  return quoted.some((one, n) =>
    quoted
      .slice(0, n)
      .some(
        (other) => [...one].filter((word) => other.has(word)).length >= 0.75 * Math.min(one.size, other.size),
      ),
  );
}

/** The verdict on an answer. */
export function judge(question: Expectation, reply: Reply): Judgement {
  const { answer, mode, citations } = reply;
  const { expect, must_contain: facts = [], must_not_contain: banned = [] } = question;
  const said = sentencesOf(answer, citations);
  const text = fold(answer);
  const everything = (expect !== 'answer' && !question.may_contain?.length) || question.labels;
  const spoken = everything ? text : only(said, text);
  const ends = facts.map((fact) => find(fact, spoken));
  const wrong = banned.filter((fact) => find(fact, text) !== null);
  const languageFits = reply.lang === null || reply.lang === question.lang;
  const about = { first: null, repeats: repeatsItself(reply), languageFits };
  if (reply.failed !== undefined) {
    const verdict = { answer: 'wrong', refusal: 'wrongly answered', reply: 'unfitting' } as const;
    return { ...about, verdict: verdict[expect], why: reply.failed };
  }
  if (expect === 'reply')
    return { ...about, verdict: fixedModes.includes(mode ?? '') ? 'fitting' : 'unfitting', why: '' };
  if (expect === 'refusal') return { ...about, ...judgeRefusal(question, { spoken, mode, ends, wrong }) };
  const found = ends.filter((end) => end !== null);
  if (mode === 'no_answer') {
    const shown = citations.length > 0 && ends.length > 0 && found.length === ends.length;
    return shown
      ? { ...about, verdict: 'partly', why: 'refuses, but quotes it' }
      : { ...about, verdict: 'wrongly refused', why: '' };
  }
  const positions = found.map((end) => positionOf(end, said, answer));
  const isWhole = found.length === ends.length;
  const first =
    ends.length === 0
      ? null
      : said.length > 0 && isWhole && positions.every(({ sentence }) => sentence === 0);
  if (!isWhole) {
    const some = found.length > 0 && wrong.length === 0 && !question.together;
    return some
      ? { ...about, first, verdict: 'partly', why: `${found.length} of ${ends.length} facts` }
      : { ...about, first, verdict: 'wrong', why: '' };
  }
  const faults = wrong.map((fact) => `says “${fact}”`);
  const late = positions.filter((position) => !isInPlace(question.category, position));
  if (late.length > 0)
    faults.push(
      `fact in sentence ${1 + Math.max(...late.map(({ sentence }) => sentence))} at word ${Math.max(...late.map(({ word }) => word))}`,
    );
  if (!languageFits) faults.push(`replies in ${reply.lang}`);
  const [begins = ''] = wordsOf(text);
  const opposite = question.polarity && { yes: notation.no, no: notation.yes }[question.polarity];
  if (opposite?.includes(begins)) faults.push(`begins with “${begins}”`);
  return { ...about, first, verdict: faults.length > 0 ? 'partly' : 'right', why: faults.join('; ') };
}

function judgeRefusal(
  { modes = ['no_answer'], may_contain: may = [] }: Expectation,
  {
    spoken,
    mode,
    ends,
    wrong,
  }: { spoken: string; mode: string | null; ends: readonly (number | null)[]; wrong: readonly string[] },
): Pick<Judgement, 'verdict' | 'why'> {
  if (wrong.length > 0) return { verdict: 'wrongly answered', why: `says “${wrong[0]}”` };
  const refused = mode === 'no_answer';
  if (mode !== null && modes.includes(mode)) {
    if (ends.every((end) => end !== null)) return { verdict: 'rightly refused', why: '' };
    if (refused) return { verdict: 'rightly refused', why: 'does not say what is missing' };
  }
  if (!refused && may.some((fact) => find(fact, spoken) !== null))
    return { verdict: 'rightly refused', why: 'answers what may be answered' };
  return { verdict: 'wrongly answered', why: '' };
}
