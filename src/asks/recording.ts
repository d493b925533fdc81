/** Records an ask in the history: the question before any work, then exactly one ending. */

import type { AnswerPart, FaqUse } from '../answering/writing/parts.ts';
import type { AskCommand, AskEnding } from '../domain/ask.ts';
import type {
  AnswerLabel,
  AnswerProvenance,
  Citation,
  Language,
  Mode,
  RecordedSource,
  RepeatableAnswer,
  UnansweredFacts,
} from '../domain/events.ts';
import { questionKey } from '../domain/question-key.ts';
import { recordCitations } from '../domain/recorded-citations.ts';
import type { Failure } from '../failures.ts';
import { type Conversation, recordedTurns } from '../question/conversation.ts';
import type { AskDeps, AskQuestion } from './ask-port.ts';

/** After this time, any process may declare an ask abandoned. */
const deadlineMs = 120_000;

/** An answer as sent so far. */
export interface SentAnswer {
  mode: Mode;
  answer: string;
  sources: RecordedSource[];
  citations: Citation[];
  labels: AnswerLabel[];
  finish: 'stop' | 'length';
  /** The FAQ entry that the answer comes from; null for a new answer. */
  faq: FaqUse | null;
  /** The reason why the text was replaced; null if it was not. */
  replaced: string | null;
  /** Whether words of the question were corrected. */
  corrected: boolean;
  /** Whether the answer is from the answer cache or the FAQ cache. */
  cached: boolean;
  provenance: AnswerProvenance;
}

export const emptyAnswer = (provenance: AnswerProvenance): SentAnswer => ({
  mode: 'no_answer',
  answer: '',
  sources: [],
  citations: [],
  labels: [],
  finish: 'stop',
  faq: null,
  replaced: null,
  corrected: false,
  cached: false,
  provenance,
});

/** Updates the answer as sent with one more part. */
export function add(sent: SentAnswer, part: AnswerPart): void {
  switch (part.type) {
    case 'opening':
      sent.mode = part.mode;
      sent.sources = part.sources;
      sent.faq = part.faq ?? null;
      sent.cached ||= part.faq !== undefined;
      break;
    case 'text':
      if (part.label) addLabel(sent.labels, sent.answer.length, part.text.length);
      sent.answer += part.text;
      break;
    case 'citation':
      sent.citations.push(part.citation);
      break;
    case 'replace':
      sent.mode = part.mode;
      sent.answer = part.answer;
      sent.citations = [];
      sent.labels = [];
      sent.replaced = part.reason;
      break;
    case 'closing': {
      const { model, prompt_version, prompt_sha256, usage, degraded, unverified, writing } = part;
      sent.finish = part.finish;
      sent.provenance = {
        ...sent.provenance,
        model,
        prompt_version,
        ...(prompt_sha256 !== undefined && { prompt_sha256 }),
        usage,
        ...(degraded && { degraded }),
        ...(unverified && { unverified }),
        ...(writing && { writing }),
      };
    }
  }
}

function addLabel(labels: AnswerLabel[], start: number, units: number): void {
  const last = labels.at(-1);
  if (last?.[1] === start) last[1] += units;
  else if (units > 0) labels.push([start, start + units]);
}

export class AskRecording {
  readonly request_id: string;
  readonly subject: string;
  /** Null until the question has been interpreted. */
  lang: Language | null = null;
  ended = false;
  readonly #question: AskQuestion;
  readonly #conversation: Conversation;
  readonly #clock: AskDeps['clock'];
  readonly #startedMs: number;
  readonly #stream: ReturnType<AskDeps['commands']['ask']>;

  constructor(
    deps: Pick<AskDeps, 'clock' | 'newId' | 'commands'>,
    { question, conversation }: { question: AskQuestion; conversation: Conversation },
  ) {
    this.#question = question;
    this.#conversation = conversation;
    this.#clock = deps.clock;
    this.#startedMs = deps.clock.now().getTime();
    this.request_id = question.request_id ?? deps.newId();
    this.subject = question.caller.subject ?? this.request_id;
    this.#stream = deps.commands.ask(this.request_id);
  }

  /** Records the question. Rejects with a Failure of the log. */
  begin(): Promise<unknown> {
    const { corpus_id, channel, query, style = null, caller, body_hash = null } = this.#question;
    const { request_id, subject } = this;
    const { unread } = this.#conversation;
    return this.#append({
      type: 'Ask',
      question: {
        request_id,
        corpus_id,
        channel,
        style,
        key_id: caller.key_id,
        subject,
        asked_at: new Date(this.#startedMs).toISOString(),
        query,
        history: recordedTurns(this.#conversation),
        ...(unread > 0 && { history_unread: unread }),
        deadline: new Date(this.#startedMs + deadlineMs).toISOString(),
        body_hash,
      },
    });
  }

  /** Records the answer, and returns the duration in milliseconds. `repeatable`: data for repeating it for others. */
  async answered(lang: Language, sent: SentAnswer, repeatable: RepeatableAnswer | null): Promise<number> {
    const { corpus_id, query, history = [] } = this.#question;
    const { mode, answer, sources, citations, labels, finish, faq, replaced, cached, provenance } = sent;
    const facts = this.#facts();
    const common = {
      ...facts,
      lang,
      ...provenance,
      answer,
      sources,
      citations: recordCitations(answer, citations),
      ...(labels.length > 0 && { labels }),
      finish_reason: finish,
      cached,
      ...(replaced !== null && { replaced }),
    };
    await this.#end(
      mode === 'no_answer'
        ? { type: 'AnswerWithheld', data: { ...common, mode } }
        : {
            type: 'AnswerGiven',
            data: {
              ...common,
              mode,
              ...(history.length === 0 &&
                !common.private_file && { question_key: questionKey(corpus_id, query) }),
              ...(faq && { faq }),
              ...(repeatable && { repeatable }),
            },
          },
    );
    return facts.latency_ms;
  }

  failed({ code, retryable }: Failure): Promise<unknown> {
    if (code === 'cancelled') return this.cancelled();
    return this.#end({ type: 'AnswerFailed', data: { ...this.#facts(), code, retryable } });
  }

  cancelled(): Promise<unknown> {
    return this.#end({ type: 'AskCancelled', data: this.#facts() });
  }

  #end(ending: AskEnding): Promise<unknown> {
    this.ended = true;
    return this.#append({ type: 'End', ending });
  }

  #append(command: AskCommand): Promise<unknown> {
    const cause = { actor: this.#question.caller.actor, correlation_id: this.request_id };
    return this.#stream.execute(command, cause, { assumeCurrent: true });
  }

  #facts(): UnansweredFacts {
    const { corpus_id, channel, style = null, caller } = this.#question;
    const { request_id, subject, lang } = this;
    const asked_at = new Date(this.#startedMs).toISOString();
    const latency_ms = Math.max(0, this.#clock.now().getTime() - this.#startedMs);
    return {
      request_id,
      corpus_id,
      channel,
      lang,
      style,
      key_id: caller.key_id,
      subject,
      asked_at,
      latency_ms,
    };
  }
}
