/**
 * Chooses the sentences for an answer, and adds the context that they need, such as the head of a list or the items
 * below it.
 */
import type { Language } from '../../domain/events.ts';
import type { Span } from '../../domain/span.ts';
import { ofEach, setOf, textOf } from '../../language/index.ts';
import { bodyStart, type Found, type RetrievalResult } from '../../reading/passages.ts';
import { aboutIt } from '../../reading/sentence-features.ts';
import type { ScoredSentence } from '../../reading/sentence-model.ts';
import { isInjection } from '../../text/prompt-injection.ts';
import { type Unit, units } from '../../text/units.ts';
import { words as wordsOf } from '../../text/words.ts';

export interface ChosenSentence extends ScoredSentence {
  hit: Found;
}

/** Maximum score difference at which a sentence in the asker's language is preferred to the best sentence. */
const languageMargin = 0.35;
/** Maximum score difference at which a sentence of the leading layer comes before the best sentence. */
export const layerMargin = 0.45;
/** Maximum length of a quoted list with its head, in UTF-16 units. */
const listMax = 900;
const headMax = 400;
const pairMax = 400;
const shortPairMax = 220;

/** A sentence to quote. `own`, `share`: see Sentence, if known. */
export type Quotable = Pick<ChosenSentence, 'hit' | 'start' | 'end'> &
  Partial<Pick<ChosenSentence, 'own' | 'share' | 'whole'>>;

/** The earlier answers that must not be repeated, if the question asks for more; otherwise ''. */
export const saidBefore = ({ more, seen }: { more: boolean; seen: string }): string => (more ? seen : '');

/** Minimum length of a sentence that is recognised in earlier answers. Shorter ones ("No.") occur in many answers. */
const knownUnits = 15;

/**
 * Returns the sentences in the asker's language if there are good ones, otherwise those in the language of the best
 * sentence. Duplicates and sentences that were already given are omitted.
 */
