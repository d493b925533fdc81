/** Determines whether two questions use the same words. */
import { anyOf, letter, phrasesOfAll, wholeWords, wordsOfAll } from '../language/index.ts';
import { words } from './words.ts';

const forWhom = wordsOfAll('courtesy.forWhom');
const greeting = new RegExp(
  `[\\s,.!]*${anyOf(...phrasesOfAll('courtesy.greetings'))}(?!${letter})[\\s,.!]*`,
  'iuy',
);
const please = new RegExp(`${wholeWords(phrasesOfAll('courtesy.please')).source}[\\s,]*`, 'giu');
const request = new RegExp(
  `${wholeWords(phrasesOfAll('courtesy.requests')).source}(?: ${anyOf(...forWhom)})?[\\s,:]*`,
  'giu',
);

/** Matches words and numbers, including signs that change their meaning: "C++", "-5", "100 $". */
const pieces = /\p{L}[\p{L}\p{M}\u00ad\u200b]*[+#]*|\p{N}+|[%$€₽₸£¥°<>=]|(?<![\p{L}\p{N}])[-−–](?=\p{N})/gu;

function folded(piece: string): string {
  const signs = /[+#]+$/.exec(piece)?.[0] ?? '';
  return /^[\p{L}\p{N}]/u.test(piece) ? words(piece).join('') + signs : piece;
}

const inOrder = (text: string): string =>
  Array.from(text.matchAll(pieces), ([piece]) => folded(piece))
    .filter((word) => word !== '')
    .join(' ');

/**
 * Returns the folded words and signs of a question, separated by spaces, without punctuation, initial greetings or
 * polite phrases. Questions are the same if their results are equal. Text that consists only of polite phrases is not
 * shortened.
 */
export function identityOf(question: string): string {
  const text = question.normalize('NFKC');
  greeting.lastIndex = 0;
  let from = 0;
  while (greeting.test(text)) from = greeting.lastIndex;
  return inOrder(text.slice(from).replace(please, '').replace(request, '')) || inOrder(text);
}
