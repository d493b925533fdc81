/**
 * One question's way: recorded before any work → language and intent → made whole with the history → looked up →
 * put together → its citations checked against the exact text → recorded → the last part. Nothing here knows a
 * store: look-ups and records come from outside, and everything slow is awaited.
 */
import type { AskEnding } from '../domain/ask.ts';
import type {
  AskDossier,
  CorpusSettings,
  Language,
  RepeatableAnswer,
  Style,
  UnansweredFacts,
} from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Research } from '../retrieval/pipeline.ts';
import { splitSentences } from '../text/sentences.ts';
import { refOf } from './answer-builder.ts';
import { answerOnce } from './answer-cache.ts';
import { compare, formerly, type LookUp } from './comparison.ts';
import { answer } from './compose.ts';
import type { Composed, Frame } from './context.ts';
import {
  type AskDeps,
  type AskQuestion,
  activeCorpus,
  type FaqHit,
  type LookedUp,
  type LookUpQuestion,
  orAborted,
  requestOf,
  unique,
} from './deps.ts';
import { pairAnswer, repeated, type Told, toldOf } from './faq.ts';
import { type Part, publicSources } from './parts.ts';
import { exact, isTold } from './provisions.ts';
import { lookUpSources } from './source-refs.ts';
import { Phases } from './stage-timer.ts';
import { type Reading, read, withoutLookUp } from './understanding.ts';

export type { AskDeps, Asker, AskQuestion, LookedUp, LookUpQuestion } from './deps.ts';

export interface Ask {
  /**
   * The parts of an answer, the last of them `done` or `error`. Rejects before the first part, with nothing recorded,
   * with Failure `not_found` for an unknown or inactive corpus and with the log's own failures. Aborting the signal,
   * or leaving the loop early, ends the ask as cancelled.
   */
  ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined>;
  /** Sources only; recorded as SourcesLookedUp. Rejects as `ask` does, and with `unavailable`, `cancelled`. */
  sourceRefs(question: LookUpQuestion, signal: AbortSignal): Promise<LookedUp>;
}

/** After so long anyone may declare an ask abandoned. */
const deadlineMs = 120_000;
/** Passages looked up for an answer. */
const passages = 12;

