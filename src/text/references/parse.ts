/**
 * Parses references to numbered provisions: "статья 23", "ст. 23", "23-бап", "Article 23", "пункт 2 статьи 42",
 * "42-баптың 2-тармағы", "art. 42(2)", "§ 5", "ч. 2 ст. 5", "глава 3", "первая статья".
 *
 * The units have the same names as in Chunk.unit: article, paragraph (§, English paragraph), part (часть, бөлік), point
 * (пункт, тармақ, clause), subpoint (подпункт, тармақша), indent (абзац), section, chapter, annex. Numbers are
 * converted to Arabic: "глава IV" has the number "4". Point 2 of article 42 has the number "42.2", and its subpoint 1
 * has "42.2.1". Chapters, sections and annexes are numbered independently. An inserted article keeps its hyphen
 * ("42-1").
 *
 * A number is a reference only next to a unit ("in 42 days" is not one), and a count is not a reference ("5 статей",
 * "two articles"). A point or subpoint may have a letter instead of a number ("подпункт б", "subparagraph (a)").
 */

import { endings, type Language, type ReferenceUnit, tableOfAll, wordsOfAll } from '../../language/index.ts';
import { type Group, groups, range, rangeOpens, rangeWords, referencesMax } from './groups.ts';
import { type ReferenceToken, tokens } from './tokens.ts';
import { rank } from './units.ts';

export { referencesMax } from './groups.ts';

export interface Numbered {
  unit: ReferenceUnit;
  number: string;
}

export interface Reference {
  unit: ReferenceUnit;
  /** The number, including the numbers of its parents: "42", "42.2", "42-1". */
  number: string;
  /** The provision that contains it, if the text names one. */
  of: Numbered | null;
  /** The provision and its parents, the outermost first, each with its own number as written. */
  chain: readonly Numbered[];
  /** UTF-16 offsets of the words that name it and its parents. */
  start: number;
  end: number;
}

/** Maximum number of units in one reference: article, part, point, subpoint and indent. */
const ranks = 5;

/**
 * Returns the first `limit` references in order of position. To find out whether the text contains more, request one
 * more than needed.
 */
export function parseReferences(text: string, limit = referencesMax): Reference[] {
  const list = tokens(text);
  return join(list, spans(list, groups(list, limit * ranks)), limit);
}

/** The language of the first reference in a text; null if there is no reference, or if it uses only a sign ("§ 5"). */
export function languageOfReferences(text: string): Language | null {
  const [first] = parseReferences(text);
  if (!first) return null;
  return tokens(text.slice(first.start, first.end)).find((token) => token.unit)?.unit?.language ?? null;
}

const rangeFrom = endings('provisions.rangeFrom');
const rangeUntil = tableOfAll('provisions.rangeUntil');

/** Merges two provisions that are the ends of a range: "от статьи 5 до статьи 7", "5-баптан 7-бапқа дейін". */
function spans(list: readonly ReferenceToken[], groups: readonly Group[]): Group[] {
  const out: Group[] = [];
  for (const group of groups) {
    const first = out.at(-1);
    const gap = first ? list.slice(first.to, group.from) : [];
    const worded =
      gap.length === 1 && rangeWords.has(gap[0]!.text) && rangeOpens.has(list[first!.from - 1]?.text ?? '');
    const inflected =
      first !== undefined &&
      gap.length === 0 &&
      rangeFrom(list[first.to - 1]!.text) &&
      rangeUntil.has(list[group.to]?.text ?? '');
    const [from, to] = [first?.numbers, group.numbers];
    if (!(worded || inflected) || first!.unit !== group.unit || from!.length > 1 || to.length > 1) {
      out.push(group);
      continue;
    }
    const numbers = range(from![0]!.value, to[0]!.value).map((value) => ({ value, inner: [] }));
    if (numbers.length > 1) first!.numbers = numbers;
    else first!.numbers.push(...to);
    first!.end = group.end;
    first!.to = group.to;
  }
  return out;
}

const between = new Set([...wordsOfAll('provisions.between'), ',']);

/** Joins adjacent units: "пункт 2" + "статьи 42", "Article 42" + "paragraph 2". */
function join(list: readonly ReferenceToken[], groups: readonly Group[], limit: number): Reference[] {
  const out: Reference[] = [];
  for (let n = 0; n < groups.length && out.length < limit; ) {
    const chain = [groups[n]!];
    let direction = 0;
    for (n++; n < groups.length; n++) {
      const last = chain.at(-1)!;
      const next = groups[n]!;
      const step = Math.sign(rank[next.unit] - rank[last.unit]);
      const gap = list.slice(last.to, next.from);
      if (
        step === 0 ||
        (direction !== 0 && step !== direction) ||
        gap.length > 2 ||
        gap.some((token) => !between.has(token.text))
      )
        break;
      if (rank[next.unit] === 0 || rank[last.unit] === 0) break;
      if (gap.some((token) => token.text === ',') && step < 0) break;
      direction = step;
      chain.push(next);
    }
    const ordered = direction < 0 ? chain.toReversed() : chain;
    const start = Math.min(...chain.map((group) => group.start));
    const end = Math.max(...chain.map((group) => group.end));
    let parents: (readonly Numbered[])[] = [[]];
    for (const group of ordered) {
      const made: (readonly Numbered[])[] = [];
      for (const parent of parents) {
        for (const { value, inner } of group.numbers) {
          let reached = [...parent, { unit: group.unit, number: value }];
          for (const part of inner) {
            const unit = rank[reached.at(-1)!.unit] < rank.point ? 'point' : 'subpoint';
            reached = [...reached, { unit, number: part }];
          }
          if (made.length < limit) made.push(reached);
          if (group === ordered.at(-1) && out.length < limit) out.push(referenceOf(reached, start, end));
        }
      }
      parents = made;
    }
  }
  return out;
}

function referenceOf(reached: readonly Numbered[], start: number, end: number): Reference {
  const number = (of: readonly Numbered[]) => of.map((one) => one.number).join('.');
  const above = reached.slice(0, -1);
  const holder = above.at(-1);
  return {
    unit: reached.at(-1)!.unit,
    number: number(reached),
    of: holder ? { unit: holder.unit, number: number(above) } : null,
    chain: reached,
    start,
    end,
  };
}
