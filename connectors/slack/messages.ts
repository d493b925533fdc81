/** Slack's events, commands and button presses as messages of the chat core. */
import { type Language, languages } from '../../src/domain/events.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { chatFile } from '../files.ts';
import type { Press } from '../menus.ts';
import type { Command, Message, Person, Room } from '../platform.ts';
import { mentioned, mentions, written } from './text.ts';

export interface Workspace {
  team: string;
  botUser: string;
  botId: string | null;
}

/** The address of a reply in Slack. */
export interface Where {
  team: string;
  channel: string;
  /** The thread of the answer. If null, only the asker sees the answer, at `responseUrl`. */
  thread: string | null;
  /** The ts of the message itself, to which reactions are added; null if there is none. */
  ts: string | null;
  responseUrl: string | null;
  /** Whether the bot might not be a member of the channel. In that case, the answer goes only to the asker. */
  mayBeOutside?: true;
}

/** The fields of a message event that are used. */
export interface MessageEvent {
  subtype?: string;
  channel: string;
  channel_type?: string;
  user?: string;
  bot_id?: string;
  text?: string;
  ts: string;
  thread_ts?: string;
  deleted_ts?: string;
  team?: string;
  files?: { id?: string; name?: string; size?: number; is_external?: boolean }[];
  edited?: { ts: string };
  message?: MessageEvent;
  previous_message?: MessageEvent;
}

/** The fields of an action's body that are used. */
export interface ActionBody {
  user: { id: string; team_id?: string };
  team?: { id: string } | null;
  channel?: { id?: string };
  message?: { ts?: string; thread_ts?: string };
  container?: { thread_ts?: string; message_ts?: string };
  view?: { id: string; private_metadata: string } | undefined;
  response_url?: string;
  trigger_id?: string;
}

/** The fields of a message in a thread that are used. */
export interface ThreadMessage {
  user?: string;
  bot_id?: string;
  text?: string;
  ts: string;
  thread_ts?: string;
}

/** Returns null for events that are not messages from a person or another bot. */
export function messageOf(
  event: MessageEvent,
  team: string,
  { botUser, botId }: Workspace,
): Message<Where> | null {
  const { channel, channel_type, subtype, user, bot_id, text = '', ts, thread_ts, files = [] } = event;
  const who = user || bot_id;
  if (!who || who === botUser || (bot_id !== undefined && bot_id === botId)) return null;
  if (subtype !== undefined && !/^(?:file_share|thread_broadcast|bot_message)$/.test(subtype)) return null;
  const isAlone = channel_type === 'im';
  const isToUs = isAlone || mentions(text, botUser);
  const where = { team, channel, thread: thread_ts ?? ts, ts, responseUrl: null };
  const message = messageTo(where, who, written(text, botUser), isAlone);
  const readable = files.flatMap(({ id = '', name = '', size = 0, is_external = false }) =>
    is_external ? [] : (chatFile(id, name, size) ?? []),
  );
  return {
    ...message,
    files: readable,
    from: { ...message.from, isBot: bot_id !== undefined },
    to: isToUs ? 'us' : thread_ts === undefined ? 'room' : 'thread',
    hasFiles: files.length > readable.length,
    mentions: mentioned(text, botUser),
  };
}

/** The message of a slash command, without its text. */
export function commandMessage(command: {
  team_id: string;
  channel_id: string;
  user_id: string;
  response_url: string;
}) {
  const { team_id: team, channel_id: channel, user_id, response_url: responseUrl } = command;
  return messageTo({ team, channel, thread: null, ts: null, responseUrl }, user_id, '');
}

/** A message in the words of the chat core. `isAlone`: whether it is in a chat with one person. */
export function messageTo(
  where: Where,
  user: string,
  text: string,
  isAlone = where.channel.startsWith('D'),
): Message<Where> {
  const { team, channel, thread, ts } = where;
  const isThread = thread !== null && !(isAlone && thread === ts);
  return {
    where,
    key: keyOf(channel, ts ?? `${thread} ${user}`),
    ...roomOf(team, channel, isAlone),
    conversation:
      thread === null ? [team, channel, 'commands', user] : [team, channel, ...(isThread ? [thread] : [])],
    from: personOf(team, user),
    at: null,
    to: 'us',
    text,
    about: null,
    hasFiles: false,
    mentions: [],
    isRenewed: false,
    command: null as Command | null,
  };
}

export function roomOf(team: string, channel: string, isAlone = channel.startsWith('D')): Room {
  return { place: isAlone ? null : channel, own: [team, channel], around: [channel, team] };
}

export function personOf(team: string, user: string): Person {
  return { id: user, names: [team, user], locale: null, name: null, isBot: false };
}

export function teamOf({ team }: ActionBody, me: Workspace): string {
  return team?.id ?? me.team;
}

export function pressOf(body: ActionBody, language: Language, me: Workspace): Press<Where> {
  const team = teamOf(body, me);
  // In a modal, the channel is the one whose settings are shown.
  const channel = body.channel?.id ?? body.view?.private_metadata ?? '';
  const thread = body.message?.thread_ts ?? body.container?.thread_ts ?? body.message?.ts ?? null;
  const where = { team, channel, thread, ts: null, responseUrl: body.response_url ?? null };
  const { place, own, around, conversation, from } = messageTo(where, body.user.id, '');
  return { where, place, own, around, conversation, from, language };
}

/** Identifies a message. */
export const keyOf = (channel: string, ts: string) => `${channel} ${ts}`;

export const languageOfText = (text: string): Language => detectLanguage(text, languages, 'en');
