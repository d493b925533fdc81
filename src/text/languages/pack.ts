/**
 * All that is known of one language: the form of a language pack. A pack is data; what is done with it stands in the
 * rooms that use it, the same for every language. A field a language has no use for is empty, never left out, so
 * that a new pack compiles only when each was thought of.
 *
 * Words are written folded, as `words()` yields them: lower case, ё as е. `WordList`: whole words separated by white
 * space; `Forms` and `Phrases`: the notation of forms.ts.
 */
import type { Forms, Phrases } from './forms.ts';

/** Words separated by white space, without notation. */
export type WordList = string;

/** Letter by letter: what stands on the left is read or written as what stands on the right. */
export type LetterMap = Readonly<Record<string, string>>;

export interface LanguagePack {
  /** Unicode's name of the script it is written in. */
  script: 'Cyrillic' | 'Latin';
  /** Words of the script that no letter gives to another language are stemmed as this one's: one pack a script. */
  isDefaultOfScript: boolean;
  letters: Letters;
  typing: Typing;
  detection: Detection;
  /** The stem of a folded word of this language, which begins as the word does; a word it knows nothing of as it stands. */
  stem: (word: string) => string;
  stopWords: StopWords;
  questionWords: QuestionWords;
  courtesy: Courtesy;
  dialogue: Dialogue;
  smallTalk: SmallTalk;
  orders: Orders;
  grammar: Grammar;
  morphology: Morphology;
  numbers: Numbers;
  calendar: Calendar;
  abbreviations: Abbreviations;
  provisions: Provisions;
  referring: Referring;
  acts: Acts;
  documents: Documents;
  /**
   * Words that ask for the same whatever the subject, a group a line. General language only, no word in two groups.
   * Forms that stemming does not bring together (suppletion, aspect, irregular verbs) stand in one group too.
   */
  synonyms: string;
  /**
   * Words that answer each other without being the same, a group a line: who asks for an age is answered in years.
   * They let a passage speak of what a question asks in other words. Groups are small and tight: opposites, causes and
   * their effects, wholes and their parts are none, and a word whose stem also stands for a frequent word of another
   * meaning does harm. Kept in thesaurus/, by subject.
   */
  related: string;
  /** Pairs of words that turn a statement round where one stands for the other. */
  antonyms: Phrases;
  answers: Answers;
  /** Words that tell the present from what was before. */
  now: Forms;
  comparing: Comparing;
  former: Former;
  /** Ask for an opinion: "is it fair that", "strengthens". What is left without them finds what bears on it. */
  verdicts: Phrases;
  speech: Speech;
  dating: Dating;
  entities: Entities;
  phrases: FixedPhrases;
}

export interface Letters {
  /** All its letters, in the order of the alphabet. */
  alphabet: string;
  /** Those that no other language of the script has: a word with one of them is of this language. */
  own: string;
  vowels: string;
  /** Letters without a sound, which are neither vowels nor make a word hard to speak. */
  silent: string;
  /** The commonest first, by which a text in an unknown encoding is recognised; '' where UTF-8 is the habit. */
  byFrequency: string;
  /** Those that number the items of a list, in order. */
  enumeration: string;
  /** Small letters that reach above the others, those that reach below the line, and those that are wider. */
  tall: string;
  deep: string;
  wide: string;
  /** Letters that are folded into another before words are compared: ё is read as е. */
  folded: LetterMap;
  /** Letters easily mistaken, or typed as another where a keyboard has none of them. */
  plain: LetterMap;
}

export interface Typing {
  /**
   * The keyboard: keys as the English layout has them, and the letters they give, sign by sign. `shifted`: keys that
   * give a letter with the shift key, where English has a sign.
   */
  keyboard: { keys: string; letters: string; shifted?: LetterMap };
  /** Its letters by sound, in Latin: what names are compared by across scripts. Empty for a Latin script. */
  sounds: LetterMap;
  /** A text of this language typed in Latin letters, in its own; null where it has no such habit. */
  fromLatin: ((text: string) => string) | null;
}

