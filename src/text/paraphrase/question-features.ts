/**
 * A question read for comparison: what it asks for, its content words, and all that makes another question of the same
 * words: numbers, negations, prepositions, persons. Words of courtesy are taken out first.
 */
import { stemKazakh } from '../kazakh.ts';
import { detectLanguage, type Language } from '../language.ts';
import { speltNumbers } from '../number-words.ts';
import { synonymGroup } from '../synonyms.ts';
import { isCyrillic, isStopWord, stem, words } from '../words.ts';

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
  /** Without such a word: "mine" in the first person, "tone" before a question mark, else "none". */
  kind: string;
  role: 'nominative' | 'genitive' | 'dative' | 'accusative' | 'instrumental' | 'other' | '';
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

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const courtesy = [
  /^[\s,.!]*(?:(?:здравствуй(?:те)?|привет(?:ствую)?|добрый (?:день|вечер)|доброе утро|сәлем(?:етсіз бе)?|hello|hi|hey|good (?:morning|afternoon|evening))(?!\p{L})[\s,.!]*)+/giu,
  /(?<!\p{L})(?:пожалуйста|будьте добры|будьте любезны|если можно|please|kindly|өтінемін)(?!\p{L})[\s,]*/giu,
  /(?<!\p{L})(?:не (?:подскажете|подскажешь|могли бы вы (?:сказать|подсказать)|скажете)|(?:можете|могли бы)(?: вы)?(?: мне)? (?:сказать|подсказать|объяснить)|(?:под|рас)?скажи(?:те)?|объясни(?:те)?|ответь(?:те)?|напомни(?:те)?|(?:я )?(?:хочу|хотел бы|хотела бы|хотелось бы) (?:узнать|знать|спросить)|(?:мне )?(?:интересно(?: знать| узнать)?|интересует))(?!\p{L})(?: мне| нам)?[\s,:]*/giu,
  /(?<!\p{L})(?:(?:can|could|would|will) you(?: please)? (?:tell|explain to|inform) (?:me|us)|tell (?:me|us)|do you know|i (?:would like|want|need|'d like) to know|i(?:'m| am) wondering|let me know)(?!\p{L})[\s,:]*/giu,
  /(?<!\p{L})(?:айтып бер(?:ші|іңіз(?:ші)?)?|айтыңыз(?:шы)?|айтшы|түсіндір(?:ші|іңіз(?:ші)?)?|білгім келеді)(?!\p{L})[\s,:]*/giu,
];
/** An order to list, which asks as "which …" does; "all" then says nothing new. */
const listing =
  /^[\s,.!]*(?:(?:перечисли(?:те|ть)?|назови(?:те)?|выдай(?:те)?|приведи(?:те)?|укажи(?:те)?|покажи(?:те)?|дай(?:те)?)(?: мне| нам)?(?: (?:список|перечень))?|(?:list|enumerate|name|give me|show me)(?=(?: the| a list of| all) )(?: a list of)?|атап (?:бер|өт|шық)\p{L}*|тізіп (?:бер|шық)\p{L}*)(?!\p{L})[\s,:]*/iu;
const allOfThem = set('все всех всем всеми all every барлық барлығы список перечень');

/** Stop words that say something: who leaves one out asks something else. */
const meaningful = set(`
все всех всем всеми весь вся всю всей всего сам сама сами самого самой само саму почти всегда иногда более менее больше меньше много
может могут можно могу можем можете можешь нужно нужен нужна нужны надо должен должны должна должно лишь раз
теперь сейчас потом тогда там здесь тут опять разве такой такая такое такие другой также тоже только уже еще пока
all any both each few more most other some such only same too again once then here further own very
while can could may might must shall should will would just now ever yet
барлық керек мүмкін ғана тек әр тағы өз өзі өзінің қатар сияқты
`);
/** They say that something is there: content where that is what is asked, else nothing. */
const existence = set('есть имеется имеются существует существуют бар exist exists there');
/** They only join a thing with its name, place or quality. */
const idle = set(`
является являются являлся являлась являлось являться находится находятся находился находилась находилось расположен расположена расположено расположены
располагается располагаются имеет имеют называется называют называются г гг
located situated called named саналады табылады атты аталады
`);
const doing = set('do does did');
/** "Принята", "основан"; "жена" and "страна" only end alike. */
const wasDone = /^(?!стран)\p{L}{3,}(?:[аяе]н|[яу]т)[аоы]?$/u;
const pastTense = set('was were did had был была было были болды болған еді');
const presentTense = set('is are am do does has have');
const being = set('is are was were am be been being');
const negative = set(`
не ни нет нельзя никогда никто никого никому ничто ничего нигде никакой никакая никакое никакие никаких
not no never none nobody nothing nowhere neither nor cannot
емес жоқ ешқашан ешкім ешқандай ештеңе болмайды
`);
const strong = set(`
из от до после без против через над под между перед вне кроме вместо около возле среди ради при за с к
from into onto before after without by with against between through during above below up down in out off over under than until since per versus via except unless
дейін кейін бұрын қарсы арқылы бері соң үшін бойы
`);
const sameForm: Record<string, string> = {
  со: 'с',
  ото: 'от',
  изо: 'из',
  ко: 'к',
  безо: 'без',
  передо: 'перед',
  подо: 'под',
};
/** They say which of two words is which. */
const directed = set('от до из между чем than between to into from versus дейін бұрын');

