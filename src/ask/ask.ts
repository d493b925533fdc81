/**
 * One question's way: recorded before any work → language and intent → made whole with the history → looked up →
 * put together → its citations checked against the exact text → recorded → the last part. Nothing here knows a
 * store: look-ups and records come from outside, and everything slow is awaited.
 */
import type { AskCommand, AskEnding } from '../domain/ask.ts';
import type {
  AskDossier,
  AskFacts,
  Channel,
  CorpusSettings,
  HistoryMessage,
  Language,
  Mode,
  RecordedSource,
  Style,
} from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports.ts';
import type { Found, Research, ResearchRequest } from '../search/research.ts';
import { detectLanguage, repairLayout } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopWord, words } from '../text/words.ts';
import { compare } from './comparison.ts';
import { answer, type Composed, exact, type Frame, layersOf } from './compose.ts';
import { Draft, localized, recorded, refOf } from './draft.ts';
import { resolveFollowUp } from './follow-up.ts';
import { type Intent, readIntent } from './intent.ts';
import { type Part, publicSource, type SourceRef } from './parts.ts';
import { phrases } from './phrases.ts';

export interface Asker {
  /** `key:<id>`, `public`, `admin:<account>`: the actor of what is appended. */
  actor: string;
  key_id: number | null;
  /** Opaque; the request id where there is no other. */
  subject: string | null;
}

export interface AskQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  style?: Style | null;
  history?: HistoryMessage[];
  channel: Channel;
  caller: Asker;
  body_hash?: string | null;
}

export interface LookUpQuestion {
  request_id?: string;
  query: string;
  corpus_id: string;
  /** 1 to 20, default 5. */
  limit?: number;
  caller: Asker;
}

export interface LookedUp {
  request_id: string;
  query: string;
  mode: Mode;
  lang: Language;
  latency_ms: number;
  sources: SourceRef[];
}

export interface AskDeps {
  clock: Clock;
  newId(): string;
  /** What is known of a corpus; null for an unknown one. */
  corpus(corpusId: string): { corpus_id: string; settings: CorpusSettings; active: boolean } | null;
  /** Runs off the main thread. */
  research(request: ResearchRequest): Promise<Research>;
  /** The record of one ask; the same object is used for its beginning and its end. */
  commands: {
    ask(requestId: string): {
      execute(
        command: AskCommand,
        cause: { actor: string; correlation_id: string },
        options?: { assumeCurrent?: boolean },
      ): Promise<unknown>;
    };
  };
}

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

/** What one question turned out to be, before anything was looked up. */
interface Reading {
  lang: Language;
  intent: Intent;
  /** The question made whole with the history; null where it stood by itself. */
  rewritten: string | null;
  more: boolean;
}

interface Worked {
  composed: Composed;
  dossier: AskDossier;
}

