/**
 * Finds the legal act named next to a provision: "статья 42 Конституции Казахстана", "Article 42 of the US
 * Constitution", "Қылмыстық кодекстің 29-бабы", "закон о персональных данных, статья 9", "ст. 5 ГК РФ". The name of
 * an act consists of a word for its kind and of details that identify it: names, adjectives, a topic or a number.
 */

import type { Span } from '../../domain/span.ts';
import {
  type ActKind,
  type ActRow,
  endings,
  type Language,
  languages,
  rowsOfAll,
  tableOfAll,
  WordTable,
  wordsOfAll,
} from '../../language/index.ts';
import { whenAsked } from '../../language/when-asked.ts';
import { FactsByStem } from '../by-stem.ts';
import { isStopWord } from '../stopwords.ts';
import { foldText, stem } from '../words.ts';

export interface NamedAct {
  /** The kind of act, independent of the language; null if the act is named only by an abbreviation. */
  kind: ActKind | null;
  /** Names of states and bodies, and abbreviations, as written. */
  names: string[];
  /** Adjectives and topic words. */
  topics: string[];
  /** "152-ФЗ" without its letters: "152". */
  number: string | null;
}

const kinds = new WordTable<ActKind>();
for (const [kind, forms] of rowsOfAll<ActRow>('acts.kinds')) kinds.add(forms, kind);
const basic = tableOfAll('acts.basic');

/** The kind of act that a word names; null if it names none. */
export const kindOf = (word: string): ActKind | null => kinds.get(foldText(word)) ?? null;

/** Like `kindOf`, but treats the basic law of a state as its constitution ("Ата заң", "Основной закон"). */
function kindAt(list: readonly string[], at: number): ActKind | null {
  const kind = kindOf(list[at] ?? '');
  return kind === 'law' && basic.has(foldText(list[at - 1] ?? '')) ? 'constitution' : kind;
}

/** The kinds of acts named in a title. */
export function kindsIn(title: string): ActKind[] {
  const list = [...title.matchAll(/\p{L}+/gu)].map(([word]) => word);
  return list.flatMap((_, at) => kindAt(list, at) ?? []);
}

const general = tableOfAll('acts.general');
const states = tableOfAll('acts.states');
const isAdjective = endings('acts.adjectives');
const topicOpens = wordsOfAll('acts.topicOpens');
const topicCloses = wordsOfAll('acts.topicCloses');
const nameJoins = wordsOfAll('acts.nameJoins');
const links = new Set([...wordsOfAll('acts.links'), ',']);
const abbreviation = /^(?=\p{L}*\p{Lu}\p{L}*\p{Lu})\p{L}{2,6}$/u;
const mostTopics = 6;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const namesOfRegions = (language: Language, style: 'long' | 'short') =>
  new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' });
const regions = whenAsked(() => {
  // Most pairs of letters are not region codes, and a code unknown in one language is unknown in all of them.
  const known = namesOfRegions(languages[0], 'long');
  const codes = letters
    .flatMap((one) => letters.map((two) => one + two))
    .filter((code) => known.of(code) !== undefined);
  const found = new Set<string>();
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const names = namesOfRegions(language, style);
      for (const code of codes) {
        const name = names.of(code);
        if (name && /^\p{L}+$/u.test(name)) found.add(foldText(name));
      }
    }
  return new FactsByStem([...found].map((name) => [name, true] as const));
});

/** Whether a word is the name of a country in any of the languages. */
function isRegion(word: string): boolean {
  const low = foldText(word);
  return !isStopWord(low) && regions().get(stem(low)).size > 0;
}

const piecesOf = (text: string) =>
  [...text.matchAll(/(?:№|\bN)\s*\d+|\d+|\p{L}+|[^\s\p{L}\d]/gu)].map(([piece]) => piece);
const isWord = (piece: string | undefined): piece is string => piece !== undefined && /^\p{L}/u.test(piece);