/** Kind, case and words. */
const kinds: [Asked['kind'], Asked['role'], string][] = [
  ['who', 'nominative', 'кто кім кімдер who'],
  ['who', 'accusative', 'кого кімді whom'],
  ['who', 'dative', 'кому кімге'],
  ['who', 'genitive', 'кімнің'],
  ['who', 'instrumental', 'кем кіммен'],
  ['who', 'other', 'ком кімде кімнен'],
  ['what', 'nominative', 'что нелер what'],
  ['what', 'genitive', 'чего ненің'],
  ['what', 'accusative', 'нені'],
  ['what', 'dative', 'чему'],
  ['what', 'instrumental', 'чем немен'],
  ['what', 'other', 'неден'],
  [
    'which',
    '',
    'какой какая какое какие какого какому каким каком какую каких какими каков какова каково каковы который которая которое которые которого котором которой which қандай қай қайсы қайсысы',
  ],
  ['whose', '', 'чей чья чье чьи чьего чьей чьих whose'],
  ['many', '', 'сколько скольких сколькими скольким қанша неше'],
  ['rank', '', 'нешінші'],
  ['how', '', 'как how қалай қалайша'],
  ['when', '', 'когда when қашан'],
  ['where', '', 'где where қайда'],
  ['whither', '', 'куда'],
  ['whence', '', 'откуда қайдан'],
  ['why', '', 'почему отчего why неге неліктен'],
  ['what for', '', 'зачем'],
];
const asking = new Map(
  kinds.flatMap(([kind, role, list]) =>
    list.split(' ').map((word): [string, Asked] => [word, { kind, role }]),
  ),
);
const kazakhWhat: Asked = { kind: 'what', role: 'nominative' };
/** "Как называется …", "what is … called": they ask for a name, not for a way. */
const namedHow = /(?<!\p{L})(?:как (?=называ|именуе)|как зовут)/giu;
const whether = set('ма ме ба бе па пе');
/** A question that begins with one of these is answered by yes or no. */
const yesOrNo = set(`
is are was were am do does did has have had can could may might must shall should will would if whether
можно может могут могу нужно надо должен должна должны есть разве нужен нужна нужны
`);

const persons: [string, ReadonlySet<string>][] = [
  [
    '1',
    set(
      'я мне меня мной мой моя мое мои моего моей моих моему моим моем мою мы нас нам нами наш наша наше наши нашего нашей i me my mine we us our ours мен маған мені менің біз бізге біздің',
    ),
  ],
  [
    '2',
    set(
      'ты тебя тебе тобой твой твоя твои вы вас вам вами ваш ваша ваши вашего you your yours сен сіз сізге сіздің',
    ),
  ],
  [
    '3',
    set(
      'он она оно они его ее их ему им ей ими he she they him her them his their theirs ол олар оған оны оның олардың',
    ),
  ],
];

const classNouns = new Set(
  'город улица компания фирма корпорация автомобиль фильм книга роман повесть рассказ поэма стихотворение произведение картина опера песня сериал журнал газета поэт писатель певец певица художник композитор актер актриса city company film movie book novel song magazine newspaper'
    .split(' ')
    .map(stem),
);