export interface Detection {
  /** Frequent words that hardly stand in a text of another language, the commonest first, and what each counts. */
  frequent: WordList;
  weight: number;
  /** Frequent words that another language has too: of this one at the end of a text, else of what the others are. */
  final: WordList;
  /** Frequent words as they are typed in Latin letters. */
  romanised: WordList;
  /** Endings and letters that other words of it often have, and what such a word counts: less than one. */
  endings: Forms;
  distinctiveLetters: string;
  endingWeight: number;
}

export interface StopWords {
  /** Words that carry no subject of their own. A word that can name a thing in some corpus is none. */
  function: WordList;
  /** Reporting verbs and nouns ("tell", "explanation"): they introduce a question and name nothing that an answer would repeat. */
  reporting: WordList;
  /** Words that ask for a measure, a kind or a name: an answer gives it without repeating the word. */
  lowWeight: WordList;
  /** Verbs that only join a thing with its name, place or quality. */
  linking: WordList;
  /** Words that say that something is there. */
  existence: WordList;
}

export type QuestionKind =
  | 'who'
  | 'what'
  | 'which'
  | 'whose'
  | 'many'
  | 'rank'
  | 'how'
  | 'when'
  | 'where'
  | 'whither'
  | 'whence'
  | 'why'
  | 'what for';

/** The case asked for, '' where the word does not tell. */
export type Role = 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'other' | '';

export interface QuestionWords {
  /** What they ask for, in which case, and the words. */
  kinds: readonly (readonly [QuestionKind, Role, WordList])[];
  /** As `kinds`: words that ask in texts of this language and are other words elsewhere. */
  inOwnTexts: readonly (readonly [QuestionKind, Role, WordList])[];
  /** Particles that make a question to be answered by yes or no. */
  whether: WordList;
  /** A question that begins with one of these is answered by yes or no. */
  yesOrNo: WordList;
  /** Asks how many of what follows where it is no question word by itself: "how many". */
  counting: WordList;
  /** Behind "how" they ask for a measure, which an answer gives without the word: "how long". */
  measureAdverbs: WordList;
}

export interface Courtesy {
  /** Greetings before a question. */
  greetings: Phrases;
  please: Phrases;
  /** Requests to speak: "tell me", "do you know". What follows is the question. */
  requests: Phrases;
  /** Words of address and request that name no subject, wherever they stand. */
  address: Phrases;
  /** Those the request is for: "мне", "нам" behind it. */
  forWhom: WordList;
}

/** What is said to an assistant besides questions, as whole messages or around one. */
export interface SmallTalk {
  greetings: Phrases;
  farewells: Phrases;
  thanks: Phrases;
  /** Signs that an answer was heard, and praise. */
  heard: Phrases;
  /** May stand beside any of them: whom they are for, and how much. */
  around: Phrases;
  /** Words that insult. */
  insults: Forms;
  /** Words that such a message may hold besides: the assistant, its answers, what it fails to do. */
  complaints: Forms;
  /** Tasks that are no questions: verbs of order, and what is to be made. */
  tasks: readonly (readonly [verbs: Forms, objects: Forms])[];
  /** Orders that are such tasks by themselves: "translate". */
  taskOrders: Phrases;
  /**
   * Sums: words between two numbers ("plus"), words that take one ("root"), words that say nothing else ("equals");
   * numbers, stop words and question words go without saying.
   */
  arithmetic: { operators: Forms; unary: Forms; frames: Forms };
  /** Questions that only a clock, a calendar or the sky answers: "what time is it", "what is the weather". */
  moment: Phrases;
  /** Questions about the assistant: by their beginning, their end, or anywhere. */
  self: { opens: Phrases; closes: Phrases; anywhere: Phrases };
  /** Say that the assistant is asked about something else than itself, where more follows or stands before. */
  aboutOther: Phrases;
}

