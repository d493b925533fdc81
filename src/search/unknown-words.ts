/**
 * Finds a replacement for a word that does not occur in a scope. The candidates are, in order of preference:
 * 1. the same word or name in another script, or with special letters that the keyboard lacked;
 * 2. related words from the thesaurus;
 * 3. words with the same first letter at an edit distance of one, or up to two for words of eight or more letters.
 * If there are several candidates, the most frequent one is used.
 */

import { languageByLetters, scriptOf } from '../language/index.ts';
import type { ChunkSearch } from '../ports/chunk-search.ts';
import { editDistance } from '../text/edit-distance.ts';
import { relatedStems } from '../text/related.ts';
import { soundKey } from '../text/variants.ts';
import { stem, stemIn } from '../text/words.ts';
import type { ScopeCounts } from './counts.ts';

/**
 * Maximum number of letters cut from the end of a sound key, because word endings differ between scripts. At most a
 * quarter of the key is cut.
 */
const cutLetters = 3;
const shortestKey = 4;
const shortestMisspelt = 4;
const twoEditsFrom = 8;

export interface StandIn {
  stem: string;
  /** Whether this is the same word, spelt differently. */
  isSame: boolean;
}

/** A stem that sounds like this one, in another script or with special letters; null if there is none. */
async function soundAlike(name: string, search: ChunkSearch, counts: ScopeCounts): Promise<string | null> {
  const key = soundKey(name);
  const cuts = Math.min(cutLetters, Math.floor(key.length / 4), key.length - shortestKey);
  if (/\d/.test(name) || cuts < 0) return null;
  const keys = Array.from({ length: cuts + 1 }, (_, cut) => key.slice(0, key.length - cut));
  const script = scriptOf(name);
  const found = (await search.stemsSounding(keys)).filter(
    (one) => scriptOf(one) !== script || languageByLetters(one) !== null,
  );
  await counts.add({ stems: found });
  const best = keys.map((one) => counts.mostFrequent(found.filter((other) => soundKey(other) === one)));
  return best.find((one) => one !== null) ?? null;
}

/** The replacement for an unknown word; null if there is none. */
export async function standIn(
  word: string,
  search: ChunkSearch,
  counts: ScopeCounts,
): Promise<StandIn | null> {
  const name = stem(word);
  // Without its special letters, a word is stemmed in the wrong language, so it is also stemmed in the languages of the
  // documents.
  for (const one of new Set([name, ...counts.languages.map((lang) => stemIn(word, lang))])) {
    const alike = await soundAlike(one, search, counts);
    if (alike !== null) return { stem: alike, isSame: true };
  }
  const related = relatedStems(name);
  await counts.add({ stems: [...related] });
  const other = counts.mostFrequent(related);
  if (other !== null) return { stem: other, isSame: false };
  if (name.length < shortestMisspelt || /\d/.test(name)) return null;
  const edits = name.length < twoEditsFrom ? 1 : 2;
  const script = scriptOf(name);
  const near = (await search.stemsBeginning(name[0]!, name.length - edits, name.length + edits)).filter(
    (one) => scriptOf(one) === script && editDistance(name, one, edits) <= edits,
  );
  await counts.add({ stems: near });
  const best = counts.mostFrequent(near);
  return best === null ? null : { stem: best, isSame: false };
}
