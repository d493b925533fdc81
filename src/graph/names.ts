/**
 * Finds names by their spelling: a name is a run of capitalised words whose capitals are not explained by the structure
 * of the sentence. Spelling does not show the kind of a name. If spelling alone might truncate a name ("Министерство
 * юстиции"), the run is dropped, because a missing node is better than a wrong one.
 *
 * Two cases are decided by evidence from all available passages. A run at the start of a sentence is a name if it also
 * occurs in other positions. A run is split into two names if both occur on their own elsewhere ("Президент
 * Республики").
 */
import type { Span } from '../domain/span.ts';
import {
  classOf,
  endingIn,
  formsOf,
  grammars,
  isDefaultOfScript,
  joined,
  type Language,
  languageByLetters,
  languages,
  listOf,
  ofEach,
  scriptOf,
  scripts,
  setOf,
  textOf,
  wordsOfAll,
} from '../language/index.ts';
import { unitOf } from '../text/references/units.ts';
import { listMark, splitSentences } from '../text/sentences.ts';
import { isStopWord } from '../text/stopwords.ts';
import { cachedByWord, foldLetters } from '../text/words.ts';

export interface TextToRead {
  text: string;
  lang: Language;
  /** UTF-16 offset at which the search for names begins: after a heading, whose capitals are not evidence. */
  from: number;
}

export interface NameFound extends Span {
  /** See `keyOf`. */
  key: string;
}

interface NameToken extends Span {
  word: boolean;
  text: string;
  /** In lower case, with ё replaced by е. */
  low: string;
  capital: boolean;
  /** Whether it has two or more letters, all of them capitals. */
  shouted: boolean;
  /** Whether it is the first word of a sentence, quotation or list item. If so, its capital is not evidence. */
  opens: boolean;
  /** Whether a single space separates it from the previous token. */
  adjacent: boolean;
}

/** The tokens of a possible name. */
interface Run {
  tokens: readonly NameToken[];
  key: string;
  opens: boolean;
}

/** Evidence from all available passages. */
interface Evidence {
  /** The number of occurrences of each name other than at the start of a sentence, by key. */
  counts: ReadonlyMap<string, number>;
  /** Words that also occur in lower case. */
  small: ReadonlySet<string>;
}