export function inOneLanguage(
  found: RetrievalResult,
  lang: Language,
  said = '',
): { sentences: ChosenSentence[]; lang: Language } {
  const all: ChosenSentence[] = found.sentences.map((one) => ({ ...one, hit: found.hits[one.passage]! }));
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

/** The sentences in all languages, without duplicates and without sentences that were already given. */
export const inEveryLanguage = ({ sentences, hits }: RetrievalResult, said: string): ChosenSentence[] =>
  unsaid(
    sentences.map((one) => ({ ...one, hit: hits[one.passage]! })),
    said,
  );

function unsaid(sentences: readonly ChosenSentence[], said: string): ChosenSentence[] {
  const quoted = new Set<string>();
  return sentences.filter(({ hit, start, end }) => {
    const text = hit.text.slice(start, end);
    const words = text.replace(/^[\s\d.)(–—•*-]+/u, '');
    const key = words.toLowerCase();
    const wasSaid = words.length >= knownUnits && said.includes(words);
    if (quoted.has(key) || wasSaid || isInjection(text)) return false;
    quoted.add(key);
    return key.length > 1;
  });
}

/**
 * Returns the sentences whose own words match the question at least half as well as those of the best sentence, or
 * nearly as well if they are in another passage. Scores are not sufficient for this, because a matching title gives all
 * sentences below it a high score. If no sentence matches by its own words, all are returned.
 */
export function relevant(sentences: readonly ChosenSentence[]): ChosenSentence[] {
  const best = sentences.find((one) => one.own > 0);
  return best
    ? sentences.filter((one) => one.own >= (one.hit.id === best.hit.id ? 0.5 : 0.8) * best.own)
    : [...sentences];
}

/** The number of quoted items in a list, and the total number. */
export interface ListCut {
  shown: number;
  of: number;
}

/** The next sentence in the paragraph; null if there is none. */
export function sentenceBehind({
  hit,
  start,
  end,
}: Pick<ChosenSentence, 'hit' | 'start' | 'end'>): Quotable | null {
  const from = bodyStart(hit);
  const all = units(hit.text.slice(from));
  const n = all.findIndex((one) => one.start + from === start && one.end + from === end);
  const next = n < 0 ? undefined : all[n + 1];
  if (next?.kind !== 'sentence' || next.block.start !== all[n]!.block.start) return null;
  return { hit, start: next.start + from, end: next.end + from };
}

/** A range of a passage to quote. */
export interface Stretch extends Span {
  hit: Found;
  /** Whether the list continues after it. */
  cut: ListCut | false;
  /** Present if it introduces what follows: the head of a list, or the column names of a table. */
  heads?: true;
}

/**
 * Returns a sentence with the context it needs:
 * - an item with the head of its list, a row with its column names, and a line that introduces a list with the items;
 * - the whole list, if an item is an answer only with the others (`whole`), or does not match the question itself while
 *   the head of the list or the title does;
 * - a short answer in a question–answer pair as a whole, because "No." alone is incomplete;
 * - the answer to a question in the text up to the end of its paragraph;
 * - a sentence that refers back together with the sentence before it.
 */
export function withContext({ hit, start, end, own, share = 0, whole }: Quotable): Stretch[] {
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
  const isLone =
    own === 0 && below.length === 0 && unit?.kind === 'item' && (unit.head !== null || share >= aboutIt);
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
  // The number of a point is part of its address and is not repeated in the quotation.
  const number = /^\d{1,3}\.\s+(?=\p{Lu})/u.exec(text.slice(start, end))?.[0].length ?? 0;
  return [{ hit, start: start + number, end, cut: false }];
}

/** The end of the paragraph that answers the question before it, or of as many of its sentences as may be quoted. */
const endOfAnswer = ({ start, end, block }: Unit, all: readonly Unit[]): number =>
  all.findLast((one) => one.block.start === block.start && one.end - start <= pairMax)?.end ?? end;

/** Words at the beginning of a sentence that refer to the previous sentence. */
export const leansOn = ofEach((language) =>
  setOf(`${textOf(language, 'dialogue.pointing')} ${textOf(language, 'dialogue.connectives')}`),
);

/** Whether a sentence begins with a word that refers to the previous sentence: "This method …", "Иначе …". */
function pointsBack(sentence: string, { chunk }: Found): boolean {
  return leansOn[chunk.lang].has(wordsOf(sentence)[0] ?? '');
}

/** The previous sentence in the paragraph. */
function sentenceBefore(unit: Unit, all: readonly Unit[]): Unit | undefined {
  const before = all[all.indexOf(unit) - 1];
  const isBeside = before?.kind === unit.kind && before.block.start === unit.block.start;
  return unit.kind === 'sentence' && isBeside ? before : undefined;
}

/**
 * Returns the list of an item, or the table of a row, with its head, up to the maximum length. For nested steps, this
 * is the outer list. Returns null if there is no list, or if it begins too far above the item.
 */
function wholeList(hit: Found, all: readonly Unit[], item: Unit | undefined): Stretch | null {
  // The points of a provision without a common head are not a list.
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

/**
 * The end of what a unit introduces ("… run the command:") if that fits into the quotation that begins at `start`;
 * otherwise the end of the unit.
 */
function endBelow(unit: Unit, all: readonly Unit[], start: number): number {
  const below = all.findLast(({ head }) => head?.start === unit.start && head.end === unit.end);
  return below && below.end - start <= listMax ? endBelow(below, all, start) : unit.end;
}

/** How many items of a list are quoted completely; false if all are. An item may consist of several sentences. */
function cutOf(quoted: readonly Unit[], all: readonly Unit[]): ListCut | false {
  if (quoted.length === all.length) return false;
  const items = (some: readonly Unit[]) => new Set(some.map(({ block }) => block.start)).size;
  const of = items(all);
  return { shown: of - items(all.slice(quoted.length)), of };
}

/**
 * Converts sentences to ranges with context, merges overlapping ranges, and groups them by passage. Within a passage,
 * ranges are in text order or in the given order.
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
