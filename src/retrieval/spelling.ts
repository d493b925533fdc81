/**
 * Misspelt words of a question put right by the words of the documents that are asked.
 *
 * Source: a noisy channel (Kernighan, Church and Gale 1990). Of the words that are known, the one is meant that is
 * likeliest by its slips (typing-errors.ts) and its frequency. Against it stands that the word is right and only unknown
 * here. How much each counts was learned: logistic regression over published misspellings put into the questions of five sets,
 * against the unknown words of right questions and of questions asked of documents about something else.
 *
 * What the documents or the language packs know is never touched, whatever a neighbour of it would find.
 *
 * A search goes through all words of the vocabulary. 32-bit masks of their letters and of their sounds are compared
 * first: words within k slips differ in at most 2k bits of the one or not at all in the other, so nearly all are passed
 * over.
 */
import { countBits } from '../text/bits.ts';
import { isGeneralWord } from '../text/general-words.ts';
import { languageByLetters, scriptOf } from '../text/languages/index.ts';
import { spokenAs } from '../text/spoken.ts';
import { stopWords } from '../text/stopwords.ts';
import { slips, typingCost, typingCosts, withLettersLacking } from '../text/typing-errors.ts';
import { foldWord, grams, isQuestionWord, isStopWord, secondStem, stem } from '../text/words.ts';
import type { PartitionTerms } from './forward-index.ts';
import { grown, type Vocabulary } from './term-dictionary.ts';

/** What the odds of a word are made of. */
interface Features {
  /** Of the slips, in nats. */
  cost: number;
  /** Letters typed, 12 at most: the more, the less likely that another word looks so much like it by chance. */
  letters: number;
  /** Logarithm of the part of the chunks it stands in. */
  frequency: number;
  /** Part of the pieces of four letters of what was typed that no word of the documents has. */
  strange: number;
  /** Part of the question's other words that the documents do not know: they may be about something else. */
  foreign: number;
  /** 1: it is a function word; the documents have it in other forms only; a blank was left out. */
  stop: number;
  form: number;
  parted: number;
  /** 1: it was typed with a capital letter inside the question, and may be a name nobody here knows. */
  name: number;
  /** How far its odds are above those of the next word, 4 at most. */
  margin: number;
}

const bias = 3.1;
const weights: Readonly<Record<keyof Features, number>> = {
  cost: -0.53,
  letters: 0.3,
  frequency: 0.58,
  strange: 1.2,
  foreign: -2.4,
  stop: -1,
  form: -2.6,
  parted: 3,
  name: -4.6,
  margin: 0.55,
};
const lettersMost = 12;
const marginMost = 4;

/** The least log odds by which a word is put in place of what was typed, and by which it is looked for beside it. */
const least = { replaced: 0.3, perhaps: -2 };

/** Shorter words are left as they are, and so are longer ones, which are codes or noise. */
const shortest = 4;
const longest = 32;
/** Costs of more are not looked for: by letters of the word, and for any; from which on two slips are. */
const costMost = { perLetter: 1.25, word: 14, twoSlips: 10 };
/** A blank left out. */
const blankCost = 5;
const shortestPart = 3;
/** The letters that may follow a question word without a blank. */
const behindQuestionWord = 5;
const shortestStem = 4;
const longestEnding = 6;
/** The part of all words that has an ending, if it is one. */
const endingShare = 0.0005;
/** Chunks in which it is looked for whether two words stand side by side. */
const chunksMost = 20_000;
/** Different words of a text that are looked up. */
const wordsMost = 8;

/** A word of the documents that may have been meant. */
export interface Meant {
  word: string;
  /** Of its words: two where a blank was left out. */
  stems: string[];
  /** Log odds that it was meant, against that what was typed is right. */
  odds: number;
  /** Of the slips, in nats. */
  cost: number;
}

interface Candidate extends Omit<Meant, 'odds' | 'cost'> {
  features: Features;
}

/** Function words are meant whether the documents have them or not: few documents ask. So many chunks have one at least. */
const functionWords = ['', ...stopWords];
const functionShare = 0.05;

/** Where a word stands: the part of the question's other words that is unknown, and whether it may be a name. */
export interface Around {
  foreign: number;
  isName: boolean;
}

const oddsOf = (features: Features): number =>
  Object.entries(features).reduce(
    (sum, [name, value]) => sum + weights[name as keyof Features] * value,
    bias,
  );

function letterMask(word: string): number {
  let mask = 0;
  for (let i = 0; i < word.length; i++) mask |= 1 << (word.charCodeAt(i) & 31);
  return mask;
}

/** The sounds and masks of a list that grows. */
class Sounds {
  readonly sounds: string[] = [''];
  masks = new Uint32Array(1024);
  soundMasks = new Uint32Array(1024);