/** Orders that would change the rules of the assistant or bring out what is not for show. */
export interface Orders {
  /** What is ordered and of what, in the order they stand in, with little between them. */
  pairs: readonly (readonly [first: Phrases, second: Phrases])[];
  /** Such orders by themselves. */
  alone: Phrases;
  /** Join an order and a question: "and then tell". */
  joins: Phrases;
}

/** How a question goes on from what was said before it. */
export interface Dialogue {
  /** Open a question that goes on: "а", "and", "what about". */
  opens: Phrases;
  /** Open one that asks the same of another case: "а если", "what if". */
  supposes: Phrases;
  /** Close one: "ше". */
  closes: WordList;
  /** All that a question says which wants more of the same answer, courtesy and `about` apart. */
  more: Phrases;
  /** How an answer in this language is asked for, in any language: "на русском", "in Russian". */
  inLanguage: Phrases;
  /** All that such a question says besides, courtesy and `about` apart: "answer", "translate". */
  again: WordList;
  /** Words around them: "об этом", "about it". */
  about: Phrases;
  /** Pronouns and adverbs that point back to what was said, all their forms. */
  pointing: WordList;
  /** Adverbs and conjunctions that tie a sentence to the one before it: "however". */
  connectives: WordList;
  /** Phrases in which such a pronoun points to nothing: "is it * to". */
  expletives: Phrases;
  /** Words that stand for a thing named before: "one", "the first". */
  standIns: WordList;
  /**
   * Nouns that are always something's, and what is said of their measure: a term, an age, a price. A question that
   * names nothing else lacks its subject.
   */
  owned: Forms;
  /** Small words of place and time before a noun, which a new subject shares with the old one: "для женщин". */
  cases: WordList;
  /** Of those below, what names an article even behind a point. */
  besideArticle: Forms;
  /** The provision behind the one before, the one before it, and the last of several. */
  next: Forms;
  previous: Forms;
  last: Forms;
}

export interface Grammar {
  /** The order of words tells who does what: questions of the same words in another order ask something else. */
  fixedWordOrder: boolean;
  /** Join two questions, or two subjects of one. */
  conjunctions: WordList;
  /** Stand before a noun and add nothing. */
  articles: WordList;
  /** Words that deny. */
  negations: WordList;
  /** Words that turn a statement round without denying its verb: "except", "lack". */
  opposing: WordList;
  /** Prefixes that turn a word into its opposite. */
  opposingPrefixes: WordList;
  /** Words and endings that say with what something is there, and without what. */
  having: { words: WordList; endings: Forms };
  lacking: { words: WordList; endings: Forms };
  /** Of a name of an adjective and a noun only the adjective has a capital letter: "Конституционный суд". */
  nameBeginsWithAdjective: boolean;
  /** What is asked about comes first: a capital letter there may begin a name. */
  subjectFirst: boolean;
  /** Where the name of an office says what it is: "министр" экологии, экология "министрі", "prime minister" of Kensai. */
  officeHead: 'first noun' | 'before preposition' | 'last';
  /** Endings by which a word of this language denies. */
  negatedEndings: Forms;
  /** Words that deny behind one with the ending: "don't" is cut into "don" and "t". */
  splitNegations: LetterMap;
  /** Pronouns of the first person. */
  firstPerson: WordList;
  /** Forms of the auxiliary "do". */
  doSupport: WordList;
}

export interface Morphology {
  adjectives: Forms;
  /**
   * Short passive participles: "основана". `participlesLikeVerbs`: those whose ending finite verbs have too ("взята").
   * `notParticiples`: beginnings of words that only end alike.
   */
  participles: Forms;
  /** Forms of verbs that tell the time; `present` is null where every other form may. */
  past: Forms;
  present: Forms | null;
  /** Verbs that say what is done to somebody: "избирается". */
  reflexive: Forms;
  finite: Forms;
}

