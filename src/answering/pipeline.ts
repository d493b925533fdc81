/**
 * The pipeline of a question. Read this file first:
 *
 * 1. The question is interpreted: its language, what it asks for, and the dialogue it continues
 *    (question/question.ts).
 * 2. Small talk and tasks are answered without documents (fixed-reply.ts).
 * 3. If the question has been asked before, the FAQ cache provides a curated answer, a question–answer pair, or an
 *    answer given to several askers (faq-port.ts).
 * 4. The kind of question determines the lookups (kinds/index.ts), which run in a worker thread (retrieval/retrieve.ts).
 * 5. The answer is composed of quotations (kinds/, writing/) or written by a model (generating/answerer.ts).
 * 6. Every quotation is checked against its passage (writing/verify.ts).
 *
 * The module asks/ask.ts adds recording, timing, turns, cached answers and costs. Questions about files that a person sent
 * in a chat go through the same steps in a temporary service for that conversation (asks/private-files.ts).
 */
import type { CorpusSettings } from '../domain/events.ts';
import { noUsage } from '../ports/models.ts';
import { isPlain, type Question, standsAlone } from '../question/question.ts';
import type { Searches } from '../reading/passages.ts';
import { phrases } from '../text/phrases.ts';
import type { Answerer } from './answerer.ts';
import { fromPair, repeated } from './faq-answers.ts';
import type { FaqHit } from './faq-port.ts';
import { fixedReply } from './fixed-reply.ts';
import { passagesOf } from './kinds/findings.ts';
import { kinds } from './kinds/index.ts';
import type { Findings, Tools } from './kinds/kind.ts';
import type { SourcePages } from './parts.ts';
import { type MadeFrom, madeFrom } from './provenance.ts';
import type { MadeQueries } from './search-queries.ts';
import { partsOf } from './writing/builder.ts';
import { type Asked, contextOf } from './writing/context.ts';
import type { AnswerPart } from './writing/parts.ts';
import { localized } from './writing/sources.ts';
import { verified } from './writing/verify.ts';

/** The steps of the pipeline that have external effects. */
export interface Steps {
  understand(): Promise<Question>;
  /** Returns the entry that the FAQ cache found; null if there is none. */
  askedBefore(question: Question): Promise<FaqHit | null>;
  /** Performs the lookups of a kind. `work`: uses the tools. */
  lookUp<T>(
    question: Question,
    work: (tools: Tools) => Promise<T>,
    signal: AbortSignal,
    searches?: Searches,
  ): Promise<T>;
  /** Generates search queries with a model. If absent, none are generated. */
  queries?(question: Question, signal: AbortSignal): Promise<MadeQueries>;
  /** Writes answers. If absent, all answers are composed of quotations. */
  answerer?: Answerer;
  pages: SourcePages;
  /** Yields the parts that `make` produces, or those produced for another asker of the same question. */
  once(known: FaqHit | null, make: (ending: AbortSignal) => AsyncIterable<MadePart>): AsyncIterable<MadePart>;
}

/** A part of the answer, or metadata about it. */
export type MadePart =
  | AnswerPart
  /** The basis of the answer. `corrected`: it is not based on the question as typed, or is valid only today. */
  | ({ type: 'retrieved'; corrected: boolean; searches: MadeQueries } & MadeFrom);

export type PipelinePart = MadePart | { type: 'understood'; question: Question };

/** Yields the parts of an answer and its basis. Rejects if a step rejects. */
export async function* answer(asked: Asked, steps: Steps): AsyncGenerator<PipelinePart, void> {
  const question = await steps.understand();
  yield { type: 'understood', question };
  const reply = fixedReply(question, asked.corpus);
  if (reply) return yield* partsOf(reply);
  const known = standsAlone(question, asked.history) ? await steps.askedBefore(question) : null;
  if (known?.kind === 'answer') return yield* repeated(known, question.lang);
  yield* steps.once(known, (ending) => made(asked, question, known, steps, ending));
}

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
 * Finds passages by the words of the question. If these find too little, or if the question continues a dialogue, also
 * finds passages by search queries that a model generates. For a follow-up, the queries are generated while its words
 * are searched.
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

/** The findings of the first kind that finds something. */
export async function firstFound(
  question: Question,
  corpus: CorpusSettings,
  tools: Tools,
): Promise<Findings> {
  for (const kind of kinds) {
    const findings = await kind.recognise(question, corpus)?.(tools);
    if (findings) return findings;
  }
  throw new Error('The last kind always finds something.');
}
