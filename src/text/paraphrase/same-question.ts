/**
 * Whether two questions ask the same, told without a model and strictly: what was answered to one is then told to the
 * other, so any doubt is a no. A model that proposes candidates by their vectors stays under the same vetoes.
 *
 * Source: the rule measured over four sets of question pairs (guards, then every content word paired). Departures, nearly
 * all towards fewer hits: who and what do not mix; two words that exchange their endings have exchanged their
 * roles ("Кто назначает министра", "Кого назначает министр"); English keeps its word order; words told apart by a
 * suffix that makes a person or a quality (гражданин, гражданство) are not paired; one misspelt word at most; class
 * nouns are free on one side only. An order to list ("перечислите") asks as "which" does.
 */

import {
  all,
  byScript,
  classOf,
  endings,
  type Language,
  packs,
  phrasesOf,
  scriptOf,
  setOf,
  wordsOfAll,
} from '../languages/index.ts';
import { soundKey } from '../variants.ts';
import { whenAsked } from '../when-asked.ts';
import { stem } from '../words.ts';
import type { AnalysedQuestion, ContentWord } from './question-features.ts';

export { type AnalysedQuestion, analyse } from './question-features.ts';

/** Kinds of question words that may stand for each other, who and what excepted. */
const mixing = new Set(['who', 'what', 'which', 'none', 'tone']);

const commonLeast = 5;
const commonShare = 0.7;
const typoLeast = 6;
const typoLong = 9;
/** Letters at the beginning that must be right. */
const typoFrom = 3;

/** Whether an answer to one of the questions answers the other. */
export function sameQuestion(a: AnalysedQuestion, b: AnalysedQuestion): boolean {
  if (a.identity === b.identity) return true;
  if (!asksAlike(a, b)) return false;
  const left = withoutFree(a.content, b.content);
  const right = withoutFree(b.content, a.content);
  if (left.length < a.content.length && right.length < b.content.length) return false;
  const partners = pairUp(left, right, a.lang);
  if (partners === null) return false;
  const pairs = partners.map((index, n): [ContentWord, ContentWord] => [left[n]!, right[index]!]);

  const names = partners.filter((_, n) => pairs[n]!.some(({ name }) => name));
  return rising(a.ordered || b.ordered ? partners : names) && saysAlike(a, b, pairs);
}

/** Whether nothing but their content words tells the questions apart. */
const asksAlike = (a: AnalysedQuestion, b: AnalysedQuestion): boolean =>
  a.content.length > 0 &&
  a.negations === b.negations &&
  a.prepositions === b.prepositions &&
  a.numbers.join(' ') === b.numbers.join(' ') &&
  (a.persons === '' || b.persons === '' || a.persons === b.persons) &&
  mix(a, b) &&
  (a.auxiliary === '' || b.auxiliary === '' || a.auxiliary === b.auxiliary);

type Pairs = readonly (readonly [ContentWord, ContentWord])[];

/** Whether words that stand for each other say the same: the time, who does what, what is counted. */
function saysAlike(a: AnalysedQuestion, b: AnalysedQuestion, pairs: Pairs): boolean {
  if (!sameTime(a, b, pairs) || !keepsRoles(a, b, pairs)) return false;
  const counted = pairs.find(([one]) => one.stem === a.counted)?.[1].stem ?? null;
  return counted === null || b.counted === null || counted === b.counted;
}

/** Words on either side that may be put in other words. */
const otherWordsMax = 2;

const antonyms = whenAsked(
  () =>
    new Set(
      all.flatMap(({ pack }) =>
        phrasesOf(pack.antonyms).flatMap((pair) => {
          const [one, other] = pair.split(' ').map(stem);
          return [`${one} ${other}`, `${other} ${one}`];
        }),
      ),
    ),
);

/** Stems that end alike in so many letters are one root under two prefixes: открывают, закрывают. */
const rootLeast = 4;