export function createAsk(deps: AskDeps): Ask {
  async function* ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined> {
    const { settings } = activeCorpus(deps, question.corpus_id);
    if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
    const started = deps.clock.now();
    const request_id = question.request_id ?? deps.newId();
    const { corpus_id, channel, query, history = [], style = null, caller } = question;
    const { key_id } = caller;
    const asked_at = started.toISOString();
    const subject = caller.subject ?? request_id;
    const cause = { actor: caller.actor, correlation_id: request_id };
    const record = deps.commands.ask(request_id);
    const phases = new Phases();
    phases.enter('record');
    await record.execute(
      {
        type: 'Ask',
        question: {
          request_id,
          corpus_id,
          channel,
          style,
          key_id,
          subject,
          asked_at,
          query,
          history,
          deadline: new Date(started.getTime() + deadlineMs).toISOString(),
          body_hash: question.body_hash ?? null,
        },
      },
      cause,
      { assumeCurrent: true },
    );

    let lang: Language | null = null;
    const facts = (): UnansweredFacts => {
      const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
      return { request_id, corpus_id, channel, lang, style, key_id, subject, asked_at, latency_ms };
    };
    let ended = false;
    const end = async (ending: AskEnding) => {
      ended = true;
      phases.enter('end');
      await record.execute({ type: 'End', ending }, cause, { assumeCurrent: true });
    };

    try {
      phases.enter('read');
      const reading = read(query, history, settings);
      lang = reading.lang;
      const told = await orAborted(work(reading, question, settings, phases), signal);
      phases.enter(null);
      const { mode, answer: text, sources, citations, finish, faq, cached, dossier } = told;
      yield { type: 'meta', request_id, mode, lang: reading.lang, corpus_id };
      yield {
        type: 'sources',
        source_refs: sources.map(({ ref }) => ref),
        sources: publicSources(sources, { corpus_id, citations, pages: deps.pages }),
      };
      for (const { text: stretch, citation } of told.pieces) {
        for (const piece of bySentence(stretch)) {
          signal.throwIfAborted();
          yield { type: 'text', text: piece };
        }
        if (citation) yield { type: 'citation', ...citation };
      }
      signal.throwIfAborted();
      const given = facts();
      const common = { ...given, lang: reading.lang, ...dossier, answer: text, sources };
      const again =
        mode === 'no_answer' ? null : await repeatable(told, reading, question, settings, subject);
      await end(
        mode === 'no_answer'
          ? { type: 'AnswerWithheld', data: { ...common, mode } }
          : {
              type: 'AnswerGiven',
              data: {
                ...common,
                mode,
                citations,
                finish_reason: finish,
                cached,
                ...(faq && { faq }),
                ...(again && { repeatable: again }),
              },
            },
      );
      if (again?.enters) await deps.faq?.caughtUp();
      const { latency_ms } = given;
      yield {
        type: 'done',
        request_id,
        latency_ms,
        answer: text,
        mode,
        finish_reason: finish,
        cached,
      };
    } catch (error) {
      const failure = signal.aborted
        ? new Failure('cancelled', 'The question was cancelled.')
        : failureOf(error, ended);
      if (!ended) {
        const ending: AskEnding =
          failure.code === 'cancelled'
            ? { type: 'AskCancelled', data: facts() }
            : {
                type: 'AnswerFailed',
                data: { ...facts(), code: failure.code, retryable: failure.retryable },
              };
        // Unrecorded, the ask is declared abandoned after its deadline.
        await end(ending).catch(() => {});
      }
      yield {
        type: 'error',
        request_id,
        code: failure.code,
        detail: failure.detail,
        retryable: failure.retryable,
      };
    } finally {
      // Whoever read the parts has gone.
      if (!ended) await end({ type: 'AskCancelled', data: facts() }).catch(() => {});
      phases.enter(null);
      deps.onPhases?.({ corpus_id, channel }, phases.ms);
    }
  }

  /** Everything between reading a question and telling the answer. */
  async function work(
    reading: Reading,
    question: AskQuestion,
    settings: CorpusSettings,
    phases: Phases,
  ): Promise<Told> {
    const { intent, lang } = reading;
    phases.enter('compose');
    const dossier: AskDossier = {
      rewritten: reading.rewritten,
      passages: [],
      model: null,
      prompt_version: null,
      evidence: null,
      timings: {},
      usage: null,
    };
    const spoken = withoutLookUp(intent, settings, lang);
    if (spoken) return toldOf(spoken, dossier);

    const frame: Frame = {
      lang,
      corpus: settings,
      style: styleOf(question, settings),
      leading: intent.leading,
      more: reading.more,
      seen: (question.history ?? [])
        .flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))
        .join('\n'),
      question: question.query,
      pages: deps.pages,
      moreReferences: intent.moreReferences,
    };
    const lookUp = async (request: Parameters<LookUp>[0]) => {
      phases.enter('retrieve');
      const found = await deps.research({
        ...requestOf(question.corpus_id, settings, lang, passages, request),
        ...((request.focus ?? reading.focus) && { focus: request.focus ?? reading.focus }),
        ...(frame.style === null || frame.style === 'brief' ? {} : { read: passages }),
      });
      phases.enter('compose');
      return found;
    };
    phases.enter('cache');
    const hit = standsAlone(reading, question) ? await known(reading, question, settings) : null;
    if (hit?.kind === 'answer') {
      dossier.timings = phases.timings();
      return repeated(hit, dossier);
    }
    const make = async (): Promise<Told> => {
      phases.enter('compose');
      let faq: Told['faq'] = null;
      let composed: Composed;
      let looked: Research[];
      if (intent.kind === 'comparison') ({ composed, looked } = await compare(frame, intent, lookUp));
      else {
        const former = intent.kind === 'historical' ? await formerly(frame, intent, lookUp) : null;
        const generation = former ? 'superseded' : 'current';
        const found =
          former ?? (await lookUp({ question: intent.question, generation, references: intent.references }));
        const numbered = found.exact.some(isTold);
        const told =
          reading.more &&
          found.exact.every((one) =>
            one.provisions.some(({ passage, start, end }) =>
              frame.seen.includes(passage.text.slice(start, end)),
            ),
          );
        const pair = hit && pairAnswer(frame, found, hit);
        if (pair) faq = { entry_id: hit.entry_id, answer_key: null };
        composed =
          pair ?? (numbered && !told ? exact(frame, found, generation) : answer(frame, found, generation));
        looked = [found];
      }
      const faults = composed.draft.faults();
      if (faults.length > 0) throw new Failure('internal', 'A quotation did not stand in its source.');
      dossier.passages = considered(looked);
      dossier.evidence = composed.mode === 'exact' ? null : evidenceOf(looked[0]);
      return toldOf(composed, dossier, faq);
    };
    const { corpus_id, query, history = [] } = question;
    const { told, cached } =
      deps.answers && history.length === 0
        ? await answerOnce(deps.answers, { corpus_id, settings, style: frame.style, query, hit }, make)
        : { told: await make(), cached: false };
    return {
      ...told,
      cached: told.cached || cached,
      dossier: { ...told.dossier, timings: phases.timings() },
    };
  }

  /** What the FAQ cache has; a cache that cannot be asked has nothing. */
  async function known(
    { lang }: Reading,
    question: AskQuestion,
    settings: CorpusSettings,
  ): Promise<FaqHit | null> {
    const { corpus_id, query } = question;
    const style = styleOf(question, settings);
    return (await deps.faq?.find({ corpus_id, lang, style, query }).catch(() => null)) ?? null;
  }

  /** What is recorded so that others may be told this answer too. */
  async function repeatable(
    { mode, answer: text, sources, faq }: Told,
    reading: Reading,
    question: AskQuestion,
    settings: CorpusSettings,
    subject: string,
  ): Promise<RepeatableAnswer | null> {
    if (!deps.faq || faq !== null || mode !== 'ordinary' || !standsAlone(reading, question)) return null;
    const { corpus_id, query } = question;
    const asked = { corpus_id, lang: reading.lang, style: styleOf(question, settings), query };
    return deps.faq.repeatable(asked, { answer: text, sources, subject }).catch(() => null);
  }

  return { ask, sourceRefs: (question, signal) => lookUpSources(deps, question, signal) };
}

