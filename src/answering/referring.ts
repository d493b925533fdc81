/**
 * Questions on what refers to a provision, or what a provision refers to: "какие статьи ссылаются на статью 15", "what
 * does article 7 refer to", "15-бапқа қандай баптар сілтейді".
 */
import { endings, languages, packs, tableOfAll, wordsOfAll } from '../text/languages/index.ts';
import { kindOf, type NamedAct } from '../text/references/acts.ts';
import { languageOfReferences, parseReferences } from '../text/references/parse.ts';
import { unitOf } from '../text/references/units.ts';
import { foldText, isStopWord, stem, words } from '../text/words.ts';

/** `to`: what refers to the provision; `from`: what it refers to. */
export type Referring = 'to' | 'from';

const refers = tableOfAll((pack) => pack.referring.words);
const passive = tableOfAll((pack) => pack.referring.passive);
const besides = tableOfAll((pack) => pack.referring.besides);
const beforeNamed = wordsOfAll((pack) => pack.referring.beforeNamed);
const beforeNaming = wordsOfAll((pack) => pack.referring.beforeNaming);
const isNamed = endings((pack) => pack.referring.namedEndings);
const isNaming = endings((pack) => pack.referring.namingEndings);

/**
 * Which of the two a question asks; null where it asks something else, or of several provisions. `titles`: of the corpus
 * and its layers, whose words say nothing besides.
 */
export function readReferring(
  question: string,
  references: readonly { act: NamedAct | null }[],
  titles: readonly string[],
): Referring | null {
  const [reference] = parseReferences(question, 1);
  if (!reference || references.length !== 1) return null;
  const { start, end } = reference;
  const { act } = references[0]!;
  const before = words(question.slice(0, start));
  const behind = words(question.slice(end));
  const around = [...before, ...behind];
  if (!around.some((word) => refers.has(word))) return null;
  const known = new Set(
    [...titles, ...(act?.names ?? []), ...(act?.topics ?? [])].flatMap((text) => words(text).map(stem)),
  );
  const says = (word: string) =>
    !isStopWord(word) &&
    !refers.has(word) &&
    !besides.has(word) &&
    unitOf(word) === null &&
    kindOf(word) === null &&
    !known.has(stem(word));
  if (around.some(says)) return null;

  const named = words(question.slice(start, end));
  const [opening, next] = [before.at(-1) ?? '', behind[0] ?? ''];
  const language = languageOfReferences(question.slice(start, end)) ?? languages[0];
  const units = named.filter((word) => unitOf(word) !== null);
  const unit = foldText((packs[language].provisions.numberFirst ? units.at(-1) : units[0]) ?? '');
  if (beforeNamed.has(opening)) return 'to';
  if (beforeNaming.has(opening)) return 'from';
  if (isNamed(unit)) return 'to';
  if (refers.has(next) && !passive.has(next)) return 'from';
  if (around.some((word) => passive.has(word))) return 'to';
  return isNaming(unit) ? 'from' : 'to';
}
