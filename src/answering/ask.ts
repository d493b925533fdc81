/**
 * One question's way: recorded before any work → understood → planned → retrieved → answered → verified → recorded.
 * Nothing here knows a store or a model: look-ups, answerers and records come from outside, everything slow is awaited,
 * and what an answerer has is handed out at once.
 */
import type { Piece } from '../async/fair-shares.ts';
import { loopBudget } from '../async/loop-budget.ts';
import { orAborted, untilAborted } from '../async/until-aborted.ts';
import type {
  AnswerProvenance,
  CorpusSettings,
  HistoryMessage,
  ModelCalls,
  RepeatableAnswer,
  Style,
} from '../domain/events.ts';
import { Failure, traceOf } from '../failures.ts';
import { type ModelUsage, noUsage } from '../ports/models.ts';
import type { RetrievalRequest } from '../retrieval/pipeline.ts';
import { isLanguageCertain, repairLayout } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { answerOnce } from './answer-cache.ts';
import type { AnswerContext, AnswerPart } from './answerer.ts';
import type { Ask, AskDeps, AskQuestion, SourceRefsQuestion, SourceRefsResult } from './ask-port.ts';
import { asksAnew } from './asked-anew.ts';
import { partsOf } from './builder.ts';
import { GivenAnswers, readConversation } from './conversation.ts';
import { extractiveAnswerer } from './extractive/answerer.ts';
import { fromPair, repeated } from './faq-answers.ts';
import type { FaqHit } from './faq-port.ts';
import { fixedReply } from './fixed-replies.ts';
import { type Part, publicSources } from './parts.ts';
import { phrases } from './phrases.ts';
import { planLookUps } from './plan.ts';
import { prescribedAnswer } from './prescribed.ts';
import { consideredPassages, evidenceWeight, noProvenance } from './provenance.ts';
import { AskRecording, add, emptyAnswer, type SentAnswer } from './recording.ts';
import { type Findings, type FollowReferences, passagesOf, type RunLookUp, retrieve } from './retrieval.ts';
import { retrievalRequest } from './retrieval-request.ts';
import type { MadeQueries } from './search-queries.ts';
import { sourcesOf } from './source-refs.ts';
import { layersOf, localized, recordedSource } from './sources.ts';
import { StageTimer } from './stage-timer.ts';
import { standsAlone, type UnderstoodQuestion, understand } from './understanding.ts';
import { verified } from './verify.ts';

/** Passages looked up for an answer. */
const passagesWanted = 12;

/** What the pipeline adds to the parts of an answerer: what the answer was made from. */
type PipelinePart =
  | AnswerPart
  | ({ type: 'retrieved'; corrected: boolean; cost: ModelUsage; searches: MadeQueries } & Pick<
      SentAnswer['provenance'],
      'passages' | 'passages_considered' | 'retrieved_with' | 'degraded' | 'evidence'
    >);

/** A question that is to be answered. */
interface Understood {
  understood: UnderstoodQuestion;
  question: AskQuestion;
  asker: Piece;
  settings: CorpusSettings;
  /** The style asked for, where the corpus declares it. */
  style: Style | null;
  timer: StageTimer;
}

