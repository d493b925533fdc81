/**
 * Numbers written in words, in Russian, Kazakh and English: "двадцать пять", "жиырма бес" and "twenty-five" are 25,
 * "третья", "үшінші" and "third" the third. Words are taken as `words()` yields them.
 */

/** A number, and whether it counts or orders. */
interface Reading {
  value: number;
  ordinal: boolean;
}

const adjective = '(?:ый|ая|ое|ые|ого|ому|ым|ом|ой|ую|ых|ыми|ий|ья|ье|ьи|ьего|ьему|ьим|ьем|ьей|ью|ьих|ьими)';
const soft = '(?:ь|и|ью|ми|ьми)';

/** Value, the forms that count, the beginnings of those that order. */
const russian: [number, string, string][] = [
  [0, 'ноль|нол[яюе]|нул[яюей]|нуль', 'нулев'],
  [1, 'один|одн(?:а|о|и|у|ого|ому|им|ом|ой|их|ими)', 'перв'],
  [2, 'дв(?:а|е|ух|ум|умя|ое|оих)', 'втор'],
  [3, 'тр(?:и|ех|ем|емя|ое|оих)', 'трет'],
  [4, 'четыр(?:е|ех|ем|ьмя)|четверо', 'четверт'],
  [5, `пят${soft}|пятеро`, 'пят'],
  [6, `шест${soft}|шестеро`, 'шест'],
  [7, `сем${soft}|семеро`, 'седьм'],
  [8, `восем${soft}|восьм(?:и|ью)`, 'восьм'],
  [9, `девят${soft}`, 'девят'],
  [10, `десят${soft}`, 'десят'],
  [11, `одиннадцат${soft}`, 'одиннадцат'],
  [12, `двенадцат${soft}`, 'двенадцат'],
  [13, `тринадцат${soft}`, 'тринадцат'],
  [14, `четырнадцат${soft}`, 'четырнадцат'],
  [15, `пятнадцат${soft}`, 'пятнадцат'],
  [16, `шестнадцат${soft}`, 'шестнадцат'],
  [17, `семнадцат${soft}`, 'семнадцат'],
  [18, `восемнадцат${soft}`, 'восемнадцат'],
  [19, `девятнадцат${soft}`, 'девятнадцат'],
  [20, `двадцат${soft}`, 'двадцат'],
  [30, `тридцат${soft}`, 'тридцат'],
  [40, 'сорока?', 'сороков'],
  [50, 'пятьдесят|пятидесяти|пятьюдесятью', 'пятидесят'],
  [60, 'шестьдесят|шестидесяти|шестьюдесятью', 'шестидесят'],
  [70, 'семьдесят|семидесяти|семьюдесятью', 'семидесят'],
  [80, 'восемьдесят|восьмидесяти|восьмьюдесятью', 'восьмидесят'],
  [90, 'девяност[оа]', 'девяност'],
  [100, 'ст[оа]', 'сот'],
  [200, 'двести|двухсот', 'двухсот'],
  [300, 'триста|трехсот', 'трехсот'],
  [400, 'четыреста|четырехсот', 'четырехсот'],
  [500, 'пятьсот|пятисот', 'пятисот'],
  [600, 'шестьсот|шестисот', 'шестисот'],
  [700, 'семьсот|семисот', 'семисот'],
  [800, 'восемьсот|восьмисот', 'восьмисот'],
  [900, 'девятьсот|девятисот', 'девятисот'],
  [1000, 'тысяч(?:а|и|е|у|ей|ам|ами|ах)?', 'тысячн'],
  [1e6, 'миллион(?:а|у|ом|е|ы|ов|ам|ами|ах)?', 'миллионн'],
  [1e9, 'миллиард(?:а|у|ом|е|ы|ов|ам|ами|ах)?', 'миллиардн'],
];

const kazakh: [number, string][] = [
  [0, 'нөл'],
  [1, 'бір'],
  [2, 'екі'],
  [3, 'үш'],
  [4, 'төрт'],
  [5, 'бес'],
  [6, 'алты'],
  [7, 'жеті'],
  [8, 'сегіз'],
  [9, 'тоғыз'],
  [10, 'он'],
  [20, 'жиырма'],
  [30, 'отыз'],
  [40, 'қырық'],
  [50, 'елу'],
  [60, 'алпыс'],
  [70, 'жетпіс'],
  [80, 'сексен'],
  [90, 'тоқсан'],
  [100, 'жүз'],
  [1000, 'мың'],
  [1e6, 'миллион'],
  [1e9, 'миллиард'],
];
const kazakhOrder = '(?:ыншы|інші|ншы|нші)';
const kazakhCase =
  '(?:ға|ге|қа|ке|да|де|та|те|дан|ден|тан|тен|нан|нен|ды|ді|ты|ті|ны|ні|ның|нің|дың|дің|тың|тің|сы|сі|еу|ауы?|еуі?)';

