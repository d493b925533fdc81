/**
 * Labelled texts and how well extraction scores on them. A mention is written `[kind|words]`, or `[kind:value|words]`
 * if its value is checked too: for a provision, its targets, separated by semicolons.
 */
import { extract, type PassageToRead } from '../../src/graph/extract.ts';
import { type Language, languages } from '../../src/language/index.ts';

export interface Labelled {
  lang: Language;
  text: string;
  /** See Referring; absent: none. */
  unit?: string;
  number?: string;
  heading?: string;
}

interface Label {
  kind: string;
  start: number;
  end: number;
  value: string | null;
}

/** The kinds that rules find. Other labels in the texts (dates and amounts) are ignored. */
export type Kind = 'name' | 'term' | 'provision';
const kindsOfNames = ['person', 'organisation', 'place', 'law', 'document'];

export interface Score {
  /** The share of found mentions that are right, and of labelled mentions that were found. */
  precision: number;
  recall: number;
  wrong: string[];
  missed: string[];
}

/** The text without its labels, and the labels. */
export function read(marked: Labelled): { passage: PassageToRead; labels: Label[] } {
  const labels: Label[] = [];
  let text = '';
  let at = 0;
  for (const found of marked.text.matchAll(/\[(\p{Ll}+)(?::([^|\]]*))?\|([^\]]*)\]/gu)) {
    text += marked.text.slice(at, found.index);
    const [whole, said, values, words] = found;
    const kind = kindsOfNames.includes(said!) ? 'name' : said!;
    for (const value of values?.split(';') ?? [null])
      labels.push({ kind, start: text.length, end: text.length + words!.length, value });
    text += words;
    at = found.index + whole.length;
  }
  text += marked.text.slice(at);
  const { lang, unit = null, number = null, heading = '' } = marked;
  return { passage: { text, lang, unit, number, heading }, labels };
}

/**
 * A mention is right if its words match; for a provision its target must match, too. Texts in one language are read
 * together, like those of one document.
 */
export function score(texts: readonly Labelled[], kind: Kind): Score {
  const [wrong, missed]: [string[], string[]] = [[], []];
  let right = 0;
  const all = languages.flatMap((lang) => {
    const some = texts.filter((one) => one.lang === lang).map(read);
    const found = extract(some.map(({ passage }) => passage));
    return some.map((one, n) => ({ ...one, ...found[n]! }));
  });
  for (const { passage, labels, mentions, references } of all) {
    const { text } = passage;
    const given: Label[] =
      kind === 'provision'
        ? references.map((one) => ({ ...one, kind, value: `${one.unit} ${one.number}` }))
        : mentions.filter((one) => one.kind === kind).map((one) => ({ ...one, value: null }));
    const expected = labels.filter((one) => one.kind === kind);
    const same = (a: Label, b: Label) =>
      a.start === b.start && a.end === b.end && (kind !== 'provision' || outermost(a) === outermost(b));
    const show = ({ start, end, value }: Label) =>
      `"${text.slice(start, end)}"${value === null ? '' : ` = ${value}`} in "${text.slice(Math.max(0, start - 25), end + 15)}"`;
    right += given.filter((one) => expected.some((other) => same(one, other))).length;
    wrong.push(...given.filter((one) => !expected.some((other) => same(one, other))).map(show));
    missed.push(...expected.filter((one) => !given.some((other) => same(one, other))).map(show));
  }
  return {
    precision: right / (right + wrong.length),
    recall: right / (right + missed.length),
    wrong,
    missed,
  };
}

const outermost = ({ value }: Label) => value?.split(',')[0];
