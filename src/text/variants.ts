/**
 * Other ways in which a word may have been typed: on the keyboard of the other layout, or a name in the letters of
 * the other script. Which of them is meant is for the index to say, by the words it knows.
 */
import { isCyrillic } from './words.ts';

const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const russianKeys = 'йцукенгшщзхъфывапролджэячсмитьбюё';
/** Keys of the upper row that hold letters in the Kazakh layout. */
const latinRow = '2345890-=';
const kazakhRow = 'әіңғүұқөһ';

const pairs = (from: string, to: string): [string, string][] => [...from].map((ch, n) => [ch, to[n]!]);
const toRussian = new Map([
  ...pairs(latinKeys, russianKeys),
  ['{', 'х'],
  ['}', 'ъ'],
  [':', 'ж'],
  ['"', 'э'],
  ['<', 'б'],
  ['>', 'ю'],
  ['~', 'ё'],
]);
const toKazakh = new Map([...toRussian, ...pairs(latinRow, kazakhRow)]);
const toLatin = new Map([...pairs(russianKeys, latinKeys), ...pairs(kazakhRow, latinRow)]);

const convert = (text: string, keys: ReadonlyMap<string, string>): string => {
  let made = '';
  for (const ch of text.toLowerCase()) made += keys.get(ch) ?? ch;
  return made;
};

/**
 * What a stretch of text without blanks gives when the same keys are pressed in another layout, likeliest first:
 * for Latin letters the Russian, then the Kazakh layout; for Cyrillic the English one. It may hold other words and
 * other punctuation: "," is a letter there. Text without a letter has no other layout.
 */
export function otherLayouts(text: string): string[] {
  if (isCyrillic(text.toLowerCase())) return [convert(text, toLatin)];
  if (!/[a-z]/i.test(text)) return [];
  const russian = convert(text, toRussian);
  const kazakh = convert(text, toKazakh);
  return kazakh === russian ? [russian] : [russian, kazakh];
}

const sounds: Record<string, string> = {
  а: 'a',
  ә: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ғ: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'i',
  к: 'k',
  қ: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  ң: 'n',
  о: 'o',
  ө: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ұ: 'u',
  ү: 'u',
  ф: 'f',
  х: 'h',
  һ: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ы: 'i',
  і: 'i',
  ь: '',
  э: 'e',
  ю: 'iu',
  я: 'ia',
};

/**
 * A key that a name has in either script: Cyrillic letters by sound, then kh as h, y and j as i, w as v, ph as f,
 * ck and c (not before h) as k, q as k, x as ks, shch as sh, ng as n, double letters once.
 */
export function soundKey(word: string): string {
  let key = '';
  for (const ch of word) key += sounds[ch] ?? ch;
  return key
    .replace(/shch|sch/g, 'sh')
    .replace(/kh/g, 'h')
    .replace(/ph/g, 'f')
    .replace(/ck/g, 'k')
    .replace(/c(?!h)/g, 'k')
    .replace(/q/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/[yj]/g, 'i')
    .replace(/(.)\1+/g, '$1');
}

const cyrillic: [RegExp, string][] = (
  [
    ['shch', 'щ'],
    ['sch', 'щ'],
    ['zh', 'ж'],
    ['kh', 'х'],
    ['ts', 'ц'],
    ['ch', 'ч'],
    ['sh', 'ш'],
    ['yu', 'ю'],
    ['iu', 'ю'],
    ['ju', 'ю'],
    ['ya', 'я'],
    ['ia', 'я'],
    ['ja', 'я'],
    ['yo', 'ё'],
    ['ye', 'е'],
    ['iy', 'ий'],
    ['yy', 'ый'],
    ["'", 'ь'],
  ] as const
).map(([from, to]) => [new RegExp(from, 'gi'), to]);
const cyrillicLetters: Record<string, string> = Object.fromEntries(
  pairs('abvgdezijklmnoprstufhcyxwq', 'абвгдезийклмнопрстуфхцыхвк'),
);

/** Russian typed in Latin letters, in Cyrillic: "skolko deputatov" is "сколько депутатов", but for a soft sign. */
export function inCyrillic(text: string): string {
  let made = text.toLowerCase();
  for (const [from, to] of cyrillic) made = made.replace(from, to);
  return made
    .replace(/[a-z]/g, (letter) => cyrillicLetters[letter] ?? letter)
    .replace(/(?<=[аеиоуыэюя])ы(?!\p{L})/gu, 'й');
}
