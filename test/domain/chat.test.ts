import { describe, expect, it } from 'vitest';
import { chat, earlier, filesAt, holds } from '../../src/domain/chat.ts';
import { chatSettingsDefault, type DomainEvent, type EventTypes } from '../../src/domain/events.ts';
import { forgotten, subjectOf } from '../../src/domain/personal.ts';
import { given } from './decider-spec.ts';

const at = '2026-01-01T10:00:00.000Z';
const facts = { chat_id: 'c', channel: 'telegram' as const };
const reply = (delivery: string, worker = 'w1'): EventTypes['ReplyStarted'] => ({
  ...facts,
  delivery,
  request_id: `r-${delivery}`,
  subject: 's',
  worker,
  task: 'sealed',
  started_at: at,
});
const started = (delivery: string): DomainEvent => ({ type: 'ReplyStarted', data: reply(delivery) });
const taken: DomainEvent = {
  type: 'ReplyTaken',
  data: { ...facts, delivery: 'd1', request_id: 'r2', worker: 'w2', taken_at: at },
};
const ended = (delivery: string, answered = true, request_id = `r-${delivery}`): DomainEvent => ({
  type: 'ReplyEnded',
  data: { ...facts, delivery, request_id, answered, ended_at: at },
});

const shared = (file_id: string, hours = 0): Extract<DomainEvent, { type: 'ChatFileShared' }> => ({
  type: 'ChatFileShared',
  data: {
    ...facts,
    subject: 's',
    file_id,
    file: `sealed ${file_id}`,
    shared_at: new Date(Date.parse(at) + hours * 3_600_000).toISOString(),
  },
});
const fold = (...events: DomainEvent[]) => events.reduce(chat.evolve, chat.initial);
const idsAt = (hours: number, ...events: DomainEvent[]) =>
  filesAt(fold(...events), shared('', hours).data.shared_at).map(({ file_id }) => file_id);

describe('files in a chat', () => {
  it('are used for a day, up to the last five; a file sent again counts as new', () => {
    given(chat)
      .when({ type: 'ShareFile', file: shared('a').data })
      .then(shared('a'));
    const two = [shared('a'), shared('b', 2)];
    expect(idsAt(23, ...two)).toEqual(['a', 'b']);
    expect(idsAt(24, ...two)).toEqual(['b']);
    expect(idsAt(25, ...two, shared('a', 20))).toEqual(['b', 'a']);
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => shared(id));
    expect(idsAt(1, ...six)).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  it('are dropped when the chat is forgotten, even if nothing was asked', () => {
    const forgottenChat: DomainEvent = { type: 'ChatForgotten', data: { ...facts, forgotten_at: at } };
    const forget = { type: 'Forget', chat: facts, now: at } as const;
    given(chat, shared('a')).when(forget).then(forgottenChat);
    given(chat, shared('a'), forgottenChat).when(forget).then();
    expect(idsAt(1, shared('a'), forgottenChat)).toEqual([]);
  });

  it('belong to their sender, and lose their location when the sender is forgotten', () => {
    const { data } = shared('a');
    expect(subjectOf('ChatFileShared', data)).toBe('s');
    expect(forgotten('ChatFileShared', data)).toMatchObject({ file: '', forgotten: true });
  });
});

describe('a chat', () => {
  it('starts one reply to a message, regardless of how often it is delivered', () => {
    given(chat)
      .when({ type: 'Start', reply: reply('d1') })
      .then(started('d1'));
    given(chat, started('d1'))
      .when({ type: 'Start', reply: reply('d1', 'w2') })
      .then();
    given(chat, started('d1'), ended('d1'))
      .when({ type: 'Start', reply: reply('d1') })
      .then();
  });

  it('lets another worker continue, and stops the previous one', () => {
    const take = {
      type: 'Take',
      delivery: 'd1',
      from: 'w1',
      worker: 'w2',
      request_id: 'r2',
      now: at,
    } as const;
    given(chat, started('d1')).when(take).then(taken);
    given(chat, started('d1'), taken).when(take).then();
    const end = { type: 'End', delivery: 'd1', answered: true, now: at } as const;
    given(chat, started('d1'), taken)
      .when({ ...end, worker: 'w1' })
      .then();
    given(chat, started('d1'), taken)
      .when({ ...end, worker: 'w2' })
      .then(ended('d1', true, 'r2'));
    given(chat, started('d1'), taken)
      .when({ type: 'Post', delivery: 'd1', worker: 'w1', messages: 'm' })
      .then();
  });

  it('records the owner of a posted message, and forgets it with that person', () => {
    const data = { ...facts, delivery: 'd1', request_id: 'r-d1', subject: 's', messages: 'm' };
    const posted: DomainEvent = { type: 'ReplyPosted', data };
    const post = { type: 'Post', delivery: 'd1', worker: 'w1', messages: 'm' } as const;
    given(chat, started('d1')).when(post).then(posted);
    given(chat, started('d1'), posted).when(post).then();
    for (const { type, data } of [started('d1'), posted]) expect(subjectOf(type, data)).toBe('s');
  });

  it('remembers answered messages until it is forgotten', () => {
    const { state } = given(chat, started('d1'), ended('d1'), started('d2'), ended('d2', false));
    expect(state.turns).toEqual(['r-d1']);
    given(chat, started('d1'), ended('d1'))
      .when({ type: 'Forget', chat: facts, now: at })
      .then({ type: 'ChatForgotten', data: { ...facts, forgotten_at: at } });
    given(chat, started('d1')).when({ type: 'Forget', chat: facts, now: at }).then();
  });

  it('leaves unchanged settings alone, and records where and by whom others were changed', () => {
    const changed: DomainEvent = {
      type: 'ChatChanged',
      data: {
        ...facts,
        ...chatSettingsDefault,
        language: 'kk' as const,
        place: '-1001',
        changed_by: 's',
        changed_at: at,
      },
    };
    const change = { type: 'Change', chat: facts, place: '-1001', by: 's', now: at } as const;
    given(chat)
      .when({ ...change, settings: { language: 'kk' } })
      .then(changed);
    given(chat, changed)
      .when({ ...change, settings: { language: 'kk' } })
      .then();
    given(chat, changed)
      .when({ ...change, settings: { muted: true }, by: null })
      .then({ type: 'ChatChanged', data: { ...changed.data, muted: true, changed_by: null } } as DomainEvent);
  });

  it('returns the earlier messages that are still unanswered', () => {
    const { state } = given(chat, started('d1'), started('d2'), started('d3'), ended('d2'), taken);
    expect(earlier(state, 'd3').map(({ delivery }) => delivery)).toEqual(['d1']);
    expect(earlier(state, 'd1')).toEqual([]);
    expect([holds(state, 'd1', 'w1'), holds(state, 'd1', 'w2')]).toEqual([false, true]);
  });
});
