/**
 * Finds the two subjects and the topic of a comparison: "сравни численность палат A и B", "A vs B: who appoints them",
 * "чем отличается A от B", "X and Y about bridges", "X мен Y көпірлер туралы".
 */
import { ownWords, tableOfAll, wordsOfAll } from '../../../language/index.ts';
import { isStopWord, type Token, tokensOf } from '../../../text/words.ts';

export interface NamedSides {
  sides: [string, string];
  /** The topic of the comparison, including the word that introduces or ends it; '' if there is none. */
  topic: string;
}

const own = ownWords(import.meta.url);
const compares = tableOfAll('comparing.compares');
const versus = wordsOfAll('comparing.versus');
const from = own.wordsOfAll('from');
const joins = wordsOfAll('comparing.joins');
const fillers = own.wordsOfAll('fillers');
const aboutOpens = wordsOfAll('speech.aboutOpens');
const aboutCloses = wordsOfAll('speech.aboutCloses');
const said = [tableOfAll('speech.reports'), tableOfAll('speech.stances')];
const endsSegment = /[:;,?!]|\s[–—-]\s|\.(?=\s|$)/gu;

/** Returns null if the question does not name two subjects. */
export function readSides(question: string): NamedSides | null {
  // The full stop of "vs." does not end a segment.
  const text = question
    .replace(/(?<=\p{L})\.(?=\s+\p{Ll})/gu, ' ')
    .replace(/(?<!\p{L})(vs)\.(?=\s)/giu, '$1 ');
  const tokens = tokensOf(text);
  const segments = segmentsOf(text).map(([from, to]) =>
    tokens.filter(({ start, end }) => start >= from && end <= to),
  );
  for (const [n, segment] of segments.entries()) {
    const at = joinIn(segment);
    if (at === null) continue;
    const left = segment.slice(0, at);
    const right = segment.slice(at + 1);
    const [one, ofFirst] = withoutTopic(text, left);
    const [two, ofSecond] = withoutTopic(text, right);
    const sides = [named(text, one), named(text, two)];
    if (sides.some((side) => side === '')) continue;
    const rest = segments
      .filter((_, other) => other !== n)
      .flatMap((other) => (other.some(names) ? [spanOf(text, other)] : []));
    const topic = [ofFirst, ofSecond, ...rest].filter((part) => part !== '').join(' ');
    return { sides: sides as [string, string], topic };
  }
  return null;
}

function segmentsOf(text: string): [from: number, to: number][] {
  const ends = [...text.matchAll(endsSegment)].map(
    ({ 0: sign, index }) => [index, index + sign.length] as const,
  );
  return [...ends, [text.length, text.length] as const].map(([to], n) => [n === 0 ? 0 : ends[n - 1]![1], to]);
}

const names = ({ word }: Token): boolean => !isStopWord(word) && !isFrame(word);
const isFrame = (word: string): boolean =>
  compares.has(word) || fillers.has(word) || said.some((some) => some.has(word));

/** The index of the word between the two subjects: "vs", "and", or "from" in "differs from". */
function joinIn(tokens: readonly Token[]): number | null {
  const isParted = (n: number) => tokens.slice(0, n).some(names) && tokens.slice(n + 1).some(names);
  const first = (isJoin: (token: Token, n: number) => boolean): number | null => {
    const n = tokens.findIndex((token, place) => isJoin(token, place) && isParted(place));
    return n < 0 ? null : n;
  };
  return (
    first(({ word }) => versus.has(word)) ??
    first(({ word }, n) => from.has(word) && compares.has(tokens[n - 1]?.word ?? '')) ??
    first(({ word }) => joins.has(word)) ??
    first(({ word }) => from.has(word))
  );
}

/** Separates the topic from a side: "about …" after the side, or "… туралы" after its first word. */
function withoutTopic(text: string, tokens: readonly Token[]): [side: Token[], topic: string] {
  const opened = tokens.findIndex(
    ({ word }, n) => n > 0 && aboutOpens.has(word) && tokens.slice(0, n).some(names),
  );
  if (opened >= 0) return [tokens.slice(0, opened), spanOf(text, tokens.slice(opened))];
  const closed = tokens.findIndex(({ word }) => aboutCloses.has(word));
  const name = tokens.findIndex(names);
  if (closed <= name + 1) return [[...tokens], ''];
  return [tokens.slice(0, name + 1), spanOf(text, tokens.slice(name + 1, closed + 1))];
}

/** The text from the first to the last content token. */
function named(text: string, tokens: readonly Token[]): string {
  const first = tokens.findIndex(names);
  const last = tokens.findLastIndex(names);
  if (first < 0) return '';
  const kept = tokens.slice(first, last + 1).filter(({ word }) => !isFrame(word));
  return kept.map(({ start, end }) => text.slice(start, end)).join(' ');
}

const spanOf = (text: string, tokens: readonly Token[]): string =>
  tokens
    .filter(({ word }) => !isFrame(word))
    .map(({ start, end }) => text.slice(start, end))
    .join(' ');
