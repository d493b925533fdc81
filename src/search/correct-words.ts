/** Corrects the words of a question against an index: keyboard layout, script, misspellings, and compound words. */
import type { ChunkSearch, SearchScope, Terms } from '../ports/chunk-search.ts';
import { prefixId, stemId } from '../text/fingerprint.ts';
import { foldWord, isStopWord, prefix, stem, words } from '../text/words.ts';
import { inverseFrequency, ScopeCounts } from './counts.ts';
import { inKnownLayout, wordsInOtherLayouts } from './known-layout.ts';
import type { RankedQuestion } from './rank.ts';
import { standIn } from './unknown-words.ts';
import { partsOf } from './word-parts.ts';

/** Weights of a stop word and of a corrected word. */
const weights = { stop: 0.2, correction: 0.7 };
/** Maximum number of unknown words to look up, because each lookup scans many stems. */
const maxLookedUp = 8;
/** Maximum number of terms to search, rarest first, because each one requires a scan of its posting list. */
const termsMax = 64;

/** A stem in the question that does not occur in the scope, and the stem that replaces it. */
export interface Correction {
  stem: string;
  known: string;
  /** Whether both are the same word, spelt differently. */
  isSame: boolean;
}

export interface Understood {
  /** The question with the keyboard layout corrected and compound words split. */
  query: string;
  corrections: Correction[];
  question: RankedQuestion;
  /** The terms used to find candidates. */
  terms: Terms;
}

/** Returns null if the scope is empty. `story`: the context of the question; its words count like the question's. */
export async function understand(
  search: ChunkSearch,
  scope: SearchScope,
  { query: typed, story = '' }: { query: string; story?: string },
): Promise<Understood | null> {
  const termsOf = (list: readonly string[]) => ({ stems: list.map(stem), prefixes: list.map(prefix) });
  let all = [...words(typed), ...words(story)];
  const counts = await ScopeCounts.of(search, scope, termsOf(all));
  if (counts.chunks === 0) return null;
  const knows = (word: string): boolean => counts.stem(stem(word)) > 0;
  let query = typed;
  if (!all.every((word) => isStopWord(word) || knows(word))) {
    await counts.add({ stems: wordsInOtherLayouts(`${typed} ${story}`).map(stem) });
    query = inKnownLayout(typed, knows);
    all = [...words(query), ...words(inKnownLayout(story, knows))];
    await counts.add(termsOf(all));
  }
  const own = new Set(words(query));
  const hasContent = [...own].some((word) => !isStopWord(word));
  const stems = new Map<string, number>();
  const prefixes = new Map<string, number>();
  const content: string[] = [];
  const corrections: Understood['corrections'] = [];
  const count = (to: Map<string, number>, name: string, weight: number) =>
    to.set(name, (to.get(name) ?? 0) + weight);
  let lookedUp = 0;
  /** Unknown compound words, each with the two known words that it consists of. */
  const joined = new Map<string, string>();
  for (const word of all) {
    const name = stem(word);
    if (hasContent && isStopWord(word)) {
      if (knows(word)) count(stems, name, weights.stop);
      continue;
    }
    count(prefixes, prefix(word), 1);
    if (knows(word)) {
      count(stems, name, 1);
      content.push(name);
    } else if (lookedUp++ < maxLookedUp) {
      const found = await standIn(word, search, counts);
      if (found === null) {
        const parts = own.has(word) ? await partsOf(word, search, scope, counts) : null;
        if (parts !== null) joined.set(word, parts.join(' '));
        continue;
      }
      corrections.push({ stem: name, known: found.stem, isSame: found.isSame });
      count(stems, found.stem, found.isSame ? 1 : weights.correction);
      content.push(found.stem);
      if (found.isSame) count(prefixes, prefix(found.stem), 1);
    }
  }
  if (joined.size > 0) {
    const apart = query.replace(/(?:\p{L}|\u0301)+/gu, (word) => joined.get(foldWord(word)) ?? word);
    if (apart !== query) return understand(search, scope, { query: apart, story });
  }
  await counts.add({ prefixes: [...prefixes.keys()] });
  const { chunks } = counts;
  const known = [...prefixes].filter(([name]) => counts.prefix(name) > 0);
  const names = [...stems.keys()];
  const searched = [
    ...[...new Set(content)].map((name) => ({ kind: 'stems', name, df: counts.stem(name) })),
    ...known.map(([name]) => ({ kind: 'prefixes', name, df: counts.prefix(name) })),
  ];
  if (searched.length > termsMax) searched.sort((a, b) => a.df - b.df).splice(termsMax);
  const searchedBy = (kind: string) => searched.flatMap((term) => (term.kind === kind ? term.name : []));
  return {
    query,
    corrections,
    terms: { stems: searchedBy('stems'), prefixes: searchedBy('prefixes') },
    question: {
      stems: names.map((name) => ({
        id: stemId(name),
        weight: stems.get(name)!,
        idf: inverseFrequency(counts.stem(name), chunks),
      })),
      content: content.map((name) => names.indexOf(name)),
      prefixes: known.map(([name, weight]) => ({
        id: prefixId(name),
        weight,
        idf: inverseFrequency(counts.prefix(name), chunks),
      })),
      averages: counts.averages,
    },
  };
}