export interface Numbers {
  /** Value, the words that count, the words that order. */
  words: readonly (readonly [value: number, cardinal: Forms, ordinal: Forms])[];
  /** Read only in texts of this language: its short numbers are other words elsewhere. */
  inOwnTexts: boolean;
  /** Twelve is "ten two": ten takes a number below it. */
  teensAfterTen: boolean;
  /** Written behind digits to make them an ordinal: "42-й", "5th". */
  ordinalSuffixes: Forms;
  /** Words that say how many and are no numbers: "dozen", "half". */
  amounts: WordList;
  /** Words in which a number only says "a", "some". */
  indefinite: Forms;
}

export interface Calendar {
  /** Months in order, as a date has them. */
  months: WordList;
  /** Months in all their forms. */
  monthForms: Forms;
  weekdays: WordList;
  /** Behind the number of a year, of a century, and of both: "до н. э.", "BC". */
  yearWords: Phrases;
  centuryWords: Phrases;
  eras: Phrases;
  /** Before a year of three digits. */
  beforeYear: WordList;
  /** As `yearWords`, as one word beside a number. */
  years: Forms;
}

export interface Abbreviations {
  /** Never the end of a sentence: something always follows. Without the last full stop. */
  needsMore: WordList;
  /** Never the end before a number. */
  needsNumber: WordList;
  /** Years and centuries: end a sentence only between a digit and a capital letter. */
  afterDigit: WordList;
  /** Pairs of letters whose second may end a sentence: "т. д.", "н. э.". */
  closingPairs: Phrases;
  /** Numbered provisions in short, behind a hyphen: "5-б.". */
  provisions: WordList;
  /** Letters that are words by themselves, after which a full stop ends; any other letter stands for a word. */
  letterWords: WordList;
  /** A single letter stands for a word only before a number. */
  letterNeedsNumber: boolean;
}

/** Units a provision can be numbered in. */
export const referenceUnits = [
  'article',
  'paragraph',
  'part',
  'point',
  'subpoint',
  'indent',
  'section',
  'chapter',
  'annex',
] as const;
export type ReferenceUnit = (typeof referenceUnits)[number];

/** Forms of a word, or its abbreviations, that name numbered provisions. */
export interface UnitWords {
  unit: ReferenceUnit;
  forms: Forms;
  /** `many`: several numbers may follow; `short`: an abbreviation, for one and for many. */
  count: 'one' | 'many' | 'short';
  /** Whether its number may stand before it: always ("23 статья"), as an ordinal ("23-й пункт"), or never. */
  before: 'always' | 'ordinal' | 'never';
  /** Its number may not stand behind it: "бұл бапта 2 тармақ бар". */
  notBehind?: true;
  /** Belongs to a provision named before it, so that a plain number makes it one: "23-баптың 2 тармағы". */
  owned?: true;
  /** What it is where a point follows: "пп. 3 п. 2". */
  beforePoint?: ReferenceUnit;
}

export interface Provisions {
  /** The first that has a word holds. */
  units: readonly UnitWords[];
  /** The words, abbreviations with their full stop, by which a provision begins: "Статья 5", "5-бап". */
  headings: readonly (readonly [ReferenceUnit, WordList])[];
  /** The number stands before its unit: "23-бап". */
  numberFirst: boolean;
  /** A spelt ordinal may stand behind its unit: "статья первая". */
  ordinalBehind: boolean;
  /** A paragraph is a division of its own, never the point of a list. */
  paragraphIsDivision: boolean;
  /** A Roman number before its unit orders: "II раздел". */
  romanBefore: boolean;
  /** Join numbers: "5 и 7". */
  and: WordList;
  /** Begin a range ("с 1") and end it ("по 5"). */
  rangeOpens: WordList;
  rangeCloses: WordList;
  /** A range by endings: the first provision's, and the word behind the second ("5-баптан 7-бапқа дейін"). */
  rangeFrom: Forms;
  rangeUntil: Forms;
  /** "Number" between a unit and its number. */
  numero: WordList;
  /** May stand between a provision and what it is a part of. */
  between: WordList;
  /** Joins a part to its whole: "of". */
  of: WordList;
  /** The whole a part belongs to, in the genitive. */
  owners: Forms;
  /** Letters that name a point by themselves at the end of a question; others are words there. */
  pointLetters: string;
  /** What a number counts that is no provision's: days, years. */
  countedUnits: Forms;
}

