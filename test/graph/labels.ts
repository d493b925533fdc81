/**
 * Labelled texts and what an extraction scores on them. A mention is written `[kind|words]`, or `[kind:value|words]`
 * where its value is checked too: of a provision what it refers to, several parted by semicolons. Topics are not
 * labelled: nobody can say which phrases are all of them.
 */

import { extractEntities } from '../../src/graph/extract.ts';
import { identify, tally } from '../../src/graph/identity.ts';
import type { ChunkToRead, EntityKind } from '../../src/graph/mentions.ts';
import type { Language } from '../../src/text/languages/index.ts';

export interface Labelled {
  lang: Language;
  text: string;
  /** See ChunkToRead; absent: none. */
  unit?: string;
  number?: string;
  heading?: string;
}

interface Label {
  kind: EntityKind;
  start: number;
  end: number;
  value: string | null;
}

export interface Score {
  found: number;
  wrong: string[];
  missed: string[];
  f1: number;
}

/** The text without its labels, and these. */
export function read(marked: Labelled): { chunk: ChunkToRead; labels: Label[] } {
  const labels: Label[] = [];
  let text = '';
  let at = 0;
  for (const found of marked.text.matchAll(/\[(\p{Ll}+)(?::([^|\]]*))?\|([^\]]*)\]/gu)) {
    text += marked.text.slice(at, found.index);
    const [whole, kind, values, words] = found;
    for (const value of values?.split(';') ?? [null])
      labels.push({ kind: kind as EntityKind, start: text.length, end: text.length + words!.length, value });
    text += words;
    at = found.index + whole.length;
  }
  text += marked.text.slice(at);
  const { lang, unit = null, number = null, heading = '' } = marked;
  return { chunk: { text, lang, unit, number, heading }, labels };
}

/** What is found in the texts as the graph shows it: of the kinds of their groups, without what nothing confirms. */
export function found(texts: readonly Labelled[]): { text: string; labels: Label[] }[] {
  const extracted = texts.map((one) => {
    const { chunk } = read(one);
    return { chunk, ...extractEntities(chunk) };
  });
  const { groupOf } = identify(tally(extracted), []);
  return extracted.map(({ chunk, mentions }) => ({
    text: chunk.text,
    labels: mentions.flatMap(({ kind, key, name, start, end }) => {
      const group = groupOf(key);
      if (group === null || kind === 'topic') return [];
      const value = kind === 'date' || kind === 'amount' || kind === 'provision' ? name : null;
      return [{ kind: group.kind, start, end, value }];
    }),
  }));
}

/** F1 over the mentions, of one kind alone where it is given. A mention is right when its words and its kind are. */
export function score(texts: readonly Labelled[], only?: EntityKind): Score {
  const all = found(texts);
  const wrong: string[] = [];
  const missed: string[] = [];
  let right = 0;
  let made = 0;
  let wanted = 0;
  for (const [n, { text, labels }] of all.entries()) {
    const expected = read(texts[n]!).labels.filter(({ kind }) => only === undefined || kind === only);
    const given = labels.filter(({ kind }) => only === undefined || kind === only);
    const same = (a: Label, b: Label) =>
      a.kind === b.kind &&
      a.start === b.start &&
      a.end === b.end &&
      (a.value === null || b.value === null || a.value === b.value);
    const show = ({ kind, start, end, value }: Label) =>
      `${kind} "${text.slice(start, end)}"${value === null ? '' : ` = ${value}`} in "${text.slice(Math.max(0, start - 25), end + 15)}"`;
    right += given.filter((one) => expected.some((other) => same(one, other))).length;
    wrong.push(...given.filter((one) => !expected.some((other) => same(one, other))).map(show));
    missed.push(...expected.filter((one) => !given.some((other) => same(one, other))).map(show));
    made += given.length;
    wanted += expected.length;
  }
  return { found: right, wrong, missed, f1: (2 * right) / (made + wanted) };
}