/** Reads an act's number, names and topic from `at` onwards. `to`: the index after the last piece read. */
function attributes(
  list: readonly string[],
  at: number,
  kind: string | null,
  cased: boolean,
): { names: string[]; topics: string[]; number: string | null; to: number } {
  const out: { names: string[]; topics: string[]; number: string | null } = {
    names: [],
    topics: [],
    number: null,
  };
  let to = at;
  for (let n = at; n < list.length; ) {
    const piece = list[n]!;
    const digits = /^(?:№|N)?\s*(\d{1,4})$/.exec(piece)?.[1];
    if (digits !== undefined && !/^(?:1[5-9]|20)\d\d$/.test(digits) && kind !== 'constitution') {
      out.number = digits;
      to = ++n;
      if (list[n] === '-' && isWord(list[n + 1])) to = n += 2;
    } else if (
      isWord(piece) &&
      !topicOpens.has(piece) &&
      ((cased && /^\p{Lu}/u.test(piece)) || isRegion(piece))
    ) {
      if (!states.has(foldText(piece))) out.names.push(piece);
      to = ++n;
    } else if (nameJoins.has(piece)) n++;
    else if (
      kind !== 'constitution' &&
      (topicOpens.has(piece.toLowerCase()) || (/^[«"“]$/.test(piece) && isWord(list[n + 1])))
    ) {
      n++;
      while (isWord(list[n]) && out.topics.length < mostTopics) {
        const word = list[n]!;
        if (!isStopWord(foldText(word))) out.topics.push(word);
        to = ++n;
      }
      if (/^[»"”]$/.test(list[n] ?? '')) to = ++n;
      break;
    } else break;
  }
  return { ...out, to };
}

/** Sorts the words directly before the kind of an act: abbreviations are names, other significant words are topics. */
function modifiers(words: readonly string[]): { names: string[]; topics: string[] } {
  const significant = words.filter((word) => {
    const low = foldText(word);
    if (states.has(low)) return false;
    return isWord(word) && (abbreviation.test(word) || (!general.has(low) && !isStopWord(low)));
  });
  return {
    names: significant.filter((word) => abbreviation.test(word)),
    topics: significant.filter((word) => !abbreviation.test(word)),
  };
}

/** The act named after a reference. `cased`: whether the text has lower-case letters, so that capitals mark names. */
function behind(text: string, cased: boolean): NamedAct | null {
  const list = piecesOf(text);
  let at = 0;
  let linked = false;
  while (links.has((list[at] ?? '').toLowerCase())) linked = list[at++] !== ',' || linked;
  const first = list[at];
  if (cased && first && abbreviation.test(first) && kindOf(list[at + 1] ?? '') === null) {
    const { names, number } = attributes(list, at, null, cased);
    return { kind: null, names: names.filter((name) => abbreviation.test(name)), topics: [], number };
  }
  for (let n = at; n < Math.min(list.length, at + 5); n++) {
    const word = list[n]!;
    const kind = kindAt(list, n);
    if (kind) {
      const { to: _, ...after } = attributes(list, n + 1, kind, cased);
      const before = modifiers(list.slice(at, n));
      return {
        kind,
        names: [...before.names, ...after.names],
        topics: [...before.topics, ...after.topics],
        number: after.number,
      };
    }
    const latin = /^[a-z]/i.test(word) && linked;
    const goesOn = latin || /^\d{4}$/.test(word) || isAdjective(foldText(word)) || isRegion(word);
    if (!goesOn && !(cased && /^\p{Lu}/u.test(word))) return null;
  }
  return null;
}

/** The act named directly before a reference. */
function inFront(text: string, cased: boolean): NamedAct | null {
  const list = piecesOf(text);
  while (/^[,:(–—-]$/.test(list.at(-1) ?? '')) list.pop();
  const at = list.findLastIndex((piece) => isWord(piece) && kindOf(piece) !== null);
  if (at < 0) return null;
  const kind = kindAt(list, at);
  const after = attributes(list, at + 1, kind, cased);
  if (after.to < list.length) return null;
  let from = at;
  const names: string[] = [];
  const topics: string[] = [];
  if (topicCloses.has(foldText(list[at - 1] ?? ''))) {
    const start = Math.max(0, at - 1 - mostTopics);
    topics.push(...list.slice(start, at - 1).filter((word) => isWord(word) && !isStopWord(foldText(word))));
  } else {
    const isModifier = (word: string | undefined) =>
      isWord(word) &&
      !isStopWord(foldText(word)) &&
      (isAdjective(foldText(word)) || (cased && /^\p{Lu}/u.test(word)) || isRegion(word));
    while (from > Math.max(0, at - 3) && isModifier(list[from - 1])) from--;
    const before = modifiers(list.slice(from, at));
    names.push(...before.names);
    topics.push(...before.topics);
  }
  return {
    kind,
    names: [...names, ...after.names],
    topics: [...topics, ...after.topics],
    number: after.number,
  };
}

/** The act named next to the reference at these offsets, or null. `others`: all references in the text. */
export function actBeside(text: string, { start, end }: Span, others: readonly Span[]): NamedAct | null {
  const until = Math.min(text.length, ...others.map((one) => one.start).filter((at) => at >= end));
  const from = Math.max(0, ...others.map((one) => one.end).filter((at) => at <= start));
  const after = text.slice(end, until).split(/[?!;:\n]|\.(?=\s|$)/u)[0]!;
  const before = text
    .slice(from, start)
    .split(/[?!;\n]|(?<=\p{L}{3})\.\s/u)
    .at(-1)!;
  const cased = /\p{Ll}/u.test(text);
  return behind(after, cased) ?? inFront(before, cased);
}
