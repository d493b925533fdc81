/**
 * Runs the pipeline (answering/pipeline.ts; read that first) for an ask. It waits for the asker's turn, records the ask
 * before any work, ends it exactly once, times its stages, and caches the answer for others who ask the same question.
 */
import type { FaqHit } from '../answering/faq-port.ts';
import { type Part, publicSources } from '../answering/parts.ts';
import { answer, type MadePart, type Steps } from '../answering/pipeline.ts';
import { noProvenance } from '../answering/provenance.ts';
import type { MadeQueries } from '../answering/search-queries.ts';
import type { Asked } from '../answering/writing/context.ts';
import type { AnswerPart } from '../answering/writing/parts.ts';
import type { QueuedWork } from '../async/fair-queue.ts';
import { untilAborted } from '../async/until-aborted.ts';
import {
  type CorpusSettings,
  type HistoryMessage,
  isFromCorpus,
  type RepeatableAnswer,
  type Style,
} from '../domain/events.ts';
import { cancelled, Failure, traceOf } from '../failures.ts';
import { type ModelUsage, noUsage } from '../ports/models.ts';
import { readConversation } from '../question/conversation.ts';
import { type Question, standsAlone } from '../question/question.ts';
import { repairLayout } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { type AnswerCacheDeps, answerOnce } from './answer-cache.ts';
import type { Ask, AskDeps, AskQuestion } from './ask-port.ts';
import { accounted, added, billed } from './costs.ts';
import { activeCorpus, askerOf, toolsIn, understandIn } from './look-ups.ts';
import { AskRecording, add, emptyAnswer, type SentAnswer } from './recording.ts';
import { lookUpSources } from './source-refs.ts';
import { StageTimer } from './stage-timer.ts';

/** Number of passages to look up for an answer. */
const passagesWanted = 12;

export function createAsk(deps: AskDeps): Ask {
  return {
    async *ask(sent, signal) {
      const corpus = activeCorpus(deps, sent.corpus_id);
      if (signal.aborted) throw cancelled();
      const conversation = readConversation(sent.history ?? []);
      // Only the part of the history that is recorded is used from here on.
      const question = { ...sent, history: conversation.turns };
      const recording = new AskRecording(deps, { question, conversation });
      yield* new AskRun(deps, question, corpus, recording, signal).parts();
    },
    sourceRefs: (question, signal) => lookUpSources(deps, question, signal),
  };
}

class AskRun {
  readonly #deps: AskDeps;
  readonly #sent: AskQuestion & { history: HistoryMessage[] };
  readonly #asked: Asked;
  readonly #recording: AskRecording;
  readonly #signal: AbortSignal;
  readonly #timer = new StageTimer();
  readonly #asker: QueuedWork;
  /** The model usage of the lookups. */
  #looked: ModelUsage = noUsage;
  #searching: MadeQueries | null = null;
  readonly #answer: SentAnswer = emptyAnswer(noProvenance);

  constructor(
    deps: AskDeps,
    sent: AskQuestion & { history: HistoryMessage[] },
    corpus: CorpusSettings,
    recording: AskRecording,
    signal: AbortSignal,
  ) {
    const { query, history } = sent;
    this.#deps = deps;
    this.#sent = sent;
    this.#asked = { query, history, corpus, style: styleOf(sent, corpus) };
    this.#recording = recording;
    this.#signal = signal;
    this.#asker = askerOf(recording.subject, query, history);
  }

  async *parts(): AsyncGenerator<Part, void, undefined> {
    const leave = await this.#deps.enter?.(this.#asker, this.#signal);
    try {
      yield* this.#recorded();
    } finally {
      leave?.();
    }
  }

