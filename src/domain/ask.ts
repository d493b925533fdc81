/** An ask: a question, followed by exactly one ending and any number of ratings. */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { DomainEvent, EventTypes, UnansweredFacts } from './events.ts';

export type AskEnding = Extract<
  DomainEvent,
  { type: 'AnswerGiven' | 'AnswerWithheld' | 'AnswerFailed' | 'AskCancelled' | 'AskAbandoned' }
>;

export interface AskState {
  asked: EventTypes['QuestionAsked'] | null;
  /** How the ask ended. A lookup of sources ends with its only event. */
  ending: AskEnding | Extract<DomainEvent, { type: 'SourcesLookedUp' }> | null;
  /** The latest rating by each subject. */
  ratings: Map<string, EventTypes['AnswerRated']>;
  /** Whether help from people was requested, and whether it was given. */
  help: 'none' | 'requested' | 'resolved';
}

export type AskCommand =
  | { type: 'Ask'; question: EventTypes['QuestionAsked'] }
  | { type: 'LookUpSources'; lookup: EventTypes['SourcesLookedUp'] }
  | { type: 'End'; ending: AskEnding }
  /** Ends an ask from outside. Does nothing if the ask has ended or never began. */
  | { type: 'Cancel'; now: Date }
  /** Ends an ask as abandoned if its process has not ended it by the deadline. */
  | { type: 'Abandon'; now: Date }
  /** Does nothing if the subject has already given the same rating. */
  | { type: 'Rate'; rating: Omit<EventTypes['AnswerRated'], 'previous'> }
  /** Does nothing if help was already requested. */
  | { type: 'RequestHelp'; request: EventTypes['HelpRequested'] }
  /** Does nothing if no request for help is open. */
  | { type: 'ResolveHelp'; resolution: EventTypes['HelpResolved'] };

export const ask: Decider<AskState, AskCommand> = {
  initial: { asked: null, ending: null, ratings: new Map(), help: 'none' },

  evolve(state, event) {
    switch (event.type) {
      case 'QuestionAsked':
        return { ...state, asked: event.data };
      case 'AnswerGiven':
      case 'AnswerWithheld':
      case 'AnswerFailed':
      case 'AskCancelled':
      case 'AskAbandoned':
      case 'SourcesLookedUp':
        return { ...state, ending: event };
      case 'HelpRequested':
        return { ...state, help: 'requested' };
      case 'HelpResolved':
        return { ...state, help: 'resolved' };
      case 'AnswerRated':
        if (event.data.forgotten) return state;
        return { ...state, ratings: new Map(state.ratings).set(event.data.subject, event.data) };
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'Ask':
      case 'LookUpSources':
        if (state.asked !== null || state.ending !== null)
          throw new Failure('conflict', 'A question with this request id has already been asked.');
        return command.type === 'Ask'
          ? [{ type: 'QuestionAsked', data: command.question }]
          : [{ type: 'SourcesLookedUp', data: command.lookup }];
      case 'End':
        if (state.asked === null)
          throw new Failure('not_found', 'No question was asked under this request id.');
        if (state.ending !== null) throw new Failure('conflict', 'This ask has already ended.');
        return [command.ending];
      case 'Cancel': {
        const { asked, ending } = state;
        if (asked === null || ending !== null) return [];
        return [{ type: 'AskCancelled', data: unanswered(asked, command.now) }];
      }
      case 'Abandon': {
        const { asked, ending } = state;
        if (asked === null || ending !== null || command.now < new Date(asked.deadline)) return [];
        return [{ type: 'AskAbandoned', data: unanswered(asked, command.now) }];
      }
      case 'Rate': {
        if (state.ending?.type !== 'AnswerGiven' && state.ending?.type !== 'AnswerWithheld') {
          throw new Failure('not_found', 'There is no answer to rate under this request id.');
        }
        const { rating } = command;
        const before = state.ratings.get(rating.subject);
        if (before?.rating === rating.rating && before.comment === rating.comment) return [];
        const given = state.ending.type === 'AnswerGiven' ? state.ending.data : null;
        // Only the asker's own rating determines whether others receive this answer, because anyone may have learnt its
        // id.
        const isAsker = rating.subject === given?.subject;
        const answer_key = isAsker ? (given?.repeatable?.answer_key ?? given?.faq?.answer_key) : null;
        return [
          {
            type: 'AnswerRated',
            data: { ...rating, previous: before?.rating ?? null, ...(answer_key ? { answer_key } : {}) },
          },
        ];
      }
      case 'RequestHelp':
        if (state.asked === null)
          throw new Failure('not_found', 'No question was asked under this request id.');
        return state.help === 'none' ? [{ type: 'HelpRequested', data: command.request }] : [];
      case 'ResolveHelp':
        return state.help === 'requested' ? [{ type: 'HelpResolved', data: command.resolution }] : [];
    }
  },
};

/** The facts of an ask that is ended by another process, without knowing its language. */
function unanswered(
  { request_id, corpus_id, channel, style, key_id, subject, asked_at }: EventTypes['QuestionAsked'],
  now: Date,
): UnansweredFacts {
  const latency_ms = now.getTime() - Date.parse(asked_at);
  return { request_id, corpus_id, channel, lang: null, style, key_id, subject, asked_at, latency_ms };
}
