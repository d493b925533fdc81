/** Finds the terms that a passage defines and the short names it introduces: "X means …", "(далее — Комиссия)". */
import type { Span } from '../domain/span.ts';
import {
  anyOf,
  joined,
  languages,
  letter,
  listOf,
  phrasesOf,
  phrasesOfAll,
  textOf,
  wordsOfAll,
} from '../language/index.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord } from '../text/stopwords.ts';
import { withoutEnd } from '../text/trimming.ts';
import { foldLetters } from '../text/words.ts';

const termMax = 80;
const termWords = 6;
const opening = new RegExp(
  `(?<!${letter})(?<by>${anyOf(...phrasesOfAll('entities.hereinafter'))})(?!${letter})\\s?[–—:-]?\\s?`,
  'giu',
);
const article = new RegExp(`^${anyOf(...listOf(joined('grammar.articles')))}\\s`, 'iu');
const means = new RegExp(`(?<!${letter})${anyOf(...phrasesOfAll('entities.means'))}(?!${letter})`, 'iu');
const opensMeaning = wordsOfAll('entities.meansOpens');
/** Verbs that form a definition only together with an introductory word, in languages that have such words. */
const openedMeans = new RegExp(
  `^${anyOf(
    ...languages
      .filter((language) => textOf(language, 'entities.meansOpens') !== '')
      .flatMap((language) => phrasesOf(textOf(language, 'entities.means'))),
  )}`,
  'iu',
);

/** The terms and short names in the text, in no particular order. */
export const termsIn = (text: string): Span[] => [...shortNames(text), ...definitions(text)];

function shortNames(text: string): Span[] {
  const out: Span[] = [];
  for (const { 0: found, index } of text.matchAll(opening)) {
    // The phrase must be in brackets or followed by a dash.
    const inBrackets = text.slice(Math.max(0, index - 2), index).includes('(');
    if (!inBrackets && !/[–—]\s?$/.test(found)) continue;
    let start = index + found.length;
    start += /^[\s«“„"]*/.exec(text.slice(start, start + termMax))![0].length;
    const body = /^[^)»”"(;\n]{2,80}/.exec(text.slice(start, start + termMax))?.[0] ?? '';
    const named = withoutEnd(body, /[\s,.]/);
    const lead = article.exec(named)?.[0].length ?? 0;
    if (named.length - lead >= 2 && named.split(/\s+/).length <= termWords)
      out.push({ start: start + lead, end: start + named.length });
  }
  return out;
}

/**
 * Finds defined terms: "Под персональными данными следует понимать …", "Дербес деректер дегеніміз – …", "“Consumer”
 * means …".
 */
function definitions(text: string): Span[] {
  const out: Span[] = [];
  if (!means.test(text)) return out;
  for (const sentence of splitSentences(text)) {
    const said = text.slice(sentence.start, sentence.end);
    const verb = means.exec(said);
    if (!verb || verb.index === 0 || verb.index > termMax * 2) continue;
    const head = /^(?:\d+[.)]\s+)?/.exec(said)![0].length;
    const before = said.slice(head, verb.index).trimEnd();
    const quoted = /^[«“„"](?<term>[^»”"]{2,80})[»”"]$/u.exec(before)?.groups?.term;
    // The term follows the introductory word, as in "под … понимается".
    const list = [...before.matchAll(/[\p{L}-]+/gu)];
    const opener = list.findLast(([word]) => opensMeaning.has(foldLetters(word)));
    const from = opener === undefined ? 0 : opener.index + opener[0].length;
    const words = list.filter(({ index }) => index >= from).map(([word]) => word);
    const plain =
      words.length > 0 &&
      words.length <= termWords &&
      !/[,:;()–—]/.test(before.slice(from)) &&
      words.every((word) => !isStopWord(foldLetters(word)));
    if (quoted === undefined && !plain) continue;
    if (quoted === undefined && opener === undefined && openedMeans.test(said.slice(verb.index))) continue;
    const term = quoted ?? before.slice(from).trim();
    const start = sentence.start + head + before.lastIndexOf(term);
    out.push({ start, end: start + term.length });
  }
  return out;
}
