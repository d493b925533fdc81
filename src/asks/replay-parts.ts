/** Converts a recorded answer back into the parts in which it was, or would have been, streamed. */
import { type Part, publicSources, type SourcePages } from '../answering/parts.ts';
import { answerPieces } from '../domain/answer-pieces.ts';
import type { AskEnding, AskState } from '../domain/ask.ts';
import { citationsOf } from '../domain/recorded-citations.ts';
import { cancelled, type FailureCode, failureCodes } from '../failures.ts';

export interface RecordedAsk {
  request_id: string;
  key_id: number | null;
  corpus_id: string;
  query: string;
  /** RFC 3339. */
  asked_at: string;
  /** RFC 3339. After this time, an ask without an ending counts as abandoned. */
  deadline: string;
  body_hash: string | null;
  /** Null while the ask is running. Replaced text is not included. */
  parts: Part[] | null;
  /** Why the answer replaced text that had been streamed; null if it did not. */
  replaced: string | null;
}

/** Returns null if no question was asked. */
export function recordedAsk({ asked, ending }: AskState, pages: SourcePages): RecordedAsk | null {
  if (asked === null) return null;
  const { request_id, key_id, corpus_id, query, asked_at, deadline, body_hash } = asked;
  const ended = ending === null || ending.type === 'SourcesLookedUp' ? null : ending;
  return {
    request_id,
    key_id,
    corpus_id,
    query,
    asked_at,
    deadline,
    body_hash,
    parts: ended && parts(ended, pages),
    replaced:
      ended?.type === 'AnswerGiven' || ended?.type === 'AnswerWithheld'
        ? (ended.data.replaced ?? null)
        : null,
  };
}

function parts(ending: AskEnding, pages: SourcePages): Part[] {
  const { request_id } = ending.data;
  switch (ending.type) {
    case 'AnswerGiven':
    case 'AnswerWithheld': {
      const { mode, answer, labels = [], latency_ms, lang, corpus_id } = ending.data;
      const { finish_reason = 'stop', cached = false } = ending.data;
      const { degraded, unverified, private_file } = ending.data;
      const citations = citationsOf(ending.data);
      const sources = publicSources(ending.data.sources, { corpus_id, citations, pages });
      const pieces = [...answerPieces({ answer, labels, citations })];
      return [
        { type: 'meta', request_id, mode, lang, corpus_id },
        { type: 'sources', source_refs: sources.map((source) => source.ref), sources },
        ...pieces.map((one): Part => (one.type === 'text' ? one : { type: 'citation', ...one.citation })),
        {
          type: 'done',
          request_id,
          latency_ms,
          answer,
          mode,
          finish_reason,
          cached,
          ...(degraded && { degraded }),
          ...(unverified && { unverified }),
          ...(private_file && { private_file }),
        },
      ];
    }
    case 'AnswerFailed': {
      const detail = 'The question could not be answered.';
      const code = isFailureCode(ending.data.code) ? ending.data.code : 'internal';
      return [{ type: 'error', request_id, code, detail, retryable: ending.data.retryable }];
    }
    case 'AskCancelled': {
      const { code, detail, retryable } = cancelled();
      return [{ type: 'error', request_id, code, detail, retryable }];
    }
    case 'AskAbandoned': {
      const detail = 'The process that answered this question has ended.';
      return [{ type: 'error', request_id, code: 'unavailable', detail, retryable: true }];
    }
  }
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failureCodes, code);
}
