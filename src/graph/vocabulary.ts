/** What the words of a language say of one that stands in or beside a name. */

import {
  type ActKind,
  endingIn,
  endings,
  formsOf,
  grammars,
  isDefaultOfScript,
  type Language,
  languageByLetters,
  languages,
  letter,
  listOf,
  ofEach,
  scriptOf,
  scripts,
  setOf,
  tableOfAll,
  textOf,
  WordTable,
  wordsOfAll,
} from '../text/languages/index.ts';
import { saysHowMany } from '../text/number-words.ts';
import { isRegion, kindOf } from '../text/references/acts.ts';
import { unitOf } from '../text/references/units.ts';
import { isStopWord } from '../text/stopwords.ts';
import { whenAsked } from '../text/when-asked.ts';

const roles = [
  'bodies',
  'offices',
  'companies',
  'sole',
  'acts',
  'governing',
  'fields',
  'small',
  'placesBeside',
  'placesWithin',
  'documents',
] as const;
type Role = (typeof roles)[number];

/** What is known of a word. */
export interface WordFacts {
  /** The word with its inflection folded: what keys are made of; in a name with a noun, and in one without. */
  stem: string;
  nameStem: string;
  is: ReadonlySet<Role>;
  /** It is the noun of an act; the kind, where it is one that all languages have. */
  isAct: boolean;
  act: ActKind | null;
  /** The noun as the lists have it; null where its form says whose it is, and for other words. */
  dictionary: string | null;
  /** The noun of an act that there is one of. */
  isConstitution: boolean;
  /** The number of a month. */
  month: number | null;
  isWeekday: boolean;
  isHonorific: boolean;
  /** Names a unit that provisions are numbered in. */
  isUnit: boolean;
  /** A number that counts. */
  isCount: boolean;
  /** Tells nothing of what it stands before: "each", "other". */
  isVague: boolean;
  /** Part of the names of states, of none alone: "республика". */
  isState: boolean;
  isCountry: boolean;
  isStop: boolean;
  /** Ends as an adjective before a noun does. */
  isAdjective: boolean;
  /** Ends as family names and fathers' names do. */
  isSurname: boolean;
  isFatherName: boolean;
  /** The form of a noun that says whose it is, in a language that has one: "палатасы". */
  isPossessed: boolean;
  /** A form that a dictionary has, as far as the lists and endings tell. */
  isBase: boolean;
}

const none: ReadonlySet<Role> = new Set();

const abbreviationMax = 3;

function endingOrNone(forms: string, lettersBefore: number): RegExp | null {
  return forms.trim() === '' ? null : endingIn(forms, lettersBefore);
}

interface Noun {
  /** The noun without the form that says whose it is; a stem where nouns are known by it. */
  base: string;
  /** As the lists have it first. */
  word: string;
  is: ReadonlySet<Role>;
  isPossessed: boolean;
}

/** The nouns of the lists by language: by their forms where the language has their endings, else by their stems. */
interface Nouns {
  byForm: ReadonlyMap<string, Noun>;
  byStem: ReadonlyMap<string, Noun>;
  cases: ReadonlySet<string> | null;
}
const possessed = ofEach((language) => endingOrNone(textOf(language, 'entities.possessed'), 2));
const nouns = whenAsked(() =>
  ofEach((language): Nouns => {
    const lists = new Map<string, Set<Role>>();
    for (const role of roles)
      for (const word of setOf(textOf(language, `entities.${role}`)))
        lists.set(word, (lists.get(word) ?? new Set()).add(role));
    const byForm = new Map<string, Noun>();
    const byStem = new Map<string, Noun & { is: Set<Role> }>();
    for (const [word, is] of lists) {
      const isPossessed = possessed[language]?.test(word) ?? false;
      // The noun before it in the list that it begins as: "агенттік агенттігі".
      const base = isPossessed
        ? ([...lists.keys()].find(
            (one) =>
              one !== word &&
              one.length >= 3 &&
              word.startsWith(one.slice(0, -1)) &&
              word.length - one.length <= 2,
          ) ?? word)
        : word;
      byForm.set(word, { base, word, is, isPossessed });
      const key = grammars[language].foldWord(word);
      // What is left of "АО" is any "а".
      if (word.length <= abbreviationMax && key !== word) continue;
      const known = byStem.get(key);
      if (known) for (const role of is) known.is.add(role);
      else byStem.set(key, { base: key, word, is: new Set(is), isPossessed: false });
    }
    const endings = formsOf(textOf(language, 'entities.cases'));
    return { byForm, byStem, cases: endings.length === 0 ? null : new Set(['', ...endings]) };
  }),
);

/** The noun of the lists that a word is a form of. */
function nounOf(word: string, stem: string, language: Language): Noun | undefined {
  const { byForm, byStem, cases } = nouns()[language];
  if (cases === null) return byStem.get(stem) ?? byForm.get(word);
  for (let length = word.length; length >= Math.max(2, word.length - longestCase); length--) {
    const noun = byForm.get(word.slice(0, length));
    if (noun !== undefined && cases.has(word.slice(length))) return noun;
  }
  return undefined;
}
const longestCase = 8;