/** How a question asks what refers to a provision, or what a provision refers to. */
export interface Referring {
  /** Say that one text names another: "ссылается", "reference", "сілтейді". */
  words: Forms;
  /** Of these: those that need not say what names it: "упоминается", "mentioned". */
  passive: Forms;
  /** Stand before what is named, and before what names it: "на статью", "в статье". */
  beforeNamed: WordList;
  beforeNaming: WordList;
  /** Endings of the unit's word where its case tells the same: "бапқа", "бапта". */
  namedEndings: Forms;
  namingEndings: Forms;
  /** What such a question may say besides: "norms", "places", "other". */
  besides: Forms;
}

/** Kinds of acts, in any language the same. */
export type ActKind =
  | 'constitution'
  | 'code'
  | 'law'
  | 'decree'
  | 'order'
  | 'resolution'
  | 'charter'
  | 'rules'
  | 'instruction'
  | 'treaty';

export interface Acts {
  kinds: readonly (readonly [ActKind, Forms])[];
  /** Before "law" they make it a constitution: "основной закон". */
  basic: Forms;
  /** Adjectives that any act may have. */
  general: Forms;
  /** Part of many names of states, and of none alone. */
  states: Forms;
  /** Endings of adjectives that stand before the kind of an act and tell it from others. */
  adjectives: Forms;
  /**
   * How an act calls itself at its head, on a line of its own or with more. `first`: before what it is about, behind
   * adjectives with one of the endings (any words where there are none) and, where `followedBy` names words, before
   * one of them or alone; `last`: at the end of the line.
   */
  titles: { first: Forms; adjectives: Forms; followedBy: WordList; last: Forms };
  /** Endings of whose act it is, on the line above: "Қазақстан Республикасының". */
  owner: Forms;
  /** Opens a topic behind the kind of an act: "о персональных данных". */
  topicOpens: WordList;
  /** Closes a topic before it: "дербес деректер туралы". */
  topicCloses: WordList;
  /** May stand between the names of an act. */
  nameJoins: WordList;
  /** Joins a provision to the act behind it. */
  links: WordList;
}

/** What documents say of themselves, and programs of documents. */
export interface Documents {
  /** Words of a stamp, a list of contents, a date or a number, months apart; a line of such alone names nothing. */
  formWords: WordList;
  /** What was done with a document, at the beginning of a line: "утверждён …", "adopted by …". */
  remarks: Phrases;
  /** Before a town's name, and before a date. */
  town: Phrases;
  dated: WordList;
  /** Titles that any document could have. */
  generic: Phrases;
  /** Titles that programs give by themselves. */
  untitled: Phrases;
  /** Before or behind the number of a page, and before the number of pages. */
  page: Phrases;
  pageOf: WordList;
  /** Ask what a document is made of: "table of contents", "what does … consist of". */
  structure: Phrases;
  /** What such a question says besides the document's name: "document", "main", "have". */
  structureOf: Phrases;
  /** Links of a web page that stand alone, as a whole: "edit this page", "next". */
  links: Phrases;
  /** Where the path to a web page begins: "home › docs". */
  home: Phrases;
  /** Words of a notice of cookies, and of what it asks for. */
  cookies: Phrases;
  consent: Phrases;
  /** Before the number of a picture or a table, in what stands above or below it. */
  caption: Phrases;
  /** Names of the styles of headings in word processors, before their level. */
  headingStyle: WordList;
  /** Names of the columns of questions and of answers. */
  questionColumn: WordList;
  answerColumn: WordList;
  /** Letters that a spreadsheet's formats of dates and times may have, and those that stand for them in English. */
  dateCodes: Readonly<Record<string, string>>;
}

