/**
 * A question read for comparison: what it asks for, its content words, and all that makes another question of the same
 * words: numbers, negations, prepositions, persons. Words of courtesy are taken out first.
 */
import { detectLanguage } from '../language.ts';
import {
  all,
  anyOf,
  endingIn,
  endings,
  formsOf,
  type Language,
  type LanguagePack,
  letter,
  lettersOfAll,
  packs,
  phrasesOf,
  type QuestionKind,
  type Role,
  scriptOf,
  setOf,
  wholeWords,
  wordsOfAll,
} from '../languages/index.ts';
import { speltNumbers } from '../number-words.ts';
import { withPlainFigures } from '../numbers.ts';
import { synonymGroup } from '../synonyms.ts';
import { whenAsked } from '../when-asked.ts';
import { isStopWord, stem, stemIn, words } from '../words.ts';

/** A word that must have its counterpart. */
export interface ContentWord {
  /** As `words()` yields it. */
  word: string;
  stem: string;
  /** Word and stem as they may be typed too: э as е, й as и, doubled letters once, Kazakh letters as Russian ones. */
  plain: string;
  plainStem: string;
  /** The name of its group of synonyms. */
  group: string | null;
  /** Written with a capital letter inside a sentence, or in Latin letters inside a Cyrillic one. */
  name: boolean;
  /** Says only what the name after it is ("компания", "film"). */
  classNoun: boolean;
}

/** What the first question word asks for, and in which case. */
export interface Asked {
  /** Without a question word: "mine" in the first person, "tone" before a question mark, else "none". */
  kind: QuestionKind | 'yes or no' | 'mine' | 'tone' | 'none';
  role: Role;
}

export interface AnalysedQuestion {
  lang: Language;
  /** All words in order, without punctuation and words of courtesy. */
  identity: string;
  /** Each once, in order. */
  content: readonly ContentWord[];
  /** In order; ordinals end in a dot, Roman numerals begin with r. */
  numbers: readonly string[];
  negations: number;
  /** Those that change the meaning, sorted. */
  prepositions: string;
  /** First, second and third person as they follow each other. */
  persons: string;
  asked: Asked;
  /** Stem of the word right after "how many"; null where another stands between. */
  counted: string | null;
  /** English: who is asked acts ("does") or is acted on ("is"). */
  auxiliary: 'do' | 'be' | '';
  /** What its auxiliary verbs say of the time: "was", "did" and "была столицей", but "была основана" as "основана". */
  tense: 'past' | 'present' | '';
  /** The order of all its words counts: "from … to", "than", several numbers, English. */
  ordered: boolean;
}

const packsOf = all.map(({ pack }) => pack);

/** Any of the phrases of a list in any language, for use in an expression; `forWhom`: with "мне" behind it. */
const phrases = (pick: (courtesy: LanguagePack['courtesy']) => string) =>
  packsOf.flatMap(({ courtesy }) => phrasesOf(pick(courtesy)));
const forWhom = packsOf.flatMap(({ courtesy }) => courtesy.forWhom.split(' ').filter(Boolean));
const greeting = new RegExp(
  `[\\s,.!]*${anyOf(...phrases((one) => one.greetings))}(?!${letter})[\\s,.!]*`,
  'iuy',
);
const please = new RegExp(`${wholeWords(phrases((one) => one.please)).source}[\\s,]*`, 'giu');
const request = new RegExp(
  `${wholeWords(phrases((one) => one.requests)).source}(?: ${anyOf(...forWhom)})?[\\s,:]*`,
  'giu',
);
/** An order to list, which asks as "which …" does; "all" then says nothing new. */
const listing = new RegExp(
  `^[\\s,.!]*(?:${[
    anyOf(...phrases((one) => one.listing)),
    ...packsOf.map(
      ({ courtesy: { listingOf } }) =>
        `${anyOf(...phrasesOf(listingOf.order))}(?= ${anyOf(...phrasesOf(listingOf.what))} )`,
    ),
  ].join('|')})(?!${letter})[\\s,:]*`,
  'iu',
);
/** "Как называется …" asks for a name, not for a way. */
const namedHow = new RegExp(
  packsOf
    .map(({ questionWords: { kinds, nameVerbs } }) => {
      const how = kinds.flatMap(([kind, , list]) => (kind === 'how' ? formsOf(list) : []));
      return `(?<!${letter})${anyOf(...how)} (?=${anyOf(...formsOf(nameVerbs))}(?!${letter}))`;
    })
    .join('|'),
  'giu',
);

