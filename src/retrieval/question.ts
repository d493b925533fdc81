/**
 * What a question asks for, as evidence and extraction need it: its content terms with their weights, its numbers,
 * names and polarity, and the type of answer it wants.
 */

import { languageByLetters, scriptOf } from '../text/languages/index.ts';
import { parseReferences } from '../text/references/parse.ts';
import { foldWord, isStopWord, stem, words } from '../text/words.ts';
import { relatedStems } from './related.ts';

export interface Term {
  /** The stem asked for, and those that stand in for it where the index does not know it. */
  stems: string[];
  /** Stems of words that may answer it without being it; they count for less. */
  related: string[];
  /** Inverse document frequency as BM25 has it: ln(1 + (N − df + .5) / (df + .5)). */
  weight: number;
}

export type AnswerType = 'date' | 'number' | 'person' | 'place';

export interface Question {
  text: string;
  /** Stems without stop and question words, each once, in order; all words where nothing else is left. */
  terms: Term[];
  /** Pairs of adjacent content stems, joined by a space. */
  bigrams: string[];
  numbers: string[];
  /** The numbers that count what follows them ("42 days"), none that name a provision. */
  counts: string[];
  /** Stems of words with a capital letter that do not begin the question. */
  names: string[];
  /** Stems of those of them the index does not know: whatever is found is about others. */
  strangers: string[];
  /** The strangers that are names and no abbreviations: a corpus that knows no such name says nothing of its bearer. */
  unknownNames: string[];
  /** Stems of the first and last parts of hyphened words: what is said of a president is not said of a vice-president. */
  compounds: [first: string, last: string][];
  type: AnswerType | null;
  /** Stem of what "how many" counts; null where it counts nothing. */
  counted: string | null;
  /** It asks for a person's name ("who is the President now?"), which no description of an office answers. */
  asksName: boolean;
}

/** What the index that is searched knows of the question's stems. */
export interface Frequencies {
  documents: number;
  df: ReadonlyMap<string, number>;
  /** Known stems that stand in for unknown ones (misspelt words, names in the other script). */
  corrections?: readonly { stem: string; known: string[] }[];
}