/** Kinds of answer a question may ask for. `decision`: yes or no. `fitness`: what makes somebody fit for something. */
export const answerKinds = [
  'date',
  'duration',
  'frequency',
  'age',
  'number',
  'money',
  'person',
  'fitness',
  'place',
  'reason',
  'way',
  'decision',
  'definition',
  'list',
] as const;
export type AnswerKind = (typeof answerKinds)[number];

export interface Answers {
  /**
   * By kind: what asks for it besides the question words, at the beginning of a question and anywhere, and the words
   * by which a sentence shows that it gives such an answer.
   */
  kinds: Readonly<Record<AnswerKind, { opens: Phrases; asks: Phrases; shows: Phrases }>>;
  /** Words behind a number that make it a time, an amount of money, or a part of a hundred. */
  units: { time: Forms; money: Forms; part: Forms };
  /** Ask for a detail of a provision, which its whole text would bury. */
  details: Phrases;
  /** Ask for all of a list: "all", "list". */
  complete: Phrases;
  /** Behind "who" they ask what makes somebody fit, not for a person: "кто может". */
  fitness: Phrases;
  /** The same at the end of a question that begins with "who". */
  fitnessAtEnd: Phrases;
  /** They ask for a person's name. */
  names: Phrases;
  /** Name bodies, which act as persons do: "court", "парламент". Offices stand with the entities. */
  bodies: WordList;
  /** Words written with capital letters that name neither persons nor bodies, or only say which: "supreme". */
  things: WordList;
}

/** What was in force before, and what is now. */
export interface Former {
  /** Name or mean what was in force before, anywhere and at the end of a question. */
  past: Phrases;
  pastAtEnd: Phrases;
  /** Those of them that name no text: a number beside them is that of the text in force. */
  formerly: Phrases;
  /** Before a year, and behind it: "до 2026 года", "2026 жылға дейін". */
  beforeYear: Phrases;
  behindYear: Phrases;
  present: Phrases;
  /** What the texts are called. */
  texts: Phrases;
  /** Tell the former text and the newer one beside a provision: "ст. 27 прежней". */
  old: Forms;
  new: Forms;
  /**
   * The past tense of what lasted; what was done once the text in force tells. `auxiliaries`, unless one of the words
   * behind them has an ending of `once`; verbs by their endings, anywhere and at the end of a question; what asks for a
   * measure, with an auxiliary behind it.
   */
  lasting: {
    auxiliaries: Forms;
    once: Forms;
    verbs: Forms;
    last: Phrases;
    measured: Phrases;
    measuredIn: WordList;
  };
}

/** Two things beside each other. */
export interface Comparing {
  /** Ask for what things have apart or in common: "compare", "difference", "differ". */
  compares: Forms;
  /** Ask what became of something between two editions of a text: "what has changed". */
  changed: Phrases;
  /** Parts two things by itself: "versus". */
  versus: WordList;
  /** Parts them behind a word that compares: "differs from". */
  from: WordList;
  /** Parts them where one of those is there: "and". */
  joins: WordList;
  /** Add nothing to what is compared: "each other". */
  fillers: WordList;
  /** Tell an edition of a text from another before its name: "old", "new". */
  editions: Forms;
  /** Stand for the name: "the new one". */
  ones: Forms;
  articles: WordList;
}

/** Who said what: questions that are asked of documents by who speaks in them. */
export interface Speech {
  /** To say, and what somebody holds: they make a name or an office beside them the speaker's, and frame a question. */
  reports: Forms;
  /** The same, and they say something of what was said: "promised", "proposed". */
  stances: Forms;
  /** A speaker tells what is asked: the answer stands behind it. */
  asks: Forms;
  /** What texts of speakers are called: "speech", "statement". */
  texts: Forms;
  /** Opens what is spoken about ("about taxes"), and closes it ("салық туралы"). */
  aboutOpens: WordList;
  aboutCloses: WordList;
  /** To be in an office: adds nothing to its name. */
  holding: Forms;
}