/** The text without the greetings it begins with and without words of courtesy. */
function withoutCourtesy(text: string): string {
  greeting.lastIndex = 0;
  let from = 0;
  while (greeting.test(text)) from = greeting.lastIndex;
  return text.slice(from).replace(please, '').replace(request, '').replace(namedHow, '');
}

const allOfThem = wordsOfAll((pack) => pack.courtesy.allOfThem);
const meaningful = wordsOfAll((pack) => pack.stopWords.meaningful);
const existence = wordsOfAll((pack) => pack.stopWords.existence);
const linking = wordsOfAll((pack) => pack.stopWords.linking);
const doSupport = wordsOfAll((pack) => pack.grammar.doSupport);
const beForms = wordsOfAll((pack) => pack.grammar.beForms);
const infinitiveMarks = wordsOfAll((pack) => pack.grammar.infinitiveMark);
const pastTense = wordsOfAll((pack) => pack.grammar.pastTense);
const presentTense = wordsOfAll((pack) => pack.grammar.presentTense);
const pastBeforeParticiple = wordsOfAll((pack) => pack.grammar.pastBeforeParticiple);
const negative = wordsOfAll((pack) => pack.grammar.negations);
const splitNegations = lettersOfAll((pack) => pack.grammar.splitNegations);
const contracted = lettersOfAll((pack) => pack.grammar.contracted);
const prepositions = wordsOfAll((pack) => pack.grammar.prepositions);
const prepositionForms = lettersOfAll((pack) => pack.grammar.prepositionForms);
const directed = wordsOfAll((pack) => pack.grammar.directed);
const partOf = wordsOfAll((pack) => pack.grammar.partOf);
const lettersInside = wordsOfAll((pack) => pack.grammar.letterInside);
const capitalPronouns = wordsOfAll((pack) => pack.grammar.capitalPronouns);
const afterMany = wordsOfAll((pack) => pack.questionWords.afterMany);
const whether = wordsOfAll((pack) => pack.questionWords.whether);
/** A question that begins with one of these is answered by yes or no. */
const yesOrNo = wordsOfAll((pack) => pack.questionWords.yesOrNo);
const persons = [0, 1, 2].map((n) => wordsOfAll((pack) => pack.grammar.persons[n]!));
const classNouns = whenAsked(() => new Set([...wordsOfAll((pack) => pack.grammar.classNouns)].map(stem)));
const ordinalEnd = wordsOfAll((pack) => pack.numbers.ordinalSuffixes);

const askedBy = (kinds: LanguagePack['questionWords']['kinds']) =>
  kinds.flatMap(([kind, role, list]) =>
    [...setOf(list)].map((word): [string, Asked] => [word, { kind, role }]),
  );
const asking = new Map(
  packsOf
    .flatMap(({ questionWords: { kinds, relative } }) => [...kinds, ['which', '', relative] as const])
    .flatMap((one) => askedBy([one])),
);
/** What words of one language mean in its own texts alone. */
const ownWords = Object.fromEntries(
  all.map(({ language, pack: { questionWords, grammar } }) => [
    language,
    {
      asking: new Map(askedBy(questionWords.inOwnTexts)),
      whether: setOf(questionWords.whetherInOwnTexts),
      negated: endingIn(grammar.negatedEndings),
    },
  ]),
) as Record<Language, { asking: Map<string, Asked>; whether: ReadonlySet<string>; negated: RegExp }>;

const endsAsParticiple = endings(
  ({ morphology }) => `${morphology.participles} ${morphology.participlesLikeVerbs}`,
  3,
);
const noParticiple = [...wordsOfAll((pack) => pack.morphology.notParticiples)];

