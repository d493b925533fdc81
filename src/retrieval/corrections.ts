/**
 * What a word of the question that the index does not know may stand for: the same name in another script, or the same
 * word typed without the letters of its language. Slips of spelling are put right before (spelling.ts).
 */
import { languageByLetters, scriptOf } from '../text/languages/index.ts';
import { soundKey } from '../text/variants.ts';
import type { PartitionTerms } from './forward-index.ts';
import type { Names } from './term-dictionary.ts';

const shortestKey = 4;
/** Endings differ between scripts: so many last letters of a key may be cut, and no more than a quarter. */
const cutLetters = 3;

/** Looks up unknown stems; one for all partitions of a vocabulary. */
export class Corrections {
  readonly #stems: Names;
  readonly #byKey = new Map<string, number[]>();
  #keyed = 1;

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
      if (name.length < shortestKey - 1 || /\d/.test(name)) continue;
      const key = soundKey(name);
      const same = this.#byKey.get(key);
      if (same) same.push(this.#keyed);
      else this.#byKey.set(key, [this.#keyed]);
    }
    const key = soundKey(stem);
    const script = scriptOf(stem);
    const most = Math.min(cutLetters, Math.floor(key.length / 4));
    for (let cut = 0; cut <= most && key.length - cut >= shortestKey; cut++) {
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
}