/** A question that nothing but its own words led to, and that asks for no provision by number. */
function standsAlone({ intent, rewritten, more }: Reading, { history = [] }: AskQuestion): boolean {
  return (
    history.length === 0 &&
    rewritten === null &&
    !more &&
    !intent.ordered &&
    intent.kind === 'ordinary' &&
    intent.references.length === 0
  );
}

/** The style asked for, where the corpus declares it. */
function styleOf({ style }: AskQuestion, { styles }: CorpusSettings): Style | null {
  return style && styles.includes(style) ? style : null;
}

function considered(looked: readonly Research[]): AskDossier['passages'] {
  const found = looked.flatMap(({ exact: findings, hits }) => [
    ...findings.flatMap((one) => one.provisions.map(({ passage }) => passage)),
    ...hits,
  ]);
  return unique(found).map((one) => ({
    ref: refOf(one),
    doc_id: one.facts.doc_id,
    revision: one.facts.revision,
    content_hash: one.facts.content_hash,
    chunk_index: one.chunk.chunk_index,
    score: Math.round(one.score * 1000) / 1000,
  }));
}

/** The weight of the evidence, and what spoke against it. */
function evidenceOf(found: Research | undefined): AskDossier['evidence'] {
  if (!found) return null;
  const { score, missingNumbers, missingNames, polarity } = found.evidence;
  const reason =
    missingNumbers.length > 0
      ? 'number'
      : missingNames.length > 0
        ? 'name'
        : polarity
          ? 'polarity'
          : found.answerable
            ? null
            : 'coverage';
  return { score, threshold: found.threshold, reason };
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
