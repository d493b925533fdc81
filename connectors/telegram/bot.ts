/**
 * Docent in Telegram: which messages are questions, in whose conversation, and what is said to the others. A message is
 * recorded before Telegram is told that it arrived; the answering goes on beside the taking in, one answer at a time in
 * a chat.
 */
import { createHash } from 'node:crypto';
import type { CallbackQuery, ChatMemberUpdated, InlineQuery, Message, Update, User } from 'telegraf/types';
import type { Chat, ChatReply } from '../../src/asks/chats.ts';
import type { Corpus } from '../../src/asks/public-corpora.ts';
import { type ChatSettings, type Language, languages, type Style, styles } from '../../src/domain/events.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { Failure } from '../../src/failures.ts';
import {
  answer,
  type ChatApp,
  choice,
  failureText,
  forgetAsker,
  Left,
  namedCorpus,
  opens,
  questionMax,
  rate,
  recorded,
  ViewGone,
} from '../chat.ts';
import { type CorporaByChat, corporaAt } from '../chat-corpora.ts';
import { cut } from '../splitting.ts';
import { languageOf, readableDate, type Texts, texts } from '../texts.ts';
import { type Api, Refused } from './api.ts';
import { bold, escapeHtml, linked } from './html.ts';
import {
  type Button,
  content,
  type Html,
  type Keyboard,
  type Posted,
  passageMessages,
  plain,
  TelegramView,
} from './view.ts';

const channel = 'telegram' as const;
/** An older message was sent while no process was running. */
const lateMs = 10 * 60_000;
/** Messages of one chat that wait for their turn. */
const waitingMax = 20;
/** A typing sign lasts five seconds. */
const typingMs = 4_500;
/** Messages whose edits are followed. */
const followedMax = 2_000;
const inlineMax = 5;
const inlineUnitsMin = 3;

export interface BotIdentity {
  id: number;
  username: string;
}

export interface BotOptions {
  app: ChatApp;
  api: Api;
  me: BotIdentity;
  corporaByChat: CorporaByChat;
  leave: AbortSignal;
  now?: () => number;
  onTrouble: (sentence: string) => void;
}

/** A message as it waits to be answered; recorded sealed. */
interface Task {
  chat: number;
  thread?: number | undefined;
  message: number;
  /** Unix time in ms. */
  at: number;
  from: { id: number; locale: string | null };
  isGroup: boolean;
  /** null: there was none to read. */
  text: string | null;
  /** It is asked again by a button, whenever it was written. */
  isRenewed: boolean;
}

interface Followed {
  text: string | null;
  posted: Posted;
  /** Ends its answering. */
  taken: AbortController;
}

/** The sign that an answer is being written. */
interface Typing {
  end(): void;
}

export class TelegramBot {
  readonly #options: BotOptions;
  readonly #now: () => number;
  /** The end of what is being answered in each chat. */
  readonly #queues = new Map<number, { tail: Promise<void>; waiting: number }>();
  readonly #followed = new Map<string, Followed>();