const wordsMax = 8;
const acronymMax = 6;
const pieces = /(?<word>\p{L}[\p{L}\p{M}\d]*(?:[-’'\u2010\u2011][\p{L}\d]+){0,4})|\d+|[^\s\p{L}\d]/gu;
/** Longer words are mostly encoded data and are truncated to this length. */
const lettersMax = 64;
const openers = new Set(['«', '“', '„', '"', '—', '–', ':', ';', '(', '•']);
const isRoman = /^[IVXLC]+$/;
/** The possessive ending, as in "President's". */
const genitive = /[’']s?$/;

const calendar = new Set([
  ...formsOf(joined('calendar.monthForms')),
  ...listOf(joined('calendar.weekdays')).flatMap(formsOf),
]);
const articles = wordsOfAll('grammar.articles');
const verbs = ['finite', 'reflexive', 'past', 'present', 'participles'].map((name) => `morphology.${name}`);
const rules = ofEach((language) => ({
  isAdjective: endsIn(language, ['morphology.adjectives'], 3),
  isVerb: endsIn(language, verbs, 2),
  isGoverned: endsIn(language, ['entities.governed'], 3),
  isComplement: endsIn(language, ['entities.complements'], 2),
  isOwner: endsIn(language, ['acts.owner'], 2),
  joins: setOf(textOf(language, 'entities.joins')),
  nounLast: textOf(language, 'grammar.officeHead') === 'last',
}));

/** Returns a test for endings from the given sections of a language, after a minimum number of letters. */
function endsIn(
  language: Language,
  sections: readonly string[],
  lettersBefore: number,
): (low: string) => boolean {
  const forms = sections.map((name) => textOf(language, name)).join(' ');
  const expression = forms.trim() === '' ? null : endingIn(forms, lettersBefore);
  return (low) => expression?.test(low) ?? false;
}

const defaults = new Map(
  languages
    .filter((language) => isDefaultOfScript[language])
    .map((language) => [scripts[language], language]),
);

/**
 * Returns a form of a word in a name that is the same for all its inflected forms. The form in the language of the text
 * may be folded once more in the default language of the script, because a word that exists in both languages must have
 * the same form in both. The forms are cached, because the same names occur in many passages.
 */
const folded = ofEach((lang) =>
  cachedByWord(7_000, (low) => {
    const script = scriptOf(low);
    const byDefault = (script === null ? undefined : defaults.get(script)) ?? lang;
    const first = languageByLetters(low) ?? (scripts[lang] === script ? lang : byDefault);
    const stem = grammars[first].foldName(low);
    const isWhole = stem === low || vowel.test(stem);
    return first !== byDefault && isWhole && languageByLetters(stem) === null
      ? grammars[byDefault].foldName(stem)
      : stem;
  }),
);
const vowel = new RegExp(`${classOf(joined('letters.vowels'))}$`, 'u');

/** The key of a name: the base forms of its words, without function words; '' if no words remain. */
export function keyOf(name: string, lang: Language): string {
  return keyOfWords(tokensOf(name), lang);
}

function keyOfWords(tokens: readonly NameToken[], lang: Language): string {
  const words = tokens.filter(({ word }) => word);
  const kept = words.length === 1 ? words : words.filter((token) => token.shouted || !isStopWord(token.low));
  return kept.map(({ low }) => folded[lang](low.replace(genitive, ''))).join(' ');
}

function tokensOf(text: string): NameToken[] {
  const starts = new Set<number>();
  for (const { start } of splitSentences(text)) {
    listMark.lastIndex = start;
    starts.add(start + (listMark.exec(text)?.[0].length ?? 0)).add(start);
  }
  const out: NameToken[] = [];
  let opens = false;
  for (const { 0: found, index: start, groups } of text.matchAll(pieces)) {
    const word = groups?.word !== undefined;
    const before = out.at(-1);
    opens ||= starts.has(start);
    const first = found.charAt(0);
    const capital = word && first !== first.toLowerCase();
    out.push({
      word,
      text: found,
      low: foldLetters(found.slice(0, lettersMax)),
      start,
      end: start + found.length,
      capital,
      shouted: capital && found.length > 1 && found === found.toUpperCase(),
      opens,
      adjacent: before !== undefined && before.end + 1 === start && /[ \u00a0\u202f]/.test(text[start - 1]!),
    });
    // Punctuation and numbers do not count as the first word.
    opens = word ? false : opens || openers.has(found);
  }
  return out;
}

/** Returns the names in each of several related passages, in order. */
export function namesIn(passages: readonly TextToRead[]): NameFound[][] {
  const small = new Set<string>();
  const all = passages.map((passage) => {
    const tokens = tokensOf(passage.text).filter(({ start }) => start >= passage.from);
    for (const { word, capital, low } of tokens) if (word && !capital) small.add(low);
    return { lang: passage.lang, runs: runsOf(tokens, passage.lang) };
  });
  const sure = all.flatMap(({ runs }) => runs.filter(({ opens }) => !opens));
  const counts = new Map<string, number>();
  for (const { key } of sure) counts.set(key, (counts.get(key) ?? 0) + 1);
  return all.map(({ lang, runs }) =>
    runs
      .flatMap((run) => confirmed(run, lang, { counts, small }))
      .flatMap((run) => parted(run, lang, { counts, small }))
      .map(({ tokens, key }) => {
        const last = tokens.at(-1)!;
        const end = last.end - (genitive.exec(last.text)?.[0].length ?? 0);
        return { start: tokens[0]!.start, end, key };
      }),
  );
}

const runOf = (tokens: readonly NameToken[], lang: Language): Run => ({
  tokens,
  key: keyOfWords(tokens, lang),
  opens: tokens[0]!.opens,
});

function runsOf(tokens: readonly NameToken[], lang: Language): Run[] {
  const out: Run[] = [];
  const add = (from: number, to: number) => out.push(runOf(tokens.slice(from, to), lang));
  for (let at = 0; at < tokens.length; ) {
    if (!mayBePart(tokens, at)) {
      at++;
      continue;
    }
    const from = at;
    const { joins, nounLast, isAdjective, isVerb, isGoverned } = rules[lang];
    for (at++; at < tokens.length && at - from < wordsMax; ) {
      const next = joins.has(tokens[at]!.low) && articles.has(tokens[at + 1]?.low ?? '') ? at + 2 : at + 1;
      if (mayBePart(tokens, at) && tokens[at]!.adjacent) at++;
      else if (joins.has(tokens[at]!.low) && tokens[at]!.adjacent && mayBePart(tokens, next)) at = next + 1;
      else break;
    }
    const to = at;
    const last = tokens[to - 1]!;
    if (isAdjective(last.low)) {
      // Include a lower-case noun after adjectives: "Верховный суд", "Центральная избирательная комиссия".
      let noun = to;
      while (isSmall(tokens, noun) && isAdjective(tokens[noun]!.low)) noun++;
      if (isSmall(tokens, noun) && !isVerb(tokens[noun]!.low)) {
        let adjectives = to - 1;
        while (adjectives > from && isAdjective(tokens[adjectives - 1]!.low)) adjectives--;
        if (adjectives > from) add(from, adjectives);
        add(adjectives, noun + 1);
        at = noun + 1;
      } else if (to - from > 1) add(from, to);
      continue;
    }
    let end = to;
    while (isSmall(tokens, end) && isGoverned(tokens[end]!.low) && !isVerb(tokens[end]!.low)) end++;
    // Only a single word may need a lower-case continuation; in languages that put the noun last, a longer run may too:
    // "Парламенттің Өкілдер палатасы".
    const isCutShort = end === to && (nounLast || to - from === 1) && goesOn(tokens, to, lang);
    const upTo = isCutShort ? to - 1 : end;
    if (upTo > from && !isAdjective(tokens[upTo - 1]!.low)) add(from, upTo);
    at = Math.max(at, end);
  }
  return out;
}

/** Whether a name may continue with lower-case words after its capitalised words: "Министерство юстиции". */
function goesOn(tokens: readonly NameToken[], at: number, lang: Language): boolean {
  const { joins, isComplement, isOwner, isVerb } = rules[lang];
  const behind = tokens[at];
  if (behind?.adjacent !== true) return false;
  if (!behind.word) return /^[«“„"№\d]/.test(behind.text);
  if (behind.low === [...joins][0]) return true;
  // A possessive ending completes the name: "Үкіметтің орнынан".
  if (isOwner(tokens[at - 1]!.low)) return false;
  return isSmall(tokens, at) && isComplement(behind.low) && !isVerb(behind.low);
}

/** Whether a capitalised word may be part of a name. */
function mayBePart(tokens: readonly NameToken[], at: number): boolean {
  const token = tokens[at];
  if (token?.word !== true || !token.capital || token.text.length === 1 || calendar.has(token.low))
    return false;
  if (unitOf(token.low) !== null) return false;
  if (!token.shouted) return !isStopWord(token.low);
  // In a line in capitals, a capital letter is not evidence of a name.
  const alone = !tokens[at - 1]?.shouted && !tokens[at + 1]?.shouted;
  return alone && token.text.length <= acronymMax && !isRoman.test(token.text);
}

const isSmall = (tokens: readonly NameToken[], at: number): boolean => {
  const token = tokens[at];
  return token?.word === true && !token.capital && token.adjacent && !isStopWord(token.low);
};

/** Returns the part of a run that the evidence confirms to be a name, or none. */
function confirmed(run: Run, lang: Language, { counts, small }: Evidence): Run[] {
  const { tokens, key, opens } = run;
  if (opens && !counts.has(key)) {
    // The first word may be capitalised only because it begins the sentence: "Сегодня Марина Тулепова".
    const from = tokens.findIndex(({ capital }, n) => n > 0 && capital);
    if (from < 0) return [];
    const rest = runOf(tokens.slice(from), lang);
    if (counts.has(rest.key)) return [rest];
    const { nounLast, isAdjective, isVerb } = rules[lang];
    // In languages that put the noun last, the first word may belong to the name: "Жоғары Төрелік Сот".
    if (nounLast || (rest.tokens.length === 1 && isAdjective(rest.tokens[0]!.low))) return [];
    const { low } = tokens[0]!;
    const isPair = tokens.length === 2 && !small.has(low) && !isAdjective(low) && !isVerb(low);
    return [isPair ? run : rest];
  }
  // Lower-case words that follow a name only once may not be part of it: "соответствие Конституции законов".
  const tail = tokens.findIndex(({ capital }) => !capital);
  if (tail < 0 || counts.get(key) !== 1) return [run];
  const head = runOf(tokens.slice(0, tail), lang);
  return counts.has(head.key) && tokens.slice(tail).every(({ capital }) => !capital) ? [head] : [run];
}

/**
 * Splits a run recursively into names that each occur on their own elsewhere. Returns the whole run if it cannot be
 * split.
 */
function parted(run: Run, lang: Language, evidence: Evidence): Run[] {
  const { tokens } = run;
  for (let at = 1; at < tokens.length; at++) {
    if (!tokens[at]!.capital) continue;
    const end = tokens.findLastIndex(({ capital }, n) => n < at && capital) + 1;
    const [before, behind] = [runOf(tokens.slice(0, end), lang), runOf(tokens.slice(at), lang)];
    if (evidence.counts.has(before.key) && evidence.counts.has(behind.key))
      return [before, ...parted(behind, lang, evidence)];
  }
  return [run];
}
