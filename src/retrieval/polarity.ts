/**
 * Whether a sentence that shares a question's words says the opposite of what is asked: the question is negated and
 * the sentence is not, an antonym takes the place of one of its words, or a prefix reverses
 * the word itself. It finds near misses; it cannot recognise a sentence about something else.
 */
import { all, endingIn, type LanguagePack, wordsOfAll } from '../text/languages/index.ts';
import { isStopWord, stem } from '../text/words.ts';
import { oppositeStems } from './opposites.ts';
import { isNegated } from './question.ts';

interface Opposites {
  /** The stem of a word that is asked. */
  asked: string;
  /** Stems of words that say the opposite of it. */
  others: readonly string[];
}

/** Of the words of a question, which is held against many sentences. */
const known = new WeakMap<readonly string[], Opposites[]>();

function oppositesOf(question: readonly string[]): Opposites[] {
  const before = known.get(question);
  if (before) return before;
  const made = question.map((word): Opposites => ({ asked: stem(word), others: oppositeStems(word) }));
  known.set(question, made);
  return made;
}

/** Takes words as words() yields them. `negated`: the question denies. */
export function contradicts(
  question: readonly string[],
  sentence: readonly string[],
  negated: boolean = isNegated(question),
): boolean {
  if (negated && !isNegated(sentence)) return true;
  const there = new Set(sentence.map(stem));
  return oppositesOf(question).some(
    ({ asked, others }) => !there.has(asked) && others.some((other) => there.has(other)),
  );
}

/** Words and endings that say with what, or without what, something is there. */
interface Company {
  words: ReadonlySet<string>;
  endings: readonly { ending: RegExp; stem: (word: string) => string }[];
}
const company = (pick: (pack: LanguagePack) => LanguagePack['grammar']['having']): Company => ({
  words: wordsOfAll((pack) => pick(pack).words),
  endings: all
    .filter(({ pack }) => pick(pack).endings !== '')
    .map(({ pack }) => ({ ending: endingIn(pick(pack).endings), stem: pack.stem })),
});
const having = company((pack) => pack.grammar.having);
const lacking = company((pack) => pack.grammar.lacking);
/** "With a written decision": so far behind the preposition its noun may stand. */
const reach = 3;
/** Shorter words only end alike. */
const shortestInflected = 6;

/** Stems of the words that are said to be present (or absent). */
function companions(list: readonly string[], { words, endings }: Company): Set<string> {
  const found = new Set<string>();
  for (const [n, word] of list.entries()) {
    if (words.has(word))
      for (const next of list.slice(n + 1, n + 1 + reach)) if (!isStopWord(next)) found.add(stem(next));
    if (word.length < shortestInflected) continue;
    for (const { ending, stem: stemOf } of endings) {
      if (!ending.test(word)) continue;
      // "Сот шешімімен": the noun before it says whose.
      for (const noun of [stemOf(word.replace(ending, '')), list[n - 1] ?? ''])
        if (noun.length > 2) found.add(noun);
    }
  }
  return found;
}

/** What a question takes to be present; it is held against many sentences. */
const takenToBe = new WeakMap<readonly string[], ReadonlySet<string>>();

function wantedBy(question: readonly string[]): ReadonlySet<string> {
  let wanted = takenToBe.get(question);
  if (wanted === undefined) {
    wanted = companions(question, having);
    takenToBe.set(question, wanted);
  }
  return wanted;
}

/** Whether a sentence says that something is absent which the question takes to be present, and never that it is present. */
export function contradictsPresence(question: readonly string[], sentence: readonly string[]): boolean {
  const wanted = wantedBy(question);
  if (wanted.size === 0) return false;
  const lacks = (word: string) =>
    lacking.words.has(word) || lacking.endings.some(({ ending }) => ending.test(word));
  if (!sentence.some(lacks)) return false;
  const absent = companions(sentence, lacking);
  const there = companions(sentence, having);
  return [...wanted].some((one) => absent.has(one) && !there.has(one));
}