export function createAsk(deps: AskDeps): Ask {
  const corpusOf = (corpusId: string) => {
    const corpus = deps.corpus(corpusId);
    if (!corpus?.active) throw new Failure('not_found', `There is no corpus "${corpusId}".`);
    return corpus;
  };

  async function* ask(question: AskQuestion, signal: AbortSignal): AsyncGenerator<Part, void, undefined> {
    const { settings } = corpusOf(question.corpus_id);
    if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
    const started = deps.clock.now();
    const request_id = question.request_id ?? deps.newId();
    const { corpus_id, channel, query, history = [], style = null, caller } = question;
    const { key_id } = caller;
    const asked_at = started.toISOString();
    const subject = caller.subject ?? request_id;
    const cause = { actor: caller.actor, correlation_id: request_id };
    const record = deps.commands.ask(request_id);
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

    let lang: Language = settings.languages[0] ?? 'ru';
    const facts = (): AskFacts => {
      const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
      return { request_id, corpus_id, channel, lang, style, key_id, subject, asked_at, latency_ms };
    };
    let ended = false;
    const end = async (ending: AskEnding) => {
      ended = true;
      await record.execute({ type: 'End', ending }, cause, { assumeCurrent: true });
    };

    try {
      const reading = read(query, history, settings);
      lang = reading.lang;
      const { composed, dossier } = await orAborted(work(reading, question, settings), signal);
      const { mode, draft, finish } = composed;
      const sources = draft.sources;
      yield { type: 'meta', request_id, mode, lang, corpus_id };
      yield {
        type: 'sources',
        source_refs: sources.map(({ ref }) => ref),
        sources: sources.map(publicSource),
      };
      for (const { text, citation } of draft.pieces) {
        for (const piece of bySentence(text)) {
          signal.throwIfAborted();
          yield { type: 'text', text: piece };
        }
        if (citation) yield { type: 'citation', ...citation };
      }
      signal.throwIfAborted();
      const given = facts();
      const common = { ...given, ...dossier, answer: draft.answer, sources };
      await end(
        mode === 'no_answer'
          ? { type: 'AnswerWithheld', data: { ...common, mode } }
          : {
              type: 'AnswerGiven',
              data: { ...common, mode, citations: draft.citations, finish_reason: finish, cached: false },
            },
      );
      const { latency_ms } = given;
      yield {
        type: 'done',
        request_id,
        latency_ms,
        answer: draft.answer,
        mode,
        finish_reason: finish,
        cached: false,
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
    }
  }

  /** Everything between reading a question and telling the answer. */
  async function work(reading: Reading, question: AskQuestion, settings: CorpusSettings): Promise<Worked> {
    const { intent, lang } = reading;
    const from = performance.now();
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
    if (spoken) return { composed: spoken, dossier };

    const frame: Frame = {
      lang,
      corpus: settings,
      style: question.style && settings.styles.includes(question.style) ? question.style : null,
      leading: intent.leading,
      more: reading.more,
      seen: (question.history ?? [])
        .flatMap(({ role, content }) => (role === 'assistant' ? [content] : []))
        .join('\n'),
      question: question.query,
    };
    const lookUp = (request: Pick<ResearchRequest, 'question' | 'generation' | 'references'>) =>
      deps.research({
        ...requestOf(question.corpus_id, settings, lang, passages, request),
        ...(frame.style === null || frame.style === 'brief' ? {} : { read: passages }),
      });
    let composed: Composed;
    let looked: Research[];
    if (intent.kind === 'comparison') ({ composed, looked } = await compare(frame, intent, lookUp));
    else {
      const generation = intent.kind === 'historical' ? 'superseded' : 'current';
      const text = generation === 'superseded' ? intent.subject : intent.question;
      const found = await lookUp({ question: text, generation, references: intent.references });
      const numbered = found.exact.some((one) => one.provisions.length + one.neighbours.length > 0);
      const told =
        reading.more &&
        found.exact.every((one) =>
          one.provisions.some(({ passage, start, end }) =>
            frame.seen.includes(passage.text.slice(start, end)),
          ),
        );
      composed = numbered && !told ? exact(frame, found, generation) : answer(frame, found, generation);
      looked = [found];
    }
    const looking = performance.now() - from;
    const faults = composed.draft.faults();
    if (faults.length > 0) throw new Failure('internal', 'A quotation did not stand in its source.');
    dossier.passages = considered(looked);
    dossier.evidence = composed.mode === 'exact' ? null : evidenceOf(looked[0]);
    dossier.timings = { total_ms: Math.round(looking * 10) / 10 };
    return { composed, dossier };
  }

  async function sourceRefs(question: LookUpQuestion, signal: AbortSignal): Promise<LookedUp> {
    const { settings } = corpusOf(question.corpus_id);
    if (signal.aborted) throw new Failure('cancelled', 'The question was cancelled.');
    const started = deps.clock.now();
    const request_id = question.request_id ?? deps.newId();
    const { corpus_id, query, limit = 5, caller } = question;
    const { intent, lang } = read(query, [], settings);
    let mode: Mode = 'ordinary';
    let found: Found[] = [];
    if (intent.kind === 'greeting' || intent.kind === 'thanks') mode = 'greeting';
    else if (intent.kind === 'meta') mode = 'meta';
    else {
      const search = (generation: 'current' | 'superseded', text: string) =>
        orAborted(
          deps.research(
            requestOf(corpus_id, settings, lang, limit, {
              question: text,
              generation,
              references: intent.references,
            }),
          ),
          signal,
        );
      const past = intent.kind === 'historical';
      const first = await search(past ? 'superseded' : 'current', past ? intent.subject : intent.question);
      const provisions = first.exact.flatMap((one) => one.provisions.map(({ passage }) => passage));
      const neighbours = first.exact.flatMap((one) => one.neighbours);
      found = [...provisions, ...neighbours, ...first.hits];
      if (intent.kind === 'comparison' && layersOf(settings, 'superseded').length > 0) {
        const former = await search('superseded', intent.subject);
        found = found.slice(0, Math.ceil(limit / 2)).concat(former.hits, found.slice(Math.ceil(limit / 2)));
      }
      mode =
        provisions.length > 0 && intent.kind === 'exact'
          ? 'exact'
          : (intent.kind === 'exact' && neighbours.length > 0) ||
              (provisions.length === 0 && !first.answerable)
            ? 'no_answer'
            : intent.kind === 'exact'
              ? 'ordinary'
              : intent.kind;
    }
    const sources: RecordedSource[] = unique(found).slice(0, limit).map(recorded);
    const latency_ms = Math.max(0, deps.clock.now().getTime() - started.getTime());
    const { key_id } = caller;
    await deps.commands.ask(request_id).execute(
      {
        type: 'LookUp',
        lookup: {
          request_id,
          corpus_id,
          channel: 'source-refs',
          lang,
          style: null,
          key_id,
          subject: caller.subject ?? request_id,
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
    return { request_id, query, mode, lang, latency_ms, sources: sources.map(publicSource) };
  }

  return { ask, sourceRefs };
}

/** Language, intent and, where it leans on the history, the question made whole. */
function read(query: string, history: readonly HistoryMessage[], settings: CorpusSettings): Reading {
  const typed = repairLayout(query);
  const before = history.findLast(({ role }) => role === 'user');
  const [first = 'ru'] = settings.languages;
  const fallback = before ? detectLanguage(before.content, undefined, first) : first;
  const lang = detectLanguage(typed, ['ru', 'kk', 'en'], fallback);
  const alone = readIntent(typed, settings);
  if (['greeting', 'thanks', 'meta'].includes(alone.kind))
    return { lang, intent: alone, rewritten: null, more: false };
  const { question, rewritten, more } = resolveFollowUp(typed, history);
  if (!rewritten) return { lang, intent: alone, rewritten: null, more: false };
  return { lang, intent: readIntent(question, settings), rewritten: question, more };
}

/** Answers that need no document: greetings, thanks, questions about the assistant, questions about nothing. */
function withoutLookUp(intent: Intent, settings: CorpusSettings, lang: Language): Composed | null {
  const fixed = phrases[lang];
  const corpus = localized(settings.title, lang);
  const say = (mode: Mode, text: string): Composed => ({
    mode,
    draft: new Draft().say(text),
    finish: 'stop',
  });
  if (intent.kind === 'greeting') return say('greeting', fixed.greeting(corpus));
  if (intent.kind === 'thanks') return say('greeting', fixed.thanks);
  if (intent.kind === 'meta') {
    return say(
      'meta',
      intent.ordered
        ? fixed.ordered(corpus)
        : fixed.meta(corpus, localized(settings.description, lang).trim()),
    );
  }
  const empty = intent.references.length === 0 && words(intent.question).every(isStopWord);
  return empty ? say('no_answer', fixed.unclear) : null;
}

function requestOf(
  corpus_id: string,
  settings: CorpusSettings,
  lang: Language,
  limit: number,
  { question, generation, references }: Pick<ResearchRequest, 'question' | 'generation' | 'references'>,
): ResearchRequest {
  return {
    corpus_id,
    question,
    lang,
    generation,
    references: references.map(({ unit, number, of }) => ({ unit, number, of })),
    layers: layersOf(settings, generation).map(({ name }) => name),
    limit,
  };
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

function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
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

/** The promise, or a rejection as soon as the signal aborts. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Failure('cancelled', 'The question was cancelled.'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
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
