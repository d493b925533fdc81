/**
 * Which sentences an answer is made of: the best ones of the right language, the leading layer before others, with
 * what a sentence needs to be understood (the head of its list, the items below it).
 */
import type { Language } from '../../domain/events.ts';
import { ofEach, setOf, textOf } from '../../text/languages/index.ts';
import { isOrder } from '../../text/orders.ts';
import type { Span } from '../../text/sentences.ts';
import { type Unit, units } from '../../text/units.ts';
import { isStopWord, stem, words as wordsOf } from '../../text/words.ts';
import { covers } from '../reading/matching.ts';
import { bodyStart } from '../reading/passages.ts';
import type { Found, RetrievalResult } from '../reading/read.ts';
import type { ScoredSentence } from '../reading/sentence-model.ts';

export interface Chosen extends ScoredSentence {
  hit: Found;
}

/** How far below the best one a sentence of the asker's language may stand and still be preferred. */
const languageMargin = 0.35;
/** How far below the best sentence the leading layer's may stand and still lead. */
export const layerMargin = 0.45;
/** The longest list that is quoted below its head. */
const listMax = 900;
const headMax = 400;
const pairMax = 400;
const shortPairMax = 220;

/** A sentence to be quoted; `own`: how much of the question it has itself, where that is known. */
export type Quotable = Pick<Chosen, 'hit' | 'start' | 'end'> & Partial<Pick<Chosen, 'own' | 'whole'>>;

/** Of a question and its dialogue what was said before (see AnswerContext), where that is no answer. */
export interface AskedOn {
  more: boolean;
  seen: string;
  question: string;
  whole: string;
  asksAnew: boolean;
}

/** What an answer does not repeat. */
export interface Said {
  text: string;
  /** Stems of words of which a sentence that has them all may be the answer although it was said. */
  unless: readonly string[];
}

export const nothingSaid: Said = { text: '', unless: [] };

/**
 * What was said is no answer to whoever wants more, or asks on about it; where another kind of answer is asked for than
 * before, it may have been said: "and for how long?" after "Who appoints …?". So may a sentence that speaks of what the
 * question adds: "and for the motor?" after "… two years, for the motor ten".
 */
export function saidBefore({ more, seen, question, whole, asksAnew }: AskedOn): Said {
  if (more) return { text: seen, unless: [] };
  if (whole === question || asksAnew) return nothingSaid;
  return {
    text: seen,
    unless: wordsOf(question)
      .filter((word) => !isStopWord(word))
      .map(stem),
  };
}

/** So short a sentence ("No.") stands in many answers, and is not known by its words. */
const knownUnits = 15;

/**
 * Sentences in the asker's language where it has good ones, else in the best one's; equal texts once, and none of those
 * that were said before.
 */
export function inOneLanguage(
  found: RetrievalResult,
  lang: Language,
  said: Said = nothingSaid,
): { sentences: Chosen[]; lang: Language } {
  const all: Chosen[] = found.sentences.map((one) => ({ ...one, hit: found.hits[one.passage]! }));
  const best = all[0];
  if (!best) return { sentences: [], lang };
  const own = all.find((one) => one.hit.chunk.lang === lang);
  const chosen = own && own.score >= best.score - languageMargin ? lang : best.hit.chunk.lang;
  return {
    sentences: unsaid(
      all.filter(({ hit }) => hit.chunk.lang === chosen),
      said,
    ),
    lang: chosen,
  };
}

/** Sentences of every language; equal texts once, and none of those that were said before. */
export const inEveryLanguage = ({ sentences, hits }: RetrievalResult, said: Said): Chosen[] =>
  unsaid(
    sentences.map((one) => ({ ...one, hit: hits[one.passage]! })),
    said,
  );

function unsaid(sentences: readonly Chosen[], { text: said, unless }: Said): Chosen[] {
  const quoted = new Set<string>();
  const mayBeSaid = (text: string): boolean => {
    const there = wordsOf(text).map(stem);
    return unless.length > 0 && unless.every((one) => there.some((word) => covers(one, word)));
  };
  return sentences.filter(({ hit, start, end }) => {
    const text = hit.text.slice(start, end);
    const words = text.replace(/^[\s\d.)(–—•*-]+/u, '');
    const key = words.toLowerCase();
    const wasSaid = words.length >= knownUnits && said.includes(words) && !mayBeSaid(text);
    if (quoted.has(key) || wasSaid || isOrder(text)) return false;
    quoted.add(key);
    return key.length > 1;
  });
}

