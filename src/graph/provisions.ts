/** Provisions a chunk refers to, made whole by what it is a part of itself. */
import { tableOfAll, wordsOfAll } from '../text/languages/index.ts';
import { type Numbered, parseReferences } from '../text/references/parse.ts';
import { rank, unitOf } from '../text/references/units.ts';
import { foldLetters } from '../text/words.ts';
import type { ChunkToRead } from './mentions.ts';

export interface ReferenceFound {
  chain: readonly Numbered[];
  start: number;
  end: number;
}

const own = tableOfAll('entities.own');
const between = wordsOfAll('provisions.between');
const nearBy = 40;

/** The references of a chunk's text in order, its own heading apart. `limit`: maximum number. */
export function referencesIn(chunk: ChunkToRead, limit: number): ReferenceFound[] {
  const { text } = chunk;
  const inside = articleOf(chunk);
  const out: ReferenceFound[] = [];
  for (const { chain, start, end } of parseReferences(text, limit)) {
    if (start === 0 && isOwn(chain, chunk)) continue;
    const [outermost] = chain as [Numbered];
    const part = rank[outermost.unit] > rank.article && outermost.unit !== chunk.unit;
    const span = { start, end };
    const said = part ? ownBeside(text, span) : null;
    if (said !== null) Object.assign(span, said);
    out.push({ chain: part && inside !== null ? [inside, ...chain] : chain, ...span });
  }
  return out;
}

const isOwn = (chain: readonly Numbered[], { unit, number }: ChunkToRead): boolean =>
  number !== null && chain.at(-1)!.unit === unit && chain.map((one) => one.number).join('.') === number;

/** The article a chunk is, or is about: "point 2" alone is a point of it. */
function articleOf({ unit, number, heading }: ChunkToRead): Numbered | null {
  if (number !== null && unit === 'article') return { unit: 'article', number };
  const named = parseReferences(heading, 2);
  const [only] = named;
  return named.length === 1 && only!.unit === 'article' && only!.of === null
    ? { unit: 'article', number: only!.number }
    : null;
}

/** The words "of this article" behind a reference or before it: the span with them. */
function ownBeside(
  text: string,
  { start, end }: { start: number; end: number },
): { start: number; end: number } | null {
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