const types: [AnswerType, RegExp][] = [
  [
    'date',
    /^(?:когда|қашан|when|since when|on what (?:day|date)|in what (?:year|century))(?!\p{L})|(?:как(?:ом|ого|ой|ие|их)|котором) (?:год|месяц|числ|дат|дн|век|столет)|какой год|(?:what|which) (?:year|date|day|month|century|decade)|қай (?:жыл|ғасыр|күн)|нешінші жыл|в каком столетии/u,
  ],
  [
    'number',
    /(?:^|[^\p{L}])(?:сколько|скольк\p{L}*|қанша|неше|how (?:many|much|long|old|far|tall|large|big|high|often)|what (?:percentage|percent|number|share|population)|what(?:'s| is| was| are| were) the (?:\p{L}+ )?(?:population|height|length|size|area|depth|distance|speed|weight|mass|temperature|number|percentage|density|capacity|budget|cost|price|elevation|altitude|width|diameter|gdp|life expectancy|age|salary|rate|frequency)|как(?:ова|ое|ой|ая) (?:численность|количество|высота|площадь|длина|глубина|ширина|население|масса|вес|возраст|расстояние|скорость|температура|процент|доля|срок))(?!\p{L})/u,
  ],
  [
    'person',
    /(?:^|[^\p{L}])(?:кто|кого|кому|кем|чей|чья|чьё|who|whom|whose|кім|кімді|кімге|кімнің)(?!\p{L})/u,
  ],
  [
    'place',
    /^(?:в каком городе|в какой стране|где|откуда|куда|where|қайда|қайдан)(?!\p{L})|(?:what|which) (?:city|country|state|place)|как(?:ом|ой) (?:город|стран|област|мест)/u,
  ],
];

/** "Who may be …": what makes somebody fit is asked, not a person. */
const mayBe =
  /^(?:а )?(?:кто|кого|who|кім)(?=[^\p{L}]+(?:может|могут|вправе|имеет право|обязан|можно|can|may|must|has the right|is (?:eligible|allowed|entitled)))|^кім.+ала(?:ды|ды ма)[\s?]*$/u;

const asksName =
  /(?:^|[^\p{L}])(?:(?:кто|кем)(?=[^\p{L}].*(?:сейчас|ныне|теперь|сегодня|нынешн|действующ))|как зовут|фамили\p{L}*|(?:who|whom)(?=[^\p{L}].*(?:now|current|today|presently))|(?:name|surname) of|кім(?=[^\p{L}].*қазір)|қазір.{1,60}кім|аты-жөні|есімі кім)(?!\p{L})/u;

/** Verbs and nouns of telling, and "how many": they frame a question and name nothing that an answer would repeat. */
const framing = new Set(
  (
    'говорил говорила говорили говорит сказал сказала сказали сказано сказать сообщил сообщила заявил заявила высказывался высказывалась высказался высказалась ' +
    'отметил отметила упоминал упоминала упоминается указано гласит позиция позицию мнение мнения менялась менялось изменялась думает ' +
    'many much say said says tell told mention mentioned spoke talk talked opinion айтты айтылды айтқан айтылған айтады айтып сөйледі айтылады пікірі'
  )
    .split(' ')
    .map(stem),
);

/** Words that turn a statement round. */
const negations = new Set(
  (
    'не без никогда ни нельзя никто ничто ничего нет никакой никаких кроме исключая нигде запрещается запрещено ' +
    'not never without no none nobody nothing cannot except least fail fails failed lack lacks lacked lacking refuse refused neither nor unable ' +
    'емес жоқ ешкім ешқашан ешқандай болмайды'
  ).split(' '),
);

/** True where the words hold a negation ("n't" included: words() yields its "t" after "don", "isn", …). */
export function isNegated(list: readonly string[]): boolean {
  return list.some((word, n) => negations.has(word) || (word === 't' && /n$/.test(list[n - 1] ?? '')));
}

const counting = new Set(['сколько', 'скольких', 'скольким', 'many', 'қанша', 'неше']);

function counted(list: readonly string[]): string | null {
  const at = list.findIndex((word) => counting.has(word));
  const next = at < 0 ? undefined : list[at + 1];
  return next === undefined || isStopWord(next) ? null : stem(next);
}

function counts(text: string): string[] {
  const named = parseReferences(text);
  return [...text.matchAll(/(?<![\p{L}\p{N}.,-])\d+(?=\s+\p{L})/gu)]
    .filter(({ index }) => !named.some(({ start, end }) => index >= start && index < end))
    .map(([number]) => number);
}

/**
 * The names a question holds: words with a capital letter after the first word, no acronyms of one letter, and the
 * noun a Russian adjective of that kind begins a name with ("Конституционный суд").
 */
function capitalised(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(
    /(?<=[\p{L}\p{N}»”",;)] +[«“"(]?)\p{Lu}(?:\p{L}|\u0301|-)+(?:(?<=[а-я]{3}(?:ый|ий|ой|ая|яя|ое|ого|его|ому|ему|ом|ем|ей|ую|ым|им)) \p{Ll}{3,})?/gu,
  )) {
    for (const word of words(match[0])) if (!isStopWord(word)) found.push(stem(word));
  }
  return [...new Set(found)];
}

/** First and last parts of words with a hyphen. */
function compounds(text: string): [first: string, last: string][] {
  const found = text.matchAll(
    /(?<![\p{L}\p{M}\p{N}-])(?:\p{L}|\u0301){2,}(?:-(?:\p{L}|\u0301){2,})+(?![\p{L}\p{N}-])/gu,
  );
  return [...found].flatMap(([whole]) => {
    const parts = words(whole);
    if (
      parts.length < 2 ||
      parts.some(isStopWord) ||
      !parts.every((one) => scriptOf(one) === scriptOf(parts[0]!))
    )
      return [];
    return [[stem(parts[0]!), stem(parts.at(-1)!)] as [string, string]];
  });
}

/**
 * Names of which the index knows nothing: abbreviations, and names that no known word stands beside but an office
 * ("Президента Бразилии"). Of a person's three names texts often leave one out. In Kazakh what is asked about comes
 * first: there the first word may be one.
 */
function strangers(
  text: string,
  known: (name: string) => boolean,
): { stem: string; isAbbreviation: boolean }[] {
  const run = /(?<=[\p{L}\p{N}»”",;).] +[«“"(]?)\p{Lu}(?:\p{L}|\u0301|-)+(?: \p{Lu}(?:\p{L}|\u0301|-)+)*/gu;
  // What stands in brackets only explains.
  return [...text.replace(/\([^)]*\)/g, ' ').matchAll(run)].flatMap(([names]) => {
    const parts = names
      .split(' ')
      .flatMap((name) => words(name).map((word) => ({ name, word, stem: stem(word) })));
    const short = parts.filter(({ name }) => /^\p{Lu}{2,5}$/u.test(name));
    const alone = parts.length < 3 ? parts.slice(-1) : parts.every((one) => !known(one.stem)) ? parts : [];
    return [...new Set([...short, ...alone])]
      .filter((one) => !isStopWord(one.word) && !known(one.stem))
      .map((one) => ({ stem: one.stem, isAbbreviation: short.includes(one) }));
  });
}

/** The question without its words of telling, unless nothing else is left. */
export function withoutFraming(text: string): string {
  const left = text.replace(/(?:\p{L}|\u0301)+/gu, (word) => (framing.has(stem(foldWord(word))) ? '' : word));
  return words(left).some((word) => !isStopWord(word)) ? left : text;
}

/** The stems a question is looked up by, for which document frequencies are needed. */
export function questionStems(text: string): string[] {
  const all = words(text);
  const content = all.filter((word) => !isStopWord(word)).map(stem);
  const named = content.filter((one) => !framing.has(one));
  return [...new Set(named.length > 0 ? named : content.length > 0 ? content : all.map(stem))];
}

/** Stems that may stand in for those of a question; their document frequencies are needed too. */
export function standIns(text: string): string[] {
  return [...new Set(questionStems(text).flatMap(relatedStems))];
}

/** Words that ask for a measure, a kind or a name: an answer gives it without repeating the word. */
const light = new Set(
  (
    'минимальный минимум максимальный максимум наименьший наибольший размер количество число цвет имя название вид тип способ порядок порядка имени проведение проведения процедура условие требование ' +
    'называться называется называются стать становится стоить стоит требуется требуются полагается положено считается делать происходит получить длится ' +
    'разрешен разрешена разрешено разрешают допустимо законно имеют имеет иметь право ' +
    'minimum maximum min max amount number kind type color colour name named called size way mean means meaning become get own required need needed allowed permitted legal happens ' +
    'саны түсі атауы тәртібі түрі'
  )
    .split(' ')
    .map((word) => stem(foldWord(word))),
);
const lightWeight = 0.3;
/** "How long" and "how often" ask for a measure, which an answer gives without the word. */
const measured = /^(?:long|often|soon)$/;

/** A near spelling of a shorter word is as likely another word (space, spare): it ranks, but is no evidence. */
const surelyMisspelt = 6;

/** Reads a question against an index. */
export function analyseQuestion(text: string, frequencies: Frequencies): Question {
  const all = words(text);
  const measures = new Set(all.filter((word, n) => all[n - 1] === 'how' && measured.test(word)).map(stem));
  const terms = questionStems(text).map((one) => {
    const known = (
      frequencies.corrections?.find((correction) => correction.stem === one)?.known ?? []
    ).filter((other) => one.length >= surelyMisspelt || scriptOf(one) !== scriptOf(other));
    const related = relatedStems(one);
    const frequency = (name: string) => frequencies.df.get(name) ?? 0;
    const df = Math.min(
      Math.max(...[one, ...known].map(frequency)) || Math.max(0, ...related.map(frequency)),
      frequencies.documents,
    );
    const weight = Math.log(1 + (frequencies.documents - df + 0.5) / (df + 0.5));
    return {
      stems: [one, ...known],
      related,
      weight: light.has(one) || measures.has(one) ? lightWeight * weight : weight,
    };
  });
  const content = all.filter((word) => !isStopWord(word)).map(stem);
  const names = capitalised(text);
  const known = (name: string) =>
    (frequencies.df.get(name) ?? 0) > 0 ||
    (frequencies.corrections?.some((correction) => correction.stem === name) ?? false);
  const low = text.toLowerCase().trim();
  const strange = strangers(languageByLetters(low) === 'kk' ? `. ${text}` : text, known);
  return {
    text,
    terms,
    bigrams: content.slice(1).map((one, n) => `${content[n]} ${one}`),
    numbers: [...new Set(all.filter((word) => /^\d+$/.test(word)))],
    counts: counts(text),
    names,
    strangers: strange.map((one) => one.stem),
    unknownNames: strange.filter((one) => !one.isAbbreviation).map((one) => one.stem),
    compounds: compounds(text),
    type: mayBe.test(low) ? null : (types.find(([, pattern]) => pattern.test(low))?.[0] ?? null),
    counted: counted(all),
    asksName: asksName.test(low),
  };
}
