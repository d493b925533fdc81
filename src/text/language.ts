/**
 * The language of a text, by script, letters and frequent words; made for short questions. Each word votes: a letter
 * or a frequent word that only one language has counts for it, an ending or a letter it often has counts less. A word
 * of two languages ("не", Russian and Kazakh) follows the others. Latin words that are Russian typed on the wrong
 * keyboard layout, or in Latin letters, count as Russian.
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
/** Words of two languages: of the first at the end of a text, else of the one the other words are of. */
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
/** What a frequent word counts. */
const weights = ofEach((language) => Number(textOf(language, 'detection.weight')));

/** What other words look like, the surest signs first. */
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
  /** Frequent words of any language. */
  frequent: number;
  /** Words that are surely of the language they count for. */
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
 * The text as its writer meant it: turned over when it was typed on the wrong keyboard layout ("xnj nfrjt"), in
 * Cyrillic when it is Russian in Latin letters ("chto takoe"), else as it stands. Turned only when frequent words
 * appear that were not there before, or when several small words can be spoken only then ("cvthnyfz rfpym").
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
  // A word of two letters is easily another by chance: "vs" is "мы".
  const least = speakable(text) ? 3 : 1;
  const certain = others.find((retyped) =>
    wordsIn(retyped).some((word) => word.length >= least && frequent.has(word)),
  );
  if (certain !== undefined) return certain;
  const isPlain = !/[\p{Lu}\d]/u.test(text) && /\s/.test(text.slice(1, -1));
  if (!isPlain || speakable(text)) return text;
  return others.find((retyped) => speakable(retyped)) ?? text;
}

/** How a text of a language is read that is typed in Latin letters, one rule after the other. */
const fromLatin = ofEach((language) => {
  const rules = rowsOf<readonly [pattern: string, letters: string]>(language, 'typing.fromLatin');
  return whenAsked(() => rules.map(([pattern, letters]) => [new RegExp(pattern, 'gu'), letters] as const));
});

const anyVote = ({ of }: Votes) => Object.values(of).some((count) => count > 0);

const vowel = new RegExp(classOf(joined('letters.vowels').replaceAll(' ', '')), 'g');
const hard = new RegExp(`[^${joined('letters.vowels', 'letters.silent').replaceAll(' ', '')}]{5}`);

/** Words of three letters and more have vowels, and hardly ever five consonants or four vowels in a row. */
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

/** A frequent word in Latin letters: less sure than one of a language written in them. */
const romanisedWeight = 0.9;
/** What the script alone counts for the language that is its default: less than any word. */
const scriptWeight = 0.4;

/** What a vocabulary says for each language: about 1 for each word that only one of them has. */
export type LanguageEvidence = Readonly<Partial<Record<Language, number>>>;

/** A question as its writer meant it: in the layout it was to be typed in; and what is known of its language besides. */
export interface Wording {
  typed: string;
  evidence: LanguageEvidence;
}

const longest = 2_000;

/** The votes of a text as its writer meant it; its first 2,000 units are looked at. */
function meantVotes(text: string, isMeant = false): Votes {
  const looked = text.length > longest ? text.slice(0, longest) : text;
  const given = votes(looked);
  if (isMeant) return given;
  const meant = repaired(looked, given);
  return meant === looked ? given : votes(meant);
}

/** Whether a text's own words identify its language: at least one is certain, and no other language has as many votes. */
export function isLanguageCertain(text: string): boolean {
  const { of, sure } = meantVotes(text);
  const [first = 0, second = 0] = Object.values(of).sort((a, b) => b - a);
  return sure > 0 && first > second;
}

/**
 * The language of a text, one of `among`; `fallback` (the first of `among` unless given) where nothing tells.
 * `evidence`: what else is known, such as the vocabulary of the documents that are asked; `isMeant`: the text is as its
 * writer meant it, whatever layout its letters look like. Looks at the first 2,000 units.
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