  constructor(options: BotOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Resolves when what is being answered has ended. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ tail }) => tail));
  }

  /** Resolves when it is safe to acknowledge the update to Telegram. Failure `unavailable`, `storage_full`. */
  async take(update: Update): Promise<void> {
    try {
      await this.#take(update);
    } catch (error) {
      if (error instanceof Failure && error.retryable) throw error;
      // Delivered again it would be the same, and hold up all others.
      this.#trouble(error);
    }
  }

  async #take(update: Update): Promise<void> {
    if ('message' in update) await this.#message(update.message, false);
    else if ('edited_message' in update) await this.#message(update.edited_message as Message, true);
    else if ('callback_query' in update) await this.#pressed(update.callback_query);
    else if ('inline_query' in update) void this.#inline(update.inline_query);
    else if ('my_chat_member' in update) this.#membership(update.my_chat_member);
  }

  /** Goes on with what a process that has gone left behind. Failure `unavailable`. */
  async takeOver(): Promise<void> {
    for (const reply of await this.#options.app.chats.takeOver(channel)) {
      const task = reply.task as Task | null;
      if (task) this.#enqueue(task, reply);
      else await reply.end(false);
    }
  }

  async #message(message: Message, isEdit: boolean): Promise<void> {
    const task = this.#taskOf(message);
    if (task === null) return;
    const key = `${task.chat} ${task.message}`;
    const before = this.#followed.get(key);
    if (isEdit && (before === undefined || before.text === task.text)) return;
    const edited = 'edit_date' in message ? message.edit_date : undefined;
    const delivery = isEdit ? `message ${task.message} ${edited}` : `message ${task.message}`;
    await this.#start(task, delivery, isEdit ? before : null);
  }

  async #start(task: Task, delivery: string, before: Followed | null = null): Promise<void> {
    const reply = await this.#chatOf(task).start(delivery, this.#subject(task.from.id), task);
    if (reply === null) return;
    // The question was changed: what is begun of its answer is taken back.
    before?.taken.abort();
    this.#enqueue(task, reply, before);
  }

  /** null for what is none of our concern: others' talk in a group, service messages, bots. */
  #taskOf(message: Message): Task | null {
    const { me } = this.#options;
    const { chat } = message;
    const from = askerOf(message);
    if (from === null || chat.type === 'channel') return null;
    const isGroup = chat.type !== 'private';
    const isService = !('text' in message) && !('caption' in message) && !isContent(message);
    if (isService || ('via_bot' in message && message.via_bot?.id === me.id)) return null;
    const written = 'text' in message ? message.text : 'caption' in message ? message.caption : undefined;
    const text = written === undefined ? null : this.#addressed(message, written, isGroup);
    if (isGroup && text === null) return null;
    const thread =
      'is_topic_message' in message && message.is_topic_message ? message.message_thread_id : undefined;
    return {
      chat: chat.id,
      thread,
      message: message.message_id,
      at: message.date * 1_000,
      from,
      isGroup,
      text,
      isRenewed: false,
    };
  }

  /** The text without our name; null where it is said to others. */
  #addressed(message: Message, text: string, isGroup: boolean): string | null {
    const { me } = this.#options;
    const name = `@${me.username}`.toLowerCase();
    const [command] = /^\/\w+(?:@\w+)?/.exec(text) ?? [];
    const target = command?.split('@')[1];
    if (target !== undefined && `@${target}`.toLowerCase() !== name) return null;
    // Without a name in it, a command of a group may be another bot's.
    if (isGroup && command !== undefined && target === undefined && !isOurs(command)) return null;
    const entities = ('entities' in message ? message.entities : undefined) ?? [];
    const captioned = ('caption_entities' in message ? message.caption_entities : undefined) ?? [];
    const mentions = [...entities, ...captioned].filter(
      (entity) =>
        (entity.type === 'mention' &&
          text.slice(entity.offset, entity.offset + entity.length).toLowerCase() === name) ||
        (entity.type === 'text_mention' && entity.user.id === me.id),
    );
    const repliedTo = 'reply_to_message' in message ? message.reply_to_message?.from?.id : undefined;
    if (isGroup && command === undefined && mentions.length === 0 && repliedTo !== me.id) return null;
    let rest = text;
    for (const { offset, length } of mentions.toSorted((a, b) => b.offset - a.offset))
      rest = `${rest.slice(0, offset)} ${rest.slice(offset + length)}`;
    return rest.trim();
  }

  /** Whose turns are read: in a group each has a conversation of his own. */
  #chatOf({ chat, isGroup, from }: Pick<Task, 'chat' | 'isGroup'> & { from: { id: number } }): Chat {
    const { app, me } = this.#options;
    const names = [String(me.id), String(chat), ...(isGroup ? [String(from.id)] : [])];
    return app.chats.chat(channel, ...names);
  }

  /** How a chat is answered, for all in it. */
  #settingsOf(chat: number): Chat {
    const { app, me } = this.#options;
    return app.chats.chat(channel, String(me.id), String(chat));
  }

  #subject(user: number): string {
    const { app, me } = this.#options;
    return app.chats.subject(channel, String(me.id), String(user));
  }

  /** `before`: what was answered, or begun, before the question was changed; its messages are used again. */
  #enqueue(task: Task, reply: ChatReply, before: Followed | null = null): void {
    const queue = this.#queues.get(task.chat) ?? { tail: Promise.resolve(), waiting: 0 };
    const isTooMany = queue.waiting >= waitingMax;
    queue.waiting++;
    const followed: Followed = {
      text: task.text,
      posted: asPosted(reply.messages),
      taken: new AbortController(),
    };
    this.#follow(`${task.chat} ${task.message}`, followed);
    queue.tail = queue.tail
      .then(() => {
        if (before) followed.posted = before.posted;
        return this.#process(task, reply, followed, isTooMany);
      })
      .catch((error: unknown) => this.#trouble(error))
      .finally(() => {
        if (--queue.waiting === 0) this.#queues.delete(task.chat);
      });
    this.#queues.set(task.chat, queue);
  }

  #follow(key: string, followed: Followed): void {
    this.#followed.delete(key);
    this.#followed.set(key, followed);
    if (this.#followed.size > followedMax) this.#followed.delete(this.#followed.keys().next().value!);
  }

  #trouble(error: unknown): void {
    if (error instanceof Left) return;
    const what =
      error instanceof Failure ? error.detail : error instanceof Refused ? error.message : 'an error';
    this.#options.onTrouble(`A message in Telegram is not answered yet: ${what}`);
  }

  async #process(task: Task, reply: ChatReply, followed: Followed, isTooMany: boolean): Promise<void> {
    const { leave } = this.#options;
    if (leave.aborted) throw new Left();
    if (followed.taken.signal.aborted) return reply.end(false);
    const [, command] = /^\/(\w+)/.exec(task.text ?? '') ?? [];
    const lateness = this.#now() - task.at;
    const isLate = lateness > lateMs && !task.isRenewed;
    const isAsked = command === undefined && task.text && !isTooMany && !isLate;
    // Before anything is looked up: it is the first thing to be seen.
    const typing = isAsked ? this.#typing(task) : { end: () => {} };
    try {
      const settings = await this.#settingsOf(task.chat).settings();
      const t = texts[settings.language ?? languageOf(task.from.locale)];
      const replyOnly = async (html: string, keyboard: Keyboard | null = null) => {
        await this.#send(task, html, keyboard);
        await reply.end(false);
      };
      if (command !== undefined) {
        await this.#command(task, settings, command.toLowerCase());
        return await reply.end(false);
      }
      if (task.text === null) return await replyOnly(escapeHtml(t.onlyText));
      if (task.text === '') return await replyOnly(escapeHtml(t.noQuestion));
      if (isTooMany) return await replyOnly(escapeHtml(t.tooMany));
      if (isLate) {
        const again: Button = { text: t.askNow, callback_data: 'a' };
        return await replyOnly(escapeHtml(t.late(Math.round(lateness / 60_000))), [[again]]);
      }
      await this.#answer(task, reply, settings, followed, typing);
    } catch (error) {
      if (error instanceof ViewGone) return await reply.end(false);
      if (error instanceof Refused) {
        this.#trouble(error);
        return await reply.end(false);
      }
      throw error;
    } finally {
      typing.end();
    }
  }

  async #answer(
    task: Task,
    reply: ChatReply,
    settings: ChatSettings,
    followed: Followed,
    typing: Typing,
  ): Promise<void> {
    const { app, api, leave } = this.#options;
    const lang = settings.language ?? languageOf(task.from.locale);
    const t = texts[lang];
    const { corpus: named, query } = namedCorpus(task.text!);
    const { corpora, current } = await this.#choice(task.chat, settings.corpus_id, lang);
    const asked = named === null ? current : corpora.find(({ corpus_id }) => corpus_id === named);
    const refusal =
      corpora.length === 0
        ? t.noAccess
        : asked === undefined
          ? t.noCorpus(corpora.map(({ corpus_id }) => corpus_id).join(', '))
          : query === ''
            ? t.noQuestion
            : [...query].length > questionMax
              ? t.tooLong
              : null;
    if (refusal !== null || asked == null) {
      const keyboard = refusal === null ? corpusKeyboard(corpora, null) : null;
      await this.#send(task, escapeHtml(refusal ?? t.corpora), keyboard);
      return reply.end(false);
    }
    const view = new TelegramView({
      api,
      target: { chat: task.chat, thread: task.thread, replyTo: task.message },
      posted: followed.posted,
      repeated: t.repeated,
      record: async (posted) => {
        followed.posted = { ...posted, ids: [...posted.ids] };
        if (posted.ids.length > 0) typing.end();
        await reply.posted(posted);
      },
    });
    const question = {
      query,
      corpus_id: asked.corpus_id,
      style: settings.style,
      lang,
      history: await this.#chatOf(task).turns(),
    };
    await answer(app, reply, question, view, {
      channel,
      intervalMs: () => api.intervalMs(task.chat),
      signal: followed.taken.signal,
      leave,
    });
  }

  /** Shows that an answer is being written, until it is there. */
  #typing({ chat, thread }: Task): Typing {
    const { api } = this.#options;
    const sign = {
      chat_id: chat,
      action: 'typing',
      ...(thread !== undefined && { message_thread_id: thread }),
    };
    void api.decorate('sendChatAction', sign);
    const timer = setInterval(() => void api.decorate('sendChatAction', sign), typingMs);
    return { end: () => clearInterval(timer) };
  }

  #choice(chat: number, chosen: string | null, lang: Language) {
    const { app, corporaByChat } = this.#options;
    return choice(app, corporaAt(corporaByChat, [String(chat)]), chosen, lang);
  }

  async #command(task: Task, settings: ChatSettings, name: string): Promise<void> {
    const lang = settings.language ?? languageOf(task.from.locale);
    const t = texts[lang];
    switch (name) {
      case 'start': {
        const { corpora } = await this.#choice(task.chat, settings.corpus_id, lang);
        const listed = corpora.map(({ title }) => `• ${title}`).join('\n');
        const [example] = corpora.flatMap(({ examples }) => examples);
        const hint = example === undefined ? '' : `\n\n${t.examples}: ${example}`;
        await this.#send(task, escapeHtml(corpora.length === 0 ? t.noAccess : `${t.start(listed)}${hint}`));
        return;
      }
      case 'help':
        await this.#send(task, escapeHtml(t.help));
        return;
      case 'corpora': {
        const { corpora, current } = await this.#choice(task.chat, settings.corpus_id, lang);
        if (corpora.length === 0) await this.#send(task, escapeHtml(t.noAccess));
        else await this.#send(task, corpusList(t, corpora), corpusKeyboard(corpora, current));
        return;
      }
      case 'style': {
        const { current } = await this.#choice(task.chat, settings.corpus_id, lang);
        const offered = current?.styles ?? [];
        if (offered.length === 0) await this.#send(task, escapeHtml(t.noStyles));
        else await this.#send(task, escapeHtml(t.style), styleKeyboard(t, offered, settings.style));
        return;
      }
      case 'language':
        await this.#send(task, escapeHtml(t.language), languageKeyboard(t, settings.language));
        return;
      case 'new':
        await this.#chatOf(task).forget();
        await this.#send(task, escapeHtml(t.startedOver));
        return;
      case 'forget':
        await this.#send(task, escapeHtml(t.forgetAsk), forgetKeyboard(t, task.from.id));
        return;
      default:
        await this.#send(task, escapeHtml(t.help));
    }
  }

  async #send(
    { chat, thread, message, isGroup }: Pick<Task, 'chat' | 'thread' | 'message' | 'isGroup'>,
    html: string,
    keyboard: Keyboard | null = null,
    isReply = isGroup || keyboard !== null,
  ): Promise<void> {
    await this.#options.api.send('sendMessage', chat, {
      ...content(html, keyboard),
      ...(thread !== undefined && { message_thread_id: thread }),
      ...(isReply && { reply_parameters: { message_id: message, allow_sending_without_reply: true } }),
    });
  }

  /** A button was pressed. What must not be lost of it is recorded; the rest may be pressed again. */
  async #pressed(query: CallbackQuery): Promise<void> {
    const data = 'data' in query ? query.data : '';
    if (data === 'a') await this.#again(query);
    void this.#press(query, data).catch((error: unknown) => this.#trouble(error));
  }

  /** Asks what the message under the button answers to. */
  async #again(query: CallbackQuery): Promise<void> {
    const asked = questionUnder(query);
    const task = asked && this.#taskOf({ ...asked, from: query.from } as Message);
    if (task) await this.#start({ ...task, isRenewed: true }, `again ${task.message}`);
  }

  async #press(query: CallbackQuery, data: string): Promise<void> {
    const { api } = this.#options;
    const { message, from } = query;
    const chat = message?.chat.id;
    const settings = chat === undefined ? null : await this.#settingsOf(chat).settings();
    const lang = settings?.language ?? languageOf(from.language_code);
    const t = texts[lang];
    let notice: string | null = null;
    const [kind, first = '', second = ''] = data.split(':');
    try {
      if (kind === 'a') {
        // The question was deleted since.
        if (questionUnder(query) === null) notice = t.noQuestion;
      } else if (kind === 'r') {
        await rate(this.#options.app, second, first === 'u' ? 'up' : 'down', this.#subject(from.id));
        notice = t.rated;
        if (message) await this.#mark(message, data);
      } else if (kind === 'p' && message) {
        await this.#passage(message, Number(first), second, lang);
      } else if (kind === 'f' && message) {
        if (first === String(from.id)) await this.#forget(message, from, lang, second === 'y');
        else notice = t.notYours;
      } else if (message && chat !== undefined && settings && /^[csl]$/.test(kind!))
        notice = await this.#set(message, chat, settings, kind!, first, from);
    } catch (error) {
      if (error instanceof ViewGone || error instanceof Left) return;
      const isRefused = error instanceof Failure && error.code === 'not_found';
      notice = kind === 'r' ? t.notRated : isRefused ? t.gone : failureText(lang, error);
    }
    await api.decorate('answerCallbackQuery', {
      callback_query_id: query.id,
      ...(notice !== null && { text: cut(notice, 200) }),
    });
  }

  /** Shows which button was pressed. */
  async #mark(message: NonNullable<CallbackQuery['message']>, data: string): Promise<void> {
    const rows = 'reply_markup' in message ? message.reply_markup?.inline_keyboard : undefined;
    if (!rows) return;
    const inline_keyboard = rows.map((row) =>
      row.map((button) => {
        if (!('callback_data' in button) || !button.callback_data.startsWith('r:')) return button;
        const text = button.text.replace(/ ✓$/, '');
        return { ...button, text: button.callback_data === data ? `${text} ✓` : text };
      }),
    );
    await this.#options.api.decorate('editMessageReplyMarkup', {
      chat_id: message.chat.id,
      message_id: message.message_id,
      reply_markup: { inline_keyboard },
    });
  }

  async #passage(
    message: NonNullable<CallbackQuery['message']>,
    number: number,
    requestId: string,
    lang: Language,
  ): Promise<void> {
    const draft = await recorded(this.#options.app, requestId, lang);
    const source = draft.listed()?.sources.find((one) => one.number === number);
    if (!source) throw new Failure('not_found', 'Source not found.');
    for (const { html } of passageMessages(source))
      await this.#options.api.send('sendMessage', message.chat.id, {
        ...content(html, null),
        ...('message_thread_id' in message &&
          message.is_topic_message && { message_thread_id: message.message_thread_id }),
        reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true },
      });
  }

  /** Whoever asked for it is forgotten in all chats, or not after all. The buttons stay until that is decided. */
  async #forget(
    message: NonNullable<CallbackQuery['message']>,
    from: User,
    lang: Language,
    isMeant: boolean,
  ): Promise<void> {
    const { app, api } = this.#options;
    const chat = message.chat.id;
    if (isMeant) await this.#chatOf({ chat, isGroup: message.chat.type !== 'private', from }).forget();
    const said = isMeant ? await forgetAsker(app, this.#subject(from.id), lang) : texts[lang].kept;
    await api.decorate('editMessageText', {
      chat_id: chat,
      message_id: message.message_id,
      ...content(escapeHtml(said), null),
    });
  }

  /** A setting was chosen; returns what is said of it. */
  async #set(
    message: NonNullable<CallbackQuery['message']>,
    chat: number,
    settings: ChatSettings,
    kind: string,
    value: string,
    from: User,
  ): Promise<string | null> {
    const state = this.#settingsOf(chat);
    const lang = settings.language ?? languageOf(from.language_code);
    const t = texts[lang];
    const edit = async (text: string, keyboard: Keyboard) => {
      await this.#options.api.decorate('editMessageText', {
        chat_id: chat,
        message_id: message.message_id,
        ...content(escapeHtml(text), keyboard),
      });
      return text;
    };
    if (kind === 'c') {
      const { corpora } = await this.#choice(chat, null, lang);
      const corpus = corpora.find(({ corpus_id }) => shortName(corpus_id) === value);
      if (!corpus) return t.noAccess;
      await state.change({ corpus_id: corpus.corpus_id });
      return edit(t.corpusChosen(corpus.title), corpusKeyboard(corpora, corpus));
    }
    if (kind === 's') {
      const style = styles.find((one) => one === value) ?? null;
      await state.change({ style });
      const { current } = await this.#choice(chat, settings.corpus_id, lang);
      return edit(t.styleChosen(t.styles[style ?? '']), styleKeyboard(t, current?.styles ?? [], style));
    }
    const language = languages.find((one) => one === value) ?? null;
    await state.change({ language });
    const now = texts[language ?? languageOf(from.language_code)];
    return edit(now.languageChosen, languageKeyboard(now, language));
  }

  /** Sources for what is being typed in any chat; nothing is answered there. */
  async #inline(query: InlineQuery): Promise<void> {
    const { app, api, corporaByChat } = this.#options;
    const lang = languageOf(query.from.language_code);
    const reply = (results: object[]) =>
      api.decorate('answerInlineQuery', {
        inline_query_id: query.id,
        results,
        cache_time: 30,
        is_personal: corporaByChat !== null,
      });
    const text = query.query.trim();
    if (text.length < inlineUnitsMin || [...text].length > questionMax) return reply([]);
    try {
      const subject = this.#subject(query.from.id);
      const verdict = await app.access.count('source', null, subject);
      const { current } = await choice(app, corporaAt(corporaByChat, [String(query.from.id)]), null, lang);
      if (verdict?.allowed === false || !current) return await reply([]);
      const caller = { actor: 'public', key_id: null, subject };
      const { sources } = await app.sourceRefs(
        { request_id: uuidv7(), query: text, corpus_id: current.corpus_id, limit: inlineMax, caller },
        AbortSignal.timeout(typingMs),
      );
      await reply(
        sources.map((source, n) => {
          const title = source.title || source.heading || source.doc_key;
          const about = [
            source.heading === title ? '' : source.heading,
            source.layer_title ?? '',
            source.event_date ? readableDate(source.event_date, lang) : '',
            source.page === undefined ? '' : texts[lang].page(source.page),
          ];
          const facts = about.filter(Boolean).join(' · ');
          const url = [source.page_url, source.url].find(opens) ?? null;
          const said = `<b>${linked(cut(title, 200), url)}</b>${facts === '' ? '' : `\n${escapeHtml(cut(facts, 300))}`}`;
          return {
            type: 'article',
            id: String(n),
            title: cut(title, 120),
            description: cut(facts, 200),
            input_message_content: { message_text: said, parse_mode: 'HTML' },
          };
        }),
      );
    } catch {
      await reply([]);
    }
  }

  /** The bot was removed from a chat: answers under way there have no reader. */
  #membership({ chat, new_chat_member }: ChatMemberUpdated): void {
    if (!/^(?:kicked|left)$/.test(new_chat_member.status)) return;
    for (const [key, { taken }] of this.#followed) if (key.startsWith(`${chat.id} `)) taken.abort();
  }
}

