/**
 * Finds a replacement for a word that no chunk of a scope contains. In this order: the same word or name in another
 * script, or with its language's letters that the keyboard lacked; a related word in the thesaurus; a word within one
 * edit (two from eight letters) that begins with the same letter. Of several candidates, the one that most chunks
 * contain is used.
 */
import type { ChunkSearch } from '../ports/chunk-search.ts';
import { editDistance } from '../text/edit-distance.ts';
import { languageByLetters, scriptOf } from '../text/languages/index.ts';
import { relatedStems } from '../text/related.ts';
import { soundKey } from '../text/variants.ts';
import { stem, stemIn } from '../text/words.ts';
import type { ScopeCounts } from './counts.ts';

/**
 * Word endings differ between scripts, so up to this many letters may be cut from the end of a sound key, but at most a
 * quarter.
 */
const cutLetters = 3;
const shortestKey = 4;
const shortestMisspelt = 4;
const twoEditsFrom = 8;

export interface StandIn {
  stem: string;
  /** The same word, spelt differently. */
  isSame: boolean;
}

/**
 * The stem in another script, or with its missing letters restored, that sounds like this one; null if there is none.
 */
export async function soundAlike(
  name: string,
  search: ChunkSearch,
  counts: ScopeCounts,
): Promise<string | null> {
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
  // A word typed without its specific letters gets the stem of another language, so it is also stemmed in the
  // documents' languages.
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