  follow(list: readonly string[]): void {
    this.masks = grown(this.masks, list.length);
    this.soundMasks = grown(this.soundMasks, list.length);
    for (let id = this.sounds.length; id < list.length; id++) {
      const sound = spokenAs(list[id]!);
      this.sounds.push(sound);
      this.masks[id] = letterMask(list[id]!);
      this.soundMasks[id] = letterMask(sound);
    }
  }
}

const functionSounds = new Sounds();
functionSounds.follow(functionWords);

/** The words of a vocabulary by letters and sound; one for all its partitions. */
export class Spelling {
  readonly #vocabulary: Vocabulary;
  readonly #words = new Sounds();
  readonly #stems = new Sounds();
  /** Endings that words have behind their stem, by how they are typed where letters are lacking; of the words before `#ended`. */
  readonly #endings = new Map<string, { end: string; count: number }>();
  #ended = 1;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The word that was likeliest typed as `typed`, which nobody knows; null where none is near. */
  meant(typed: string, partition: PartitionTerms, { foreign, isName }: Around): Meant | null {
    if (typed.length < shortest || typed.length > longest || /\d/.test(typed)) return null;
    this.#follow();
    const { grams: pieces } = this.#vocabulary;
    const own = grams(typed);
    const unseen = own.filter((piece) => (partition.gramDf[pieces.find(piece)] ?? 0) === 0).length;
    const common = {
      letters: Math.min(typed.length, lettersMost),
      strange: unseen / own.length,
      foreign,
      name: isName ? 1 : 0,
      stop: 0,
      form: 0,
      parted: 0,
      margin: 0,
    };
    const found: Candidate[] = [...this.#respelt(typed, partition), ...this.#parted(typed, partition)].map(
      ({ features, ...rest }) => ({ ...rest, features: { ...common, ...features } }),
    );
    const [first, second] = byOdds(found);
    if (!first) return null;
    const { word, stems, features } = first;
    const ahead = second ? oddsOf(features) - oddsOf(second.features) : marginMost;
    return {
      word,
      stems,
      cost: features.cost,
      odds: oddsOf({ ...features, margin: Math.min(marginMost, ahead) }),
    };
  }

