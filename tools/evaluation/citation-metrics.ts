/**
 * Citation recall and precision as defined by ALCE (Gao et al., Enabling Large Language Models to Generate Text with
 * Citations, EMNLP 2023). Recall of a statement: whether its citations together entail it. Precision of a citation:
 * whether all citations together entail its statement, and it is useful: it alone entails the statement, or the others
 * do not without it. Means are taken over the statements, or citations, of an answer, then over answers. An answer
 * without citations has neither.
 *
 * ALCE uses a language model for entailment. Here words are compared instead (`entailsByWords`): paraphrases count as
 * unsupported, and who does what to whom is ignored. The figures are comparable with each other, but not with published
 * ones.
 */
import { isNegated } from '../../src/reading/analysed-question.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { isStopWord, stem, words } from '../../src/text/words.ts';
import { type CitedSpan, withoutLabels } from './judging.ts';

/** A statement of an answer with its citations. */
export interface Statement {
  text: string;
  /** The title and the quoted words of each cited passage. */
  premises: string[];
}

export interface Quoted extends CitedSpan {
  /** The quoted text, after the title of its source. */
  premise: string;
}

export type Entails = (premise: string, statement: string) => boolean;

/** The sentences of an answer; words that end in a colon belong to the next one, and source labels are dropped. */
export function statementsOf(answer: string, citations: readonly Quoted[]): Statement[] {
  const text = withoutLabels(answer, citations);
  const statements: Statement[] = [];
  let from: number | null = null;
  for (const { start, end } of splitSentences(text)) {
    from ??= start;
    const said = text.slice(from, end).trim();
    if (/:$/.test(said) || !/\p{L}{2}/u.test(said)) continue;
    const begin = from;
    const cited = citations.filter((one) => one.start < end && one.end > begin);
    statements.push({ text: said, premises: [...new Set(cited.map(({ premise }) => premise))] });
    from = null;
  }
  return statements;
}

/** 0 to 1; null for an answer without statements. */
export function citationScores(
  statements: readonly Statement[],
  entails: Entails = entailsByWords,
): { recall: number; precision: number } | null {
  if (statements.length === 0) return null;
  let supported = 0;
  let useful = 0;
  let cited = 0;
  for (const { text, premises } of statements) {
    cited += premises.length;
    if (premises.length === 0 || !entails(premises.join('\n'), text)) continue;
    supported++;
    useful += premises.filter(
      (premise, n) =>
        premises.length === 1 ||
        entails(premise, text) ||
        !entails(premises.toSpliced(n, 1).join('\n'), text),
    ).length;
  }
  return { recall: supported / statements.length, precision: cited === 0 ? 0 : useful / cited };
}

/** Minimum share of a statement's words in its premises. */
const shareMin = 0.7;

/**
 * Whether a text supports a statement, judged by words: it contains the statement, or seven of ten stems of its content
 * words and all its figures, and both or neither have a negation.
 */
export function entailsByWords(premise: string, statement: string): boolean {
  const [there, said] = [words(premise), words(statement)];
  if (` ${there.join(' ')} `.includes(` ${said.join(' ')} `)) return true;
  const figures = said.filter((word) => /\d/.test(word));
  if (!figures.every((one) => there.includes(one))) return false;
  if (isNegated(there) !== isNegated(said)) return false;
  const content = [...new Set(said.filter((word) => !isStopWord(word) && !/\d/.test(word)).map(stem))];
  const stems = new Set(there.map(stem));
  const met = content.filter((one) => stems.has(one)).length;
  return content.length > 0 && met / content.length >= shareMin;
}
