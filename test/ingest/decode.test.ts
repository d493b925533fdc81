import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, detectEncoding } from '../../src/formats/decode.ts';

const alphabet = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const pages = {
  'windows-1251': table('windows-1251'),
  'koi8-r': table('koi8-r'),
  ibm866: table('ibm866'),
  'windows-1252': table('windows-1252'),
} as const;

/** Maps each character to its byte in a single-byte encoding. */
function table(encoding: string): Map<string, number> {
  const all = Uint8Array.from({ length: 256 }, (_, n) => n);
  return new Map([...new TextDecoder(encoding).decode(all)].map((sign, n) => [sign, n]));
}

const read = (bytes: Uint8Array) => ({ text: decode(bytes), encoding: detectEncoding(bytes) });

function encode(text: string, encoding: keyof typeof pages): Uint8Array {
  return Uint8Array.from(text, (sign) => pages[encoding].get(sign) ?? 63);
}

function utf16(text: string, little: boolean): Uint8Array {
  const out = new Uint8Array(text.length * 2);
  const view = new DataView(out.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), little);
  return out;
}

const texts = [
  'Статья 5. Право на отдых',
  'Каждый имеет право на жизнь.\r\nНикто не может быть произвольно лишён жизни.',
  'ФЕДЕРАЛЬНЫЙ ЗАКОН О ПЕРСОНАЛЬНЫХ ДАННЫХ',
  'Вода',
  'Настройте Nginx и перезапустите службу: systemctl restart nginx',
  'Цена — 25 рублей (№ 7), «скидка» 5 %.',
];

describe('decoding', () => {
  for (const text of texts) {
    for (const encoding of ['windows-1251', 'koi8-r', 'ibm866'] as const) {
      const kept = [...text].filter((sign) => pages[encoding].has(sign)).join('');
      it(`${encoding}: ${text.slice(0, 30)}`, () => {
        expect(read(encode(kept, encoding))).toEqual({
          text: kept.replaceAll('\r\n', '\n').replaceAll('\u00a0', ' '),
          encoding,
        });
      });
    }
    it(`UTF-16 without a mark: ${text.slice(0, 30)}`, () => {
      const expected = text.replaceAll('\r\n', '\n');
      expect(read(utf16(text, true))).toEqual({ text: expected, encoding: 'utf-16le' });
      expect(read(utf16(text, false))).toEqual({ text: expected, encoding: 'utf-16be' });
    });
  }

  it('trusts byte order marks', () => {
    expect(read(utf16('\ufeffӘділет', true))).toEqual({ text: 'Әділет', encoding: 'utf-16le' });
    expect(read(utf16('\ufeffӘділет', false))).toEqual({ text: 'Әділет', encoding: 'utf-16be' });
    expect(read(new TextEncoder().encode('\ufeffӘділет'))).toEqual({ text: 'Әділет', encoding: 'utf-8' });
  });

  it('recognises Western text with a few accents', () => {
    expect(decode(encode('The café serves crème brûlée.', 'windows-1252'))).toBe(
      'The café serves crème brûlée.',
    );
  });

  it('reads nearly valid UTF-8 as UTF-8', () => {
    const text = 'Республика состоит из девяти областей и столицы. '.repeat(5);
    const damaged = new TextEncoder().encode(text);
    damaged[damaged.length - 3] = 0xff;
    expect(detectEncoding(damaged)).toBe('utf-8');
  });

  it('preserves text in any single alphabet through UTF-8 and UTF-16 with a byte order mark', () => {
    const sign = fc.constantFrom(
      ...alphabet,
      ...alphabet.toUpperCase(),
      ...'әғқңөұүһі abcXYZ.,!? 0123456789'.split(''),
    );
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 200 }), (text) => {
        const clean = text.normalize('NFC');
        expect(decode(new TextEncoder().encode(clean))).toBe(clean);
        expect(decode(utf16(`\ufeff${clean}`, true))).toBe(clean);
        expect(decode(utf16(`\ufeff${clean}`, false))).toBe(clean);
      }),
    );
  });

  it('preserves Russian sentences through single-byte encodings', () => {
    const word = fc.constantFrom(
      ...'право закон статья граждане республика судебная власть президент парламент выборы вода язык земля и в на по не из'.split(
        ' ',
      ),
    );
    const sentence = fc
      .array(word, { minLength: 6, maxLength: 40 })
      .map((words) => `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`);
    fc.assert(
      fc.property(sentence, fc.constantFrom('windows-1251', 'koi8-r', 'ibm866'), (text, encoding) => {
        expect(read(encode(text, encoding))).toEqual({ text, encoding });
      }),
    );
  });

  it('removes invisible characters', () => {
    expect(decode(new TextEncoder().encode('a\u0000b\u00adc\u200bd\r\ne\rf\u2028g\u00a0h'))).toBe(
      'abcd\ne\nf\ng h',
    );
    expect(decode(new TextEncoder().encode('и\u0306'))).toBe('й');
  });
});