function asPosted(messages: unknown): Posted {
  const { ids, sending } = (messages ?? {}) as Partial<Posted>;
  return {
    ids: Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : [],
    sending: typeof sending === 'number' ? sending : null,
  };
}

/** What the message under a button answers to. */
function questionUnder({ message }: CallbackQuery): Message | null {
  return (message && 'reply_to_message' in message && (message.reply_to_message as Message)) || null;
}

/** Who asks: a person; in a group also whoever writes for a chat, as its administrators may. null: a bot, or nobody. */
function askerOf(message: Message): Task['from'] | null {
  const { from } = message;
  if ('is_automatic_forward' in message && message.is_automatic_forward) return null;
  const chat = 'sender_chat' in message ? message.sender_chat : undefined;
  if (chat) return { id: chat.id, locale: null };
  return from && !from.is_bot ? { id: from.id, locale: from.language_code ?? null } : null;
}

const isOurs = (command: string) =>
  command === '/start' || Object.hasOwn(texts.en.commands, command.slice(1));

/** What a person sent, though it has no words. */
const isContent = (message: Message): boolean =>
  [
    'photo',
    'voice',
    'video',
    'video_note',
    'audio',
    'document',
    'sticker',
    'animation',
    'location',
    'contact',
    'poll',
    'dice',
    'venue',
  ].some((kind) => kind in message);