/**
 * Sentences whose own words speak of the question at least half as much as those of the best one that does, in
 * other passages nearly as much; a title alone makes any sentence below it look good. All of them where none does.
 */
export function relevant(sentences: readonly Chosen[]): Chosen[] {
  const best = sentences.find((one) => one.own > 0);
  return best
    ? sentences.filter((one) => one.own >= (one.hit.id === best.hit.id ? 0.5 : 0.8) * best.own)
    : [...sentences];
}

/** So many items of a list are quoted, of so many. */
export interface ListCut {
  shown: number;
  of: number;
}

/** The sentence behind another one in its paragraph; null where that is the last. */
export function sentenceBehind({ hit, start, end }: Pick<Chosen, 'hit' | 'start' | 'end'>): Quotable | null {
  const from = bodyStart(hit);
  const all = units(hit.text.slice(from));
  const n = all.findIndex((one) => one.start + from === start && one.end + from === end);
  const next = n < 0 ? undefined : all[n + 1];
  if (next?.kind !== 'sentence' || next.block.start !== all[n]!.block.start) return null;
  return { hit, start: next.start + from, end: next.end + from };
}

/** A stretch of a passage to quote. */
export interface Stretch {
  hit: Found;
  start: number;
  end: number;
  /** The list continues after it. */
  cut: ListCut | false;
  /** It introduces what stands behind it: the head of a list, the columns of a table. */
  heads?: true;
}

/**
 * The sentence with what it needs to be understood: an item of a list gets the line its list stands under, a row its
 * columns, a line that introduces a list the items below it, and the beginning of a question–answer pair's answer the
 * rest of it, as do short answers whole: "No." alone is half of it. An item that has nothing of the question itself,
 * or answers only with the others (`whole`), stands for its list. The answer to a question in the text is told to the end
 * of its paragraph, and a sentence that points back with the one it points to.
 */
export function withContext({ hit, start, end, own, whole }: Quotable): Stretch[] {
  const { text } = hit;
  const wholeUpTo = text.slice(0, start).trim() === '' ? pairMax : shortPairMax;
  if (hit.chunk.question !== null && text.length <= wholeUpTo)
    return [{ hit, start: 0, end: text.length, cut: false }];
  const from = bodyStart(hit);
  const shifted = (span: Span) => ({ start: span.start + from, end: span.end + from });
  const all = units(text.slice(from)).map((unit) => ({
    ...unit,
    ...shifted(unit),
    head: unit.head && shifted(unit.head),
  }));
  const unit = all.find((one) => one.start === start && one.end === end);
  const below = all.filter(({ head }) => head?.start === start && head.end === end);
  const isLone = own === 0 && below.length === 0 && unit?.kind === 'item';
  const list = whole || isLone ? wholeList(hit, all, unit) : null;
  if (list) return [list];
  if (below.length > 0) {
    const listed = below.filter((unit) => unit.end - start <= listMax);
    const last = listed.at(-1);
    return [{ hit, start, end: last ? endBelow(last, all, start) : end, cut: cutOf(listed, below) }];
  }
  const head = unit?.head;
  if (unit && head && all.some((one) => one.kind === 'question' && one.start === head.start))
    return [{ hit, start, end: endOfAnswer(unit, all), cut: false }];
  if (head && head.end - head.start <= headMax) {
    if (text.slice(head.end, start).trim() === '') return [{ hit, start: head.start, end, cut: false }];
    return [
      { hit, ...head, cut: false, heads: true },
      { hit, start, end, cut: false },
    ];
  }
  const before = unit && pointsBack(text.slice(start, end), hit) ? sentenceBefore(unit, all) : undefined;
  if (before && end - before.start <= headMax) return [{ hit, start: before.start, end, cut: false }];
  // The number of a point is in its address, not repeated in its words.
  const number = /^\d{1,3}\.\s+(?=\p{Lu})/u.exec(text.slice(start, end))?.[0].length ?? 0;
  return [{ hit, start: start + number, end, cut: false }];
}

