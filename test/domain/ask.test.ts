import { describe, expect, it } from 'vitest';
import { type AskEnding, ask } from '../../src/domain/ask.ts';
import type { DomainEvent, EventTypes } from '../../src/domain/events.ts';
import { answerGiven, answerWithheld, askFacts, questionAsked } from '../support/asks.ts';
import { given } from './decider-spec.ts';

const own = { key_id: 3, subject: 'r1' };
const question = questionAsked(own);
const facts = askFacts(own);
const asked: DomainEvent = { type: 'QuestionAsked', data: question };
const given_: AskEnding = { type: 'AnswerGiven', data: answerGiven(own) };
const withheld: AskEnding = { type: 'AnswerWithheld', data: answerWithheld(own) };
const failed: AskEnding = { type: 'AnswerFailed', data: { ...facts, code: 'timeout', retryable: true } };
const cancelled: AskEnding = { type: 'AskCancelled', data: facts };
const abandoned: AskEnding = { type: 'AskAbandoned', data: { ...facts, lang: null, latency_ms: 60_000 } };
const lookedUp: DomainEvent = {
  type: 'SourcesLookedUp',
  data: { ...facts, query: 'Who signs?', mode: 'ordinary', sources: [] },
};
const endings = [given_, withheld, failed, cancelled, abandoned];
const rated = (
  subject: string,
  rating: 'up' | 'down',
  previous: 'up' | 'down' | null = null,
): DomainEvent => ({
  type: 'AnswerRated',
  data: { request_id: 'r1', subject, rating, comment: null, previous },
});

describe('a question', () => {
  it('is asked or looked up once per request id', () => {
    given(ask).when({ type: 'Ask', question }).then(asked);
    given(ask)
      .when({ type: 'LookUpSources', lookup: lookedUp.data as EventTypes['SourcesLookedUp'] })
      .then(lookedUp);
    for (const before of [asked, lookedUp]) {
      given(ask, before).when({ type: 'Ask', question }).fails('conflict');
      given(ask, before)
        .when({ type: 'LookUpSources', lookup: lookedUp.data as EventTypes['SourcesLookedUp'] })
        .fails('conflict');
    }
  });

  it.each(endings)('ends once, with $type', (ending) => {
    given(ask, asked).when({ type: 'End', ending }).then(ending);
    for (const other of endings)
      given(ask, asked, ending).when({ type: 'End', ending: other }).fails('conflict');
  });

  it('must be asked before it ends', () => {
    given(ask).when({ type: 'End', ending: cancelled }).fails('not_found');
    given(ask, lookedUp).when({ type: 'End', ending: cancelled }).fails('not_found');
  });
});

describe('external cancellation', () => {
  const cancel = { type: 'Cancel', now: new Date('2026-01-01T10:00:07.000Z') } as const;

  it('records how long the ask took, but no language', () => {
    const data = { ...facts, lang: null, latency_ms: 7000 };
    given(ask, asked).when(cancel).then({ type: 'AskCancelled', data });
  });

  it('does nothing if the ask has ended or never existed', () => {
    for (const ending of endings) given(ask, asked, ending).when(cancel).then();
    given(ask).when(cancel).then();
    given(ask, lookedUp).when(cancel).then();
  });
});

describe('abandoning', () => {
  const at = (time: string) => ({ type: 'Abandon', now: new Date(time) }) as const;

  it('waits for the deadline, then records how long the ask took', () => {
    given(ask, asked).when(at('2026-01-01T10:00:59.999Z')).then();
    given(ask, asked).when(at('2026-01-01T10:01:00.000Z')).then(abandoned);
  });

  it.each(endings)('does nothing if the ask ended with $type', (ending) => {
    given(ask, asked, ending).when(at('2026-01-02T00:00:00.000Z')).then();
  });

  it('does nothing if the ask never existed', () => {
    given(ask).when(at('2026-01-02T00:00:00.000Z')).then();
    given(ask, lookedUp).when(at('2026-01-02T00:00:00.000Z')).then();
  });
});

describe('rating', () => {
  const rate = (event: DomainEvent) =>
    ({ type: 'Rate', rating: event.data as EventTypes['AnswerRated'] }) as const;

  it.each([given_, withheld])('is possible for $type, and may be changed', (ending) => {
    given(ask, asked, ending)
      .when(rate(rated('s', 'up')))
      .then(rated('s', 'up', null));
    given(ask, asked, ending, rated('s', 'up'))
      .when(rate(rated('s', 'down')))
      .then(rated('s', 'down', 'up'));
    given(ask, asked, ending, rated('s', 'up'), rated('t', 'down'))
      .when(rate(rated('s', 'up')))
      .then();
    const { state } = given(ask, asked, ending, rated('s', 'up'), rated('t', 'up'), rated('s', 'down'));
    expect(state.ratings).toEqual(
      new Map([
        ['s', rated('s', 'down').data],
        ['t', rated('t', 'up').data],
      ]),
    );
  });

  it.each([failed, cancelled, abandoned])('is not possible for $type', (ending) => {
    given(ask, asked, ending)
      .when(rate(rated('s', 'up')))
      .fails('not_found');
  });

  it('counts for a shared answer only if it comes from the asker', () => {
    const faq = { entry_id: 5, answer_key: 'k' };
    const shared = { ...given_, data: { ...given_.data, faq } } as AskEnding;
    const own = rated('r1', 'down');
    given(ask, asked, shared)
      .when(rate(own))
      .then({ ...own, data: { ...own.data, answer_key: 'k' } } as DomainEvent);
    given(ask, asked, shared)
      .when(rate(rated('stranger', 'down')))
      .then(rated('stranger', 'down'));
  });

  it('needs an answer', () => {
    given(ask)
      .when(rate(rated('s', 'up')))
      .fails('not_found');
    given(ask, asked)
      .when(rate(rated('s', 'up')))
      .fails('not_found');
    given(ask, lookedUp)
      .when(rate(rated('s', 'up')))
      .fails('not_found');
  });
});

describe('help from people', () => {
  const request = { request_id: 'r1', subject: 's', requested_at: '2026-01-01T10:00:00.000Z' };
  const resolution = { request_id: 'r1', subject: 't', resolved_at: '2026-01-01T10:30:00.000Z' };
  const requested: DomainEvent = { type: 'HelpRequested', data: request };
  const resolved: DomainEvent = { type: 'HelpResolved', data: resolution };

  it('is requested once for a question, and resolved once', () => {
    given(ask).when({ type: 'RequestHelp', request }).fails('not_found');
    given(ask, asked, withheld).when({ type: 'RequestHelp', request }).then(requested);
    given(ask, asked, requested).when({ type: 'RequestHelp', request }).then();
    given(ask, asked).when({ type: 'ResolveHelp', resolution }).then();
    given(ask, asked, requested).when({ type: 'ResolveHelp', resolution }).then(resolved);
    given(ask, asked, requested, resolved).when({ type: 'ResolveHelp', resolution }).then();
    given(ask, asked, requested, resolved).when({ type: 'RequestHelp', request }).then();
  });
});