/** A corpus in a button, whose data has 64 bytes. */
const shortName = (corpusId: string) => createHash('sha256').update(corpusId).digest('hex').slice(0, 16);

function corpusList(t: Texts, corpora: readonly Corpus[]): string {
  const rows = corpora.map(({ title, description }) =>
    description ? `${bold(title)}\n${escapeHtml(cut(description, 300))}` : bold(title),
  );
  const all: Html = plain(t.corpora);
  return [all.html, ...rows].join('\n\n');
}

const tick = (text: string, isChosen: boolean) => (isChosen ? `✓ ${text}` : text);

function corpusKeyboard(corpora: readonly Corpus[], current: Corpus | null): Keyboard {
  return corpora.slice(0, 20).map(({ corpus_id, title }) => [
    {
      text: tick(cut(title, 60), corpus_id === current?.corpus_id),
      callback_data: `c:${shortName(corpus_id)}`,
    },
  ]);
}

function styleKeyboard(t: Texts, offered: readonly string[], chosen: Style | null): Keyboard {
  const known = ['' as const, ...styles.filter((style) => offered.includes(style))];
  return known.map((style) => [
    { text: tick(t.styles[style], (chosen ?? '') === style), callback_data: `s:${style || '-'}` },
  ]);
}

/** For one person alone, who may be one of many in a group. */
const forgetKeyboard = (t: Texts, user: number): Keyboard => [
  [
    { text: t.forgetYes, callback_data: `f:${user}:y` },
    { text: t.forgetNo, callback_data: `f:${user}:n` },
  ],
];

function languageKeyboard(t: Texts, chosen: Language | null): Keyboard {
  const names = { ru: 'Русский', kk: 'Қазақша', en: 'English' };
  return [
    ...languages.map((language) => [
      { text: tick(names[language], chosen === language), callback_data: `l:${language}` },
    ]),
    [{ text: tick(t.byUser, chosen === null), callback_data: 'l:-' }],
  ];
}