function opposites({ stem: one }: ContentWord, { stem: other }: ContentWord): boolean {
  let n = 0;
  while (n < Math.min(one.length, other.length) && one.at(-1 - n) === other.at(-1 - n)) n++;
  return n >= rootLeast || antonyms().has(`${one} ${other}`);
}

/**
 * Whether nothing forbids that two questions ask the same in other words, for where a model says that they do: all
 * that `sameQuestion` holds against them but a word or two without a counterpart, of which none is a name and no two
 * are opposites, or may be. Numbers, negations, prepositions, who asks for what, the time and the order of names stay as strict.
 */
export function mayAskTheSame(a: AnalysedQuestion, b: AnalysedQuestion): boolean {
  if (a.lang !== b.lang || !asksAlike(a, b)) return false;
  const partners = new Map<number, number>();
  for (const [n, word] of a.content.entries()) {
    const index = b.content.findIndex(
      (other, m) => ![...partners.values()].includes(m) && (degree(word, other, a.lang) ?? 4) < 4,
    );
    if (index >= 0) partners.set(n, index);
  }
  const taken = new Set(partners.values());
  const left = a.content.filter((_, n) => !partners.has(n));
  const right = b.content.filter((_, m) => !taken.has(m));
  if (partners.size === 0 || Math.max(left.length, right.length) > otherWordsMax) return false;
  if ([...left, ...right].some(({ name }) => name)) return false;
  if (left.some((one) => right.some((other) => opposites(one, other)))) return false;
  const pairs = [...partners].map(([n, m]): [ContentWord, ContentWord] => [a.content[n]!, b.content[m]!]);
  const names = [...partners].filter((_, n) => pairs[n]!.some(({ name }) => name)).map(([, m]) => m);
  return rising(names) && saysAlike(a, b, pairs);
}

function mix({ asked: a, content }: AnalysedQuestion, { asked: b }: AnalysedQuestion): boolean {
  if (a.kind === b.kind) return a.role === b.role;
  // Of a single word it is the question word that says what of it is asked.
  if (content.length === 1) return false;
  const both = [a.kind, b.kind].sort().join(' & ');
  if (both === 'tone & yes or no') return true;
  return mixing.has(a.kind) && mixing.has(b.kind) && both !== 'what & who';
}

/** The words without class nouns that the other side has not. */
function withoutFree(own: readonly ContentWord[], others: readonly ContentWord[]): readonly ContentWord[] {
  return own.filter((one) => !one.classNoun || others.some((other) => other.stem === one.stem));
}

/** How surely two words are the same: 1 by stem, 2 synonyms or a name, 3 related, 4 misspelt; null: not. */
function degree(a: ContentWord, b: ContentWord, lang: Language): 1 | 2 | 3 | 4 | null {
  if (a.plain === b.plain) return 1;
  if ((a.stem === b.stem || a.plainStem === b.plainStem) && inflected(a, b)) return 1;
  if ((a.group !== null && a.group === b.group) || sameName(a, b)) return 2;
  if (a.name || b.name) return null;
  if (related(a.stem, b.stem, lang)) return 3;
  return misspelt(a.word, b.word) ? 4 : null;
}

/** Places in `b` of the partners of `a`'s words; null where a word on either side has none, or two are misspelt. */
function pairUp(a: readonly ContentWord[], b: readonly ContentWord[], lang: Language): number[] | null {
  if (a.length !== b.length) return null;
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  for (const wanted of [1, 2, 3, 4]) {
    for (const [n, word] of a.entries()) {
      if (partners.has(n)) continue;
      const index = b.findIndex((other, m) => !taken.has(m) && degree(word, other, lang) === wanted);
      if (index < 0) continue;
      partners.set(n, index);
      taken.add(index);
      if (wanted === 4 && taken.size < a.length) return null;
    }
  }
  return taken.size === a.length ? a.map((_, n) => partners.get(n)!) : null;
}

const isAdjective = endings((pack) => pack.morphology.adjectives);
const isNoun = endings((pack) => pack.morphology.nouns);
const inflections = byScript((some) =>
  some.every(({ morphology }) => morphology.inflections === null)
    ? null
    : new Set(['', ...some.flatMap(({ morphology }) => [...setOf(morphology.inflections ?? '')])]),
);

