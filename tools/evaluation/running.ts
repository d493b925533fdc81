/** Asks a question set as users would, through the service's public use cases. */

import { mapLimited } from '../../src/async/map-limited.ts';
import type { Quoted } from './citation-metrics.ts';
import type { Question } from './questions.ts';
import { type Outcome, type Row, rowOf } from './scoring.ts';

/** A part of a streamed answer, independent of the transport. */
export type StreamedPart =
  | { type: 'meta'; request_id: string; mode: string; lang: string }
  | { type: 'sources'; sources: readonly { ref: string; title: string | null; heading: string }[] }
  | { type: 'text'; text: string }
  | { type: 'citation'; start: number; end: number; ref: string; quote: string }
  | { type: 'replace'; answer: string }
  | { type: 'done'; answer: string; mode: string; cached: boolean; degraded?: boolean }
  | { type: 'error'; detail: string };

/** The service to measure. `corpus`: null for its default one. */
export interface EvaluatedService {
  ask(question: Question, corpus: string | null, signal: AbortSignal): AsyncIterable<StreamedPart>;
  /** Keys of the documents found, best first, repeated for each of their passages. */
  documents(question: Question, corpus: string | null, signal: AbortSignal): Promise<string[]>;
  /** Data that only the record of an ask contains; null if it cannot be read. */
  record(requestId: string): Promise<{ evidence: number | null; cost_micro_usd: number | null } | null>;
}

export interface RunOptions {
  /** The service's corpus for a corpus of the set. */
  corpusOf(question: Question): string | null;
  /** Number of concurrent questions. */
  atOnce: number;
  now(): number;
  signal: AbortSignal;
  onProgress(done: number, question: Question): void;
}

/** The questions in order, each with its result. Rejects if the signal aborts. */
export async function run(
  service: EvaluatedService,
  questions: readonly Question[],
  options: RunOptions,
): Promise<Row[]> {
  let done = 0;
  return mapLimited(questions, options.atOnce, async (question) => {
    options.signal.throwIfAborted();
    const row = rowOf(question, await outcomeOf(service, question, options));
    options.onProgress(++done, question);
    return row;
  });
}

async function outcomeOf(
  service: EvaluatedService,
  question: Question,
  { corpusOf, now, signal }: RunOptions,
): Promise<Outcome> {
  const corpus = corpusOf(question);
  const outcome = await collected(service.ask(question, corpus, signal), now).catch((error: Error) => {
    signal.throwIfAborted();
    return { ...nothing, failed: error.message };
  });
  const isJudged = [...question.documents.values()].some((grade) => grade > 0);
  const found =
    isJudged && outcome.failed === undefined ? await service.documents(question, corpus, signal) : null;
  const record = outcome.request_id === null ? null : await service.record(outcome.request_id);
  return {
    ...outcome,
    documents: found && [...new Set(found)],
    evidence: record?.evidence ?? null,
    cost_micro_usd: record?.cost_micro_usd ?? null,
  };
}

const nothing: Outcome = {
  request_id: null,
  answer: '',
  mode: null,
  lang: null,
  citations: [],
  documents: null,
  first_ms: null,
  ms: 0,
  cached: false,
  degraded: false,
  evidence: null,
  cost_micro_usd: null,
};

async function collected(parts: AsyncIterable<StreamedPart>, now: () => number): Promise<Outcome> {
  const began = now();
  const titles = new Map<string, string>();
  const outcome: Outcome = { ...nothing, failed: 'The answer ended unexpectedly.' };
  let citations: Quoted[] = [];
  for await (const part of parts) {
    if (part.type === 'meta') {
      outcome.request_id = part.request_id;
      outcome.lang = part.lang;
    } else if (part.type === 'sources')
      for (const { ref, title, heading } of part.sources)
        titles.set(ref, [title, heading].filter(Boolean).join('. '));
    else if (part.type === 'text') outcome.first_ms ??= now() - began;
    else if (part.type === 'citation') {
      const { start, end, ref, quote } = part;
      citations.push({ start, end, premise: `${titles.get(ref) ?? ''}\n${quote}` });
    } else if (part.type === 'replace') citations = [];
    else if (part.type === 'error') outcome.failed = part.detail;
    else if (part.type === 'done') {
      const { answer, mode, cached, degraded = false } = part;
      Object.assign(outcome, { answer, mode, cached, degraded });
      delete outcome.failed;
    }
  }
  return { ...outcome, citations, ms: now() - began };
}