/** When something was said, and in what order. */
export interface Dating {
  /** The last of several texts, the first of them. */
  latest: Forms;
  earliest: Forms;
  /** "Time" behind them: "the last time". */
  times: Forms;
  /** Before a date: within it, until it, from it on, between it and another. */
  within: WordList;
  until: WordList;
  since: WordList;
  between: WordList;
  /** The same behind a date. */
  untilBehind: Forms;
  sinceBehind: Forms;
  betweenBehind: Forms;
  /** Join the two ends of a span. */
  spans: WordList;
  /** A speaker recalls what was before: "three years ago I said". */
  formerly: Phrases;
  /** Something became another with time. */
  changes: Forms;
  /** What of somebody changes: "view", "position"; they frame the question. */
  views: Forms;
}

/** What names in a text are made of, and what stands beside them. Nouns as a dictionary has them: any form of them counts. */
export interface Entities {
  /** Head the names of bodies: "суд", "bank". */
  bodies: WordList;
  /** Name offices: "президент", "minister". */
  offices: WordList;
  /** Forms of companies, which may be left out of their names: "Ltd". */
  companies: WordList;
  /** Of both: there is one of each in a state, so that they name it at the beginning of a sentence, too. */
  sole: WordList;
  /** Nouns of acts besides those of `acts.kinds`: "регламент", "directive". */
  acts: WordList;
  /** Of both: with words in small letters behind them they are a name: "палата представителей". */
  governing: WordList;
  /** Of these: the words behind name a field, and may be several joined by "and": "министерство науки и образования". */
  fields: WordList;
  /** Of these: a name even where they have a small letter: "министр финансов". */
  small: WordList;
  /** Endings of words that such a name goes on with, and the preposition that may open them, whose noun has any. */
  complements: Forms;
  pluralComplements: Forms;
  complementOpens: WordList;
  /** What places are: words that stand beside the name ("город Нуртау"), and those that are a part of it. */
  placesBeside: WordList;
  placesWithin: WordList;
  /** Names of kinds of documents that are no acts: "программа", "report". */
  documents: WordList;
  /** Join the capitalised words of one name ("House of Representatives"), and those of its field. */
  joins: WordList;
  fieldJoins: WordList;
  /** Before the name of a person. */
  honorifics: Forms;
  /** The word of a name with its inflection folded: of a name with a noun, and of one without ("Кенсая"). */
  foldWord: (word: string) => string;
  foldName: (word: string) => string;
  /**
   * Where a noun has a form that says whose it is ("палатасы"): the endings of that form, and those of cases behind a
   * noun, by which its forms are recognised; empty where stemming does.
   */
  possessed: Forms;
  cases: Forms;
  /** Endings of adjectives that are made of the noun of an act: "конституциялық". */
  ofAct: Forms;
  /** Endings of family names, those of cases and of women's names behind them, and endings of such as are adjectives. */
  surnames: Forms;
  surnameCases: Forms;
  surnameAdjectives: Forms;
  /** Endings of fathers' names. */
  fatherNames: Forms;
  /** Words before the name of a place, and endings of such a name: "в Нуртау", "Нұртауда". */
  whereWords: WordList;
  whereEndings: Forms;
  /** Open the short name of what was named before it: "далее —". */
  hereinafter: Phrases;
  /** Behind a term, before what it means: "means"; and before a term: "под … понимается". */
  means: Phrases;
  meansOpens: WordList;
  /**
   * Units of measure by one name for all languages, and those of money: their forms, and the words that stand beside a
   * number: of one, of a few and of part of one, of many; the last holds for those that are not told apart.
   */
  units: readonly (readonly [unit: string, Forms, counted: WordList])[];
  money: readonly (readonly [unit: string, Forms, counted: WordList])[];
  /** "Per cent" where it is two words, written as one. */
  percent: Forms;
  /** Make a unit of length one of areas or of volumes: "square". */
  powers: readonly (readonly [power: string, Forms, counted: WordList])[];
  /** Abbreviated multipliers of a number: "млн". */
  multipliers: readonly (readonly [value: number, Forms])[];
  /** Parts thousands in figures, besides blanks. */
  thousands: '' | ',';
  /** Between the words of one number: "two hundred and five". */
  numberJoins: WordList;
  /** Words that tell nothing of the noun behind them, in a key phrase: "each", "other". */
  vague: WordList;
  /** Before a unit of provisions: the one this is said in: "настоящей статьи", "this Article". */
  own: Forms;
}