/** Whether two words of one stem are forms of one word: Snowball brings universe and university together. */
function inflected({ word: a, stem }: ContentWord, { word: b }: ContentWord): boolean {
  const regular = inflections(a);
  if (!regular) {
    // цель and целый, право and правый have one stem.
    const apart = (isAdjective(a) && isNoun(b)) || (isAdjective(b) && isNoun(a));
    return stem.length > 4 || !apart;
  }
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return regular.has(a.slice(n)) && regular.has(b.slice(n));
}

const rising = (indices: readonly number[]) =>
  indices.every((place, n) => n === 0 || place > indices[n - 1]!);

const derivations = Object.fromEntries(
  all.map(({ language, pack }) => [language, [...setOf(pack.morphology.derivations)]]),
) as Record<Language, string[]>;

/** Whether two stems begin alike and differ in no suffix that makes another thing of a word. */
function related(a: string, b: string, lang: Language): boolean {
  const suffixes = derivations[lang];
  if (suffixes.length === 0) return false;
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  if (n < commonLeast || n < commonShare * Math.max(a.length, b.length)) return false;
  return !suffixes.some((suffix) => a.slice(n).includes(suffix) || b.slice(n).includes(suffix));
}

/**
 * A vowel taken for another or two letters exchanged; in long words also one letter more, less or other: contract and
 * contact are no misspellings of each other. Never within the first letters, where prefixes stand (вход, выход).
 */
function misspelt(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < typoLeast || long.length - short.length > 1) return false;
  let n = 0;
  while (n < short.length && short[n] === long[n]) n++;
  if (n < typoFrom) return false;
  if (long.length > short.length) return short.length >= typoLong && short.slice(n) === long.slice(n + 1);
  if (short.slice(n + 1) === long.slice(n + 1))
    return short.length >= typoLong || (vowel.test(short[n]!) && vowel.test(long[n]!));
  return short[n] === long[n + 1] && short[n + 1] === long[n] && short.slice(n + 2) === long.slice(n + 2);
}

const vowel = new RegExp(classOf(all.map(({ pack }) => pack.letters.vowels).join('')));

/** Consonants by sound, voiced s as s: what a name keeps between scripts. */
const skeleton = (word: string) =>
  soundKey(word)
    .replace(/z(?!h)/g, 's')
    .replace(/[aeiou]/g, '');

const nameEnding = endings((pack) => pack.morphology.nameEndings);

function sameName({ word: a }: ContentWord, { word: b }: ContentWord): boolean {
  if (Math.min(a.length, b.length) < 4) return false;
  if (nameEnding(a) && nameEnding(b) && a.slice(0, -1) === b.slice(0, -1) && vowel.test(a.at(-2)!))
    return true;
  if (scriptOf(a) === scriptOf(b)) return false;
  const key = skeleton(a);
  return key.length >= 3 && key === skeleton(b);
}

/**
 * Whether who acts and who is acted on stay what they are. Of two nouns that change between the nominative and another
 * case in opposite ways, each stands in the other's place. A verb that turns from active to passive turns its noun
 * into the nominative ("избирают Президента", "избирается Президент"), and never asks who does it any more.
 */
function keepsRoles(a: AnalysedQuestion, b: AnalysedQuestion, pairs: Pairs): boolean {
  const turns = pairs.map(([one, other]) => turn(one, other)).filter((one) => one !== 0);
  if (turns.includes(1) && turns.includes(-1)) return false;
  if (turns.length > 1 && packs[a.lang].grammar.casesTellRoles) return false;
  // 1 where the first is the passive one.
  const voices = pairs.map(([one, other]) => voice(one, other)).filter((one) => one !== 0);
  if (voices.length === 0) return true;
  if (a.asked.role === 'nominative' || b.asked.role === 'nominative') return false;
  return turns.length > 0 && voices.every((one) => one === turns[0]);
}

