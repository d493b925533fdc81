/**
 * A light suffix stripper for Kazakh. A Kazakh noun consists of stem + plural + possessive + case. One ending of each
 * kind is removed, from the right, as long as at least three letters remain. A consonant voiced before a vowel ending
 * is restored (кітабы → кітап). Verb and personal endings are kept, because removing them did not improve results on
 * the tested texts. Five-letter prefixes in the ranking compensate for the rest.
 */
const minStem = 3;

/** Longest first within a kind, because the first match is used. */
const caseEndings = endings(
  'ның нің дың дің тың тің нан нен дан ден тан тен нда нде мен бен пен ға ге қа ке на не ны ні ды ді ты ті да де та те',
);
const possessiveEndings = endings('ыңыз іңіз ымыз іміз ңыз ңіз мыз міз сы сі ым ім ың ің ы і');
const pluralEndings = endings('лар лер дар дер тар тер');
const plain: Record<string, string> = { ғ: 'қ', г: 'к', б: 'п' };

function endings(list: string): string[] {
  return list.split(' ').sort((a, b) => b.length - a.length);
}

function strip(word: string, list: readonly string[]): string {
  for (const ending of list) {
    if (word.length - ending.length >= minStem && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}

/** The stem of a lower-case Kazakh word; words of up to four letters and those with unknown endings are unchanged. */
export function stemKazakh(word: string): string {
  if (word.length <= minStem) return word;
  let stem = strip(word, caseEndings);
  // After a third-person possessive, the accusative is only "н": "атын" is "аты" + "н".
  if (stem === word && stem.length > minStem + 1 && /[ыі]н$/u.test(stem)) stem = stem.slice(0, -1);
  const owned = strip(stem, possessiveEndings);
  stem = strip(owned, pluralEndings);
  const last = plain[stem.at(-1) ?? ''];
  return last === undefined ? stem : stem.slice(0, -1) + last;
}