export function createAsk(deps: AskDeps): Ask {
  const { answerer = extractiveAnswerer, pages, turn = (_of, work) => work() } = deps;
  const given = new GivenAnswers();

  async function* ask(sent: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined> {
    const { settings } = activeCorpus(deps, sent.corpus_id);
    if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
    const conversation = readConversation(sent.history ?? []);
    // Nothing but what is recorded of the history is read from here on.
    const question = { ...sent, history: conversation.turns };
    yield* asked(question, new AskRecording(deps, { question, conversation, given }), settings, signal);
  }

  async function* asked(
    question: AskQuestion & { history: HistoryMessage[] },
    recording: AskRecording,
    settings: CorpusSettings,
    signal: AbortSignal,
  ): AsyncGenerator<Part, void, undefined> {
    const { corpus_id, channel, query, history } = question;
    const { request_id } = recording;
    const timer = new StageTimer();
    const asker = { who: recording.subject, size: sizeOf(query, history) };
    await timer.time('record', () => recording.begin());
    try {
      let looked = noUsage;
      let searching: MadeQueries | null = null;
      const understood = await timer.time('understand', () =>
        turn(asker, () => understoodIn(asker, corpus_id, query, history, settings), signal),
      );
      const { lang, rewritten } = understood;
      recording.lang = lang;
      const sent = emptyAnswer({ ...noProvenance, rewritten });
      const onCached = () => {
        sent.cached = true;
      };
      const style = styleOf(question, settings);
      const parts = answerParts({ understood, question, asker, settings, style, timer }, onCached, signal);
      for await (const part of untilAborted(parts, signal)) {
        if (part.type === 'retrieved') {
          const { type: _, corrected, cost, searches, ...retrieved } = part;
          looked = added(looked, cost);
          searching = searches;
          sent.provenance = {
            ...sent.provenance,
            ...retrieved,
            ...(searches.queries.length > 0 && { searches: searches.queries }),
          };
          sent.corrected = corrected;
          continue;
        }
        add(sent, part);
        if (part.type === 'opening') {
          const { mode, sources, citations } = part;
          yield { type: 'meta', request_id, mode, lang, corpus_id };
          const source_refs = sources.map(({ ref }) => ref);
          const shown = publicSources(sources, { corpus_id, citations, pages });
          yield { type: 'sources', source_refs, sources: shown };
        }
        for (const one of publicParts(part)) {
          signal.throwIfAborted();
          yield one;
        }
      }
      if (sent.mode === 'exact') sent.provenance.evidence = null;
      sent.provenance.timings = timer.timings();
      sent.provenance.usage = sent.cached ? null : billed(sent.provenance.usage, looked, deps.costOf);
      if (sent.cached) delete sent.provenance.writing;
      else if (sent.provenance.writing)
        sent.provenance.writing = accounted(sent.provenance.writing, searching, deps.costOf);
      const repeatable = await repeatableAnswer(asker, sent, understood, question, settings);
      const latency_ms = await timer.time('end', () => recording.answered(lang, sent, repeatable));
      if (repeatable?.enters) await deps.faq?.caughtUp();
      const { mode, answer, finish, cached } = sent;
      const { degraded, unverified } = sent.provenance;
      yield {
        type: 'done',
        ...{ request_id, latency_ms, answer, mode, finish_reason: finish, cached },
        ...(degraded && { degraded }),
        ...(unverified && { unverified }),
      };
    } catch (error) {
      const failure = signal.aborted
        ? new Failure('cancelled', 'The question was cancelled.')
        : failureOf(error, recording.ended);
      if (failure.code === 'internal') deps.onTrouble?.(`An answer failed: ${traceOf(error)}.`);
      // Unrecorded, the ask is declared abandoned after its deadline.
      if (!recording.ended) await timer.time('end', () => recording.failed(failure).catch(() => {}));
      const { code, detail, retryable } = failure;
      yield { type: 'error', request_id, code, detail, retryable };
    } finally {
      // Whoever read the parts has gone.
      if (!recording.ended) await recording.cancelled().catch(() => {});
      timer.enter(null);
      deps.onStages?.({ corpus_id, channel }, timer.ms);
    }
  }

  /** The parts of the answer, wherever it comes from: a fixed reply, the FAQ cache, a kept answer, an answerer. */
  async function* answerParts(
    asked: Understood,
    onCached: () => void,
    signal: AbortSignal,
  ): AsyncGenerator<PipelinePart, void, undefined> {
    const { understood, question, asker, settings, style, timer } = asked;
    const reply = fixedReply(understood, settings);
    if (reply) return yield* partsOf(reply);

    const { corpus_id, query, history = [] } = question;
    const hit = standsAlone(understood, history)
      ? await timer.time('cache', () => faqHit(asker, understood, question, style))
      : null;
    if (hit?.kind === 'answer') return yield* repeated(hit, understood.lang);

    const make = (ending: AbortSignal) => made(asked, hit, ending);
    if (!deps.answers || history.length > 0) return yield* make(signal);
    const by = (await answerer.identity?.()) ?? '';
    // What was made without a model that should have made or checked it is made again.
    const isKept = (parts: readonly PipelinePart[]) =>
      !parts.some(
        (part) =>
          ((part.type === 'closing' || part.type === 'retrieved') && part.degraded) ||
          (part.type === 'closing' && part.unverified),
      );
    yield* answerOnce(
      deps.answers,
      { corpus_id, settings, style, query, hit, by },
      { make, isKept, onCached, timer, signal },
    );
  }

  /** An answer made now. */
  async function* made(
    { understood, question, asker, settings, style, timer }: Understood,
    hit: Extract<FaqHit, { kind: 'pair' }> | null,
    signal: AbortSignal,
  ): AsyncGenerator<PipelinePart, void, undefined> {
    const { intent, lang } = understood;
    const corpus = { corpus_id: question.corpus_id, settings };
    // Styles other than the brief one lay out more sentences than an answer has.
    const read = style === null || style === 'brief' ? {} : { read: passagesWanted };
    let cost = noUsage;
    const lookUp = (searches?: () => Promise<readonly string[]>) => {
      const look = async (request: RetrievalRequest) => {
        const found = await deps.retrieve(request, signal, searches);
        cost = added(cost, found.models?.usage ?? noUsage);
        return found;
      };
      const lookUps = () =>
        retrieve(
          planLookUps(intent, understood),
          lang,
          (wanted) => look({ ...retrievalRequest(corpus, lang, passagesWanted, wanted), ...read }),
          followIn(corpus.corpus_id, settings),
        );
      return timer.time('retrieve', () => turn(asker, lookUps, signal));
    };
    const { findings, searches } = await found(question, understood, lookUp, signal);
    cost = added(cost, searches.usage);
    // Look-ups that end together would have all their answers composed before the first is streamed.
    await loopBudget(asker);
    const evidence = evidenceWeight(findings);
    const corrected = findings.sides.some(({ found }) => found.corrected || found.ofTheDay);
    yield { type: 'retrieved', ...consideredPassages(findings), evidence, corrected, cost, searches };
    const context = { ...contextOf(understood, question, settings, style), pages };
    const pair = hit && fromPair(context, findings.sides[0].found, hit);
    const parts = async function* () {
      if (pair) return yield* partsOf(pair, { entry_id: hit.entry_id, answer_key: null });
      const prescribed = prescribedAnswer(context, findings);
      yield* prescribed ? partsOf(prescribed) : answerer.answer(context, findings, signal);
    };
    const nothingLeft = phrases[lang].noAnswer(localized(settings.title, lang));
    yield* timer.each('answer', verified(parts(), { passages: passagesOf(findings), nothingLeft }));
  }

  /**
   * What the question's words find, and where that is too little, or the question goes on from a dialogue, what a
   * model's search queries find beside them. The queries of a follow-up are made while its words are searched.
   */
  async function found(
    { query, history = [] }: AskQuestion,
    { intent, lang, rewritten, more }: UnderstoodQuestion,
    lookUp: (searches?: () => Promise<readonly string[]>) => Promise<Findings>,
    signal: AbortSignal,
  ): Promise<{ findings: Findings; searches: MadeQueries }> {
    const { queries: make } = deps;
    const none = { queries: [], model: '', usage: noUsage };
    if (!make || intent.kind !== 'ordinary' || intent.references.length > 0)
      return { findings: await lookUp(), searches: none };
    if (rewritten !== null || more) {
      const making = make(query, history, lang, signal);
      const [findings, searches] = await Promise.all([lookUp(async () => (await making).queries), making]);
      return { findings, searches };
    }
    const findings = await lookUp();
    if (findings.kind === 'references' || findings.sides.some(({ found }) => found.answerable))
      return { findings, searches: none };
    const searches = await make(query, history, lang, signal);
    const isMore = searches.queries.length > 0;
    return { findings: isMore ? await lookUp(async () => searches.queries) : findings, searches };
  }

  /** References of the texts in force of a corpus. */
  function followIn(corpus_id: string, settings: CorpusSettings): FollowReferences | undefined {
    const layers = layersOf(settings, 'current').map(({ name }) => name);
    const { references } = deps;
    return references && ((wanted) => references({ corpus_id, layers, ...wanted }));
  }

  /** What the FAQ cache has; a cache that cannot be asked has nothing. */
  async function faqHit(
    asker: Piece,
    { lang }: UnderstoodQuestion,
    { corpus_id, query }: AskQuestion,
    style: Style | null,
  ): Promise<FaqHit | null> {
    // To compare a question with those in the cache takes as long as to understand it.
    await loopBudget(asker);
    return (await deps.faq?.find({ corpus_id, lang, style, query }).catch(() => null)) ?? null;
  }

  /** What is recorded so that others may be given this answer too. */
  async function repeatableAnswer(
    asker: Piece,
    { mode, answer, sources, faq, replaced, corrected, provenance }: SentAnswer,
    understood: UnderstoodQuestion,
    question: AskQuestion,
    settings: CorpusSettings,
  ): Promise<RepeatableAnswer | null> {
    if (!deps.faq || faq !== null || replaced !== null || mode !== 'ordinary') return null;
    const { corpus_id, query, history = [] } = question;
    // What was not checked, or lost a sentence in its check, is given to nobody else.
    const { unverified, writing } = provenance;
    if (unverified || writing?.sentences.some(({ start }) => start === null)) return null;
    // What a misspelt question was taken for is a guess, and nothing to be given to others as the answer to it.
    if (corrected || repairLayout(query) !== query || !standsAlone(understood, history)) return null;
    const asked = { corpus_id, lang: understood.lang, style: styleOf(question, settings), query };
    await loopBudget(asker);
    return deps.faq.repeatable(asked, { answer, sources, subject: asker.who }).catch(() => null);
  }

  /** A question understood with the help of the corpus' vocabulary, where its own words do not suffice. */
  async function understoodIn(
    asker: Piece,
    corpusId: string,
    query: string,
    history: readonly HistoryMessage[],
    settings: CorpusSettings,
  ): Promise<UnderstoodQuestion> {
    const scope = { corpus_id: corpusId, layers: layersOf(settings, 'current').map(({ name }) => name) };
    const isPlain = isLanguageCertain(query) && repairLayout(query) === query;
    const wording = isPlain ? null : await deps.wording?.(scope, query).catch(() => null);
    // Questions that are recorded together, or wait for each other's turns, would all be read in one turn of the event loop.
    await loopBudget(asker);
    return understand(query, history, settings, wording ?? undefined);
  }

  async function sourceRefs(question: SourceRefsQuestion, signal: AbortSignal): Promise<SourceRefsResult> {
    const { settings } = activeCorpus(deps, question.corpus_id);
    if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
    const started = deps.clock.now();
    const request_id = question.request_id ?? deps.newId();
    const { corpus_id, query, limit = 5, caller } = question;
    const subject = caller.subject ?? request_id;
    const asker = { who: subject, size: sizeOf(query, []) };
    const understood = await turn(asker, () => understoodIn(asker, corpus_id, query, [], settings), signal);
    const { lang, intent } = understood;
    const reply = fixedReply(understood, settings);
    const runLookUp: RunLookUp = (wanted) =>
      deps.retrieve(retrievalRequest({ corpus_id, settings }, lang, limit, wanted), signal);
    const search = async () => {
      const follow = followIn(corpus_id, settings);
      const findings = await retrieve(planLookUps(intent, understood), lang, runLookUp, follow);
      const isNamed = findings.sides.some(({ label }) => label !== null);
      const whole = isNamed
        ? await runLookUp({ question: intent.question, edition: 'current', references: [] })
        : null;
      return sourcesOf(findings, limit, whole);
    };
    const { mode, found } = reply
      ? { mode: reply.mode, found: [] }
      : await orAborted(turn(asker, search, signal), signal);
    const sources = found.map(recordedSource);
    const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
    await deps.commands.ask(request_id).execute(
      {
        type: 'LookUpSources',
        lookup: {
          request_id,
          corpus_id,
          channel: 'source-refs',
          lang,
          style: null,
          key_id: caller.key_id,
          subject,
          asked_at: started.toISOString(),
          latency_ms,
          query,
          mode,
          sources,
        },
      },
      { actor: caller.actor, correlation_id: request_id },
      { assumeCurrent: true },
    );
    const shown = publicSources(sources, { corpus_id, citations: [], pages });
    const texts = found.map(({ text }) => text);
    return { request_id, query, mode, lang, latency_ms, sources: shown, texts };
  }

  return { ask, sourceRefs };
}

/** What a text of so many UTF-16 units takes beside what every question does. */
const unitsOfSize = 250;

const sizeOf = (query: string, history: readonly HistoryMessage[]): number =>
  1 + history.reduce((units, { content }) => units + content.length, query.length) / unitsOfSize;

/** An active corpus, or Failure `not_found`. */
function activeCorpus(deps: AskDeps, corpusId: string): { settings: CorpusSettings } {
  const corpus = deps.corpus(corpusId);
  if (!corpus?.active) throw new Failure('not_found', `There is no corpus "${corpusId}".`);
  return corpus;
}

/** The style asked for, where the corpus declares it. */
function styleOf({ style }: AskQuestion, { styles }: CorpusSettings): Style | null {
  return style && styles.includes(style) ? style : null;
}

const added = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  embed_tokens: one.embed_tokens + other.embed_tokens,
  search_units: one.search_units + other.search_units,
});

