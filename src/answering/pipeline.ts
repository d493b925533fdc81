/**
 * One question's way. The file to read first:
 *
 * 1. understand: language, what is asked, what it goes on from (understanding/question.ts)
 * 2. small talk and tasks need no document (kinds/small-talk)
 * 3. asked before? a curated answer, a pair of a FAQ, an answer that several were given (faq-port.ts)
 * 4. the kind of question that it is looks up what it needs (kinds/index.ts)
 * 5. its words are composed of quotations, or a model writes them (writing/)
 * 6. verify: every quotation stands in its passage (writing/verify.ts)
 *
 * Recording, timing, turns, kept answers and costs are wrapped around this by ask.ts.
 */
import type { CorpusSettings } from '../domain/events.ts';
import { noUsage } from '../ports/models.ts';
import type { Answerer } from './answerer.ts';
import { fromPair, repeated } from './faq-answers.ts';
import type { FaqHit } from './faq-port.ts';
import { passagesOf } from './kinds/findings.ts';
import { kinds } from './kinds/index.ts';
import type { Findings, Tools } from './kinds/kind.ts';
import { fixedReply } from './kinds/small-talk/reply.ts';
import type { SourcePages } from './parts.ts';
import { type MadeFrom, madeFrom } from './provenance.ts';
import type { MadeQueries } from './search-queries.ts';
import { isPlain, type Question, standsAlone } from './understanding/question.ts';
import { partsOf } from './writing/builder.ts';
import { type Asked, contextOf } from './writing/context.ts';
import type { AnswerPart } from './writing/parts.ts';
import { phrases } from './writing/phrases.ts';
import { localized } from './writing/sources.ts';
import { verified } from './writing/verify.ts';

/** Further search queries for a question, on their way; see AskDeps.retrieve. */
export type Searches = () => Promise<readonly string[]>;

/** What the way needs from outside, each with what is wrapped around it. */
export interface Steps {
  understand(): Promise<Question>;
  /** What the FAQ cache has; null: nothing. */
  askedBefore(question: Question): Promise<FaqHit | null>;
  /** Does the look-ups of a kind with its tools. */
  lookUp<T>(
    question: Question,
    work: (tools: Tools) => Promise<T>,
    signal: AbortSignal,
    searches?: Searches,
  ): Promise<T>;
  /** Search queries that a model makes; absent: no model does. */
  queries?(question: Question, signal: AbortSignal): Promise<MadeQueries>;
  /** Writes answers; absent: all are composed of quotations. */
  answerer?: Answerer;
  pages: SourcePages;
  /** Hands out what `make` makes, or what was made for another who asked the same. */
  once(known: FaqHit | null, make: (ending: AbortSignal) => AsyncIterable<MadePart>): AsyncIterable<MadePart>;
}

/** What the way tells besides the parts of the answer. */
export type MadePart =
  | AnswerPart
  /** What the answer is made from; `corrected`: not from what was typed, or for today alone. */
  | ({ type: 'retrieved'; corrected: boolean; searches: MadeQueries } & MadeFrom);

export type PipelinePart = MadePart | { type: 'understood'; question: Question };

/** The parts of an answer, and what it is made from. Rejects as the steps do. */
export async function* answer(asked: Asked, steps: Steps): AsyncGenerator<PipelinePart, void> {
  const question = await steps.understand();
  yield { type: 'understood', question };
  const reply = fixedReply(question, asked.corpus);
  if (reply) return yield* partsOf(reply);
  const known = standsAlone(question, asked.history) ? await steps.askedBefore(question) : null;
  if (known?.kind === 'answer') return yield* repeated(known, question.lang);
  yield* steps.once(known, (ending) => made(asked, question, known, steps, ending));
}

/** An answer made now. */
async function* made(
  asked: Asked,
  question: Question,
  pair: Extract<FaqHit, { kind: 'pair' }> | null,
  steps: Steps,
  signal: AbortSignal,
): AsyncGenerator<MadePart, void> {
  const { findings, searches } = await find(asked, question, steps, signal);
  const corrected = findings.sides.some(({ found }) => found.corrected || found.ofTheDay);
  yield { type: 'retrieved', corrected, searches, ...madeFrom(findings) };
  const context = contextOf(asked, question, steps.pages);
  const paired = pair && fromPair(context, findings.sides[0].found, pair);
  const prescribed = paired ?? findings.prescribed?.(context) ?? null;
  const faq = paired && { entry_id: pair.entry_id, answer_key: null };
  const parts =
    prescribed || !steps.answerer
      ? partsOf(prescribed ?? findings.compose(context), faq)
      : steps.answerer.answer(context, findings, signal);
  const nothingLeft = phrases[question.lang].noAnswer(localized(asked.corpus.title, question.lang));
  yield* verified(parts, { passages: passagesOf(findings), nothingLeft });
}

const none: MadeQueries = { queries: [], model: '', usage: noUsage };

/**
 * What the question's words find, and where that is too little, or the question goes on from a dialogue, what a model's
 * search queries find beside them. The queries of a follow-up are made while its words are searched.
 */
async function find(
  { corpus }: Asked,
  question: Question,
  { lookUp, queries: make }: Steps,
  signal: AbortSignal,
): Promise<{ findings: Findings; searches: MadeQueries }> {
  const look = (searches?: Searches) =>
    lookUp(question, (tools) => firstFound(question, corpus, tools), signal, searches);
  if (!make || !isPlain(question)) return { findings: await look(), searches: none };
  if (question.rewritten !== null || question.more) {
    const making = make(question, signal);
    const [findings, searches] = await Promise.all([look(async () => (await making).queries), making]);
    return { findings, searches };
  }
  const findings = await look();
  if (findings.sides.some(({ found }) => found.answerable)) return { findings, searches: none };
  const searches = await make(question, signal);
  const { queries } = searches;
  return { findings: queries.length > 0 ? await look(async () => queries) : findings, searches };
}

/** What the first kind that the question is of finds. */
export async function firstFound(
  question: Question,
  corpus: CorpusSettings,
  tools: Tools,
): Promise<Findings> {
  for (const kind of kinds) {
    const findings = await kind.asks(question, corpus)?.(tools);
    if (findings) return findings;
  }
  throw new Error('The last kind always finds something.');
}