  async *#recorded(): AsyncGenerator<Part, void, undefined> {
    const [recording, timer, sent] = [this.#recording, this.#timer, this.#answer];
    const { request_id } = recording;
    await timer.time('record', () => recording.begin());
    try {
      if (yield* this.#fromFiles()) return;
      let question: Question | null = null;
      for await (const part of untilAborted(answer(this.#asked, this.#steps()), this.#signal)) {
        if (part.type === 'understood') {
          question = part.question;
          recording.lang = question.lang;
          sent.provenance = { ...sent.provenance, rewritten: question.rewritten };
        } else if (part.type === 'retrieved') this.#retrieved(part);
        else yield* this.#shown(part);
      }
      if (question === null) throw new Error('A question is understood before it is answered.');
      yield* this.#ended(question);
    } catch (error) {
      const failure = this.#signal.aborted ? cancelled() : failureOf(error, recording.ended);
      if (failure.code === 'internal') this.#deps.onTrouble?.(`An answer failed: ${traceOf(error)}.`);
      // If this cannot be recorded, the ask is declared abandoned after its deadline.
      if (!recording.ended) await timer.time('end', () => recording.failed(failure).catch(() => {}));
      const { code, detail, retryable } = failure;
      yield { type: 'error', request_id, code, detail, retryable };
    } finally {
      // The reader left before the end.
      if (!recording.ended) await recording.cancelled().catch(() => {});
      timer.enter(null);
      const { corpus_id, channel } = this.#sent;
      this.#deps.onStages?.({ corpus_id, channel }, timer.ms);
    }
  }

  /** Yields an answer from the conversation's files. Returns false if there is none or the files are unavailable. */
  async *#fromFiles(): AsyncGenerator<Part, boolean, undefined> {
    const [recording, sent] = [this.#recording, this.#answer];
    const { request_id } = recording;
    const parts = this.#sent.fromFiles?.(this.#signal);
    if (!parts) return false;
    let isGiven = false;
    try {
      for await (const part of untilAborted(parts, this.#signal)) {
        if (part.type === 'meta') {
          if (!isFromCorpus(part.mode)) return false;
          isGiven = true;
          recording.lang = part.lang;
          yield { ...part, request_id, corpus_id: this.#sent.corpus_id };
        } else if (part.type !== 'done') {
          if (part.type === 'text') sent.answer += part.text;
          if (part.type === 'replace') [sent.answer, sent.replaced] = [part.answer, part.reason];
          yield part;
        } else {
          const { mode, finish_reason, degraded, unverified } = part;
          [sent.mode, sent.finish] = [mode, finish_reason];
          const how = { ...(degraded && { degraded }), ...(unverified && { unverified }) };
          sent.provenance = { ...sent.provenance, ...how, private_file: true };
          const latency_ms = await recording.answered(recording.lang!, sent, null);
          yield { ...part, request_id, latency_ms, private_file: true };
        }
      }
    } catch (error) {
      if (isGiven || this.#signal.aborted) throw error;
    }
    return isGiven;
  }

  /** Notes the basis of the answer for its record. */
  #retrieved({ corrected, searches, ...from }: Extract<MadePart, { type: 'retrieved' }>): void {
    const sent = this.#answer;
    this.#searching = searches;
    this.#looked = added(this.#looked, searches.usage);
    sent.corrected = corrected;
    const { type: _, ...provenance } = from;
    sent.provenance = {
      ...sent.provenance,
      ...provenance,
      ...(searches.queries.length > 0 && { searches: searches.queries }),
    };
  }

  /** Converts a part of the answer to its public form. */
  *#shown(part: AnswerPart): Generator<Part, void> {
    const { corpus_id } = this.#sent;
    const { request_id, lang } = this.#recording;
    add(this.#answer, part);
    if (part.type === 'opening') {
      const { mode, sources, citations } = part;
      yield { type: 'meta', request_id, mode, lang: lang!, corpus_id };
      const shown = publicSources(sources, { corpus_id, citations, pages: this.#deps.pages });
      yield { type: 'sources', source_refs: sources.map(({ ref }) => ref), sources: shown };
    }
    for (const one of publicParts(part)) {
      this.#signal.throwIfAborted();
      yield one;
    }
  }

  /** Records the answer, then reports that it is done. */
  async *#ended(question: Question): AsyncGenerator<Part, void> {
    const { costOf, faq } = this.#deps;
    const [sent, timer] = [this.#answer, this.#timer];
    const { provenance } = sent;
    if (sent.mode === 'exact') provenance.evidence = null;
    provenance.timings = timer.timings();
    provenance.usage = sent.cached ? null : billed(provenance.usage, this.#looked, costOf);
    if (sent.cached) delete provenance.writing;
    else if (provenance.writing) provenance.writing = accounted(provenance.writing, this.#searching, costOf);
    const repeatable = await this.#repeatable(question);
    const latency_ms = await timer.time('end', () =>
      this.#recording.answered(question.lang, sent, repeatable),
    );
    if (repeatable?.enters) await faq?.caughtUp();
    const { degraded, unverified } = provenance;
    yield {
      type: 'done',
      request_id: this.#recording.request_id,
      latency_ms,
      answer: sent.answer,
      mode: sent.mode,
      finish_reason: sent.finish,
      cached: sent.cached,
      ...(degraded && { degraded }),
      ...(unverified && { unverified }),
    };
  }

  /** The steps of the pipeline, each of which is timed. */
  #steps(): Steps {
    const { corpus_id, query, history } = this.#sent;
    const { corpus, style } = this.#asked;
    const [deps, timer, signal] = [this.#deps, this.#timer, this.#signal];
    const { answerer, queries } = deps;
    return {
      pages: deps.pages,
      ...(answerer && { answerer }),
      understand: () =>
        timer.time('understand', () =>
          understandIn(deps, corpus_id, { query, history, settings: corpus }, signal),
        ),
      askedBefore: ({ lang }) =>
        timer.time('cache', async () => {
          // An unavailable cache is treated as empty.
          return (await deps.faq?.find({ corpus_id, lang, style, query }).catch(() => null)) ?? null;
        }),
      lookUp: async (question, work, ending, searches) => {
        // All styles except `brief` need more sentences.
        const read = style === null || style === 'brief' ? {} : { read: passagesWanted };
        const tools = toolsIn(
          deps,
          { corpus_id, corpus, question, limit: passagesWanted },
          async (request) => {
            const found = await deps.retrieve({ ...request, ...read }, ending, searches);
            this.#looked = added(this.#looked, found.models?.usage ?? noUsage);
            return found;
          },
        );
        return timer.time('retrieve', () => work(tools));
      },
      ...(queries && {
        queries: ({ lang }: Question, ending: AbortSignal) => queries(query, history, lang, ending),
      }),
      once: (hit, make) => {
        const timed = (ending: AbortSignal) => timer.each('answer', make(ending));
        return deps.answers && history.length === 0 ? this.#once(deps.answers, hit, timed) : timed(signal);
      },
    };
  }

  /** Reuses a cached answer, or computes it for everyone who is asking the question now. */
  async *#once(
    answers: AnswerCacheDeps,
    hit: FaqHit | null,
    make: (ending: AbortSignal) => AsyncIterable<MadePart>,
  ): AsyncGenerator<MadePart, void> {
    const { corpus_id, query } = this.#sent;
    const { corpus: settings, style } = this.#asked;
    const [timer, signal] = [this.#timer, this.#signal];
    const by = (await this.#deps.answerer?.identity?.()) ?? '';
    const onCached = () => {
      this.#answer.cached = true;
    };
    // Answers that a model should have written or verified but did not are not cached.
    const isKept = (parts: readonly MadePart[]) =>
      !parts.some(
        (part) =>
          ((part.type === 'closing' || part.type === 'retrieved') && part.degraded) ||
          (part.type === 'closing' && part.unverified),
      );
    yield* answerOnce(
      answers,
      { corpus_id, settings, style, query, hit, by },
      { make, isKept, onCached, timer, signal },
    );
  }

  /** Returns the data to record so that the answer can be repeated for others; null if it may not be repeated. */
  async #repeatable(question: Question): Promise<RepeatableAnswer | null> {
    const { mode, answer, sources, faq, replaced, corrected, provenance } = this.#answer;
    const { corpus_id, query, history, unasked = false } = this.#sent;
    if (!this.#deps.faq || unasked || faq !== null || replaced !== null || mode !== 'ordinary') return null;
    // Unverified answers, and answers from which a sentence was removed, are not repeated for others.
    const { unverified, writing } = provenance;
    if (unverified || writing?.sentences.some(({ start }) => start === null)) return null;
    // The interpretation of a misspelt question is a guess, so the answer is not repeated for others.
    if (corrected || repairLayout(query) !== query || !standsAlone(question, history)) return null;
    const asked = { corpus_id, lang: question.lang, style: this.#asked.style, query };
    return this.#deps.faq.repeatable(asked, { answer, sources, subject: this.#asker.who }).catch(() => null);
  }
}

/** The requested style, if the corpus offers it. */
function styleOf({ style }: AskQuestion, { styles }: CorpusSettings): Style | null {
  return style && styles.includes(style) ? style : null;
}

/** Converts parts of an answer to the public stream, with the text split after each sentence. */
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

/** Splits text after each sentence and keeps all white space. */
function bySentence(text: string): string[] {
  const starts = splitSentences(text).map(({ start }) => start);
  return [0, ...starts.slice(1)]
    .map((start, n, all) => text.slice(start, all[n + 1]))
    .filter((piece) => piece !== '');
}

/** Converts an error to a Failure. A conflict while recording the end means that the ask was ended elsewhere. */
function failureOf(error: unknown, ending: boolean): Failure {
  if (error instanceof Failure) {
    return ending && error.code === 'conflict' ? cancelled() : error;
  }
  return new Failure('internal', 'The question could not be answered.', { cause: error });
}
