/**
 * Extracts the question from a message by removing polite phrases, instructions to the assistant, background, and words
 * that ask for a judgement.
 */
import type { CorpusSettings } from '../domain/events.ts';
import { anyOf, letter, longestFirst, phrasesOfAll, wholeWords } from '../language/index.ts';
import { clauses, isInjection } from '../text/prompt-injection.ts';
import { actBeside, type NamedAct } from '../text/references/acts.ts';
import { parseReferences, type Reference, referencesMax } from '../text/references/parse.ts';
import { contentWords, foldText, isQuestionWord, words } from '../text/words.ts';
import { type AskedEditions, readEditions } from './editions.ts';
import { isAboutAssistant, isTask, smallTalk, type Talk, withoutPoliteness } from './small-talk/recognise.ts';

/** A requested provision, and its act if the question names one. */
export interface AskedReference extends Reference {
  act: NamedAct | null;
}

/** What a message asks, judging by its own words alone. */
export interface ReadQuestion {
  /** The type of a message that is not answered from documents; null for a question. */
  talk: Talk | null;
  /** The message without greetings and instructions. */
  said: string;
  /**
   * The question to look up: the interrogative sentence without forms of address and words that ask for a judgement.
   */
  text: string;
  /** The rest of the message; '' if there is none. */
  story: string;
  /** The first `referencesMax` provisions that it names. */
  references: readonly AskedReference[];
  /** Whether it names more provisions than `references` contains. */
  moreReferences: boolean;
  /** The editions that it asks for. */
  editions: AskedEditions;
  /** Whether it asks for a judgement ("does this strengthen …?"), which the assistant does not give. */
  asksJudgement: boolean;
  /** Whether it contained instructions to the assistant ("ignore your rules"), which were removed. */
  ordered: boolean;
}

const joining = new RegExp(`^${anyOf(...phrasesOfAll('dialogue.opens'))}(?!${letter})[\\s,]+`, 'u');

/** Matches words that ask for a judgement. They are removed, because they do not help to find passages. */
const verdict = wholeWords(phrasesOfAll('answers.verdicts'));

/** Matches forms of address and words of request. */
const fillers = new RegExp(
  `${wholeWords(longestFirst(phrasesOfAll('courtesy.address'))).source}[,:]?\\s*`,
  'giu',
);

/** If a message has more content words than this, it contains background, and only its question is looked up. */
const storyFrom = 14;

/**
 * Splits a long message into its interrogative sentence and the rest. Of a very long sentence, only the part from the
 * last question word is used. Shorter messages are not split.
 */
function essence(text: string): { asking: string; rest: string } {
  const whole = { asking: text, rest: '' };
  if (contentWords(text).length <= storyFrom) return whole;
  const sentences = text.split(/(?<=[.!?…])\s+|\n+/u).filter((one) => one.trim() !== '');
  const last = sentences.findLastIndex((one) => /\?\s*$/.test(one));
  const at = last >= 0 ? last : sentences.findLastIndex((one) => words(one).some(isQuestionWord));
  if (at < 0) return whole;
  const split = (pieces: readonly string[], from: number, to: number) => ({
    asking: pieces.slice(from, to).join(' '),
    rest: [...pieces.slice(0, from), ...pieces.slice(to)].join(' '),
  });
  const one = sentences[at]!;
  if (contentWords(one).length > storyFrom) {
    const parts = one.split(/(?<=[:;,—–])\s+/u);
    const first = parts.findLastIndex((part) => words(part).some(isQuestionWord));
    if (first > 0 && contentWords(parts.slice(first).join(' ')).length >= 3) {
      const { asking, rest } = split(parts, first, parts.length);
      return { asking, rest: [split(sentences, at, at + 1).rest, rest].join(' ').trim() };
    }
    return split(sentences, at, at + 1);
  }
  return split(sentences, at, at + 1);
}

/** Removes a greeting or thanks before a question. A message that consists of nothing else is unchanged. */
export function withoutGreeting(text: string): string {
  const { left, thanked } = withoutPoliteness(text);
  if (!thanked) return left;
  const rest = left.slice(joining.exec(left.toLowerCase())?.[0].length ?? 0);
  return contentWords(rest).length > 0 ? rest : left;
}

/** Reads a question for a corpus. Expects the corrected keyboard layout and a follow-up that is already completed. */
export function readQuestion(message: string, settings: CorpusSettings): ReadQuestion {
  const given = message.trim();
  const talking = (talk: Talk, said = given, ordered = false): ReadQuestion => ({
    talk,
    said,
    text: given,
    story: '',
    ordered,
    references: [],
    moreReferences: false,
    asksJudgement: false,
    editions: readEditions({ said: given, asking: given }, [], settings),
  });
  const talk = smallTalk(foldText(given).trim());
  if (talk) return talking(talk);
  const { said, ordered } = withoutOrderClauses(withoutGreeting(given));
  if (ordered) {
    const left = contentWords(said.replace(fillers, ' ')).length;
    const asks = said.includes('?') || words(said).some(isQuestionWord);
    if (parseReferences(said).length === 0 && left < (asks ? 1 : 2)) return talking('meta', said, ordered);
  }
  const folded = foldText(said).trim();
  const all = parseReferences(said, referencesMax + 1);
  const named = all.slice(0, referencesMax);
  const references = named.map((one) => ({ ...one, act: actBeside(said, one, named) }));
  if (references.length === 0 && isAboutAssistant(folded)) return talking('meta', said, ordered);
  if (references.length === 0 && isTask(said)) return talking('task', said, ordered);
  const unaddressed = said.replace(fillers, ' ').replace(/\s+/g, ' ').trim();
  const { asking, rest } = essence(contentWords(unaddressed).length > 0 ? unaddressed : said.trim());
  const asksJudgement = verdict.test(folded);
  return {
    talk: null,
    said,
    text: asksJudgement ? withoutVerdict(asking) : asking,
    story: rest,
    references,
    moreReferences: all.length > referencesMax,
    asksJudgement,
    ordered,
    editions: readEditions({ said, asking }, references, settings),
  };
}

/** Removes the clauses that instruct the assistant. */
function withoutOrderClauses(text: string): { said: string; ordered: boolean } {
  const all = clauses(text).flatMap((clause) => (isInjection(clause) ? clause.split(/,\s+/) : [clause]));
  const kept = all.filter((clause) => !isInjection(clause));
  return kept.length < all.length ? { said: kept.join(' '), ordered: true } : { said: text, ordered: false };
}

/** Removes words that ask for a judgement, unless nothing else would remain. */
function withoutVerdict(text: string): string {
  const left = text.replace(new RegExp(verdict.source, 'giu'), ' ').replace(/\s+/g, ' ').trim();
  return contentWords(left).length > 0 ? left : text;
}
