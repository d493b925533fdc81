import { describe, it } from 'vitest';
import { ask } from '../../src/domain/ask.ts';
import type { CuratedEntry, DomainEvent, EventTypes } from '../../src/domain/events.ts';
import { faq } from '../../src/domain/faq.ts';
import { answerGiven } from '../support/asks.ts';
import { given } from './decider-spec.ts';

const entry: Omit<CuratedEntry, 'entry_id'> = {
  corpus_id: 'town',
  lang: 'en',
  question: 'When does the market open?',
  answer: 'At five.',
  sources: [],
  citations: [],
  added_at: '2026-05-01T12:00:00.000Z',
  added_by: 'olga',
};
const added = (entry_id: number): DomainEvent => ({ type: 'FaqEntryAdded', data: { entry_id, ...entry } });
const removal = { entry_id: 1, answer_key: null, removed_at: entry.added_at, removed_by: 'olga' };

describe('curated entries', () => {
  it('are numbered from 1, and no number is reused', () => {
    given(faq).when({ type: 'Add', entry }).then(added(1));
    given(faq, added(1), added(2), { type: 'FaqEntryRemoved', data: { ...removal, entry_id: 2 } })
      .when({ type: 'Add', entry })
      .then(added(3));
  });

  it('have a question and an answer', () => {
    given(faq)
      .when({ type: 'Add', entry: { ...entry, question: ' ' } })
      .fails('invalid');
    given(faq)
      .when({ type: 'Add', entry: { ...entry, answer: '' } })
      .fails('invalid');
  });

  it('can be removed, like other entries', () => {
    given(faq, added(1))
      .when({ type: 'Remove', entry: removal })
      .then({ type: 'FaqEntryRemoved', data: removal });
  });
});

describe('a rating', () => {
  const answered = (more: Partial<EventTypes['AnswerGiven']>): DomainEvent => ({
    type: 'AnswerGiven',
    data: answerGiven(more),
  });
  const repeatable = {
    question_key: 'q',
    answer_key: 'a',
    question: entry.question,
    style: null,
    prompt_version: 0,
    enters: false,
    contested: false,
  };
  const rating = { request_id: 'r1', subject: 's', rating: 'down', comment: null } as const;

  it.each([
    ['a repeatable answer', { repeatable }],
    ['a repeated answer', { mode: 'faq', faq: { entry_id: 7, answer_key: 'a' } }],
  ] as const)('of %s names the answer', (_what, more) => {
    given(ask, answered(more))
      .when({ type: 'Rate', rating })
      .then({ type: 'AnswerRated', data: { ...rating, previous: null, answer_key: 'a' } });
  });

  it('of any other answer names none', () => {
    given(ask, answered({ faq: { entry_id: 7, answer_key: null } }))
      .when({ type: 'Rate', rating })
      .then({ type: 'AnswerRated', data: { ...rating, previous: null } });
  });
});

describe('a proposal', () => {
  const pair = { corpus_id: 'charter', question: 'Where is the form?', answer: 'In room 5.' };
  const proposal = { ...pair, subject: 's', proposed_at: '2026-01-01T10:00:00.000Z' };
  const proposed: DomainEvent = { type: 'FaqEntryProposed', data: { proposal_id: 1, ...proposal } };
  const by = { decided_at: entry.added_at, decided_by: entry.added_by };
  const decided = (entry_id: number | null): DomainEvent => ({
    type: 'FaqProposalDecided',
    data: { proposal_id: 1, entry_id, ...by },
  });
  const reject = { type: 'Reject', proposal_id: 1, at: by.decided_at, by: by.decided_by } as const;

  it('is accepted as an entry or rejected, once', () => {
    given(faq).when({ type: 'Propose', proposal }).then(proposed);
    given(faq, proposed)
      .when({ type: 'Accept', proposal_id: 1, entry })
      .then({ type: 'FaqEntryAdded', data: { ...entry, entry_id: 1 } }, decided(1));
    given(faq, proposed).when(reject).then(decided(null));
    given(faq, proposed, decided(null)).when(reject).fails('not_found');
    given(faq, proposed, decided(1)).when({ type: 'Accept', proposal_id: 1, entry }).fails('not_found');
  });

  it('is rejected if too many are waiting', () => {
    const all = Array.from(
      { length: 500 },
      (_, n): DomainEvent => ({ type: 'FaqEntryProposed', data: { proposal_id: n + 1, ...proposal } }),
    );
    given(faq, ...all)
      .when({ type: 'Propose', proposal })
      .fails('rate_limited');
    given(faq, ...all, decided(null))
      .when({ type: 'Propose', proposal })
      .then({ type: 'FaqEntryProposed', data: { proposal_id: 501, ...proposal } });
  });
});
