/**
 * A light stemmer for Kazakh. A Kazakh noun consists of a stem followed by plural, possessive and case endings. The
 * stemmer removes one ending of each kind, starting from the right, as long as at least three letters remain. It also
 * restores a consonant that is voiced before a vowel (кітабы → кітап). It keeps verb and personal endings, because
 * removing them did not improve the results of tests. The five-letter prefixes used in ranking compensate for this.
 */
const minStem = 3;

/** Within a kind, the longest endings come first, because the first match is used. */
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

/** The stem of a lower-case Kazakh word. Words of up to four letters or without a known ending are unchanged. */
export function stemKazakh(word: string): string {
  if (word.length <= minStem) return word;
  let stem = strip(word, caseEndings);
  // After a third-person possessive ending, the accusative ending is just "н": "атын" is "аты" + "н".
  if (stem === word && stem.length > minStem + 1 && /[ыі]н$/u.test(stem)) stem = stem.slice(0, -1);
  const owned = strip(stem, possessiveEndings);
  stem = strip(owned, pluralEndings);
  const last = plain[stem.at(-1) ?? ''];
  return last === undefined ? stem : stem.slice(0, -1) + last;
}