  /** Words within some slips, one a stem, and the forms that stems within some slips would have with the ending typed. */
  #respelt(typed: string, partition: PartitionTerms): Near[] {
    const { words, stemOf, stop, stems } = this.#vocabulary;
    const most = Math.min(costMost.word, costMost.perLetter * typed.length);
    const mostBits = most >= costMost.twoSlips ? 2 : 1;
    const mask = letterMask(typed);
    const sound = spokenAs(typed);
    const soundMask = letterMask(sound);
    const script = scriptOf(typed);
    const best = new Map<string, Near>();
    const { masks, soundMasks, sounds } = this.#words;
    const add = (name: string, word: string, features: Partial<Features> & { cost: number }) => {
      const known = best.get(name);
      if (known && known.features.cost <= features.cost + (features.form ? slips.missing : 0)) return;
      const share = (partition.stemDf[stems.find(name)] ?? 0) / partition.chunks;
      const frequency = Math.log(features.stop ? Math.max(share, functionShare) : share);
      best.set(name, { word, stems: [name], features: { ...features, frequency } });
    };
    for (let id = 1; id < words.length; id++) {
      if (countBits(masks[id]! ^ mask) > 2 * mostBits && soundMasks[id] !== soundMask) continue;
      const stemId = stemOf[id]!;
      const word = words[id]!;
      if (!partition.stemDf[stemId] || scriptOf(word) !== script) continue;
      const cost = typingCost(typed, word, sounds[id] === sound, most);
      if (cost < Infinity) add(stems.list[stemId]!, word, { cost, stop: stop[id]! });
    }
    for (let id = 1; id < functionWords.length; id++) {
      const { masks, soundMasks, sounds } = functionSounds;
      if (countBits(masks[id]! ^ mask) > 2 * mostBits && soundMasks[id] !== soundMask) continue;
      const word = functionWords[id]!;
      if (scriptOf(word) !== script) continue;
      const cost = typingCost(typed, word, sounds[id] === sound, most);
      if (cost < Infinity) add(stem(word), word, { cost, stop: 1 });
    }
    const cuts: { at: number; end: string; mask: number; sound: string; soundMask: number }[] = [];
    for (let at = Math.max(shortestStem - 1, typed.length - longestEnding); at <= typed.length; at++) {
      const end = this.#ending(typed.slice(at));
      const root = typed.slice(0, at);
      const heard = spokenAs(root);
      if (end !== null)
        cuts.push({ at, end, mask: letterMask(root), sound: heard, soundMask: letterMask(heard) });
    }
    const known = Math.min(stems.list.length, partition.stemDf.length);
    const ofStems = this.#stems;
    const looksLike = (id: number, cut: (typeof cuts)[number]) =>
      countBits(ofStems.masks[id]! ^ cut.mask) <= 2 * mostBits || ofStems.soundMasks[id] === cut.soundMask;
    for (let id = 1; id < known; id++) {
      if (partition.stemDf[id] === 0) continue;
      let isNear = false;
      for (let n = 0; n < cuts.length && !isNear; n++) isNear = looksLike(id, cuts[n]!);
      if (!isNear) continue;
      const name = stems.list[id]!;
      if (name.length < shortestStem || scriptOf(name) !== script) continue;
      const costs = typingCosts(typed, name, most);
      for (const cut of cuts) {
        if (!looksLike(id, cut)) continue;
        const { at, end, sound: heard } = cut;
        const cost = Math.min(costs?.[at] ?? Infinity, heard === ofStems.sounds[id] ? slips.heard : Infinity);
        const form = name + end;
        if (cost <= most && (stem(form) === name || secondStem(form) === name))
          add(name, form, { cost, form: 1 });
      }
    }
    return [...best.values()];
  }

  /** The ending that was typed; null where words have no such ending. */
  #ending(typed: string): string | null {
    if (typed === '') return '';
    const known = this.#endings.get(typed);
    return known && known.count > endingShare * this.#ended ? known.end : null;
  }

  /** The word as two that stand side by side in the documents, or as a question word and one of theirs. */
  #parted(typed: string, partition: PartitionTerms): Near[] {
    const { stems } = this.#vocabulary;
    const df = (word: string) => partition.stemDf[stems.find(stem(word))] ?? 0;
    const found: (Near & { parts: [left: string, right: string] })[] = [];
    for (let at = 1; at < typed.length; at++) {
      const parts: [string, string] = [typed.slice(0, at), typed.slice(at)];
      if (parts.some((part) => part.length < shortestPart && !isStopWord(part))) continue;
      if (parts.some((part) => df(part) === 0 && !isQuestionWord(part))) continue;
      const frequency = parts.reduce(
        (sum, part) => sum + Math.log(Math.max(1, df(part)) / partition.chunks),
        0,
      );
      const content = parts.filter((part) => !isStopWord(part));
      found.push({
        word: parts.join(' '),
        stems: content.map(stem),
        parts,
        features: { cost: blankCost, frequency, parted: 1 },
      });
    }
    if (found.length === 0) return [];
    const adjacent = this.#adjacent(
      found.map(({ parts }) => parts),
      partition,
    );
    const asks = ([left, right]: [string, string]) =>
      isQuestionWord(left) && left.length >= shortestPart && right.length >= behindQuestionWord;
    return found.filter(({ parts }, n) => asks(parts) || adjacent.has(n));
  }

  /** Which of some pairs of words stand side by side in the documents. */
  #adjacent(
    pairs: readonly (readonly [left: string, right: string])[],
    partition: PartitionTerms,
  ): Set<number> {
    const { stems, stemOf } = this.#vocabulary;
    const behind = new Map<number, Map<number, number>>();
    const isLeft = new Uint8Array(stems.list.length);
    for (const [n, pair] of pairs.entries()) {
      const [left = 0, right = 0] = pair.map((word) => stems.find(stem(word)));
      behind.set(left, (behind.get(left) ?? new Map()).set(right, n));
      isLeft[left] = 1;
    }
    const found = new Set<number>();
    const { slots, documents, from, length, tokens } = partition;
    // Where there are too many chunks some are left out, evenly.
    const step = Math.max(1, Math.ceil(slots / chunksMost));
    for (let slot = 0; slot < slots && found.size < pairs.length; slot += step) {
      if (documents[slot] === 0) continue;
      const last = from[slot]! + length[slot]! - 1;
      for (let n = from[slot]!; n < last; n++) {
        const left = stemOf[tokens[n]!]!;
        if (isLeft[left] === 0) continue;
        const pair = behind.get(left)!.get(stemOf[tokens[n + 1]!]!);
        if (pair !== undefined) found.add(pair);
      }
    }
    return found;
  }

  #follow(): void {
    const { words, stems, stemOf } = this.#vocabulary;
    this.#words.follow(words);
    this.#stems.follow(stems.list);
    for (; this.#ended < words.length; this.#ended++) {
      const word = words[this.#ended]!;
      const root = stems.list[stemOf[this.#ended]!]!;
      if (word.length === root.length || !word.startsWith(root)) continue;
      const end = word.slice(root.length);
      const typed = withLettersLacking(end);
      const known = this.#endings.get(typed);
      if (known) known.count++;
      else this.#endings.set(typed, { end, count: 1 });
    }
  }
}

interface Near extends Omit<Meant, 'odds' | 'cost'> {
  features: Pick<Features, 'cost' | 'frequency'> & Partial<Features>;
}

const byOdds = (found: readonly Candidate[]): Candidate[] =>
  found.toSorted((a, b) => oddsOf(b.features) - oddsOf(a.features));

/** Stem of the word that an unknown one surely stands for, whatever else is asked; null where there is none. */
export function surelyMeant(typed: string, spelling: Spelling, partition: PartitionTerms): string | null {
  const meant = spelling.meant(typed, partition, { foreign: 0, isName: false });
  return meant !== null && meant.odds >= least.replaced && meant.stems.length === 1 ? meant.stems[0]! : null;
}

/** A text with its misspelt words put right, and what may have been meant by those it is not sure of. */
export interface Respelt {
  text: string;
  /** Stems of what was replaced, with those of what stands there now. */
  replaced: { stem: string; known: string[] }[];
  /** The stem that may be meant by a word left as it stands. */
  perhaps: ReadonlyMap<string, string>;
}

/** Whether a word is nearer to what was typed than one that sounds like it in the letters of another script. */
const isCloser = (typed: string, { word, cost }: Meant): boolean =>
  spokenAs(word) === spokenAs(typed) && (cost < slips.heard || languageByLetters(word) !== null);

const run = /[\p{L}\p{M}\p{N}_\u00ad\u200b]+/gu;

/**
 * Puts a text right by the words of a partition. `soundsRight`: whether an unknown word is one of them in the letters of
 * another script, or with letters that were lacking; such a word is only taken for one with such letters, or that sounds
 * the same and differs by a slip.
 */
export function respell(
  text: string,
  spelling: Spelling,
  partition: PartitionTerms,
  soundsRight: (word: string) => boolean,
): Respelt {
  const { stems } = partition.vocabulary;
  const knowsStem = (name: string | null) => name !== null && (partition.stemDf[stems.find(name)] ?? 0) > 0;
  const inDocuments = (word: string) => knowsStem(stem(word)) || knowsStem(secondStem(word));
  const isKnown = (word: string) => isGeneralWord(word) || inDocuments(word) || /\d/.test(word);
  const typed = [...text.matchAll(run)].map(({ 0: letters, index }) => ({
    start: index,
    end: index + letters.length,
    isCapital: /^\p{Lu}/u.test(letters),
    word: foldWord(letters),
  }));
  const content = typed.filter(({ word }) => !isStopWord(word));
  const replaced: Respelt['replaced'] = [];
  const perhaps = new Map<string, string>();
  const changes: { start: number; end: number; word: string }[] = [];
  const replace = (start: number, end: number, was: string, word: string, known: string[]) => {
    const first = text.slice(start, end).match(/^\p{Lu}/u) ? word[0]!.toUpperCase() : word[0]!;
    changes.push({ start, end, word: first + word.slice(1) });
    replaced.push({ stem: stem(was), known });
  };
  const lookedUp = new Map<string, Meant | null>();
  for (const [n, { start, end, word, isCapital }] of typed.entries()) {
    if (isKnown(word) && !(typed[n + 1] && !isKnown(typed[n + 1]!.word))) continue;
    if (changes.some((change) => change.end > start)) continue;
    const next = typed[n + 1];
    const joined = word + (next?.word ?? '');
    if (next && text.slice(end, next.start) === ' ' && joined.length >= shortest + 2 && inDocuments(joined)) {
      replace(start, next.end, joined, joined, [stem(joined)]);
      continue;
    }
    if (isKnown(word)) continue;
    const isName = n > 0 && isCapital;
    const key = `${isName} ${word}`;
    if (!lookedUp.has(key) && lookedUp.size >= wordsMost) continue;
    let meant = lookedUp.get(key);
    if (meant === undefined) {
      const others = content.filter((one) => one.start !== start).map((one) => one.word);
      const unknown = others.filter((one) => !inDocuments(one));
      meant = spelling.meant(word, partition, {
        foreign: others.length === 0 ? 0 : unknown.length / others.length,
        isName,
      });
      lookedUp.set(key, meant);
    }
    if (meant === null || (soundsRight(word) && !isCloser(word, meant))) continue;
    if (meant.odds >= least.replaced) replace(start, end, word, meant.word, meant.stems);
    else if (meant.odds >= least.perhaps && meant.stems.length === 1) perhaps.set(word, meant.stems[0]!);
  }
  let put = text;
  for (const { start, end, word } of changes.toReversed()) put = put.slice(0, start) + word + put.slice(end);
  return { text: put, replaced, perhaps };
}
