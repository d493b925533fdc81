/**
 * Recognises questions about references to or from a provision ("какие статьи ссылаются на статью 15", "what does
 * article 7 refer to", "15-бапқа қандай баптар сілтейді") and questions whether one provision refers to another
 * ("ссылается ли статья 5 на статью 7").
 */
import { endings, isSo, languages, ofEach, roomWords } from '../../../text/languages/index.ts';
import { kindOf, type NamedAct } from '../../../text/references/acts.ts';
import { languageOfReferences, parseReferences, type Reference } from '../../../text/references/parse.ts';
import { unitOf } from '../../../text/references/units.ts';
import { foldText, isStopWord, stem, words } from '../../../text/words.ts';

/** `to`: references to the provision; `from`: references from the provision. */
export type Referring = 'to' | 'from';

const own = roomWords(import.meta.url);
const refers = own.tableOfAll('refers');
const passive = own.tableOfAll('passive');
const besides = own.tableOfAll('besides');
const beforeNamed = own.wordsOfAll('beforeNamed');
const beforeNaming = own.wordsOfAll('beforeNaming');
const isNamed = endings('namedEndings', 0, own);
const isNaming = endings('namingEndings', 0, own);

const numberFirst = ofEach((language) => isSo(language, 'provisions.numberFirst'));

/** A provision in a question, and its context. */
interface Named {
  /** The words before and after it, up to the neighbouring provisions. */
  before: readonly string[];
  behind: readonly string[];
  /** The unit as written: "бапқа". */
  unit: string;
}

/**
 * Returns the direction that a question asks about, or null if it is a different question or concerns several
 * provisions. `titles`: the titles of the corpus and its layers, whose words are ignored.
 */
export function readReferring(
  question: string,
  references: readonly { act: NamedAct | null }[],
  titles: readonly string[],
): Referring | null {
  const [reference] = parseReferences(question, 1);
  if (!reference || references.length !== 1) return null;
  const named = namedIn(question, [reference])[0]!;
  const { before, behind, unit } = named;
  const around = [...before, ...behind];
  if (!asksOfReferences(around, references, titles)) return null;
  if (isAfter(beforeNamed, named)) return 'to';
  if (isAfter(beforeNaming, named)) return 'from';
  if (isNamed(unit)) return 'to';
  if (isNamingByVerb(named)) return 'from';
  if (around.some((word) => passive.has(word))) return 'to';
  return isNaming(unit) ? 'from' : 'to';
}

/** The question "does `from` refer to `to`?", given as indexes of the provisions in the question. */
export interface Link {
  from: number;
  to: number;
}

/** Returns which provision is asked to refer to which, or null if it is a different question. */
export function readLink(
  question: string,
  references: readonly { act: NamedAct | null }[],
  titles: readonly string[],
): Link | null {
  const [first, second, ...others] = parseReferences(question, references.length + 1);
  if (!first || !second || others.length > 0 || second.start < first.end) return null;
  const between = question.slice(first.end, second.start);
  const joining = words(between);
  const [one, other] = namedIn(question, [first, second]) as [Named, Named];
  const isList = joining.length > 0 && !joining.some(marksRole);
  if (isList || between.includes(',') || sameChain(first, second)) return null;
  if (!asksOfReferences([...one.before, ...one.behind, ...other.behind], references, titles)) return null;
  const toSecond = { from: 0, to: 1 };
  const toFirst = { from: 1, to: 0 };
  // The words before the provisions are the strongest evidence, then their case, then the verb after them.
  const signs: [named: (of: Named) => boolean, naming: (of: Named) => boolean][] = [
    [(of) => isAfter(beforeNamed, of), (of) => isAfter(beforeNaming, of)],
    [({ unit }) => isNamed(unit), ({ unit }) => isNaming(unit)],
    [() => false, isNamingByVerb],
  ];
  for (const [named, naming] of signs) {
    const role = (of: Named) => Number(named(of)) - Number(naming(of));
    if (role(one) !== role(other)) return role(one) < role(other) ? toSecond : toFirst;
  }
  return toSecond;
}

const marksRole = (word: string): boolean =>
  refers.has(word) || beforeNamed.has(word) || beforeNaming.has(word);

const sameChain = (a: Reference, b: Reference): boolean => a.unit === b.unit && a.number === b.number;

function namedIn(question: string, references: readonly Reference[]): Named[] {
  return references.map(({ start, end }, n) => {
    const name = question.slice(start, end);
    const language = languageOfReferences(name) ?? languages[0];
    const units = words(name).filter((word) => unitOf(word) !== null);
    return {
      before: words(question.slice(references[n - 1]?.end ?? 0, start)),
      behind: words(question.slice(end, references[n + 1]?.start)),
      unit: foldText((numberFirst[language] ? units.at(-1) : units[0]) ?? ''),
    };
  });
}

const isAfter = (opening: ReadonlySet<string>, { before }: Named): boolean =>
  opening.has(before.at(-1) ?? '');

function isNamingByVerb({ behind: [next = ''] }: Named): boolean {
  return refers.has(next) && !passive.has(next);
}

/** Whether the words of a question ask about references and nothing else. */
function asksOfReferences(
  around: readonly string[],
  references: readonly { act: NamedAct | null }[],
  titles: readonly string[],
): boolean {
  if (!around.some((word) => refers.has(word))) return false;
  const acts = references.flatMap(({ act }) => [...(act?.names ?? []), ...(act?.topics ?? [])]);
  const known = new Set([...titles, ...acts].flatMap((text) => words(text).map(stem)));
  return around.every(
    (word) =>
      isStopWord(word) ||
      refers.has(word) ||
      besides.has(word) ||
      unitOf(word) !== null ||
      kindOf(word) !== null ||
      known.has(stem(word)),
  );
}
