/**
 * Detects arithmetic, which cannot be answered from documents: "2 + 2", «сколько будет пятью пять», "what is 15 % of
 * 2000", «25-тің түбірі».
 */
import { languageByLetters, ownWords } from '../../language/index.ts';
import { saysHowMany } from '../../text/number-words.ts';
import { foldText, isQuestionWord, isStopWord, words } from '../../text/words.ts';

const own = ownWords(import.meta.url);
const operators = own.tableOfAll('arithmetic.operators');
const unary = own.tableOfAll('arithmetic.unary');
const frames = own.wordsOfAll('arithmetic.frames');

/** Matches numbers, words, and signs between numbers. */
const token = /\d+(?:[.,]\d+)?|[\p{L}\p{M}]+|[+*/×÷^=%−–-]/gu;
/** Matches signs that may also be part of a range or number: "2020–2022", "25/2". */
const ambiguous = /^[/−–-]$/u;
const longest = 120;

/** Whether the text consists only of arithmetic. */
export function isSum(text: string): boolean {
  const low = foldText(text).trim();
  if (low.length > longest) return false;
  const language = languageByLetters(low);
  const asks = low.includes('=') || words(low).some((word) => isQuestionWord(word) || frames.has(word));
  let numbers = 0;
  let between = 0;
  let single = 0;
  for (const [one] of low.matchAll(token)) {
    const [word = one] = words(one);
    if (/^\d/.test(one) || saysHowMany(word, language)) numbers++;
    else if (unary.has(word)) single++;
    else if (/^\P{L}/u.test(one) || operators.has(word)) {
      if (asks || !ambiguous.test(one)) between++;
    } else if (!isStopWord(word) && !frames.has(word)) return false;
  }
  return (numbers > 1 && between > 0) || (numbers > 0 && single > 0);
}
