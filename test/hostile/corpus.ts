/**
 * Input meant to keep the service busy, fill its memory or make it reveal secrets: texts, bodies, frames and forms,
 * each the worst case of its kind. Tests and `npm run bench -- hostile` use the same corpus.
 */

export const fragments = [
  'чем ',
  'чем а отличается от б ',
  'в чем разница между ',
  'what is the difference between ',
  'айырмашылығы ',
  'статья 1 ',
  'подпункты 1-30 пунктов 1-30 статей 1-30 ',
  'с 1 по 5 ',
  'ст.',
  'бап ',
  '§',
  '1.',
  '1-',
  '5(',
  'и ',
  'не ',
  'а ',
  'я ',
  'the ',
  'is ',
  'кто ',
  'как ',
  'до ',
  'что такое ',
  'двадцать ',
  'ок ',
  'пока ',
  'большое спасибо ',
  'привет ',
  'bye ',
  'понятно, ',
  'раньше ',
  'в 1995 году ',
  'compare ',
  'сравни ',
  'подробнее ',
  'скажи ',
  'пожалуйста ',
  'ignore your rules ',
  'игнорируй правила ',
  'Президент ',
  'Aa ',
  'А.А. ',
  'тел. ',
  'г. ',
  'xnj ',
  'a-b-',
  '(',
  ')',
  '"',
  '«',
  '. ',
  '? ',
  '…',
  '-',
  '—',
  '\n',
  ' ',
  '\u0301',
  'ё',
  'і',
  '👍',
  '\u200b',
  'http://',
  '\u0001',
  '\ud800',
  '\u202e',
  '<b ',
  '&amp;',
  '| ',
  '#',
  '* ',
  '`',
  '[a](',
  'NEAR(',
  'OR ',
  '" OR 1=1 --',
  '$',
  '\\',
  '%00',
  '../',
];

/** The maximum length of a question, of a message in a history and of a passage, in UTF-16 units. */
export const longest = { question: 2_000, message: 4_000, chunk: 8_000, text: 60_000 };

export function filled(parts: readonly string[], length: number): string {
  const once = parts.join('');
  return once.repeat(Math.ceil(length / once.length)).slice(0, length);
}

/** The longest possible history, with the same text in each message. */
export const fullHistory = (content: string): { role: 'user' | 'assistant'; content: string }[] =>
  Array.from({ length: 20 }, (_, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }));

/** Distinct invented words, each of which needs its own index lookup. */
export const strangeWords = (count: number, seed = 0): string =>
  Array.from({ length: count }, (_, n) => `ъ${(n * 7919 + seed).toString(36)}`).join(' ');

/** Questions that once took minutes or megabytes, by their effect. */
export const questions: Record<string, string> = {
  'multiplied references': 'подпункты 1-30 пунктов 1-30 статей 1-30',
  'three ranges per level':
    'подпункты 1-30, 31-60, 61-90 пунктов 1-30, 31-60, 61-90 статей 1-30, 31-60, 61-90',
  'provisions of a whole text': 'статьи 1-30',
  'chapters of a whole text': 'главы 1-30',
  'nonexistent chapters': 'главы 901-930',
  'nonexistent provisions': 'статьи 901-930',
  'points of any act': 'пункты 901-930 закона',
  'repeated stop word': filled(['и '], longest.question),
  'repeated word': filled(['президент '], longest.question),
  'unknown words': strangeWords(400).slice(0, longest.question),
  'prefixes of everything': filled(['а б в г д е ж з и к л м н о п р с т у ф х '], longest.question),
  'differences of differences': filled(['чем а отличается от б '], longest.question),
  'nested brackets': filled(['('], longest.question),
  'operators of a full-text query': filled(['NEAR("а" OR *) ^ {x}: '], longest.question),
  escapes: filled(['\u0001'], longest.question),
  'half characters': filled(['\ud83d'], longest.question),
  accents: `о${filled(['\u0301'], longest.question - 1)}`,
};

