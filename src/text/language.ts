/**
 * Detects the language of text by script, letters and frequent words. It is designed for short questions. Each word
 * casts a vote: a frequent word or a letter unique to one language counts for that language, and a typical ending or
 * letter counts less. A word that exists in two languages (such as "не" in Russian and Kazakh) counts for the language
 * of the other words. Russian in Latin letters, whether transliterated or typed in the wrong keyboard layout, is
 * detected as Russian.
 */
import {
  classOf,
  endingIn,
  isDefaultOfScript,
  joined,
  type Language,
  languageByLetters,
  languages,
  ofEach,
  rowsOf,
  scriptOf,
  scripts,
  setOf,
  textOf,
} from '../language/index.ts';
import { whenAsked } from '../language/when-asked.ts';
import { otherLayouts } from './variants.ts';
import { foldLetters } from './words.ts';

const frequent = new Map<string, Language>();
const romanised = new Map<string, Language>();
/**
 * Words that exist in two languages. The last word of the text counts for the first language (`final`), any other word
 * for the one that has more votes.
 */
const shared = new Map<string, readonly [final: Language, other: Language | undefined]>();
for (const language of languages) {
  for (const word of setOf(textOf(language, 'detection.frequent')))
    if (!frequent.has(word)) frequent.set(word, language);
  for (const word of setOf(textOf(language, 'detection.romanised')))
    if (!romanised.has(word)) romanised.set(word, language);
}
for (const language of languages)
  for (const word of setOf(textOf(language, 'detection.final')))
    shared.set(word, [language, frequent.get(word)]);
/** The weight of a frequent word in each language. */
const weights = ofEach((language) => Number(textOf(language, 'detection.weight')));

/** Typical endings and letters of each language, the most reliable first. */
const looks = languages
  .map((language) => ({
    language,
    script: scripts[language],
    weight: Number(textOf(language, 'detection.endingWeight')),
    signs: [
      endingIn(textOf(language, 'detection.endings')),
      new RegExp(classOf(textOf(language, 'detection.distinctiveLetters'))),
    ],
  }))
  .filter(({ weight }) => weight > 0)
  .sort((a, b) => b.weight - a.weight);

interface Votes {
  of: Record<Language, number>;
  /** Number of frequent words of any language. */
  frequent: number;
  /** Number of words whose language is certain. */
  sure: number;
  /** Number of letters by script. */
  letters: Map<string, number>;
}

const wordsIn = (text: string): string[] => foldLetters(text).match(/(?:\p{L}|\u0301)+/gu) ?? [];

function votes(text: string): Votes {
  const of = Object.fromEntries(languages.map((language) => [language, 0])) as Votes['of'];
  const out: Votes = { of, frequent: 0, sure: 0, letters: new Map() };
  const list = wordsIn(text);
  const undecided: (readonly [Language, Language | undefined])[] = [];
  for (const [n, word] of list.entries()) {
    const script = scriptOf(word);
    if (script === null) continue;
    out.letters.set(script, (out.letters.get(script) ?? 0) + word.length);
    const vote = (language: Language, weight: number) => {
      of[language] += weight;
      if (weight > 0.5) out.sure++;
    };
    const language = frequent.get(word);
    if (language !== undefined) out.frequent++;
    const both = shared.get(word);
    const inLatin = romanised.get(word);
    const byLetters = languageByLetters(word);
    if (both && n < list.length - 1) undecided.push(both);
    else if (both) vote(both[0], weights[both[0]]);
    else if (language !== undefined) vote(language, weights[language]);
    else if (inLatin !== undefined) vote(inLatin, romanisedWeight);
    else if (byLetters !== null) vote(byLetters, 1);
    else {
      const look = looks.find((one) => one.script === script && one.signs.some((sign) => sign.test(word)));
      if (look) vote(look.language, look.weight);
    }
  }
  for (const [final, other] of undecided) {
    const language = other === undefined || of[final] > of[other] ? final : other;
    of[language] += weights[language];
  }
  return out;
}

/**
 * Converts text to the intended keyboard layout and script. Text typed in the wrong layout is corrected ("xnj nfrjt"),
 * and transliterated Russian is converted to Cyrillic ("chto takoe"); other text is unchanged. The layout is corrected
 * only if the result contains a frequent word, or if unpronounceable words become pronounceable ("cvthnyfz rfpym").
 */
export function repairLayout(text: string): string {
  return repaired(text, votes(text));
}