/**
 * Whether both ask of the same time: how long something lasted is not how long it lasts. Told by the auxiliary verbs;
 * of English, where none stands on one side, and of the other languages also by the verbs themselves.
 */
function sameTime(a: AnalysedQuestion, b: AnalysedQuestion, pairs: Pairs): boolean {
  const byAuxiliary = packs[a.lang].grammar.tenseBy === 'auxiliary';
  const bothTensesKnown = !byAuxiliary || (a.tense !== '' && b.tense !== '');
  if (bothTensesKnown && (a.tense === 'past') !== (b.tense === 'past')) {
    // "Кто был в составе миссии?" and "Кто участвовал в миссии?": the verb itself says so.
    const [was, other] = a.tense === 'past' ? [a, b] : [b, a];
    const shared = new Set(was.content.map(({ word }) => word));
    if (byAuxiliary || !other.content.some(({ word }) => !shared.has(word) && isPast(word))) return false;
  }
  if (byAuxiliary && (a.tense !== '' || b.tense !== '')) return true;
  return !pairs.some(([{ word: one }, { word: other }]) =>
    isPast(one) ? isPresent(other) : isPast(other) && isPresent(one),
  );
}

const isPast = endings((pack) => pack.morphology.past);
const endsAsPresent = endings((pack) => pack.morphology.present);
const alwaysPresent = byScript((some) => some.some(({ morphology }) => morphology.present === null));
const isPresent = (word: string) => (alwaysPresent(word) ? !isPast(word) : endsAsPresent(word));

function voice({ word: a }: ContentWord, { word: b }: ContentWord): -1 | 0 | 1 {
  const [one, other] = [passive(a, b), passive(b, a)];
  return one === other ? 0 : one ? 1 : -1;
}

/** A reflexive verb, or a short participle beside a verb that is none. */
const passive = (word: string, other: string) =>
  isReflexive(word) || (endsAsParticiple(word) && (isFiniteForm(other) || isReflexive(other)));
const isReflexive = endings((pack) => pack.morphology.reflexive, 3);
const endsAsParticiple = endings((pack) => pack.morphology.participles);
const isFiniteForm = endings((pack) => pack.morphology.finite);

/** 1 where the first stands in the nominative and the second in another case, -1 the other way round. */
function turn(a: ContentWord, b: ContentWord): -1 | 0 | 1 {
  if (a.word === b.word || a.stem !== b.stem) return 0;
  const [one, other] = [nounEnding(a), nounEnding(b)];
  if (one === null || other === null) return 0;
  if (bare(one) !== bare(other)) return bare(one) ? 1 : -1;
  if (nominative.has(one) && oblique.has(other)) return 1;
  return nominative.has(other) && oblique.has(one) ? -1 : 0;
}

const nounEndings = wordsOfAll((pack) => pack.morphology.nounEndings);
const bareEndings = wordsOfAll((pack) => pack.morphology.bare);
const nominative = wordsOfAll((pack) => pack.morphology.nominative);
const oblique = wordsOfAll((pack) => pack.morphology.oblique);
const bare = (ending: string) => ending === '' || bareEndings.has(ending);

function nounEnding({ word, stem }: ContentWord): string | null {
  const left = word.startsWith(stem) ? word.slice(stem.length) : null;
  return left === '' || (left !== null && nounEndings.has(left)) ? left : null;
}

const keyLetters = 4;

/**
 * The keys a question is found by among many, each of letters and digits: its numbers, its words by their first four
 * letters or their group of synonyms. The same question shares nearly all of them, so the two rarest find it.
 */
export function cacheKeys({ content, numbers }: AnalysedQuestion): string[] {
  const ofWord = ({ plainStem, group }: ContentWord) =>
    group === null
      ? plainStem
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]/gu, '')
          .slice(0, keyLetters)
      : `g${group}`;
  const keys = [...numbers.map((one) => `n${one.replace('.', 'th')}`), ...content.map(ofWord)];
  return [...new Set(keys)].filter((key) => key !== '');
}
