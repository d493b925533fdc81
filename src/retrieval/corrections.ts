/**
 * What a word of the question that the index does not know may stand for in another script: the same name, the same
 * word typed without the letters of its language, a loan word. Slips of spelling are put right before (spelling.ts).
 */
import { editDistance } from '../text/edit-distance.ts';
import { languageByLetters, scriptOf } from '../text/languages/index.ts';
import { soundKey } from '../text/variants.ts';
import type { PartitionTerms } from './forward-index.ts';
import type { Names } from './term-dictionary.ts';

const shortest = { soundKey: 4, cognate: 3 };
const cognatesMax = 3;
/** Endings differ between scripts: so many last letters of a key may be cut, and no more than a quarter. */
const cutLetters = 3;

/** A sound key in which loan words agree: c before e, i and y as s, ts as s, dzh as g. */
const loanKey = (word: string): string =>
  soundKey(word.replace(/c(?=[eiy])/g, 's'))
    .replace(/ts/g, 's')
    .replace(/dzh/g, 'g');

const consonantsOf = (key: string): string => key.replace(/[aeiou]/g, '');

/** Looks up unknown stems; one for all partitions of a vocabulary. */
export class Corrections {
  readonly #stems: Names;
  readonly #byKey = new Map<string, number[]>();
  #keyed = 1;
  readonly #byConsonants = new Map<string, number[]>();
  #loans = 1;

  constructor(stems: Names) {
    this.#stems = stems;
  }

  /**
   * Id of the stem in another script, or with the letters of its language this one was typed without, that sounds like it, the most
   * frequent in the partition; 0 for none.
   */
  soundAlike(stem: string, partition: PartitionTerms): number {
    if (/\d/.test(stem)) return 0;
    const { list } = this.#stems;
    for (; this.#keyed < list.length; this.#keyed++) {
      const name = list[this.#keyed]!;
      if (name.length < shortest.soundKey - 1 || /\d/.test(name)) continue;
      const key = soundKey(name);
      const same = this.#byKey.get(key);
      if (same) same.push(this.#keyed);
      else this.#byKey.set(key, [this.#keyed]);
    }
    const key = soundKey(stem);
    const script = scriptOf(stem);
    const most = Math.min(cutLetters, Math.floor(key.length / 4));
    for (let cut = 0; cut <= most && key.length - cut >= shortest.soundKey; cut++) {
      let best = 0;
      for (const id of this.#byKey.get(key.slice(0, key.length - cut)) ?? []) {
        const df = partition.stemDf[id] ?? 0;
        if (
          df > (partition.stemDf[best] ?? 0) &&
          (scriptOf(list[id]!) !== script || languageByLetters(list[id]!) !== null)
        )
          best = id;
      }
      if (best > 0) return best;
    }
    return 0;
  }

  /**
   * The stems in another script that may be the same name or loan word: the same consonants in their order, at least
   * three, and one vowel different, two from four consonants on. The nearest first, then the most frequent in the
   * partition; `isSame`: no vowel differs.
   */
  cognates(stem: string, partition: PartitionTerms): { id: number; isSame: boolean }[] {
    if (/\d/.test(stem)) return [];
    const { list } = this.#stems;
    for (; this.#loans < list.length; this.#loans++) {
      const consonants = consonantsOf(loanKey(list[this.#loans]!));
      if (consonants.length < shortest.cognate) continue;
      const same = this.#byConsonants.get(consonants);
      if (same) same.push(this.#loans);
      else this.#byConsonants.set(consonants, [this.#loans]);
    }
    const key = loanKey(stem);
    const consonants = consonantsOf(key);
    const most = consonants.length > shortest.cognate ? 2 : 1;
    const script = scriptOf(stem);
    return (this.#byConsonants.get(consonants) ?? [])
      .filter((id) => (partition.stemDf[id] ?? 0) > 0 && scriptOf(list[id]!) !== script)
      .map((id) => ({ id, edits: editDistance(key, loanKey(list[id]!), most) }))
      .filter(({ edits }) => edits <= most)
      .sort((a, b) => a.edits - b.edits || partition.stemDf[b.id]! - partition.stemDf[a.id]!)
      .slice(0, cognatesMax)
      .map(({ id, edits }) => ({ id, isSame: edits === 0 }));
  }
}