const english: [number, string, string][] = [
  [0, 'zero', 'zeroth'],
  [1, 'one', 'first'],
  [2, 'two', 'second'],
  [3, 'three', 'third'],
  [4, 'four', 'fourth'],
  [5, 'five', 'fifth'],
  [6, 'six', 'sixth'],
  [7, 'seven', 'seventh'],
  [8, 'eight', 'eighth'],
  [9, 'nine', 'ninth'],
  [10, 'ten', 'tenth'],
  [11, 'eleven', 'eleventh'],
  [12, 'twelve', 'twelfth'],
  [13, 'thirteen', 'thirteenth'],
  [14, 'fourteen', 'fourteenth'],
  [15, 'fifteen', 'fifteenth'],
  [16, 'sixteen', 'sixteenth'],
  [17, 'seventeen', 'seventeenth'],
  [18, 'eighteen', 'eighteenth'],
  [19, 'nineteen', 'nineteenth'],
  [20, 'twenty', 'twentieth'],
  [30, 'thirty', 'thirtieth'],
  [40, 'forty', 'fortieth'],
  [50, 'fifty', 'fiftieth'],
  [60, 'sixty', 'sixtieth'],
  [70, 'seventy', 'seventieth'],
  [80, 'eighty', 'eightieth'],
  [90, 'ninety', 'ninetieth'],
  [100, 'hundreds?', 'hundredth'],
  [1000, 'thousands?', 'thousandth'],
  [1e6, 'millions?', 'millionth'],
  [1e9, 'billions?', 'billionth'],
];

const rules: { pattern: RegExp; reading: Reading }[] = [];
for (const [value, counting, ordering] of russian) {
  rules.push({ pattern: new RegExp(`^(?:${counting})$`, 'u'), reading: { value, ordinal: false } });
  rules.push({ pattern: new RegExp(`^${ordering}${adjective}$`, 'u'), reading: { value, ordinal: true } });
}
for (const [value, one, ordinal] of english) {
  rules.push({ pattern: new RegExp(`^(?:${one})$`, 'u'), reading: { value, ordinal: false } });
  rules.push({ pattern: new RegExp(`^${ordinal}s?$`, 'u'), reading: { value, ordinal: true } });
}
const kazakhRules: typeof rules = [];
for (const [value, word] of kazakh) {
  // "онда" is "there", "бірге" together.
  const cases = word === 'он' || word === 'бір' ? '' : `${kazakhCase}?`;
  kazakhRules.push({ pattern: new RegExp(`^${word}${cases}$`, 'u'), reading: { value, ordinal: false } });
  kazakhRules.push({
    pattern: new RegExp(`^${word}${kazakhOrder}${kazakhCase}?$`, 'u'),
    reading: { value, ordinal: true },
  });
}

const known = new Map<string, Reading | null>();
const maxKnown = 20_000;

function read(word: string, isKazakh: boolean): Reading | null {
  const key = isKazakh ? `қ${word}` : word;
  const before = known.get(key);
  if (before !== undefined) return before;
  const all = isKazakh ? [...kazakhRules, ...rules] : rules;
  const found = all.find(({ pattern }) => pattern.test(word))?.reading ?? null;
  if (known.size >= maxKnown) known.clear();
  known.set(key, found);
  return found;
}

/** What of a list of words is a number: its place, how many words it takes, and its value ("25", "3." for the third). */
export interface SpeltNumber {
  at: number;
  length: number;
  value: string;
}

/**
 * The numbers spelt out in a text's words, in order. `isKazakh`: "он" and "бес" are numbers in Kazakh alone, in
 * Russian a pronoun and a noun.
 */
export function speltNumbers(list: readonly string[], isKazakh: boolean): SpeltNumber[] {
  const found: SpeltNumber[] = [];
  for (let at = 0; at < list.length; ) {
    let total = 0;
    let current = 0;
    let ordinal = false;
    let next = at;
    // Each word must be of a lower rank than the one before it: "двадцать пять" is one number, "пять двадцать" two.
    let rank = Number.POSITIVE_INFINITY;
    for (; next < list.length && !ordinal; next++) {
      const one = read(list[next]!, isKazakh);
      if (one === null) break;
      const multiplies = one.value >= 100 && current > 0 && current < one.value;
      if (one.value >= 1000) {
        total += (current || 1) * one.value;
        current = 0;
        rank = one.value;
      } else if (multiplies && one.value === 100) {
        current *= 100;
        rank = 100;
      } else if (next > at && digits(one.value) >= digits(rank)) break;
      else {
        current += one.value;
        // Kazakh says "ten two" for twelve.
        rank = one.value < 20 && one.value > (isKazakh ? 10 : 9) ? 1 : one.value;
      }
      ordinal = one.ordinal;
    }
    if (next > at) found.push({ at, length: next - at, value: `${total + current}${ordinal ? '.' : ''}` });
    at = Math.max(next, at + 1);
  }
  return found;
}

const digits = (value: number) => (value === Number.POSITIVE_INFINITY ? value : String(value).length);