const roman = /^(?=[IVXLC])(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/;
const pieces = /\p{L}[\p{L}\p{M}\u00ad\u200b]*[+#]*|\p{N}+|[%$€₽₸£¥°<>=]|(?<![\p{L}\p{N}])[-−–](?=\p{N})/gu;

interface Piece {
  text: string;
  word: string;
  /** It begins a sentence. */
  first: boolean;
  capital: boolean;
}

function cut(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const first = found.length === 0 || /[.!?]\s|\n/.test(text.slice(end, index));
    const folded = /^[\p{L}\p{N}]/u.test(piece) ? words(piece).join('') : piece;
    const word = folded + (/[+#]+$/.exec(piece)?.[0] ?? '');
    if (word !== '') found.push({ text: piece, word, first, capital: /^\p{Lu}/u.test(piece) });
    end = index + piece.length;
  }
  return found;
}

const plainLetters = lettersOfAll((pack) => pack.letters.plain);

const plainOf = (word: string) => {
  let folded = '';
  for (const letter of word) folded += plainLetters.get(letter) ?? letter;
  return folded.slice(0, 2) + folded.slice(2).replace(/(\p{L})\1+/gu, '$1');
};

/** Reads a question; `lang` where it is known already. */
export function analyse(text: string, lang: Language = detectLanguage(text)): AnalysedQuestion {
  return new QuestionParser(text, lang).question();
}

/** "Принята", "основан"; "жена" and "страна" only end alike. */
const isParticiple = (word: string) =>
  endsAsParticiple(word) && !noParticiple.some((beginning) => word.startsWith(beginning));

function tenseOf(list: readonly string[]): AnalysedQuestion['tense'] {
  const past = list.some(
    (word, at) =>
      pastTense.has(word) && !(pastBeforeParticiple.has(word) && list.slice(at + 1).some(isParticiple)),
  );
  return past ? 'past' : list.some((word) => presentTense.has(word)) ? 'present' : '';
}

class QuestionParser {
  readonly #lang: Language;
  readonly #pieces: Piece[];
  readonly #lists: boolean;
  /** It ends in a question mark. */
  readonly #asks: boolean;
  /** Capitals tell names: not in a title, nor in a text of capitals throughout. */
  readonly #capitalsMarkNames: boolean;
  readonly #content: ContentWord[] = [];
  readonly #numbers: string[] = [];
  readonly #prepositions: string[] = [];
  #existence: ContentWord[] = [];
  #negations = 0;
  #persons = '';
  #asked: Asked | null = null;
  #counting = false;
  #counted: string | null = null;
  #directed = false;
  #auxiliary: AnalysedQuestion['auxiliary'] = '';

  constructor(text: string, lang: Language) {
    this.#lang = lang;
    const given = withPlainFigures(text.normalize('NFKC'), lang);
    const plain = withoutCourtesy(given);
    this.#lists = listing.test(plain);
    this.#asks = /\?\s*$/.test(given);
    const left = cut(plain.replace(listing, ''));
    this.#pieces = left.length > 0 ? left : cut(given);
    const capitals = this.#pieces.filter((piece) => piece.capital).length;
    this.#capitalsMarkNames = this.#pieces.length < 3 || capitals <= 0.6 * this.#pieces.length;
  }

  question(): AnalysedQuestion {
    const list = this.#pieces.map(({ word }) => word);
    const spelt = new Map(speltNumbers(list, this.#lang).map((one) => [one.at, one]));
    for (let at = 0; at < list.length; at++) {
      const number = spelt.get(at);
      if (number) {
        this.#numbers.push(number.value);
        at += number.length - 1;
      } else if (/^\p{N}/u.test(list[at]!)) {
        const ordinal = ordinalEnd.has(list[at + 1] ?? '');
        this.#numbers.push(`${list[at]!.replace(/^0+(?=\d)/, '')}${ordinal ? '.' : ''}`);
        if (ordinal) at++;
      } else if (this.#isSymbol(at)) this.#addContent(at);
      else if (!this.#readFunctionWord(at)) this.#addContent(at);
    }
    const without = this.#persons.includes('1') ? 'mine' : this.#asks ? 'tone' : 'none';
    const asked = this.#asked ?? { kind: without, role: '' };
    if (['none', 'mine', 'tone', 'yes or no'].includes(asked.kind)) this.#content.push(...this.#existence);
    return {
      lang: this.#lang,
      identity: list.join(' '),
      content: this.#content,
      numbers: this.#numbers,
      negations: this.#negations,
      prepositions: this.#prepositions.sort().join(' '),
      persons: this.#persons,
      asked,
      counted: this.#counted,
      auxiliary: this.#auxiliary,
      tense: tenseOf(list),
      ordered: this.#directed || packs[this.#lang].grammar.fixedWordOrder || this.#numbers.length > 1,
    };
  }

  #isName(at: number): boolean {
    const { capital, first } = this.#pieces[at]!;
    return capital && !first && this.#capitalsMarkNames;
  }

  /** A sign, or a capital letter by itself: vitamin C, group B. */
  #isSymbol(at: number): boolean {
    const { word, text } = this.#pieces[at]!;
    if (!/^\p{L}/u.test(word) || /[+#]$/.test(word)) return true;
    return text.length === 1 && this.#isName(at) && !capitalPronouns.has(word);
  }

  /** Numerals of kings and centuries; "I" only after a name. */
  #isRoman(at: number): boolean {
    const { text, first } = this.#pieces[at]!;
    return (
      roman.test(text) && (text.length > 1 || (!first && at > 0 && (this.#isName(at - 1) || text !== 'I')))
    );
  }

  /** Takes in a word that says how something is asked; false for one that says what. */
  #readFunctionWord(at: number): boolean {
    const { word, first } = this.#pieces[at]!;
    const before = this.#pieces[at - 1]?.word ?? '';
    const own = ownWords[this.#lang];
    if (this.#isRoman(at)) {
      this.#numbers.push(`r${word}`);
      return true;
    }
    const asks = own.asking.get(word) ?? asking.get(word);
    if (asks) {
      if (this.#asked === null) this.#counting = asks.kind === 'many';
      this.#asked ??= asks;
      return true;
    }
    if (whether.has(word) || own.whether.has(word)) {
      this.#asked ??= { kind: 'yes or no', role: '' };
      return true;
    }
    if (at === 0 && yesOrNo.has(word)) this.#asked = { kind: 'yes or no', role: '' };
    const ending = splitNegations.get(word);
    if (negative.has(word) || (ending !== undefined && before.endsWith(ending))) {
      this.#negations++;
      return !contracted.has(word);
    }
    if (own.negated.test(word)) this.#negations++;
    const form = prepositionForms.get(word) ?? word;
    if (directed.has(form)) this.#directed = true;
    if (prepositions.has(form)) {
      // "Кто из", "какие из", "which of": a part of them, which the plural says too.
      const part = partOf.has(form) && asking.has(before);
      if (!part) this.#prepositions.push(form);
      this.#counting = false;
      return true;
    }
    const person = persons.findIndex((those) => those.has(word));
    if (person >= 0) {
      this.#persons += person + 1;
      return true;
    }
    if (beForms.has(word)) this.#auxiliary ||= 'be';
    if (doSupport.has(word)) {
      // After its subject, or at the end, it is the verb itself.
      const last = at === this.#pieces.length - 1;
      if (last || infinitiveMarks.has(before) || persons.some((those) => those.has(before))) return false;
      this.#auxiliary ||= 'do';
      return true;
    }
    if (this.#lists && allOfThem.has(word)) return true;
    if (afterMany.has(word) && asking.get(before)?.kind === 'many') return true;
    if (existence.has(word)) {
      this.#existence.push(this.#contentWord(at));
      return true;
    }
    if (lettersInside.has(word) && !first) return false;
    if (!linking.has(word) && (!isStopWord(word) || meaningful.has(word))) return false;
    this.#counting = false;
    return true;
  }

  /** In letters of another script than the question's. */
  #isForeign(word: string): boolean {
    const script = scriptOf(word);
    return script !== null && script !== packs[this.#lang].script;
  }

  #contentWord(at: number): ContentWord {
    const { text } = this.#pieces[at]!;
    const word = contracted.get(this.#pieces[at]!.word) ?? this.#pieces[at]!.word;
    const symbol = this.#isSymbol(at);
    const name = symbol || this.#isName(at) || this.#isForeign(word);
    const root = symbol ? text : stemIn(word, this.#lang);
    const next = this.#pieces[at + 1];
    return {
      word,
      stem: root,
      plain: symbol ? text : plainOf(word),
      plainStem: symbol ? text : plainOf(root),
      group: name ? null : synonymGroup(word),
      name,
      classNoun:
        classNouns().has(root) &&
        next !== undefined &&
        (next.capital || this.#isForeign(next.word)) &&
        !next.first &&
        this.#capitalsMarkNames,
    };
  }

  #addContent(at: number): void {
    const word = this.#contentWord(at);
    if (this.#counting) {
      this.#counted = word.stem;
      this.#counting = false;
    }
    if (!this.#content.some((one) => one.stem === word.stem)) this.#content.push(word);
  }
}
