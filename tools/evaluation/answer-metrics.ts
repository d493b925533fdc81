/**
 * Compares answers with short gold answers, like SQuAD 2.0 and score.py of the evaluation sets: exact match and token
 * F1 after a normalisation for all languages. Abstaining is correct only if the question is unanswerable.
 */

/** Lower case, NFKC, ё as е, dashes as spaces; without stress marks, punctuation, symbols and English articles. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е')
    .replace(/\u0300|\u0301|\u00ad|\u200b/g, '')
    .replace(/\p{Pd}/gu, ' ')
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
}

/** Whether a text contains one of the gold answers as whole words. */
export function contains(text: string, answers: readonly string[]): boolean {
  const within = ` ${normalise(text)} `;
  return answers.some((answer) => normalise(answer) !== '' && within.includes(` ${normalise(answer)} `));
}

/** Token F1 of a guess against one gold answer. */
export function answerF1(guess: string, gold: string): number {
  const [said, wanted] = [guess, gold].map((text) => normalise(text).split(' ').filter(Boolean));
  if (said!.length === 0 || wanted!.length === 0) return said!.length === wanted!.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of wanted!) left.set(word, (left.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of said!) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    same++;
  }
  return (2 * same) / (said!.length + wanted!.length);
}

/** `EM` and `F1` over all questions; `contains`: the answer contains a gold answer. */
export interface AnswerScores {
  EM: number;
  F1: number;
  contains: number | null;
}

/** Scores of one answer. `guess` empty: it abstained; `golds` empty: the question is unanswerable. */
export function answerScores(guess: string, golds: readonly string[]): AnswerScores {
  const wanted = golds.filter((gold) => gold.trim() !== '');
  const said = normalise(guess);
  if (wanted.length === 0) return { EM: said === '' ? 1 : 0, F1: said === '' ? 1 : 0, contains: null };
  if (said === '') return { EM: 0, F1: 0, contains: 0 };
  return {
    EM: wanted.some((gold) => normalise(gold) === said) ? 1 : 0,
    F1: Math.max(...wanted.map((gold) => answerF1(guess, gold))),
    contains: contains(guess, wanted) ? 1 : 0,
  };
}
