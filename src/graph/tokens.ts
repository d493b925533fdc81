/** The words, numbers and signs of a chunk, with what the names in it are read by. */
import type { Language } from '../text/languages/index.ts';
import { listMark, splitSentences } from '../text/sentences.ts';
import { foldLetters } from '../text/words.ts';
import { factsOf, noFacts, type WordFacts } from './vocabulary.ts';

export interface Token {
  kind: 'word' | 'number' | 'sign';
  /** As it stands in the text. */
  text: string;
  /** Folded: lower case, ё as е. */
  low: string;
  /** What is known of it; of signs and numbers nothing. */
  facts: WordFacts;
  /** UTF-16 offsets. */
  start: number;
  end: number;
  /** Begins with a capital letter. */
  capital: boolean;
  /** Two letters and more, all of them capitals. */
  shouted: boolean;
  /** Opens a sentence, a quotation or an item of a list, so that its capital letter tells nothing. */
  opens: boolean;
  /** One blank parts it from the token before. */
  adjacent: boolean;
}

// A word may have hyphens and apostrophes inside; "7.5" and "200 000" are one number each.
const pieces =
  /(?<number>\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])(?:[.,]\d{1,6})?|\d+(?:[.,]\d+)?)|(?<word>\p{L}[\p{L}\p{M}\d]*(?:[-’'\u2010\u2011][\p{L}\d]+){0,4})|(?<sign>[^\s\p{L}\d])/gu;
/** Longer runs of letters are encoded data, mostly: what is known of them is known of their beginning. */
const wordMax = 64;
const openers = new Set(['«', '“', '„', '"', '—', '–', ':', ';', '(', '•']);

/** The tokens of a text, in order. */
export function tokensOf(text: string, lang: Language): Token[] {
  const starts = new Set<number>();
  for (const { start } of splitSentences(text)) {
    listMark.lastIndex = start;
    const mark = listMark.exec(text);
    starts.add(start);
    if (mark) starts.add(start + mark[0].length);
  }
  const out: Token[] = [];
  let opens = false;
  for (const { 0: found, index: start, groups } of text.matchAll(pieces)) {
    const kind = groups?.word !== undefined ? 'word' : groups?.number !== undefined ? 'number' : 'sign';
    const before = out.at(-1);
    opens ||= starts.has(start);
    const capital = kind === 'word' && isCapital(found);
    const low = kind === 'word' ? foldLetters(found.slice(0, wordMax)) : found;
    out.push({
      kind,
      text: found,
      low,
      facts: kind === 'word' ? factsOf(low, lang) : noFacts,
      start,
      end: start + found.length,
      capital,
      shouted: capital && found.length > 1 && found === found.toUpperCase() && found !== found.toLowerCase(),
      opens,
      adjacent: before !== undefined && before.end + 1 === start && /[ \u00a0\u202f]/.test(text[start - 1]!),
    });
    // Signs and numbers pass it on to the word behind them.
    if (kind === 'word') opens = false;
    else if (openers.has(found)) opens = true;
  }
  return out;
}

function isCapital(word: string): boolean {
  const first = word.charAt(0);
  return first !== first.toLowerCase();
}
