/**
 * What lies between the chat core (bot.ts) and a platform: the core decides what is answered, in whose conversation and
 * what is said beside answers; a platform translates its events into messages and presses, and shows what it is given.
 */
import type { App } from '../src/app-port.ts';
import type { Asks } from '../src/asks/asks.ts';
import type { ChatChannel, ChatReply, Chats } from '../src/asks/chats.ts';
import type { AskHistory } from '../src/asks/history.ts';
import type { Language } from '../src/domain/events.ts';
import type { Leases } from '../src/ports/leases.ts';
import type { Draft } from './draft.ts';
import type { ChatFile } from './files.ts';

/** The use cases chats call. */
export interface ChatApp extends Pick<App, 'sourceRefs' | 'source' | 'corpora' | 'forgetOneself' | 'files'> {
  asks: Pick<Asks, 'begin' | 'find' | 'cancel'>;
  history: Pick<AskHistory, 'rate'>;
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

/** Who wrote or pressed. */
export interface Person {
  /** The platform's id. */
  id: string;
  /** What the opaque subject is made of: the platform's ids, the widest first. */
  names: readonly string[];
  /** As the platform has it ("ru-RU"); null: unknown. */
  locale: string | null;
  /** What people call them; null: unknown. */
  name: string | null;
  isBot: boolean;
}

/** A chat: one with a single person, or a channel or group. */
export interface Room {
  /** The platform's id of a channel or group; null for a chat with one person, who then sets how it is answered. */
  place: string | null;
  /** What the settings of a chat with one person are found by. */
  own: readonly string[];
  /** Where corpora may be configured for, the narrowest first. */
  around: readonly string[];
}

/**
 * A message as it waits to be answered; recorded sealed, as JSON. `Where`: what the platform needs to write there.
 */
export interface Message<Where> extends Room {
  where: Where;
  /** Tells it from all other messages of the platform. */
  key: string;
  /** Whose turns are read: the platform's ids. */
  conversation: readonly string[];
  from: Person;
  /** Unix time in ms; null: just now. */
  at: number | null;
  /** `us`: the service is mentioned, replied to or written to alone; `thread`: in a thread; `room`: in the room. */
  to: 'us' | 'thread' | 'room';
  /** Without our name; null: there was none to read. */
  text: string | null;
  /** The text of another message that is asked about; null: none. */
  about: string | null;
  /** What came with it that can be read; absent in messages of before there were any. */
  files?: readonly ChatFile[];
  /** Other files came with it. */
  hasFiles: boolean;
  command: Command | null;
  /** Whom it mentions beside us, by the platform's ids or names. */
  mentions: readonly string[];
  /** It is asked again by a button, whenever it was written. */
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

/** A button; pressing it brings `data` back, at most 64 bytes. */
export interface Choice {
  label: string;
  data: string;
}

/** What is said beside answers. */
export interface Note {
  text: string;
  /** Whom it calls, by the platform's ids or names, before the text. */
  to?: readonly string[];
  /** Rows of buttons. */
  choices?: Choice[][];
}

/** The sign that a message is being worked on. */
export interface Sign {
  /** Something of the answer stands in the chat. */
  shown(): void;
  end(): Promise<void>;
}

/** What stands below an answer beside its sources. */
export interface Below {
  /** People can be asked for help. */
  help: boolean;
}

/** Where an answer is shown. */
export interface View {
  /** What stands there may be behind. Rejects with ViewGone; other troubles are its own to bear. */
  show(draft: Draft): Promise<void>;
  /** The answer as it stays. Rejects with ViewGone, or when it could not be delivered for long. */
  finish(draft: Draft): Promise<void>;
  /** There is no answer, for a reason, or no more of it than the draft has. As `finish`. */
  fail(text: string, draft: Draft): Promise<void>;
}

/** Where an answer grows, and what of it stands there. */
export interface ChatView extends View {
  /** As `ChatReply.posted` records it. */
  readonly posted: unknown;
  /** Takes back what stands there: the question is gone. */
  withdraw(): Promise<void>;
}

export interface Platform<Where> {
  readonly name: ChatChannel;
  /** How far apart showings of a growing answer are, in ms. */
  intervalMs(where: Where): number;
  /** The language of fixed texts where the chat's settings name none. */
  language(message: Message<Where>): Promise<Language>;
  /** `posted`: what stands there already. `onlyAsker`: others do not see it. `shown`: something of it stands there. */
  view(
    message: Message<Where>,
    reply: ChatReply,
    posted: unknown,
    options: Below & { onlyAsker: boolean; shown: () => void },
  ): Promise<ChatView>;
  /**
   * To the asker alone where the platform can do that, unless it is for all; below the message where there is one.
   * `fence`: awaited before each try.
   */
  say(
    message: Pick<Message<Where>, 'where' | 'from'>,
    note: Note,
    options?: { toAll?: boolean; fence?: () => Promise<void> },
  ): Promise<void>;
  sign(message: Message<Where>, isTaken: boolean): Sign;
  /** Whether somebody may change how a channel or group is answered. */
  mayConfigure(where: Where, person: Person): Promise<boolean>;
  /** How a person is called in a text. */
  nameOf(person: Person): string;
  /** What people have said around the message since the last answer, oldest first; without the message. */
  saidBefore(message: Message<Where>): Promise<string[]>;
  /** The content of a file. Rejects where it cannot be fetched. */
  content(file: ChatFile, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * What the platform's refusal of a call means to an operator, with what to do; null for any other error. `mayPass`: it
   * is done once that is mended.
   */
  trouble(error: unknown): { text: string; mayPass: boolean } | null;
}