/** Every fixed sentence an answer can hold. Quotations and names come as they are, never inflected. */
export interface FixedPhrases {
  greeting: (corpus: string) => string;
  thanks: string;
  farewell: string;
  insult: (corpus: string) => string;
  /** Answers orders for texts, translations and the like. */
  task: (corpus: string) => string;
  /** What the assistant is; `description` is the corpus's own, "" where it has none; `languages`: those it knows. */
  meta: (corpus: string, description: string, languages: string) => string;
  /** Answers orders to break or show the rules. */
  ordered: (corpus: string) => string;
  noAnswer: (corpus: string) => string;
  /** As `noAnswer`, before the one sentence that comes near. */
  mayHelp: (corpus: string) => string;
  /** The question names nothing that could be looked up. */
  unclear: string;
  nearest: string;
  missing: (provision: string, corpus: string) => string;
  /** The same of one act, or of the texts of a layer. */
  missingIn: (provision: string, text: string) => string;
  /** The question names an act that no document is. */
  unknownAct: (corpus: string) => string;
  neighbours: string;
  points: (numbers: string) => string;
  /** Above what refers to a provision, and above what one refers to: how many there are, or "12 of 30". */
  referredTo: (provision: string, count: string) => string;
  refersTo: (provision: string, count: string) => string;
  countOf: (shown: number, all: string) => string;
  /** Nothing refers to it; it refers to nothing. */
  notReferredTo: (provision: string, corpus: string) => string;
  refersToNothing: (provision: string) => string;
  /** One refers to the other, above the sentences that do; it does not. */
  isReference: (provision: string, other: string) => string;
  noReference: (provision: string, other: string) => string;
  /** Nothing was found in the asker's language; `other` names that of the passages. */
  otherLanguage: (other: string) => string;
  /** The leading layer is silent, another one speaks. */
  onlyIn: (leading: string, layer: string) => string;
  inForce: string;
  superseded: string;
  verdict: string;
  listOpen: string;
  listCut: string;
  /** So many of a list's items are quoted, of so many. */
  listCutTo: (shown: number, of: number) => string;
  textCut: string;
  /** Only the first so many of the provisions asked for were looked up. */
  firstProvisions: (count: number) => string;
  /** Before an answer of the FAQ cache that an administrator wrote and no document holds. */
  editorsWord: string;
  nothingOn: string;
  /** Of a question in several parts, this one was not answered. */
  partMissing: (question: string) => string;
  /** How many documents there are of what was asked for. */
  documents: (count: number) => string;
  /** What a document is made of; its headings follow. */
  outline: (title: string, count: number) => string;
  /** A message asks more questions than are answered. */
  firstParts: (count: number) => string;
  nothingMore: string;
  /** Behind an answer of which a sentence was left out, since it failed its check. */
  leftOut: string;
  /** Behind an answer that a model wrote and nobody read a second time. */
  unverified: string;
  thesis: string;
  evidence: string;
  limits: string;
  limitsOf: (sources: number) => string;
  quote: (text: string) => [before: string, after: string];
  /** The name of a provision by what it stands in, the outermost first, and itself. */
  provision: (chain: readonly { unit: ReferenceUnit; number: string }[]) => string;
  /** A provision as it is called where it stands alone: "статья 5". */
  called: (unit: ReferenceUnit, number: string) => string;
  /** As it stands in a question: "статья 5", "point 2", and a part of an article. */
  article: (number: string) => string;
  point: (number: number) => string;
  partOf: (part: string, article: string) => string;
  /** A date; `month`: its name as the calendar has it. */
  date: (day: number, month: string, year: string) => string;
}