function repaired(text: string, given: Votes): string {
  const inLatin = languages.find((language) => given.of[language] > 0 && fromLatin[language]().length > 0);
  if (inLatin && given.frequent === 0 && !given.letters.has(scripts[inLatin]))
    return fromLatin[inLatin]().reduce(
      (made, [pattern, letters]) => made.replace(pattern, letters),
      text.toLowerCase(),
    );
  if (given.frequent > 0 || given.sure > 0 || (given.letters.size > 1 && anyVote(given))) return text;
  const others = otherLayouts(text);
  // Two-letter words match easily by chance: "vs" is "мы" in the Russian layout.
  const least = speakable(text) ? 3 : 1;
  const certain = others.find((retyped) =>
    wordsIn(retyped).some((word) => word.length >= least && frequent.has(word)),
  );
  if (certain !== undefined) return certain;
  const isPlain = !/[\p{Lu}\d]/u.test(text) && /\s/.test(text.slice(1, -1));
  if (!isPlain || speakable(text)) return text;
  return others.find((retyped) => speakable(retyped)) ?? text;
}

/** Rules that convert transliterated text to each language's script, applied in order. */
const fromLatin = ofEach((language) => {
  const rules = rowsOf<readonly [pattern: string, letters: string]>(language, 'typing.fromLatin');
  return whenAsked(() => rules.map(([pattern, letters]) => [new RegExp(pattern, 'gu'), letters] as const));
});

const anyVote = ({ of }: Votes) => Object.values(of).some((count) => count > 0);

const vowel = new RegExp(classOf(joined('letters.vowels').replaceAll(' ', '')), 'g');
const hard = new RegExp(`[^${joined('letters.vowels', 'letters.silent').replaceAll(' ', '')}]{5}`);

/** Whether all words of three or more letters are pronounceable: neither all consonants nor mostly vowels. */
function speakable(text: string): boolean {
  const list = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return (
    list.length > 0 &&
    list.every((word) => {
      const vowels = word.match(vowel)?.length ?? 0;
      return vowels > 0 && vowels / word.length < 0.7 && !hard.test(word);
    })
  );
}

/** The weight of a transliterated frequent word, lower than that of a word in its own script. */
const romanisedWeight = 0.9;
/** The weight of the script as evidence for its default language, lower than that of any word. */
const scriptWeight = 0.4;

/** Evidence for each language from a vocabulary: about 1 for each word unique to that language. */
export type LanguageEvidence = Readonly<Partial<Record<Language, number>>>;

/** A question in the intended keyboard layout, with external evidence of its language. */
export interface Wording {
  typed: string;
  evidence: LanguageEvidence;
}

const longest = 2_000;

/** Counts the votes after correcting the keyboard layout, unless `isMeant`. Reads only the first 2,000 units. */
function meantVotes(text: string, isMeant = false): Votes {
  const looked = text.length > longest ? text.slice(0, longest) : text;
  const given = votes(looked);
  if (isMeant) return given;
  const meant = repaired(looked, given);
  return meant === looked ? given : votes(meant);
}

/**
 * Whether the words identify the language of the text: the language of at least one word is certain, and no other
 * language has as many votes.
 */
export function isLanguageCertain(text: string): boolean {
  const { of, sure } = meantVotes(text);
  const [first = 0, second = 0] = Object.values(of).sort((a, b) => b - a);
  return sure > 0 && first > second;
}

/**
 * Returns the language of the text, chosen from `among`, or `fallback` (default: the first of `among`) if there is no
 * evidence. `evidence`: additional evidence, for example from the vocabulary of the documents. `isMeant`: whether the
 * keyboard layout is known to be correct. Reads only the first 2,000 units.
 */
export function detectLanguage(
  text: string,
  among: readonly Language[] = languages,
  fallback?: Language,
  evidence: LanguageEvidence = {},
  isMeant = false,
): Language {
  const seen = meantVotes(text, isMeant);
  const most = Math.max(...seen.letters.values());
  const leading = languages.find(
    (language) => isDefaultOfScript[language] && seen.letters.get(scripts[language]) === most,
  );
  const contested = languages.some(
    (language) => seen.of[language] > 0 && (leading === undefined || scripts[language] !== scripts[leading]),
  );
  if (leading && !contested) seen.of[leading] += scriptWeight;
  for (const language of languages) seen.of[language] += evidence[language] ?? 0;
  let best: Language | null = null;
  for (const language of languages) {
    if (among.includes(language) && seen.of[language] > (best === null ? 0 : seen.of[best])) best = language;
  }
  return best ?? fallback ?? among[0] ?? languages[0];
}
