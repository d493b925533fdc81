/** Data of the events of an ask, and parts of its answer. A test names the values that it is about. */
import type { Part } from '../../src/answering/parts.ts';
import { noProvenance } from '../../src/answering/provenance.ts';
import type { AskFacts, EventTypes } from '../../src/domain/events.ts';

export const askFacts = (more: Partial<AskFacts> = {}): AskFacts => ({
  request_id: 'r1',
  corpus_id: 'charter',
  channel: 'http',
  lang: 'en',
  style: null,
  key_id: null,
  subject: 's',
  asked_at: '2026-01-01T10:00:00.000Z',
  latency_ms: 20,
  ...more,
});

export function questionAsked(more: Partial<EventTypes['QuestionAsked']> = {}): EventTypes['QuestionAsked'] {
  const { lang: _, latency_ms: __, ...asked } = askFacts();
  const deadline = '2026-01-01T10:01:00.000Z';
  return { ...asked, query: 'Who signs?', history: [], deadline, body_hash: null, ...more };
}

export const answerGiven = (more: Partial<EventTypes['AnswerGiven']> = {}): EventTypes['AnswerGiven'] => ({
  ...askFacts(),
  ...noProvenance,
  mode: 'ordinary',
  answer: 'The president.',
  sources: [],
  citations: [],
  finish_reason: 'stop',
  cached: false,
  ...more,
});

export const answerWithheld = (
  more: Partial<EventTypes['AnswerWithheld']> = {},
): EventTypes['AnswerWithheld'] => ({
  ...askFacts(),
  ...noProvenance,
  mode: 'no_answer',
  answer: 'Nothing was found.',
  sources: [],
  ...more,
});

type PartOf<T extends Part['type']> = Extract<Part, { type: T }>;

export const citationPart = (more: Partial<PartOf<'citation'>> = {}): PartOf<'citation'> => ({
  type: 'citation',
  start: 0,
  end: 1,
  ref: 'a#1',
  quote: '',
  revision: 1,
  content_hash: '',
  ...more,
});

export const donePart = (more: Partial<PartOf<'done'>> = {}): PartOf<'done'> => ({
  type: 'done',
  request_id: 'r',
  latency_ms: 1,
  answer: '',
  mode: 'ordinary',
  finish_reason: 'stop',
  cached: false,
  ...more,
});
