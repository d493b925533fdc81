/**
 * The chat core: decides which messages to answer and in which order, and replies to the others. rooms.ts handles the
 * settings of chats, and menus.ts handles commands and buttons. A message is recorded before it is acknowledged to the
 * platform, and is answered in the background.
 */
import { type ChatReply, ReplyLost } from '../src/asks/chat.ts';
import {
  type ChatSettings,
  type HistoryMessage,
  type Language,
  questionMax,
  type Style,
} from '../src/domain/events.ts';
import { hasWords, isEvidentQuestion, onlyPoints } from './addressed.ts';
import { answer, type ChatQuestion, namedCorpus, onlyWithSource } from './answer.ts';
import type { ChatFile } from './files.ts';
import { Menus } from './menus.ts';
import { corporaNote, filesNote } from './notes.ts';
import { type ChatView, type Message, type Note, noSign, type Sign } from './platform.ts';
import { explained, Left, Refused, ViewGone } from './platform-api.ts';
import type { Time } from './rate-limits.ts';
import { Rooms, type RoomsOptions } from './rooms.ts';
import { cut } from './splitting.ts';
import { type Texts, texts } from './texts.ts';

/** A message older than this was sent while no process was running. */
const lateMs = 10 * 60_000;
/**
 * The pauses before retries of a message that cannot be answered yet, in ms, and the maximum number of attempts.
 * Together they span about a day.
 */
const refusedMs = 15_000;
const triesMax = 5_000;
/** The maximum number of attempts to ask a question before the failure is reported. */
const waitsMax = 4;
/** The maximum number of answers in progress; other messages wait for their turn. */
const atOnceMax = 100;
/** The maximum number of waiting messages in a conversation. */
const waitingMax = 20;
/** The maximum number of messages whose edits are tracked. */
const followedMax = 2_000;
/** The context from earlier messages: the number of the most recent messages, and the maximum length of each. */
const saidMax = 6;
const saidUnitsMax = 1_000;

export interface BotOptions<Where> extends RoomsOptions<Where> {
  leave: AbortSignal;
  /** The clock used for waiting. */
  time: Time;
  /** Unix time in ms. */
  now?: () => number;
  onTrouble: (sentence: string) => void;
}

/** A message that this process answers. */
interface Taken<Where> {
  message: Message<Where>;
  reply: ChatReply;
  /** The same message before it was edited, until its answer has ended; null if it was not edited. */
  before: Taken<Where> | null;
  /** Whether too many messages of the conversation are waiting. */
  isTooMany: boolean;
  /** Aborts when nobody expects an answer to the message any more. */
  gone: AbortController;
  view: ChatView | null;
  ended: Promise<void>;
}

export class ChatBot<Where> {
  readonly rooms: Rooms<Where>;
  readonly menus: Menus<Where>;
  readonly #options: BotOptions<Where>;
  readonly #now: () => number;
  readonly #queues = new Map<string, { tail: Promise<void>; waiting: number }>();
  readonly #followed = new Map<string, Taken<Where>>();
  readonly #beside = new Set<Promise<void>>();
  readonly #slots: (() => void)[] = [];
  #answering = 0;
  /** The last reported problem. A problem that occurs several times in a row is reported only once. */
  #reported = '';

  constructor(options: BotOptions<Where>) {
    this.#options = options;
    this.rooms = new Rooms(options);
    this.menus = new Menus(options, this.rooms);
    this.#now = options.now ?? Date.now;
  }

  /** Resolves when no work is in progress. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0 || this.#beside.size > 0)
      await Promise.all([...[...this.#queues.values()].map(({ tail }) => tail), ...this.#beside]);
  }

  /** Does work that the platform does not wait for, and that can be lost. */
  beside(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => {
        if (error instanceof Left) return;
        const { platform, onTrouble } = this.#options;
        onTrouble(`A ${title(platform.name)} request failed: ${explained(error) ?? 'an unexpected error.'}`);
      })
      .finally(() => this.#beside.delete(running));
    this.#beside.add(running);
  }

