/**
 * The interface between the chat core (bot.ts) and a platform. The core decides what to answer, in which conversation,
 * and which other messages to send. A platform translates its events into messages and button presses, and displays the
 * core's output.
 */
import type { App } from '../src/app-port.ts';
import type { Asks } from '../src/asks/asks.ts';
import type { ChatReply } from '../src/asks/chat.ts';
import type { ChatChannel, Chats } from '../src/asks/chats.ts';
import type { RecordedAsks } from '../src/asks/recorded-asks.ts';
import type { Language } from '../src/domain/events.ts';
import type { Leases } from '../src/ports/leases.ts';
import type { Draft } from './draft.ts';
import type { ChatFile } from './files.ts';
import type { SettingName, Texts } from './texts.ts';

/** The use cases called from chats. */
export interface ChatApp extends Pick<App, 'sourceRefs' | 'source' | 'corpora' | 'forgetOneself' | 'files'> {
  asks: Pick<Asks, 'begin' | 'find' | 'cancel'>;
  recordedAsks: Pick<RecordedAsks, 'rate'>;
  access: Pick<App['access'], 'count'>;
  chats: Pick<
    Chats,
    | 'open'
    | 'close'
    | 'subject'
    | 'chat'
    | 'known'
    | 'place'
    | 'recent'
    | 'takeOver'
    | 'rooms'
    | 'isConfident'
    | 'asked'
    | 'requestHelp'
    | 'resolveHelp'
    | 'propose'
  >;
  leases: Leases;
}

/** The author of a message, or the person who pressed a button. */
export interface Person {
  /** The person's id on the platform. */
  id: string;
  /** The platform ids from which the opaque subject is derived, from the widest to the narrowest. */
  names: readonly string[];
  /** The locale in the platform's format ("ru-RU"); null if unknown. */
  locale: string | null;
  /** The display name; null if unknown. */
  name: string | null;
  isBot: boolean;
}

/** A chat with a single person, or a channel or group. */
export interface Room {
  /**
   * The platform's id of a channel or group; null for a chat with one person, in which case that person's settings
   * apply.
   */
  place: string | null;
  /** The key of the settings of a chat with one person. */
  own: readonly string[];
  /** The places for which corpora can be configured, from the narrowest to the widest. */
  around: readonly string[];
}

/**
 * A message that is waiting for an answer. It is recorded as sealed JSON. `Where` is the address that the platform
 * needs to reply.
 */
export interface Message<Where> extends Room {
  where: Where;
  /** Identifies the message among all messages of the platform. */
  key: string;
  /** The platform ids that identify the conversation whose turns are read. */
  conversation: readonly string[];
  from: Person;
  /** Unix time in ms; null if the message was sent just now. */
  at: number | null;
  /**
   * `us`: the message mentions the service, replies to it or is in a private chat with it; `thread`: any other message
   * in a thread; `room`: any other message.
   */
  to: 'us' | 'thread' | 'room';
  /** The text without the bot's name; null if the message has no text. */
  text: string | null;
  /** The text of another message that the question is about; null if there is none. */
  about: string | null;
  /** The attached files that can be read; absent in messages recorded before files were supported. */
  files?: readonly ChatFile[];
  /** Whether other files are attached. */
  hasFiles: boolean;
  command: Command | null;
  /** The people mentioned, except the bot, by platform id or name. */
  mentions: readonly string[];
  /** Whether the question is asked again through a button, in which case its age does not matter. */
  isRenewed: boolean;
}

export const commands = [
  'start',
  'help',
  'corpora',
  'style',
  'language',
  'new',
  'history',
  'forget',
  'settings',
  'save',
] as const;
export type Command = (typeof commands)[number];

/** A button. Pressing it returns `data`, which has at most 64 bytes. */
export interface Choice {
  label: string;
  data: string;
}

/** A message that is not an answer. */
export interface Note {
  text: string;
  /** The people to mention before the text, by platform id or name. */
  to?: readonly string[];
  /** Rows of buttons. */
  choices?: Choice[][];
}

/** The indicator that a message is being processed. */
export interface Sign {
  /** Reports that part of the answer is visible in the chat. */
  shown(): void;
  end(): Promise<void>;
}

export const noSign: Sign = { shown() {}, async end() {} };

/** A place where an answer is shown. */
export interface View {
  /**
   * Shows the draft; the display can lag behind. Rejects with ViewGone; all other errors are handled by the view
   * itself.
   */
  show(draft: Draft): Promise<void>;
  /** Shows the final answer. Rejects with ViewGone, or if the answer could not be delivered for a long time. */
  finish(draft: Draft): Promise<void>;
  /** Shows why there is no answer, or why the answer ends where the draft ends. Rejects like `finish`. */
  fail(text: string, draft: Draft): Promise<void>;
}

/** A place in a chat where an answer is shown as it is written, and the messages already posted there. */
export interface ChatView extends View {
  /** The posted messages, in the form recorded by `ChatReply.posted`. */
  readonly posted: unknown;
  /** Deletes the posted messages because the question was withdrawn. */
  withdraw(): Promise<void>;
}

export interface Platform<Where> {
  readonly name: ChatChannel;
  /** The settings of a channel or group that apply on this platform. */
  readonly settings: readonly SettingName[];
  /** The reply to a message without a question. `offersCorpora`: whether it includes a choice of corpora. */
  howToAsk(t: Texts): { text: string; offersCorpora: boolean };
  /** The interval between updates of an unfinished answer, in ms. */
  intervalMs(where: Where): number;
  /** The language of fixed texts if the settings of the chat do not specify one. */
  language(message: Message<Where>): Promise<Language>;
  /**
   * `reply.messages` are already in the chat. `help`: whether the user can ask people for help. `onlyAsker`: whether only
   * the asker sees the answer. `shown`: called when part of the answer is visible.
   */
  view(
    message: Message<Where>,
    reply: ChatReply,
    options: { help: boolean; onlyAsker: boolean; shown: () => void },
  ): Promise<ChatView>;
  /**
   * Sends a note, below the message if there is one. If the platform supports it, only the asker sees the note, unless
   * `toAll` is set. `fence` is awaited before each attempt.
   */
  say(
    message: Pick<Message<Where>, 'where' | 'from'>,
    note: Note,
    options?: { toAll?: boolean; fence?: () => Promise<void> },
  ): Promise<void>;
  sign(message: Message<Where>, isTaken: boolean): Sign;
  /** Whether a person may change the settings of a channel or group. */
  mayConfigure(where: Where, person: Person): Promise<boolean>;
  /** The text that mentions a person. */
  nameOf(person: Person): string;
  /** The other messages around the given one since the last answer, oldest first. */
  saidBefore(message: Message<Where>): Promise<string[]>;
  /** The content of a file. Rejects if the file cannot be fetched. */
  content(file: ChatFile, signal: AbortSignal): Promise<Uint8Array>;
}
