/**
 * Which look-ups a question takes: the same for an answer and for its sources alone. A plan is a list of attempts, the
 * first that finds what it is for is the one that counts; the last always does.
 */

import type { Language } from '../domain/events.ts';
import type { AskedReference, Intent } from './intent.ts';
import type { Link, Referring } from './referring.ts';
import { completed } from './sides.ts';

/** The text in force, or the one it replaced. */
export type Edition = 'current' | 'superseded';

/** One look-up of passages. */
export interface LookUp {
  question: string;
  /** What else was written around the question: it helps to find passages, it is not what they must answer. */
  story?: string;
  edition: Edition;
  /** The language the question is in, where the answer is wanted in another. */
  from?: Language;
  /** Provisions asked for by number. */
  references: readonly AskedReference[];
  /** Words the passages must be about, as if they were names. */
  focus?: string;
}

/** A thing a comparison names; `topic`: what a speaker is heard on. */
export interface NamedSide {
  label: string;
  topic: string | null;
  lookUp: LookUp;
}

/** What a dialogue adds to its last question. */
export interface Thread {
  /** The question was made whole with what was said before. */
  leans: boolean;
  /** What took the place of a former subject: the answer must be about it; else null. */
  focus: string | null;
  /** What the last answer spoke of, where to look first; '' for nowhere. */
  context: string;
  /** Other ways in which the question can be made whole. */
  otherwise: readonly string[];
  /** The language the question is in, where the answer was asked for in another; else null. */
  from: Language | null;
}

/** Several questions in one. */
export interface Parts {
  /** `label`: the question as it was asked, `question`: made whole. */
  parts: readonly { label: string; question: string; focus?: string }[];
  /** They are one question about several subjects, which one passage may answer for all. */
  subjects: boolean;
  /** It asks more than these. */
  more: boolean;
}

export const noThread: Thread = { leans: false, focus: null, context: '', otherwise: [], from: null };

export type Attempt =
  /** One look-up. `onlyIf`: it counts only with enough evidence, or always. */
  | { kind: 'passages'; lookUp: LookUp; onlyIf: 'answerable' | null }
  /** What a question may mean after what was said: the one with the best evidence counts, the first where none has enough. */
  | { kind: 'interpretations'; lookUps: readonly [LookUp, ...LookUp[]] }
  /** Several questions; void where fewer than `atLeast` have enough evidence. */
  | { kind: 'parts'; parts: readonly { label: string; lookUp: LookUp }[]; atLeast: number }
  /** What the former text says on the subject of a provision of the text in force; void where there is no such one. */
  | { kind: 'predecessor'; subject: string; references: readonly AskedReference[] }
  /** Provisions of both editions, each from the one it is asked of. */
  | { kind: 'editions'; lookUps: readonly LookUp[] }
  /** A provision beside what another layer says of it; void where there is no such provision. */
  | { kind: 'layers'; lookUp: LookUp; beside: string }
  /** What refers to a provision, or what it refers to; void where there is no such provision, or it is not known. */
  | { kind: 'references'; lookUp: LookUp; referring: Referring }
  /** Whether one of its provisions refers to another; void as `references`. */
  | { kind: 'link'; lookUp: LookUp; link: Link }
  /** Several provisions; void where fewer than `atLeast` are found. */
  | { kind: 'provisions'; lookUp: LookUp; atLeast: number }
  /** The place that is headed by both things a question compares; void where there is none. */
  | { kind: 'contrast'; lookUp: LookUp; names: readonly string[] }
  /** Two things the question names itself. */
  | { kind: 'sides'; sides: readonly NamedSide[] }
  /** The text in force and the one it replaced on one subject. */
  | { kind: 'both'; subject: string; references: readonly AskedReference[] };

export interface Plan {
  attempts: readonly Attempt[];
  /** What every look-up must be about unless it says otherwise. */
  focus: string | null;
}

export function planLookUps(
  intent: Intent,
  { thread = noThread, parts = null }: { thread?: Thread; parts?: Parts | null } = {},
): Plan {
  const attempts = intent.kind === 'comparison' ? comparison(intent) : answer(intent, thread);
  return {
    attempts: parts ? [...inParts(parts, intent.question), ...attempts] : attempts,
    focus: thread.focus,
  };
}

function inParts({ parts, subjects }: Parts, question: string): Attempt[] {
  const whole: LookUp = { question, edition: 'current', references: [] };
  const each = parts.map(({ label, question, focus }) => ({
    label,
    lookUp: { question, edition: 'current' as const, references: [], ...(focus !== undefined && { focus }) },
  }));
  if (!subjects) return [{ kind: 'parts', parts: each, atLeast: 1 }];
  // "Rights and freedoms" may be no two subjects: what is found of some of them comes after what is found of the whole.
  return [
    { kind: 'parts', parts: each, atLeast: each.length },
    { kind: 'passages', lookUp: whole, onlyIf: 'answerable' },
    { kind: 'parts', parts: each, atLeast: 1 },
  ];
}

function answer(
  { kind, question, story, subject, references, bySubject, tentative, referring, link }: Intent,
  { leans, context, otherwise, from }: Thread,
): Attempt[] {
  const attempts: Attempt[] = [];
  if (kind === 'historical') {
    if (bySubject) attempts.push({ kind: 'predecessor', subject, references });
    attempts.push({
      kind: 'passages',
      lookUp: { question: subject, edition: 'superseded', references },
      onlyIf: tentative ? 'answerable' : null,
    });
  }
  const lookUp: LookUp = {
    question,
    edition: 'current',
    references,
    ...(story !== '' && { story }),
    ...(from !== null && { from }),
  };
  if (referring !== null) attempts.push({ kind: 'references', lookUp, referring });
  if (link !== null) attempts.push({ kind: 'link', lookUp, link });
  if (context === '' || references.length > 0) attempts.push({ kind: 'passages', lookUp, onlyIf: null });
  else {
    const there = { ...lookUp, story: `${story} ${context}`.trim() };
    const others = otherwise.map((other) => ({ ...there, question: other }));
    attempts.push({ kind: 'interpretations', lookUps: leans ? [there, ...others] : [lookUp, there] });
  }
  return attempts;
}

function comparison({ question, subject, references, editions, besides, sides }: Intent): Attempt[] {
  if (editions) {
    const lookUps = [...new Set(editions)].map((edition) => ({
      question,
      edition,
      references: references.filter((_, n) => editions[n] === edition),
    }));
    return [{ kind: 'editions', lookUps }];
  }
  const attempts: Attempt[] = [];
  const lookUp: LookUp = { question, edition: 'current', references };
  const distinct = new Set(references.map(({ number }) => number)).size;
  if (distinct === 1 && besides !== null) attempts.push({ kind: 'layers', lookUp, beside: besides });
  if (distinct > 1) attempts.push({ kind: 'provisions', lookUp, atLeast: sides ? 2 : 0 });
  if (!sides) return [...attempts, { kind: 'both', subject, references }];
  const { topic, heard } = sides;
  const named = completed(sides.sides).map((side, n) => {
    // A name alone is heard on the subject; where the sides say more, that tells.
    const isHeard = heard && /^\p{Lu}\S*$/u.test(side);
    const question = `${side} ${topic}`.trim();
    return {
      label: capital(sides.sides[n]!),
      topic: isHeard ? topic : null,
      lookUp: { question, edition: 'current' as const, references: [], ...(isHeard && { focus: topic }) },
    };
  });
  const contrast: Attempt = { kind: 'contrast', lookUp, names: named.map(({ label }) => label) };
  return [...attempts, contrast, { kind: 'sides', sides: named }];
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