const ordinalEnd = set('й я е го му м ая ой ый ое ые ых ую ю st nd rd th ші шы нші ншы інші ыншы');
const roman = /^(?=[IVXLC])(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/;
/** Kazakh verbs say "not", nouns "without" at their end. */
const kazakhNegated =
  /(?:[мбп][ае](?:й(?:ды|ді|мын|мін|мыз|міз|сың|сің|сыз|сіз)|ған|ген|ды|ді|уы|уі|са|се|с)|сыз|сіз)(?:дар|дер)?$/;
/** Forms of a judge (судья): Russian stemming takes them for those of a court (суд). */
const judge = /^судь[яеию]|^судей$/;
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

function stemIn(word: string, lang: Language): string {
  if (judge.test(word)) return 'судья';
  return lang === 'kk' && isCyrillic(word) ? stemKazakh(word) : stem(word);
}

/** Letters that are easily mistaken, and those of Kazakh as they are typed where a keyboard has none. */
const plainLetters: Record<string, string> = {
  э: 'е',
  й: 'и',
  ә: 'а',
  ғ: 'г',
  қ: 'к',
  ң: 'н',
  ө: 'о',
  ұ: 'у',
  ү: 'у',
  һ: 'х',
  і: 'и',
};

const plainOf = (word: string) => {
  const folded = word.replace(/[эйәғқңөұүһі]/g, (letter) => plainLetters[letter]!);
  return folded.slice(0, 2) + folded.slice(2).replace(/(\p{L})\1+/gu, '$1');
};

/** Reads a question; `lang` where it is known already. */
export function analyse(text: string, lang: Language = detectLanguage(text)): AnalysedQuestion {
  return new Reading(text, lang).question();
}

function tenseOf(list: readonly string[]): AnalysedQuestion['tense'] {
  const past = list.some(
    (word, at) =>
      pastTense.has(word) && !(/^был/.test(word) && list.slice(at + 1).some((next) => wasDone.test(next))),
  );
  return past ? 'past' : list.some((word) => presentTense.has(word)) ? 'present' : '';
}

class Reading {
  readonly #lang: Language;
  readonly #pieces: Piece[];
  readonly #lists: boolean;
  /** It ends in a question mark. */
  readonly #asks: boolean;
  /** Capitals tell names: not in a title, nor in a text of capitals throughout. */
  readonly #capitalsTell: boolean;
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
    const given = text.normalize('NFKC').replace(/(?<=\d)[\s,](?=\d{3}(?!\d))/g, '');
    const plain = courtesy.reduce((left, pattern) => left.replace(pattern, ''), given).replace(namedHow, '');
    this.#lists = listing.test(plain);
    this.#asks = /\?\s*$/.test(given);
    const left = cut(plain.replace(listing, ''));
    this.#pieces = left.length > 0 ? left : cut(given);
    const capitals = this.#pieces.filter((piece) => piece.capital).length;
    this.#capitalsTell = this.#pieces.length < 3 || capitals <= 0.6 * this.#pieces.length;
  }

  question(): AnalysedQuestion {
    const list = this.#pieces.map(({ word }) => word);
    const spelt = new Map(speltNumbers(list, this.#lang === 'kk').map((one) => [one.at, one]));
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
      ordered: this.#directed || this.#lang === 'en' || this.#numbers.length > 1,
    };
  }

  #isName(at: number): boolean {
    const { capital, first } = this.#pieces[at]!;
    return capital && !first && this.#capitalsTell;
  }

  /** A sign, or a capital letter by itself: vitamin C, group B. */
  #isSymbol(at: number): boolean {
    const { word, text } = this.#pieces[at]!;
    if (!/^\p{L}/u.test(word) || /[+#]$/.test(word)) return true;
    return text.length === 1 && this.#isName(at) && word !== 'i' && word !== 'я';
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
    const isKazakh = this.#lang === 'kk';
    if (this.#isRoman(at)) {
      this.#numbers.push(`r${word}`);
      return true;
    }
    const asks = isKazakh && word === 'не' ? kazakhWhat : asking.get(word);
    if (asks) {
      if (this.#asked === null) this.#counting = asks.kind === 'many';
      this.#asked ??= asks;
      return true;
    }
    if (word === 'ли' || (isKazakh && whether.has(word))) {
      this.#asked ??= { kind: 'yes or no', role: '' };
      return true;
    }
    if (at === 0 && yesOrNo.has(word)) this.#asked = { kind: 'yes or no', role: '' };
    if (negative.has(word) || (word === 't' && before.endsWith('n'))) {
      this.#negations++;
      return word !== 'cannot';
    }
    if (isKazakh && kazakhNegated.test(word)) this.#negations++;
    const form = sameForm[word] ?? word;
    if (directed.has(form)) this.#directed = true;
    if (strong.has(form)) {
      // "Кто из", "какие из", "which of": a part of them, which the plural says too.
      const part = form === 'из' && asking.has(before);
      if (!part) this.#prepositions.push(form);
      this.#counting = false;
      return true;
    }
    const person = persons.find(([, those]) => those.has(word))?.[0];
    if (person) {
      this.#persons += person;
      return true;
    }
    if (being.has(word)) this.#auxiliary ||= 'be';
    if (doing.has(word)) {
      // After its subject, or at the end, it is the verb itself.
      const last = at === this.#pieces.length - 1;
      if (last || before === 'to' || persons.some(([, those]) => those.has(before))) return false;
      this.#auxiliary ||= 'do';
      return true;
    }
    if (this.#lists && allOfThem.has(word)) return true;
    if (word === 'всего' && asking.get(before)?.kind === 'many') return true;
    if (existence.has(word)) {
      this.#existence.push(this.#contentWord(at));
      return true;
    }
    // A single "а" inside a question is a letter, not the conjunction.
    if (word === 'а' && !first) return false;
    if (!idle.has(word) && (!isStopWord(word) || meaningful.has(word))) return false;
    this.#counting = false;
    return true;
  }

  #contentWord(at: number): ContentWord {
    const { text } = this.#pieces[at]!;
    const word = this.#pieces[at]!.word === 'cannot' ? 'can' : this.#pieces[at]!.word;
    const symbol = this.#isSymbol(at);
    const name = symbol || this.#isName(at) || (this.#lang !== 'en' && /^[a-z]/.test(word));
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
        classNouns.has(root) &&
        next !== undefined &&
        (next.capital || /^[a-z]/.test(next.word)) &&
        !next.first &&
        this.#capitalsTell &&
        (this.#lang !== 'en' || next.capital),
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
