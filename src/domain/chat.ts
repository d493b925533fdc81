/**
 * A conversation in a chat: the messages being answered and the workers that answer them, the earlier turns, the shared
 * files, and the settings. If a message is delivered again by any route, the reply that was already started is found.
 */
import type { Decider } from './decider.ts';
import {
  type ChatFacts,
  type ChatReplyFacts,
  type ChatSettings,
  chatSettingsDefault,
  type DomainEvent,
  type EventTypes,
} from './events.ts';

export type OpenReply = EventTypes['ReplyStarted'] & {
  /** Null if no part of the answer is in the chat. */
  messages: string | null;
};

export type SharedFile = EventTypes['ChatFileShared'];

export interface ChatState {
  settings: ChatSettings;
  /** The latest file is last. `filesAt` returns the files that are still in use. */
  files: readonly SharedFile[];
  /** The request ids of the answered asks, oldest first. */
  turns: readonly string[];
  /** The open replies, keyed by delivery. */
  open: ReadonlyMap<string, OpenReply>;
  /** The deliveries received, latest last. */
  seen: ReadonlySet<string>;
}

export type ChatCommand =
  /** Does nothing if the message has already been received. */
  | { type: 'Start'; reply: EventTypes['ReplyStarted'] }
  /** Does nothing if the reply has ended or another worker holds it. The same applies to `Take` and `End`. */
  | { type: 'Post'; delivery: string; worker: string; messages: string }
  /** Continues a reply that `from` abandoned. `request_id` is the id of the ask that continues it. */
  | { type: 'Take'; delivery: string; from: string; worker: string; request_id: string; now: string }
  | { type: 'End'; delivery: string; worker: string; answered: boolean; now: string }
  | {
      type: 'Change';
      chat: ChatFacts;
      place: string | null;
      settings: Partial<ChatSettings>;
      by: string | null;
      now: string;
    }
  | { type: 'ShareFile'; file: SharedFile }
  | { type: 'Forget'; chat: ChatFacts; now: string };

/** Maximum number of a conversation's files used for its questions, and how long they are used, in ms. */
const filesMax = 5;
const fileMs = 24 * 3_600_000;

/** The files used for a question asked now, latest last. */
export const filesAt = ({ files }: Pick<ChatState, 'files'>, now: string): SharedFile[] =>
  files.filter(({ shared_at }) => Date.parse(now) - Date.parse(shared_at) < fileMs);

/** Whether a worker holds the reply to a message. */
export const holds = (state: ChatState, delivery: string, worker: string): boolean =>
  held(state, delivery, worker) !== null;

/** The earlier messages that are still being answered, oldest first. */
export function earlier({ open }: ChatState, delivery: string): OpenReply[] {
  const all = [...open.values()];
  const at = all.findIndex((reply) => reply.delivery === delivery);
  return all.slice(0, Math.max(at, 0));
}

/** Maximum number of turns to remember, which is also the maximum number used for any conversation. */
const turnsMax = 8;
/** Platforms redeliver a message within an hour, and a chat has fewer messages than this per hour. */
const seenMax = 500;

export const chat: Decider<ChatState, ChatCommand> = {
  initial: { settings: chatSettingsDefault, files: [], turns: [], open: new Map(), seen: new Set() },

  evolve(state, event) {
    switch (event.type) {
      case 'ReplyStarted': {
        const { delivery } = event.data;
        const seen = new Set([...state.seen].slice(-(seenMax - 1))).add(delivery);
        return { ...state, seen, open: new Map(state.open).set(delivery, { ...event.data, messages: null }) };
      }
      case 'ReplyPosted': {
        const { delivery, messages } = event.data;
        return changed(state, delivery, { messages });
      }
      case 'ReplyTaken': {
        const { delivery, request_id, worker } = event.data;
        return changed(state, delivery, { request_id, worker });
      }
      case 'ReplyEnded': {
        const { delivery, request_id, answered } = event.data;
        const open = new Map(state.open);
        open.delete(delivery);
        const turns = answered ? [...state.turns, request_id].slice(-turnsMax) : state.turns;
        return { ...state, open, turns };
      }
      case 'ChatChanged': {
        const {
          chat_id: _,
          channel: __,
          place: ___,
          changed_by: ____,
          changed_at: _____,
          ...settings
        } = event.data;
        return { ...state, settings };
      }
      case 'ChatFileShared': {
        const others = filesAt(state, event.data.shared_at).filter(
          ({ file_id }) => file_id !== event.data.file_id,
        );
        return { ...state, files: [...others, event.data].slice(-filesMax) };
      }
      case 'ChatForgotten':
        return { ...state, turns: [], files: [] };
      default:
        return state;
    }
  },

  decide(command, state): DomainEvent[] {
    switch (command.type) {
      case 'Start':
        return state.seen.has(command.reply.delivery) ? [] : [{ type: 'ReplyStarted', data: command.reply }];
      case 'Post': {
        const reply = held(state, command.delivery, command.worker);
        if (!reply || reply.messages === command.messages) return [];
        const { subject } = reply;
        return [{ type: 'ReplyPosted', data: { ...factsOf(reply), subject, messages: command.messages } }];
      }
      case 'Take': {
        const { delivery, from, worker, request_id, now } = command;
        const reply = held(state, delivery, from);
        if (!reply) return [];
        return [{ type: 'ReplyTaken', data: { ...factsOf(reply), request_id, worker, taken_at: now } }];
      }
      case 'End': {
        const { delivery, worker, answered, now } = command;
        const reply = held(state, delivery, worker);
        return reply ? [{ type: 'ReplyEnded', data: { ...factsOf(reply), answered, ended_at: now } }] : [];
      }
      case 'Change': {
        const settings = { ...state.settings, ...command.settings };
        const isSame = JSON.stringify(settings) === JSON.stringify(state.settings);
        return isSame
          ? []
          : [
              {
                type: 'ChatChanged',
                data: {
                  ...command.chat,
                  ...settings,
                  place: command.place,
                  changed_by: command.by,
                  changed_at: command.now,
                },
              },
            ];
      }
      case 'ShareFile':
        return filesAt(state, command.file.shared_at).some(({ file_id }) => file_id === command.file.file_id)
          ? []
          : [{ type: 'ChatFileShared', data: command.file }];
      case 'Forget':
        return state.turns.length === 0 && state.files.length === 0
          ? []
          : [{ type: 'ChatForgotten', data: { ...command.chat, forgotten_at: command.now } }];
    }
  },
};

function held({ open }: ChatState, delivery: string, worker: string): OpenReply | null {
  const reply = open.get(delivery);
  return reply?.worker === worker ? reply : null;
}

function changed(state: ChatState, delivery: string, changes: Partial<OpenReply>): ChatState {
  const reply = state.open.get(delivery);
  return reply ? { ...state, open: new Map(state.open).set(delivery, { ...reply, ...changes }) } : state;
}

const factsOf = ({ chat_id, channel, delivery, request_id }: OpenReply): ChatReplyFacts => ({
  chat_id,
  channel,
  delivery,
  request_id,
});
