/** A language pack of ten words: Turkish, as far as a test asks in it. */
import { en } from '../../src/text/languages/en.ts';
import type { LanguagePack } from '../../src/text/languages/pack.ts';

/** A pack that knows nothing: every text, list and table of another one emptied, its functions kept. */
function blank<T>(value: T): T {
  if (typeof value === 'string') return '' as T;
  if (typeof value === 'boolean') return false as T;
  if (Array.isArray(value)) return [] as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, blank(one)])) as T;
}

const nothing = { ...blank(en), phrases: en.phrases };

export const tr: LanguagePack = {
  ...nothing,
  script: 'Latin',
  letters: {
    ...nothing.letters,
    alphabet: 'abcçdefgğhıijklmnoöprsştuüvyz',
    own: 'çğıöşü',
    vowels: 'aeıioöuü',
  },
  detection: { ...nothing.detection, frequent: 've kim nerede merhaba', weight: 1 },
  stem: (word) => word.replace(/(?<=.{4})(?:yü|yı|nin|nün|de|da)$/u, ''),
  stopWords: { ...nothing.stopWords, function: 've bu' },
  questionWords: {
    ...nothing.questionWords,
    kinds: [
      ['who', 'nominative', 'kim'],
      ['where', '', 'nerede'],
      ['when', '', 'zaman'],
    ],
  },
  smallTalk: { ...nothing.smallTalk, greetings: 'merhaba', thanks: 'teşekkürler' },
  grammar: { ...nothing.grammar, conjunctions: 've' },
  provisions: {
    ...nothing.provisions,
    units: [{ unit: 'article', forms: 'madde', count: 'one', before: 'ordinal' }],
    headings: [['article', 'madde']],
  },
  calendar: {
    ...nothing.calendar,
    months: 'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık',
  },
  phrases: {
    ...nothing.phrases,
    greeting: (corpus) => `Merhaba! “${corpus}” belgeleri üzerine sorularınızı yanıtlarım.`,
    noAnswer: (corpus) => `“${corpus}” belgelerinde yanıt bulunamadı.`,
    partMissing: (question) => `“${question}” sorusuna yanıt bulunamadı.`,
  },
};
