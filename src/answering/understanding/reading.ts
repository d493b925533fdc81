/**
 * Extracts what a message asks, without courtesies, instructions to the assistant, background and words of judgement.
 */
import type { CorpusSettings } from '../../domain/events.ts';
import { anyOf, letter, phrasesOfAll, wholeWords } from '../../text/languages/index.ts';
import { clauses, isOrder } from '../../text/orders.ts';
import { actBeside, type NamedAct } from '../../text/references/acts.ts';
import { parseReferences, type Reference, referencesMax } from '../../text/references/parse.ts';
import { foldText, isQuestionWord, isStopWord, words } from '../../text/words.ts';
import {
  isAboutAssistant,
  isTask,
  smallTalk,
  type Talk,
  withoutPoliteness,
} from '../kinds/small-talk/read.ts';
import { type AskedEditions, readEditions } from './editions.ts';

/** A provision asked for, with the act if the question names one. */
export interface AskedReference extends Reference {
  act: NamedAct | null;
}

/** What a message asks, by its own words. */
export interface ReadQuestion {
  /** The type of a message that asks nothing of the documents; otherwise null. */
  talk: Talk | null;
  /** The message without greeting and instructions. */
  said: string;
  /** The question to look up: the interrogative sentence, without words of address and judgement. */
  text: string;
  /** The rest of a message of several sentences; "" if there is none. */
  story: string;
  /** The first `referencesMax` provisions it names. */
  references: readonly AskedReference[];
  /** It names more provisions than `references` contains. */
  moreReferences: boolean;
  /** The editions it asks for. */
  editions: AskedEditions;
  /** The question asks for a judgement ("does this strengthen …?"), which is not given. */
  leading: boolean;
  /** It contained instructions to the assistant ("ignore your rules"), which were removed. */
  ordered: boolean;
}

const joining = new RegExp(`^${anyOf(...phrasesOfAll('dialogue.opens'))}(?!${letter})[\\s,]+`, 'u');

const longestFirst = (list: readonly string[]) => [...list].sort((a, b) => b.length - a.length);

/** Words of judgement, removed so that the other words find the provisions. */
const verdict = wholeWords(phrasesOfAll('answers.verdicts'));

const contentOf = (text: string) => words(text).filter((word) => !isStopWord(word));

/** Words of address and request without a subject. */
const fillers = new RegExp(
  `${wholeWords(longestFirst(phrasesOfAll('courtesy.address'))).source}[,:]?\\s*`,
  'giu',
);

/** A question with more content words contains background, so only its interrogative sentence is searched. */
const storyFrom = 14;

/**
 * Splits a long question into its interrogative sentence and the rest. In a very long sentence, the part from its last
 * question word counts. Shorter questions are unchanged.
 */
function essence(text: string): { asking: string; rest: string } {
  const whole = { asking: text, rest: '' };
  if (contentOf(text).length <= storyFrom) return whole;
  const sentences = text.split(/(?<=[.!?…])\s+|\n+/u).filter((one) => one.trim() !== '');
  const last = sentences.findLastIndex((one) => /\?\s*$/.test(one));
  const at = last >= 0 ? last : sentences.findLastIndex((one) => words(one).some(isQuestionWord));
  if (at < 0) return whole;
  const split = (pieces: readonly string[], from: number, to: number) => ({
    asking: pieces.slice(from, to).join(' '),
    rest: [...pieces.slice(0, from), ...pieces.slice(to)].join(' '),
  });
  const one = sentences[at]!;
  if (contentOf(one).length > storyFrom) {
    const parts = one.split(/(?<=[:;,—–])\s+/u);
    const first = parts.findLastIndex((part) => words(part).some(isQuestionWord));
    if (first > 0 && contentOf(parts.slice(first).join(' ')).length >= 3) {
      const { asking, rest } = split(parts, first, parts.length);
      return { asking, rest: [split(sentences, at, at + 1).rest, rest].join(' ').trim() };
    }
    return split(sentences, at, at + 1);
  }
  return split(sentences, at, at + 1);
}

/** A question without the greeting or thanks before it; a text of nothing else is unchanged. */
export function withoutGreeting(text: string): string {
  const { left, thanked } = withoutPoliteness(text);
  if (!thanked) return left;
  const rest = left.slice(joining.exec(left.toLowerCase())?.[0].length ?? 0);
  return contentOf(rest).length > 0 ? rest : left;
}

/** Reads a question (with corrected layout and resolved history) for a corpus. */
export function readQuestion(message: string, settings: CorpusSettings): ReadQuestion {
  const given = message.trim();
  const talking = (talk: Talk, said = given, ordered = false): ReadQuestion => ({
    ...{ talk, said, text: given, story: '', ordered },
    ...{ references: [], moreReferences: false, leading: false },
    editions: readEditions({ said: given, asking: given }, [], settings),
  });
  const talk = smallTalk(foldText(given).trim());
  if (talk) return talking(talk);
  const { said, ordered } = withoutOrderClauses(withoutGreeting(given));
  if (ordered) {
    const left = contentOf(said.replace(fillers, ' ')).length;
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
  const { asking, rest } = essence(contentOf(unaddressed).length > 0 ? unaddressed : said.trim());
  const leading = verdict.test(folded);
  return {
    ...{ talk: null, said, text: leading ? withoutVerdict(asking) : asking, story: rest },
    ...{ references, moreReferences: all.length > referencesMax, leading, ordered },
    editions: readEditions({ said, asking }, references, settings),
  };
}

/** A message without the clauses that instruct the assistant. */
function withoutOrderClauses(text: string): { said: string; ordered: boolean } {
  const all = clauses(text).flatMap((clause) => (isOrder(clause) ? clause.split(/,\s+/) : [clause]));
  const kept = all.filter((clause) => !isOrder(clause));
  return kept.length < all.length ? { said: kept.join(' '), ordered: true } : { said: text, ordered: false };
}

/** A question without words of judgement, unless nothing else remains. */
function withoutVerdict(text: string): string {
  const left = text.replace(new RegExp(verdict.source, 'giu'), ' ').replace(/\s+/g, ' ').trim();
  return contentOf(left).length > 0 ? left : text;
}
