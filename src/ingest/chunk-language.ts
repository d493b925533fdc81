/**
 * Determines the language of a chunk. Short chunks default to the document's language, because loan words, product
 * lists and names are weak evidence. Another language is chosen only if the script, distinctive letters and frequent
 * words clearly indicate it.
 */
import type { Language } from '../domain/events.ts';
import { formsOf, languageByLetters, ofEach, scriptOf, scripts, textOf } from '../language/index.ts';
import { detectLanguage } from '../text/language.ts';
import { isStopWord } from '../text/stopwords.ts';

const ownLetters = ofEach((language) => textOf(language, 'letters.own'));
const frequentWords = ofEach((language) => formsOf(textOf(language, 'detection.frequent')));
/** Chunks with fewer letters than this count as short. */
const enoughLetters = 60;

/** `document`: the document's language; `among`: the corpus's languages. */
export function chunkLanguage(text: string, document: Language, among?: readonly Language[]): Language {
  const guess = detectLanguage(text, among, document);
  if (guess === document) return document;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isShort = words.join('').length < enoughLetters;
  const script = scripts[guess];
  const own = words.filter((word) => scriptOf(word) === script);
  if (script !== scripts[document]) {
    const others = words.length - own.length;
    // Names and products are often written in Latin letters in texts of any script; the reverse is rare.
    if (script !== 'Latin') return own.length > others && own.length > 2 ? guess : document;
    const clear = isShort ? others === 0 && own.length > 2 : own.length > 3 * others;
    return clear && own.some(isStopWord) ? guess : document;
  }
  // Initials are not evidence.
  const whole = own.filter((word) => word.length > 2);
  const share = (language: Language) =>
    whole.filter((word) => languageByLetters(word) === language).length / Math.max(1, whole.length);
  if (ownLetters[guess] !== '')
    return own.length > 2 && share(guess) > (isShort ? 0.5 : 0.25) ? guess : document;
  if (!isShort) return share(document) < 0.25 ? guess : document;
  // The document's language counts as one frequent word; the evidence in a short chunk must outweigh it.
  const [advocate = ''] = frequentWords[document];
  return share(document) === 0 && detectLanguage(`${text} ${advocate}`, among, document) === guess
    ? guess
    : document;
}