/** Where the paragraph ends whose first sentence answers the question before it, as far as it may be quoted. */
const endOfAnswer = ({ start, end, block }: Unit, all: readonly Unit[]): number =>
  all.findLast((one) => one.block.start === block.start && one.end - start <= pairMax)?.end ?? end;

/** Words by which a sentence points to the one before it, where it begins with them. */
export const leansOn = ofEach((language) =>
  setOf(`${textOf(language, 'dialogue.pointing')} ${textOf(language, 'dialogue.connectives')}`),
);

/** Whether a sentence begins with a word that points to the sentence before it: "This method …", "Иначе …". */
function pointsBack(sentence: string, { chunk }: Found): boolean {
  return leansOn[chunk.lang].has(wordsOf(sentence)[0] ?? '');
}

/** The sentence before one in its paragraph. */
function sentenceBefore(unit: Unit, all: readonly Unit[]): Unit | undefined {
  const before = all[all.indexOf(unit) - 1];
  const isBeside = before?.kind === unit.kind && before.block.start === unit.block.start;
  return unit.kind === 'sentence' && isBeside ? before : undefined;
}

/**
 * The list an item stands in, or the table of a row, with the line it stands under, as far as it may be quoted; of steps
 * within steps all of them. Null where it is none, or begins too far above the item.
 */
function wholeList(hit: Found, all: readonly Unit[], item: Unit | undefined): Stretch | null {
  // The points of a provision are no list.
  const isListed = item?.kind === 'item' || item?.kind === 'row';
  if (!isListed || !item.list || (!item.head && hit.chunk.number !== null)) return null;
  const { text } = hit;
  const list = all.filter((one) => one.list === item.list && one.kind !== 'heading');
  const { head } = item;
  const around = head && all.find((one) => one.start === head.start && one.end === head.end);
  if (around?.list && isStep.test(text.slice(around.list.start, around.list.end))) {
    const outer = wholeList(hit, all, around);
    if (outer && outer.end >= item.end) return outer;
  }
  const first = head && head.end - head.start <= headMax ? head : list[0]!;
  const listed = list.findLast((one) => one.end - first.start <= listMax);
  if (!listed || listed.end < item.end || text.slice(first.end, list[0]!.start).trim() !== '') return null;
  return {
    hit,
    start: first.start,
    end: endBelow(listed, all, first.start),
    cut: cutOf(list.slice(0, list.indexOf(listed) + 1), list),
  };
}

const isStep = /^1[.)]\s/;

/** Where ends what a unit introduces ("… run the command:"), if the quotation that begins at `start` has room for it. */
function endBelow(unit: Unit, all: readonly Unit[], start: number): number {
  const below = all.findLast(({ head }) => head?.start === unit.start && head.end === unit.end);
  return below && below.end - start <= listMax ? endBelow(below, all, start) : unit.end;
}

/** How many items of a list are quoted to their end, an item may have several sentences; false: all of them. */
function cutOf(quoted: readonly Unit[], all: readonly Unit[]): ListCut | false {
  if (quoted.length === all.length) return false;
  const items = (some: readonly Unit[]) => new Set(some.map(({ block }) => block.start)).size;
  const of = items(all);
  return { shown: of - items(all.slice(quoted.length)), of };
}

/**
 * Stretches in an order to read them, without overlaps: those of one passage together, in its order, or in that in which
 * they were chosen.
 */
export function arranged(chosen: readonly Quotable[], order: 'text' | 'chosen' = 'text'): Stretch[][] {
  const groups = new Map<number, Stretch[]>();
  for (const one of chosen) {
    const group = groups.get(one.hit.id) ?? [];
    groups.set(one.hit.id, group);
    for (const stretch of withContext(one)) {
      const [over, ...more] = group.filter((other) => stretch.start < other.end && other.start < stretch.end);
      if (!over) group.push(stretch);
      else {
        over.start = Math.min(over.start, ...[stretch, ...more].map(({ start }) => start));
        const { end } = over;
        over.end = Math.max(end, ...[stretch, ...more].map(({ end }) => end));
        if (over.end > end) delete over.heads;
        over.cut ||= [stretch, ...more].map(({ cut }) => cut).find((one) => one !== false) ?? false;
        for (const other of more) group.splice(group.indexOf(other), 1);
      }
    }
  }
  const all = [...groups.values()];
  return order === 'chosen' ? all : all.map((group) => group.sort((a, b) => a.start - b.start));
}
