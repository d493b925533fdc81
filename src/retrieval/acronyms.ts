/**
 * Acronyms that the documents write out: "КС" where they say "Конституционный суд", "VAT" for "value added tax". A
 * word of capital letters that the index does not know is held against the first letters of adjacent words
 * (function words skipped); the words that stand so most often take its place.
 */
import type { Language } from '../domain/events.ts';
import { isStopWord, stem, words } from '../text/words.ts';
import type { PartitionTerms } from './forward-index.ts';

const acronym = /(?<![\p{L}\p{N}])\p{Lu}{2,6}(?![\p{L}\p{N}])/gu;
/** Different acronyms of a question that are looked for: each is a scan. */
const lookedFor = 4;
/** Tokens looked through for one; a scan of a million takes a few milliseconds. */
const tokensAtMost = 4_000_000;
/** Two letters fit many words by chance: the words must stand often, and far more often than others. */
const occurrences = (letters: number) => (letters === 2 ? 3 : 2);
const aheadOfOthers = 2;

/** The question with its unknown acronyms written out, where the documents of its language say how. */
export function writtenOut(
  query: string,
  lang: Language | null,
  partition: PartitionTerms,
  knows: (word: string) => boolean,
): string {
  const capitals = query.match(/\p{Lu}/gu)?.length ?? 0;
  const letters = query.match(/\p{L}/gu)?.length ?? 0;
  const expansions = new Map<string, string | null>();
  return query.replace(acronym, (found) => {
    const shouted = capitals > 0.6 * letters && letters > found.length;
    const [word = ''] = words(found);
    if (shouted || word.length < 2 || knows(word) || isStopWord(word)) return found;
    if (!expansions.has(word) && expansions.size < lookedFor)
      expansions.set(word, expansion(word, lang, partition));
    return expansions.get(word) ?? found;
  });
}

function expansion(letters: string, lang: Language | null, partition: PartitionTerms): string | null {
  const { words: list, initials } = partition.vocabulary;
  const { tokens } = partition;
  const wanted = Uint16Array.from(letters, (_, n) => letters.charCodeAt(n));
  const first = wanted[0]!;
  const counts = new Map<string, { count: number; text: string }>();
  let left = tokensAtMost;
  for (let slot = 0; slot < partition.slots && left > 0; slot++) {
    if (partition.documents[slot] === 0 || (lang !== null && partition.langs[slot] !== lang)) continue;
    const end = partition.from[slot]! + partition.length[slot]!;
    // Titles are put together of several; words that meet there belong to no one expression.
    const from = partition.from[slot]! + partition.titles[slot]!;
    left -= end - from;
    for (let at = from; at < end; at++) {
      if (initials[tokens[at]!] !== first) continue;
      const found = standsAt(wanted, partition, at, end);
      if (!found) continue;
      const expression = found.map((id) => list[id]!);
      const key = expression.map(stem).join(' ');
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { count: 1, text: expression.join(' ') });
    }
  }
  const [best, second] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (!best || best.count < occurrences(letters.length)) return null;
  const least = letters.length === 2 ? aheadOfOthers * (second?.count ?? 0) : (second?.count ?? 0) + 1;
  return best.count >= least ? best.text : null;
}

/** The words from a place on whose first letters are those wanted, the first of which is; null where they are not. */
function standsAt(
  wanted: Uint16Array,
  { tokens, vocabulary: { initials, stop } }: PartitionTerms,
  from: number,
  end: number,
): number[] | null {
  const found = [tokens[from]!];
  let skipped = 0;
  for (let at = from + 1; at < end && found.length < wanted.length; at++) {
    const id = tokens[at]!;
    if (initials[id] === wanted[found.length]) found.push(id);
    else if (stop[id] !== 1 || ++skipped > 1) return null;
  }
  return found.length === wanted.length ? found : null;
}