const tableOf = (forms: string) => new WordTable<true>().add(forms, true);
const states = ofEach((language) => tableOf(textOf(language, 'acts.states')));
const vague = whenAsked(() =>
  ofEach((language) => new Set(formsOf(textOf(language, 'entities.vague')).map(grammars[language].foldWord))),
);
/** How acts call themselves: in the form of the dictionary. */
const titles = ofEach((language) =>
  setOf(['acts.titles.first', 'acts.titles.last'].map((name) => textOf(language, name)).join(' ')),
);
const ofAct = endings('entities.ofAct', 3);
/** By language: the endings of one are another's cases. */
const adjectives = ofEach((language) =>
  endingOrNone(`${textOf(language, 'acts.adjectives')} ${textOf(language, 'morphology.adjectives')}`, 3),
);

interface NameEndings {
  /** A family name, cut before the ending of its case or of a woman's. */
  surname: RegExp;
  adjective: RegExp;
  fatherName: RegExp;
}
const oneOf = (forms: string) => formsOf(forms).join('|') || '(?!)';
const nameEndings = ofEach((language): NameEndings => {
  const [surnames, cases, adjectives, fathers] = [
    'entities.surnames',
    'entities.surnameCases',
    'entities.surnameAdjectives',
    'entities.fatherNames',
  ].map((name) => oneOf(textOf(language, name)));
  return {
    surname: new RegExp(`^(${letter}{2,}(?:${surnames}))(?:${cases})?$`, 'u'),
    adjective: new RegExp(`${letter}{3}(?:${adjectives})$`, 'u'),
    fatherName: new RegExp(`${letter}{2}(?:${fathers})$`, 'u'),
  };
});

const months = new WordTable<number>();
for (const language of languages)
  for (const [n, form] of listOf(textOf(language, 'calendar.monthForms')).entries()) months.add(form, n + 1);
const weekdays = wordsOfAll('calendar.weekdays');
const honorifics = tableOfAll('entities.honorifics');

/** Of what is no word. */
export const noFacts: WordFacts = {
  stem: '',
  nameStem: '',
  is: none,
  isAct: false,
  act: null,
  dictionary: null,
  isConstitution: false,
  month: null,
  isWeekday: false,
  isHonorific: false,
  isUnit: false,
  isCount: false,
  isVague: false,
  isState: false,
  isCountry: false,
  isStop: false,
  isAdjective: false,
  isSurname: false,
  isFatherName: false,
  isPossessed: false,
  isBase: false,
};

const factsMax = 50_000;
const known = ofEach(() => new Map<string, WordFacts>());
const defaults = new Map(
  languages
    .filter((language) => isDefaultOfScript[language])
    .map((language) => [scripts[language], language]),
);

/** The language whose rules a word of a text follows: the text's, unless its letters say another. */
export function languageOf(word: string, lang: Language): Language {
  const own = languageByLetters(word);
  if (own !== null) return own;
  const script = scriptOf(word);
  return script === null || scripts[lang] === script ? lang : (defaults.get(script) ?? lang);
}

/** What is known of a folded word in a text of a language. */
export function factsOf(low: string, lang: Language): WordFacts {
  const cache = known[lang];
  const before = cache.get(low);
  if (before) return before;
  const made = read(low, lang);
  if (cache.size >= factsMax) cache.clear();
  cache.set(low, made);
  return made;
}

function read(low: string, lang: Language): WordFacts {
  const own = languageOf(low, lang);
  const bare = low.replace(/[’']s?$/, '');
  const { foldWord, foldName } = grammars[own];
  const folded = foldWord(bare);
  const noun = nounOf(bare, folded, own);
  const is = noun?.is ?? none;
  const endsLike = nameEndings[own];
  const act = ofAct(bare) ? null : kindOf(bare);
  const isAct = act !== null || is.has('acts');
  const isNoun = is.size > 0 || isAct;
  const surname = isNoun ? null : (endsLike.surname.exec(bare) ?? endsLike.surname.exec(folded));
  const stem = surname?.[1] ?? noun?.base ?? folded;
  return {
    stem,
    nameStem: surname?.[1] ?? noun?.base ?? foldName(bare),
    is,
    isAct,
    act,
    dictionary: noun && !noun.isPossessed ? noun.word : null,
    isConstitution: act === 'constitution',
    month: months.get(low) ?? null,
    isWeekday: weekdays.has(low),
    isHonorific: honorifics.has(low),
    isUnit: unitOf(low) !== null,
    isCount: saysHowMany(low, own),
    isVague: vague()[own].has(folded),
    isState: states[own].has(bare) && !ofAct(bare),
    isCountry: isRegion(bare),
    isStop: isStopWord(low),
    isAdjective: adjectives[own]?.test(bare) ?? false,
    isSurname: surname !== null || (!isNoun && endsLike.adjective.test(bare)),
    isFatherName: endsLike.fatherName.test(bare),
    isPossessed: noun?.isPossessed ?? false,
    isBase: nouns()[own].byForm.has(low) || titles[own].has(low),
  };
}
