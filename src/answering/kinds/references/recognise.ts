/**
 * Recognises questions about references to or from a provision: "какие статьи ссылаются на статью 15", "what does
 * article 7 refer to", "15-бапқа қандай баптар сілтейді".
 */
import { endings, isSo, languages, ofEach, ownWords } from '../../../language/index.ts';
import { kindOf, type NamedAct } from '../../../text/references/acts.ts';
import { languageOfReferences, parseReferences, type Reference } from '../../../text/references/parse.ts';
import { unitOf } from '../../../text/references/units.ts';
import { foldText, isStopWord, stem, words } from '../../../text/words.ts';

/** `to`: references to the provision; `from`: references from the provision. */
export type ReferenceDirection = 'to' | 'from';

const own = ownWords(import.meta.url);
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
  /** The words before and after it. */
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
): ReferenceDirection | null {
  const [reference] = parseReferences(question, 1);
  if (!reference || references.length !== 1) return null;
  const named = namedIn(question, reference);
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

function namedIn(question: string, { start, end }: Reference): Named {
  const name = question.slice(start, end);
  const language = languageOfReferences(name) ?? languages[0];
  const units = words(name).filter((word) => unitOf(word) !== null);
  return {
    before: words(question.slice(0, start)),
    behind: words(question.slice(end)),
    unit: foldText((numberFirst[language] ? units.at(-1) : units[0]) ?? ''),
  };
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
