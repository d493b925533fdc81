/**
 * Decodes text from bytes: byte order marks, UTF-8, UTF-16, and the single-byte code pages used for Russian.
 *
 * Anything that is valid UTF-8 is treated as UTF-8, because longer text in another encoding is almost never valid
 * UTF-8. Single-byte code pages are chosen by scoring the decoded text, because general-purpose detectors fail on short
 * Cyrillic text. The score combines Russian letter frequencies, the case of letters inside words (koi8-r read as cp1251
 * gives Russian letters with swapped case) and neighbouring letters (a Cyrillic letter inside a Latin word indicates
 * cp1252).
 */
import { joined } from '../language/index.ts';
import { tidyText } from './blocks.ts';

export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1251'
  | 'koi8-r'
  | 'ibm866'
  | 'windows-1252';

/** Russian letter frequencies in 1/1000. Letters specific to Kazakh do not exist in these code pages. */
const frequency = new Map<string, number>();
for (const [n, letter] of [...joined('letters.byFrequency').replaceAll(' ', '')].entries()) {
  frequency.set(letter, Math.max(1, 110 * 0.88 ** n));
}

/** Decodes a file and normalises it: `\n` line endings, NFC, no soft hyphens, no NULs or other control characters. */
export function decode(bytes: Uint8Array, declared?: string | null): string {
  return tidyText(new TextDecoder(detectEncoding(bytes, declared)).decode(bytes));
}

/** Number of bytes used to detect the encoding of a streamed file. */
const sampleBytes = 64 * 1024;

/**
 * Decodes a streamed file without normalising it; the encoding is determined from the first 64 KB. `bytes` is the
 * number of bytes read so far.
 */
export async function* decodeStream(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; bytes: number }> {
  let head: Uint8Array = new Uint8Array(0);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    head = head.length === 0 ? piece : Buffer.concat([head, piece]);
    if (decoder === null && head.length < sampleBytes) continue;
    decoder ??= new TextDecoder(detectEncoding(head.subarray(0, sampleBytes), null, false));
    yield { text: decoder.decode(head, { stream: true }), bytes };
    head = new Uint8Array(0);
  }
  decoder ??= new TextDecoder(detectEncoding(head));
  yield { text: decoder.decode(head), bytes };
}

/**
 * `declared`: the encoding stated in the file (an HTML meta tag or an XML declaration), used if plausible. `whole`: the
 * bytes reach the end of the file, so the last character is complete.
 */
export function detectEncoding(bytes: Uint8Array, declared?: string | null, whole = true): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const wide = wideEncoding(bytes.subarray(0, 65_536));
  if (wide) return wide;
  if (isUtf8(bytes, whole)) return 'utf-8';
  const sample = highSample(bytes);
  const scores = (['windows-1251', 'koi8-r', 'ibm866', 'windows-1252'] as const).map((encoding) => ({
    encoding,
    score:
      score(new TextDecoder(encoding).decode(sample), encoding) + (sameName(declared, encoding) ? 0.5 : 0),
  }));
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).encoding;
}

function sameName(declared: string | null | undefined, encoding: Encoding): boolean {
  if (!declared) return false;
  try {
    return new TextDecoder(declared).encoding === encoding;
  } catch {
    return false;
  }
}

/** Detects UTF-16 without a byte order mark: every other byte is 0 in ASCII text and 4 in Cyrillic text. */
function wideEncoding(bytes: Uint8Array): Encoding | null {
  const pairs = Math.floor(bytes.length / 2);
  if (pairs < 2) return null;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < pairs * 2; i += 2) {
    const [a, b] = [bytes[i]!, bytes[i + 1]!];
    if ((a === 0 || a === 4) && b > 4) even++;
    if ((b === 0 || b === 4) && a > 4) odd++;
  }
  if (even + odd === 0 || Math.max(even, odd) / pairs < 0.6) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Strictly valid UTF-8, or a long text with only a few damaged bytes. */
function isUtf8(bytes: Uint8Array, whole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
    return true;
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes.subarray(0, 1_000_000));
    let bad = 0;
    let good = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad++;
      else if (code > 127) good++;
    }
    return good > 50 * bad;
  }
}

/** Up to about 20,000 bytes, starting shortly before the first byte above 127. */
function highSample(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 20_000) return bytes;
  const first = bytes.findIndex((b) => b > 127);
  return bytes.subarray(Math.max(0, first - 100), first + 20_000);
}

/** Average score of the characters above 127; higher means more likely. */
function score(text: string, encoding: Encoding): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign.charCodeAt(0) < 128) continue;
    count++;
    const before = text[i - 1] ?? ' ';
    const after = text[i + 1] ?? ' ';
    const latinNear = /[A-Za-z]/.test(before) || /[A-Za-z]/.test(after);
    if (encoding === 'windows-1252') {
      // In Western text, accented letters occur inside Latin words; a run of accented letters is misread Cyrillic.
      const lonely = before.charCodeAt(0) < 128 && after.charCodeAt(0) < 128;
      if (/\p{L}/u.test(sign)) sum += latinNear && lonely ? 1 : -2;
      else sum += /[«»„“”‘’–—…§©®°№£€\u00a0]/u.test(sign) ? 0.5 : -1;
      continue;
    }
    const low = sign.toLowerCase();
    const share = frequency.get(low);
    if (share === undefined) {
      sum += /[«»„“”‘’–—…§©®°№•\u00a0]/u.test(sign) ? 0.5 : /\p{L}/u.test(sign) ? -1 : -3;
      continue;
    }
    sum += Math.log10(share) - 0.6;
    if (latinNear) sum -= 2;
    // A capital inside a word is rare, except in all-capital words.
    if (low !== sign && /\p{Ll}/u.test(before)) sum -= 3;
    if (low === sign && /\p{Lu}/u.test(before) && /\p{Lu}/u.test(text[i - 2] ?? ' ')) sum -= 2;
  }
  return count === 0 ? 0 : sum / count;
}
