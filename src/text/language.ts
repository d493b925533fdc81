/**
 * Detects the language of a text by script, letters and frequent words; designed for short questions. Each word votes:
 * a letter or frequent word unique to one language counts for it; a typical ending or letter counts less. A word shared
 * by two languages ("не", Russian and Kazakh) follows the others. Latin words that are Russian in the wrong keyboard
 * layout or in transliteration count as Russian.
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
} from './languages/index.ts';
import { otherLayouts } from './variants.ts';
import { whenAsked } from './when-asked.ts';
import { foldLetters } from './words.ts';

const frequent = new Map<string, Language>();
const romanised = new Map<string, Language>();
/**
 * Words shared by two languages. At the end of a text they count for the first language, otherwise for the language of
 * the other words.
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
/** Weight of a frequent word. */
const weights = ofEach((language) => Number(textOf(language, 'detection.weight')));

/** Typical patterns of other words, the most reliable first. */
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
  /** Number of words that certainly belong to the language they count for. */
  sure: number;
  /** Letters by script. */
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
 * The text in the intended keyboard layout and script: converted if it was typed in the wrong layout ("xnj nfrjt"), in
 * Cyrillic if it is transliterated Russian ("chto takoe"), otherwise unchanged. It is converted only if new frequent
 * words appear, or if several short words become pronounceable ("cvthnyfz rfpym").
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
  // A word of two letters easily matches by chance: "vs" is "мы".
  const least = speakable(text) ? 3 : 1;
  const certain = others.find((retyped) =>
    wordsIn(retyped).some((word) => word.length >= least && frequent.has(word)),
  );
  if (certain !== undefined) return certain;
  const isPlain = !/[\p{Lu}\d]/u.test(text) && /\s/.test(text.slice(1, -1));
  if (!isPlain || speakable(text)) return text;
  return others.find((retyped) => speakable(retyped)) ?? text;
}

/** Rules for reading transliterated text of a language, applied in order. */
const fromLatin = ofEach((language) => {
  const rules = rowsOf<readonly [pattern: string, letters: string]>(language, 'typing.fromLatin');
  return whenAsked(() => rules.map(([pattern, letters]) => [new RegExp(pattern, 'gu'), letters] as const));
});

const anyVote = ({ of }: Votes) => Object.values(of).some((count) => count > 0);

const vowel = new RegExp(classOf(joined('letters.vowels').replaceAll(' ', '')), 'g');
const hard = new RegExp(`[^${joined('letters.vowels', 'letters.silent').replaceAll(' ', '')}]{5}`);

/** Words of three or more letters have vowels, and rarely five consonants or four vowels in a row. */
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

/** A transliterated frequent word is weaker evidence than a word of a language in Latin script. */
const romanisedWeight = 0.9;
/** Weight of a script for its default language: less than any word. */
const scriptWeight = 0.4;

/** Evidence from a vocabulary for each language: about 1 for each word unique to it. */
export type LanguageEvidence = Readonly<Partial<Record<Language, number>>>;

/** A question in the intended keyboard layout, with external evidence of its language. */
export interface Wording {
  typed: string;
  evidence: LanguageEvidence;
}

const longest = 2_000;

/** The votes of a text in the intended keyboard layout. Only the first 2,000 units are read. */
function meantVotes(text: string, isMeant = false): Votes {
  const looked = text.length > longest ? text.slice(0, longest) : text;
  const given = votes(looked);
  if (isMeant) return given;
  const meant = repaired(looked, given);
  return meant === looked ? given : votes(meant);
}

/**
 * Whether the words of a text identify its language: at least one is certain, and no other language has as many votes.
 */
export function isLanguageCertain(text: string): boolean {
  const { of, sure } = meantVotes(text);
  const [first = 0, second = 0] = Object.values(of).sort((a, b) => b - a);
  return sure > 0 && first > second;
}

/**
 * The language of a text, one of `among`; `fallback` (default: the first of `among`) if there is no evidence.
 * `evidence`: further evidence, such as the vocabulary of the documents. `isMeant`: do not try other keyboard layouts.
 * Reads the first 2,000 units.
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