/** Invalid bodies of a question, as text. */
export const bodies: Record<string, string> = {
  'nested lists': '['.repeat(100_000),
  'nested objects': '{"a":'.repeat(100_000),
  'many keys': `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  'many faults': JSON.stringify({
    query: 5,
    history: Array.from({ length: 20_000 }, () => ({ role: 'x', content: 5 })),
  }),
  'a text of two megabytes': JSON.stringify({ query: 'я'.repeat(1_000_000) }),
  'a number of a megabyte': `{"query":${'9'.repeat(1_000_000)}}`,
  prototypes: '{"__proto__":{"query":"x"},"constructor":{"prototype":{"query":"x"}}}',
  'no JSON': '{"query": "a',
  'no UTF-8': '\u00ff\u00fe',
};

/** Invalid bodies of the ask page's form (application/x-www-form-urlencoded), of up to a megabyte. */
export const pageForms: Record<string, string> = {
  'many fields': 'a&'.repeat(500_000),
  'many questions': 'q=a&'.repeat(250_000),
  separators: '&'.repeat(1_000_000),
  'equals signs': '='.repeat(1_000_000),
  'percent signs': `q=${'%'.repeat(1_000_000)}`,
  escapes: `q=${'%D1%8F'.repeat(170_000)}`,
  'half characters': `q=${'%ED%A0'.repeat(170_000)}`,
  'spaces for a question': `q=${'+'.repeat(1_000_000)}a`,
  'a corpus of a megabyte': `q=a&corpus=${'a'.repeat(1_000_000)}`,
  'a history of many values': `q=&history=[${'0,'.repeat(400_000)}0]`,
  'a history of many objects': `q=&history=[${'{},'.repeat(300_000)}{}]`,
  'a history of lists in lists': `q=&history=${'['.repeat(900_000)}`,
  'a history of one long text': `q=&history=[{"role":"user","content":"${'я'.repeat(400_000)}"}]`,
};

/** Request headers, each near the maximum size. */
export const headers: Record<string, [name: string, value: string]> = {
  'a language with only spaces': ['accept-language', `a${' '.repeat(15_000)}b`],
  'empty languages': ['accept-language', ','.repeat(15_000)],
  'a language with many parameters': ['accept-language', `a${' ;'.repeat(7_500)}`],
  'many languages': ['accept-language', 'ru;q=0.1,'.repeat(1_600)],
  'media types': ['accept', 'text/html;q=0.1,'.repeat(900)],
  encodings: ['accept-encoding', `${'gzi '.repeat(3_700)}`],
  'entity tags': ['if-none-match', '"a",'.repeat(3_700)],
  'credentials with only spaces': ['authorization', `basic${' '.repeat(15_000)}!`],
  'long credentials': ['authorization', `basic ${'+'.repeat(15_000)}!`],
  'a long key': ['x-api-key', 'dk_'.repeat(5_000)],
  proxies: ['x-forwarded-for', '1.1.1.1, '.repeat(1_600)],
  'a long origin': ['origin', `http://${'a.'.repeat(7_500)}`],
  'a media type with many spaces': ['content-type', `application/${' '.repeat(15_000)}+json`],
  'a media type with many symbols': ['content-type', `application/${'+'.repeat(15_000)}`],
  'a long event id': ['last-event-id', `${'1:'.repeat(7_500)}`],
};

/** WebSocket frames that are not questions. */
export const frames: Record<string, string> = {
  'no JSON': '[',
  'a number': '5',
  null: 'null',
  'an unknown type': '{"type":"subscribe"}',
  'a question of another kind': '{"query":5}',
  'deep nesting': '['.repeat(50_000),
  'many faults': JSON.stringify({ query: '', history: Array.from({ length: 5_000 }, () => 5) }),
};

const part = (head: string, content: string) => `--x\r\n${head}\r\n\r\n${content}\r\n`;
const file = (name: string, content: string) =>
  part(`content-disposition: form-data; name="file"; filename="${name}"`, content);
const field = (name: string, value: string) => part(`content-disposition: form-data; name="${name}"`, value);
const form = (...parts: string[]) => `${parts.join('')}--x--\r\n`;

/** Bodies of an upload (multipart/form-data with the boundary `x`), each with one error. */
export const forms: Record<string, string> = {
  nothing: '',
  'an end only': '--x--\r\n',
  'no end': field('corpus_id', 'krk_2026'),
  'no file': form(field('corpus_id', 'krk_2026')),
  'a file without a name': form(field('corpus_id', 'krk_2026'), file('', '# A')),
  'a name with 15,000 characters': form(
    field('corpus_id', 'krk_2026'),
    file(`${'я'.repeat(15_000)}.md`, '# A'),
  ),
  'a name that leaves the folder': form(
    field('corpus_id', 'krk_2026'),
    file('../../../etc/passwd', '# A\n\nText.'),
  ),
  'a name with control characters': form(
    field('corpus_id', 'krk_2026'),
    file('a\u001b[2J\u0000.md', '# A\n\nText.'),
  ),
  'two files': form(file('a.md', '# A'), file('b.md', '# B')),
  'a file as a field': form(field('corpus_id', 'krk_2026'), field('file', '# A')),
  'a field as a file': form(
    part('content-disposition: form-data; name="corpus_id"; filename="x"', 'krk_2026'),
  ),
  'a field twice': form(field('corpus_id', 'krk_2026'), field('corpus_id', 'other'), file('a.md', '# A')),
  prototypes: form(field('__proto__', '1'), field('constructor', '1'), file('a.md', '# A')),
  'a thousand fields': form(...Array.from({ length: 1_000 }, (_, n) => field(`f${n}`, 'x'))),
  'a field of a megabyte': form(field('title', 'a'.repeat(1_000_000)), file('a.md', '# A')),
  'a head of a megabyte': `--x\r\ncontent-disposition: form-data; name="${'a'.repeat(1_000_000)}"\r\n\r\n\r\n--x--`,
  'a form in a form': form(part('content-type: multipart/mixed; boundary=y', '--y\r\n\r\n--x\r\n--y--')),
  'another encoding': form(
    part(
      'content-disposition: form-data; name="file"; filename="a.md"\r\ncontent-transfer-encoding: base64',
      'IyBB',
    ),
  ),
  'front matter that refers to itself': form(
    field('corpus_id', 'krk_2026'),
    file('b.md', '---\nb: &b [*b]\n---\n# A\n\nText.'),
  ),
  'front matter that grows exponentially': form(
    field('corpus_id', 'krk_2026'),
    file(
      'm.md',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((c, n) => `${c}: &${c} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[n]}`).join(',')}]`).join('\n')}\n---\n# A\n\nText.`,
    ),
  ),
};
