/**
 * The language of a text among Russian, Kazakh and English, by script, letters and frequent words; made for short
 * questions. Each word votes: a Kazakh letter or a frequent word of one language counts for it; "не", a word of both
 * Russian and Kazakh, follows the others. Latin words that are Russian typed on the wrong keyboard layout, or in Latin letters, count as Russian.
 */

import { inCyrillic, otherLayouts } from './variants.ts';

/** As in domain/events.ts; repeated here because text/ imports nothing. */
export type Language = 'ru' | 'kk' | 'en';

const words = (list: string) => new Set(list.split(' '));

const russian = words(
  'и в во не на что с со как а но это по к ко у из за от о об для до же ли или при так бы то все его ее их ' +
    'кто где когда какой какая какое какие каких каком какую каков сколько почему зачем чем чего чему кому кем куда откуда чей чья ' +
    'может могут можно есть был была были быть будет если раньше теперь между после перед без под над про ' +
    'такой такое такая меня мне мы вы он она они этот эта эти нет да статья статьи статье статью пункт пункта глава ' +
    'расскажи расскажите скажи скажите подробнее спасибо привет здравствуйте пожалуйста сравни сравните ещё еще ты тебя тебе кого',
);
const kazakh = words(
  'және мен пен бен үшін бойынша туралы бұл сол осы оның олар ол біз сіз сен неше қанша қандай қалай қайда қашан кім кімнің кімге неге ' +
    'бар жоқ емес деген дегеніміз ма ме ба бе па пе ғой еді болады бола болып керек арқылы кейін дейін бұрын қазір салыстыр ' +
    'бап бапта баптың баптағы бабы бабында тармақ тармағы тарау калай кандай кайда кашан канша сәлем рахмет рақмет сау бол ал ше айырмашылығы ' +
    'толығырақ айтып бер беріңіз немен кімдер қай кай жайлы жөнінде бойы алады жатады қанда',
);
const english = words(
  'the of and to in is are was were be been a an that it for on as with by at from this which or what who whom whose when where why how ' +
    'does do did can could may must shall should will would has have had not no if there their its about into than any article ' +
    'tell me please thanks thank you hello hi more second first difference between compare earlier before after your i we my',
);
const russianInLatin = words(
  'chto kto kak gde kogda kakoi kakoy kakaya kakie kakoe pochemu skolko statya stati statiya takoe takoi punkt privet spasibo esli ili mozhet mojet zakon ' +
    'rasskazhi prezident konstitutsiya konstituciya konstitucii zakona zakony deputat deputatov pravo prava kakov kakova srok ' +
    'nuzhno nujno mozhno mojno nelzya sravni glava razdel stolica stolitsa sud prezidenta parlament parlamente gde zachem dlya',
);
const kazakhInLatin = words(
  'qandai qanday kandai qalai qalay nege degen degenimiz turaly jane zhane bap kim qashan salem rahmet',
);

const kazakhLetter = /[әғқңөұүһі]/;
/** Endings of verbs and of the genitive that no frequent Russian word has. */
const kazakhEnding = /(?:[аеиоуы]йды|лды|[аейы]тты|[дтн]ың)$/;
interface Votes {
  ru: number;
  kk: number;
  en: number;
  /** Frequent words of any language. */
  frequent: number;
  cyrillic: number;
  latin: number;
}

function votes(text: string): Votes {
  const out: Votes = { ru: 0, kk: 0, en: 0, frequent: 0, cyrillic: 0, latin: 0 };
  const list = text.toLowerCase().match(/(?:\p{L}|\u0301)+/gu) ?? [];
  let shared = 0;
  for (const [n, word] of list.entries()) {
    const frequent = russian.has(word) || kazakh.has(word) || english.has(word);
    if (frequent) out.frequent++;
    if (/[a-z]/.test(word)) {
      out.latin += word.length;
      if (english.has(word)) out.en++;
      else if (russianInLatin.has(word)) out.ru++;
      else if (kazakhInLatin.has(word)) out.kk++;
    } else if (/[а-яёәғқңөұүһі]/.test(word)) {
      out.cyrillic += word.length;
      // Russian "not" stands before what it denies, Kazakh "what" may end a question.
      if (word === 'не' && n < list.length - 1) shared++;
      else if (word === 'не') out.kk += 1.5;
      else if (kazakh.has(word)) out.kk += 1.5;
      else if (kazakhLetter.test(word)) out.kk++;
      else if (russian.has(word)) out.ru++;
      else if (kazakhEnding.test(word)) out.kk += 0.75;
      else if (/(?:ого|ому|ый|ий|ая|ое|ые|ться|ция|ции|ость|ости|ение|ения|щ.{0,4}|ъ.*|э.*)$/.test(word))
        out.ru += 0.5;
    }
  }
  // It is of the language the other words are of.
  if (out.kk > out.ru) out.kk += 1.5 * shared;
  else out.ru += shared;
  return out;
}

/**
 * The text as its writer meant it: turned over when it was typed on the wrong keyboard layout ("xnj nfrjt"), in
 * Cyrillic when it is Russian in Latin letters ("chto takoe"), else as it stands. Turned only when frequent words
 * appear that were not there before, or when several small words can be spoken only then ("cvthnyfz rfpym").
 */
export function repairLayout(text: string): string {
  return repaired(text, votes(text));
}

function repaired(text: string, given: Votes): string {
  if (given.cyrillic === 0 && given.en === 0 && given.ru > 0) return inCyrillic(text);
  if (given.frequent > 0 || given.kk > 0 || (given.latin > 0 && given.ru > 0)) return text;
  const others = otherLayouts(text);
  const certain = others.find((turned) => votes(turned).frequent > 0);
  if (certain !== undefined) return certain;
  if (!/^[^\p{Lu}\d]+\s[^\p{Lu}\d]+$/u.test(text) || speakable(text)) return text;
  return others.find((turned) => speakable(turned)) ?? text;
}

/** Words of three letters and more have vowels, and hardly ever five consonants or four vowels in a row. */
function speakable(text: string): boolean {
  const list = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return (
    list.length > 0 &&
    list.every((word) => {
      const vowels = word.match(/[aeiouyаеёиоуыэюяәөұүі]/g)?.length ?? 0;
      return vowels > 0 && vowels / word.length < 0.7 && !/[^aeiouyаеёиоуыэюяәөұүіьъ]{5}/.test(word);
    })
  );
}

/**
 * The language of a text, one of `among`; `fallback` (the first of `among` unless given) where nothing tells.
 * Looks at the first 2,000 units.
 */
export function detectLanguage(
  text: string,
  among: readonly Language[] = ['ru', 'kk', 'en'],
  fallback?: Language,
): Language {
  const looked = text.length > 2000 ? text.slice(0, 2000) : text;
  const given = votes(looked);
  const meant = repaired(looked, given);
  const seen = meant === looked ? given : votes(meant);
  const ru = seen.ru + (seen.cyrillic > 0 && seen.cyrillic >= seen.latin ? 0.4 : 0);
  const en = seen.en + (seen.latin > seen.cyrillic && seen.ru + seen.kk === 0 ? 0.4 : 0);
  const order: [Language, number][] = [
    ['ru', ru],
    ['kk', seen.kk],
    ['en', en],
  ];
  let best: Language | null = null;
  let most = 0;
  for (const [language, score] of order) {
    if (score > most && among.includes(language)) {
      best = language;
      most = score;
    }
  }
  return best ?? fallback ?? among[0] ?? 'ru';
}
