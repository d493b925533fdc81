/**
 * Finds references to provisions in a passage. Incomplete references are completed from the provision that contains the
 * passage. The act named next to a reference is also found.
 */
import type { Span } from '../domain/span.ts';
import { type ActKind, tableOfAll, wordsOfAll } from '../language/index.ts';
import { actBeside, kindsIn } from '../text/references/acts.ts';
import { type Numbered, parseReferences } from '../text/references/parse.ts';
import { rank, unitOf } from '../text/references/units.ts';
import { foldLetters } from '../text/words.ts';

/** The parts of a passage that determine its references. */
export interface ReferringText {
  text: string;
  /** The numbered provision that the passage is or belongs to. It resolves "this Article" and a bare "point 2". */
  unit: string | null;
  number: string | null;
  /** The nearest heading. If there is no number, it may identify the provision ("Commentary on Article 23"). */
  heading: string;
}

export interface ReferenceFound extends Span {
  /** The outermost provision, such as the article in "point 2 of Article 5". */
  unit: string;
  number: string;
  /** The act that the provision belongs to; null if none is named. */
  act: ActNamed | null;
}

export interface ActNamed {
  kind: ActKind | null;
  /** The names, topic words and number of the act, as written. */
  words: string[];
}

const own = tableOfAll('entities.own');
const between = wordsOfAll('provisions.between');
const nearBy = 40;
/** Maximum distance between a reference and the name of its act, in UTF-16 units. */
const actReach = 200;

/** Returns at most `limit` references in order, excluding those in the passage's own heading. */
export function referencesIn(passage: ReferringText, limit: number): ReferenceFound[] {
  const { text, unit, heading } = passage;
  const inside = articleOf(passage);
  const all = parseReferences(text, limit);
  const spans = [...new Map(all.map(({ start, end }) => [`${start} ${end}`, { start, end }])).values()];
  const acts = new Map(spans.map((span, n) => [span.start, actNear(text, span, spans[n - 1], spans[n + 1])]));
  const out: ReferenceFound[] = [];
  for (const { chain, start, end } of all) {
    if (start === 0 && isOwn(chain, passage)) continue;
    if (heading !== '' && start < heading.length && text.startsWith(heading)) continue;
    const [outermost] = chain as [Numbered];
    const part = rank[outermost.unit] > rank.article && outermost.unit !== unit;
    const span = (part && ownBeside(text, start, end)) || { start, end };
    const isInside = part && inside !== null;
    out.push({ ...(isInside ? inside : outermost), act: isInside ? null : acts.get(start)!, ...span });
  }
  return out;
}

/** The act named next to a reference, no further away than the neighbouring references. */
function actNear(
  text: string,
  span: Span,
  before: Span | undefined,
  behind: Span | undefined,
): ActNamed | null {
  const from = Math.max(before?.end ?? 0, span.start - actReach);
  const until = Math.min(behind?.start ?? text.length, span.end + actReach);
  const at = { start: span.start - from, end: span.end - from };
  const act = actBeside(text.slice(from, until), at, []);
  if (act === null) return null;
  const { kind, names, topics, number } = act;
  return { kind, words: [...names, ...topics, ...(number === null ? [] : [number])] };
}

const isOwn = (chain: readonly Numbered[], { unit, number }: ReferringText): boolean =>
  number !== null && chain.at(-1)!.unit === unit && chain.map((one) => one.number).join('.') === number;

/** The article that a passage is or discusses. A bare "point 2" belongs to this article. */
function articleOf({ unit, number, heading }: ReferringText): Numbered | null {
  if (number !== null && unit === 'article') return { unit: 'article', number };
  const [only, more] = parseReferences(heading, 2);
  return only !== undefined && more === undefined && only.unit === 'article' && only.of === null
    ? { unit: 'article', number: only.number }
    : null;
}

/** Extends the span of a reference to include "of this article" before or after it; null if neither is there. */
function ownBeside(text: string, start: number, end: number): Span | null {
  const list = [...text.slice(end, end + nearBy).matchAll(/^\s+\p{L}+|(?<=\p{L})\s+\p{L}+/gu)].slice(0, 3);
  const words = list.map(([word]) => foldLetters(word.trim()));
  const at = between.has(words[0] ?? '') ? 1 : 0;
  if (own.has(words[at] ?? '') && unitOf(words[at + 1] ?? '') !== null) {
    const last = list[at + 1]!;
    return { start, end: end + last.index + last[0].length };
  }
  const before = /(?<!\p{L})(\p{L}+)\s+(\p{L}+)\s+$/u.exec(text.slice(Math.max(0, start - nearBy), start));
  if (before && own.has(foldLetters(before[1]!)) && unitOf(foldLetters(before[2]!)) !== null)
    return { start: start - before[0].length, end };
  return null;
}

const prefixLength = 5;
const beginnings = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map((word) => word.slice(0, prefixLength));

/** Whether a title belongs to an act: it contains the same kind of act and the same words, compared by first letters. */
export function isTitleOf(title: string, { kind, words }: ActNamed): boolean {
  if (kind !== null && !kindsIn(title).includes(kind)) return false;
  const said = new Set(beginnings(title));
  return beginnings(words.join(' ')).every((word) => said.has(word));
}