/** What an answer has cost altogether; null where no model was asked. */
function billed(
  written: AnswerProvenance['usage'],
  looked: ModelUsage,
  costOf: AskDeps['costOf'],
): AnswerProvenance['usage'] {
  const usage = added({ ...noUsage, ...written }, looked);
  if (written === null && Object.values(looked).every((n) => n === 0)) return null;
  return { ...usage, ...(costOf && { cost_micro_usd: costOf(usage) }) };
}

/** The record of a written answer with all calls to chat models, and what they cost. */
function accounted(
  { calls, ...rest }: NonNullable<AnswerProvenance['writing']>,
  searching: MadeQueries | null,
  costOf: AskDeps['costOf'],
): AnswerProvenance['writing'] {
  const searched: ModelCalls[] =
    searching && searching.model !== ''
      ? [{ purpose: 'search', model: searching.model, count: 1, ...tokensOf(searching.usage) }]
      : [];
  return {
    ...rest,
    calls: [...searched, ...calls].map((one) => ({
      ...one,
      ...(costOf && { cost_micro_usd: costOf({ ...noUsage, ...tokensOf(one) }) }),
    })),
  };
}

const tokensOf = ({ input_tokens, output_tokens }: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>) => ({
  input_tokens,
  output_tokens,
});

function contextOf(
  { lang, intent, more, parts, rewritten, thread }: UnderstoodQuestion,
  { query, history = [] }: AskQuestion,
  corpus: CorpusSettings,
  style: Style | null,
): Omit<AnswerContext, 'pages'> {
  const { leading, moreReferences } = intent;
  const said = history.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  const before = history.findLast(({ role }) => role === 'user')?.content ?? '';
  const whole = rewritten ?? repairLayout(query);
  const moreParts = parts?.more ?? false;
  return {
    ...{ lang, corpus, style, leading, more, turns: history, seen: said.join('\n') },
    ...{ question: query, whole, moreReferences, moreParts },
    asksAnew: thread.from !== null || asksAnew(query, before),
  };
}

/** What an answer says as the public stream has it, its text cut after each sentence. */
function* publicParts(part: AnswerPart): Generator<Part, void> {
  switch (part.type) {
    case 'text':
      for (const text of part.label ? [part.text] : bySentence(part.text))
        yield { type: 'text', text, ...(part.label && { label: true }) };
      return;
    case 'citation':
      yield { type: 'citation', ...part.citation };
      return;
    case 'replace':
      yield { type: 'replace', answer: part.answer, reason: part.reason };
  }
}

/** A text cut after each sentence, white space kept: all pieces together are the text. */
function bySentence(text: string): string[] {
  const starts = splitSentences(text).map(({ start }) => start);
  return [0, ...starts.slice(1)]
    .map((start, n, all) => text.slice(start, all[n + 1]))
    .filter((piece) => piece !== '');
}

/** What went wrong as a Failure; a conflict at the end means that the ask was ended from outside. */
function failureOf(error: unknown, ending: boolean): Failure {
  if (error instanceof Failure) {
    return ending && error.code === 'conflict'
      ? new Failure('cancelled', 'The question was cancelled.')
      : error;
  }
  return new Failure('internal', 'The question could not be answered.', { cause: error });
}