  /**
   * Records a message that is meant for the bot and answers it. Resolves when the message can be acknowledged to the
   * platform, and resolves to false if the message is not for the bot or has already been received. Replies wait for
   * `ready`. If this fails with `unavailable` or `storage_full`, nothing was recorded.
   */
  async take(message: Message<Where>, delivery: string, ready?: Promise<void>): Promise<boolean> {
    if (!(await this.#isForUs(message))) return false;
    return this.#start(message, delivery, null, ready);
  }

  /** Handles an edited message: abandons the answer in progress and answers the new text. */
  async changed(message: Message<Where>, delivery: string): Promise<void> {
    const before = this.#followed.get(message.key);
    if (!before || before.message.text === message.text || !(await this.#isForUs(message))) return;
    await this.#start(message, delivery, before);
  }

  /** Handles a deleted message: its answer is deleted too. */
  withdrawn(key: string): void {
    const followed = this.#followed.get(key);
    followed?.gone.abort();
    void followed?.ended.then(() => followed.view?.withdraw()).catch((error) => this.#trouble(error));
  }

  /** Handles the removal of the bot from a room: nobody can read the answers in progress there any more. */
  left(place: string): void {
    for (const followed of this.#followed.values())
      if (followed.message.place === place) followed.gone.abort();
  }

  /** Handles a new id for a group: the settings of the group still apply. */
  async moved(from: string, to: string): Promise<void> {
    const { app, platform } = this.#options;
    const settings = await app.chats.place(platform.name, from).settings();
    await app.chats.place(platform.name, to).change(settings, { subject: `${platform.name}:moved` });
  }

  /** Takes over the unfinished replies of a process that has stopped. May fail with `unavailable`. */
  async takeOver(): Promise<void> {
    const { app, platform } = this.#options;
    for (const reply of await app.chats.takeOver(platform.name)) {
      const message = reply.task as Message<Where> | null;
      if (message) this.#enqueue(message, reply, null);
      else await reply.end(false);
    }
  }

  async #start(
    message: Message<Where>,
    delivery: string,
    before: Taken<Where> | null,
    ready?: Promise<void>,
  ): Promise<boolean> {
    const conversation = this.rooms.chat(message.conversation);
    const reply = await conversation.start(delivery, this.rooms.subject(message.from), message);
    if (reply === null) return false;
    before?.gone.abort();
    this.#enqueue(message, reply, before, ready);
    return true;
  }

  /** Whether to answer a message, given its sender, its addressee and the settings of the chat. */
  async #isForUs(message: Message<Where>): Promise<boolean> {
    const { to, text, command, mentions, conversation, from } = message;
    if (from.isBot && !(await this.rooms.settings(message)).bots) return false;
    if (command !== null) return true;
    const isQuestion = text !== null && mentions.length === 0 && isEvidentQuestion(text);
    if (to === 'us') return !(await this.rooms.settings(message)).muted;
    if (text === null || mentions.length > 0 || !hasWords(text)) return false;
    const { answers, threads, muted } = await this.rooms.settings(message);
    if (muted) return false;
    if (to === 'thread')
      return threads === 'questions' && isQuestion && (await this.rooms.chat(conversation).isKnown());
    return answers === 'all' || (answers === 'questions' && isQuestion);
  }

  #enqueue(
    message: Message<Where>,
    reply: ChatReply,
    before: Taken<Where> | null,
    ready: Promise<void> = Promise.resolve(),
  ): void {
    const queue = this.#queues.get(reply.chat.id) ?? { tail: Promise.resolve(), waiting: 0 };
    const ended = Promise.withResolvers<void>();
    // The reply to a message over the limit does not wait for its turn.
    const isTooMany = queue.waiting >= waitingMax;
    const gone = new AbortController();
    const taken = { message, reply, before, isTooMany, gone, view: null, ended: ended.promise };
    this.#follow(message.key, taken);
    const turn = isTooMany ? ready : Promise.all([queue.tail, ready]);
    queue.waiting++;
    const done = turn
      .then(() => this.#slot(() => this.#process(taken)))
      .catch((error: unknown) => this.#trouble(error))
      .finally(() => {
        ended.resolve();
        if (--queue.waiting === 0) this.#queues.delete(reply.chat.id);
      });
    queue.tail = isTooMany ? Promise.all([queue.tail, done]).then(() => {}) : done;
    this.#queues.set(reply.chat.id, queue);
  }

  /** Limits the number of answers in progress; other messages wait in order. */
  async #slot(work: () => Promise<void>): Promise<void> {
    if (this.#answering >= atOnceMax) await new Promise<void>((resolve) => this.#slots.push(resolve));
    else this.#answering++;
    try {
      await work();
    } finally {
      const next = this.#slots.shift();
      if (next) next();
      else this.#answering--;
    }
  }

  #follow(key: string, taken: Taken<Where>): void {
    this.#followed.delete(key);
    this.#followed.set(key, taken);
    if (this.#followed.size > followedMax) this.#followed.delete(this.#followed.keys().next().value!);
  }

  #trouble(error: unknown): void {
    if (error instanceof Left || error instanceof ViewGone || error instanceof ReplyLost) return;
    const { platform, onTrouble } = this.#options;
    const what = explained(error) ?? 'an unexpected error.';
    if (what === this.#reported) return;
    this.#reported = what;
    onTrouble(`A message in ${title(platform.name)} has not been answered yet: ${what}`);
  }

  /**
   * Answers a message. Failures are retried instead of dropping the question, because the token, the platform or the
   * history may recover.
   */
  async #process(taken: Taken<Where>): Promise<void> {
    const { leave, time } = this.#options;
    const { gone } = taken;
    for (let tries = 1; ; tries++) {
      if (leave.aborted) throw new Left();
      try {
        if (tries > triesMax || gone.signal.aborted) return await taken.reply.end(false);
        return await this.#attempt(taken, tries);
      } catch (error) {
        if (error instanceof Left || error instanceof ReplyLost) throw error;
        this.#trouble(error);
        // Nobody can read the answer, or the platform will never accept it.
        if (error instanceof ViewGone || (error instanceof Refused && !error.mayPass)) gone.abort();
        else await time.sleep(refusedMs, gone.signal.aborted ? leave : AbortSignal.any([leave, gone.signal]));
      }
      const { reply, view } = taken;
      taken.reply = { ...reply, messages: view?.posted ?? reply.messages, isTaken: true };
    }
  }

  async #attempt(taken: Taken<Where>, tries: number): Promise<void> {
    const { platform, leave } = this.#options;
    const { message, isTooMany, gone, before } = taken;
    // The message is answered even if the history is unavailable.
    if (!isTooMany && tries === 1)
      await taken.reply.turn(AbortSignal.any([leave, gone.signal])).catch((error) => this.#trouble(error));
    if (before !== null) {
      await before.ended;
      taken.reply = { ...taken.reply, messages: before.view?.posted ?? taken.reply.messages };
      taken.before = null;
    }
    const { reply } = taken;
    if (gone.signal.aborted) return reply.end(false);
    const latenessMs = message.at === null || message.isRenewed ? 0 : this.#now() - message.at;
    const isLate = latenessMs > lateMs;
    const isFileAlone =
      !isTooMany && !isLate && (await this.#share(message, reply)) && (message.text ?? '') === '';
    const isAnswered =
      message.command === null && message.text !== null && !isTooMany && !isLate && !isFileAlone;
    // Show the indicator before looking anything up, so that it appears first.
    const sign =
      isAnswered && message.to === 'us' && message.text !== ''
        ? platform.sign(message, reply.isTaken)
        : noSign;
    try {
      const settings = await this.rooms.settings(message);
      const lang = settings.language ?? (await platform.language(message));
      if (isAnswered) await this.#answer(taken, settings, lang, sign, tries < waitsMax);
      else {
        const say = (note: Note) => platform.say(message, note, { fence: () => reply.held() });
        if (message.command !== null) await this.menus.runCommand(message, say, settings, lang);
        else await say(this.#aside(taken, texts[lang], isFileAlone, latenessMs));
        await reply.end(false);
      }
      this.#reported = '';
    } finally {
      await sign.end();
    }
  }

  /**
   * Records the files attached to a message to the bot, for later questions in its conversation. Returns false if the
   * message has no files or files are not supported.
   */
  async #share({ to, files = [], command, from }: Message<Where>, { chat }: ChatReply): Promise<boolean> {
    if (!this.#options.app.files || to !== 'us' || command !== null) return false;
    for (const file of files) await chat.share(file.id, this.rooms.subject(from), file);
    return files.length > 0;
  }

  /** The reply to a message that is neither a command nor answered from documents. */
  #aside(
    { message, reply, isTooMany }: Taken<Where>,
    t: Texts,
    isFileAlone: boolean,
    latenessMs: number,
  ): Note {
    if (isTooMany) return { text: t.tooMany };
    const { files = [], text, from } = message;
    if (isFileAlone) {
      const names = files.map(({ name }) => name);
      return filesNote(t, names, reply.chat.id, from.id);
    }
    if (text === null) return { text: this.#options.app.files ? `${t.onlyText} ${t.filesRead}` : t.onlyText };
    return { text: t.late(Math.round(latenessMs / 60_000)), choices: [[{ label: t.askNow, data: 'a' }]] };
  }

  /** `waits`: whether a question that cannot be asked right now will be retried. */
  async #answer(
    taken: Taken<Where>,
    settings: ChatSettings,
    lang: Language,
    sign: Sign,
    waits: boolean,
  ): Promise<void> {
    const { message, reply } = taken;
    const { app, platform, leave } = this.#options;
    const t = texts[lang];
    const said = message.to === 'us' && message.about === null ? await platform.saidBefore(message) : [];
    const about = message.about ?? said.at(-1) ?? null;
    const { corpus: named, query: own } = namedCorpus(message.text!);
    const isPointing = about !== null && onlyPoints(own);
    const query = isPointing ? about : own;
    const { corpora, current } = await this.rooms.choice(message, settings, lang);
    const asked = named === null ? current : corpora.find(({ corpus_id }) => corpus_id === named);
    const { text: howTo, offersCorpora } = platform.howToAsk(t);
    const refusal: Note | null =
      corpora.length === 0
        ? { text: t.noAccess }
        : asked === undefined
          ? { text: t.noCorpus(corpora.map(({ corpus_id }) => corpus_id).join(', ')) }
          : query === ''
            ? offersCorpora
              ? corporaNote(howTo, corpora, current)
              : { text: howTo }
            : asked === null
              ? corporaNote(t.corpora, corpora, null)
              : [...query].length > questionMax
                ? { text: t.tooLong }
                : null;
    if (refusal !== null || asked == null) {
      // Report that no answer is possible only to people who addressed the bot.
      if (message.to === 'us')
        await platform.say(message, refusal ?? { text: t.noAccess }, { fence: () => reply.held() });
      return reply.end(false);
    }
    const view = await platform.view(message, reply, {
      help: settings.helpers.length > 0,
      onlyAsker: settings.ephemeral && message.place !== null,
      shown: () => sign.shown(),
    });
    taken.view = view;
    const isHeld =
      settings.silent || message.to === 'thread' || (message.to === 'room' && settings.answers !== 'all');
    const history = await this.#turns(message, isPointing ? said.slice(0, -1) : said, isPointing);
    const question = {
      query,
      corpus_id: asked.corpus_id,
      style: settings.style,
      lang,
      history,
      unasked: message.to !== 'us',
      notes: this.#unread(message, t),
      files: named === null ? await this.#filesFor(message, reply, settings.style, query, history, t) : null,
    };
    // If the question was not addressed to the bot, silence is better than a doubtful answer.
    const isGood = async (id: string) => message.to === 'us' || app.chats.isConfident(id);
    await answer(app, reply, question, isHeld ? onlyWithSource(view, isGood, message.to === 'us') : view, {
      channel: platform.name,
      intervalMs: () => platform.intervalMs(message.where),
      waits,
      signal: taken.gone.signal,
      leave,
    });
  }

  #unread({ hasFiles, files = [] }: Message<Where>, t: Texts): string[] {
    if (this.#options.app.files) return hasFiles ? [`${t.filesUnread} ${t.filesRead}`] : [];
    return hasFiles || files.length > 0 ? [t.filesUnread] : [];
  }

  /** Returns the files to search before the corpora; null if the conversation has no files. */
  async #filesFor(
    message: Message<Where>,
    { request_id }: ChatReply,
    style: Style | null,
    query: string,
    history: HistoryMessage[],
    t: Texts,
  ): Promise<ChatQuestion['files']> {
    const { app, platform } = this.#options;
    const { files: shelf } = app;
    if (!shelf) return null;
    let chat = this.rooms.chat(message.conversation);
    let shared = await chat.files();
    // A thread in a chat with one person also uses the files sent outside the thread.
    if (shared.length === 0 && message.place === null) {
      chat = this.rooms.chat(message.own);
      shared = await chat.files();
    }
    if (shared.length === 0) return null;
    let readable = shared.map(({ subject, file }) => {
      const one = file as ChatFile;
      return { ...one, subject, fetch: (signal: AbortSignal) => platform.content(one, signal) };
    });
    const isSure = message.to !== 'us';
    const question = { request_id, query, style, history, channel: platform.name, isSure };
    return {
      read: async (signal) => {
        const unread = await shelf.read(chat.id, readable, signal);
        readable = readable.filter((one) => !unread.includes(one));
        return unread.map(({ name }) => t.fileFailed(name));
      },
      ask: (signal) => shelf.ask(chat.id, readable, question, signal),
    };
  }

  /**
   * Returns the context for a question: first the bot's conversation with the user, then other people's messages,
   * quoted as theirs.
   */
  async #turns(
    message: Message<Where>,
    said: readonly string[],
    isPointing: boolean,
  ): Promise<HistoryMessage[]> {
    const turns = await this.rooms.chat(message.conversation).turns();
    // A thread in a chat with one person continues the conversation outside the thread.
    const known =
      turns.length > 0 || message.place !== null ? turns : await this.rooms.chat(message.own).turns();
    const around = message.about !== null && !isPointing ? [message.about] : said;
    return [
      ...known,
      ...around
        .slice(-saidMax)
        .map((text) => ({ role: 'user' as const, content: `“${cut(text, saidUnitsMax)}”` })),
    ];
  }
}

const title = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`;
