/**
 * The language of a chunk, seen from its document's. Short chunks lean on the document: a heading of loan words, a
 * list of products or a name says nothing. They are of another language where their own words say so clearly, by the
 * script (Latin or Cyrillic), by the letters only Kazakh has, and by frequent words.
 */
import type { Language } from '../domain/events.ts';
import { detectLanguage } from '../text/language.ts';
import { isStopWord } from '../text/stopwords.ts';

/** With fewer letters than this a chunk is short. */
const enoughLetters = 60;
/** A frequent word of the document's language: what a short chunk says has to outweigh it. */
const advocate: Record<Language, string> = { ru: 'и', kk: 'және', en: 'the' };

/** `document`: the document's language; `among`: the corpus's languages. */
export function chunkLanguage(text: string, document: Language, among?: readonly Language[]): Language {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const latin = words.filter((word) => /[a-z]/.test(word));
  const cyrillic = words.filter((word) => /[а-яёәғқңөұүһі]/.test(word));
  const isShort = words.join('').length < enoughLetters;
  const guess = detectLanguage(text, among, document);
  if (guess === document) return document;
  if (guess === 'en') {
    const clear = isShort ? cyrillic.length === 0 && latin.length > 2 : latin.length > 3 * cyrillic.length;
    return clear && latin.some(isStopWord) ? 'en' : document;
  }
  if (document === 'en') return cyrillic.length > latin.length && cyrillic.length > 2 ? guess : 'en';
  // Initials say nothing.
  const whole = cyrillic.filter((word) => word.length > 2);
  const kazakh = whole.filter((word) => /[әғқңөұүһі]/.test(word)).length / Math.max(1, whole.length);
  if (guess === 'kk') return cyrillic.length > 2 && kazakh > (isShort ? 0.5 : 0.25) ? 'kk' : document;
  if (!isShort) return kazakh < 0.25 ? guess : document;
  return kazakh === 0 && detectLanguage(`${text} ${advocate[document]}`, among, document) === guess
    ? guess
    : document;
}
