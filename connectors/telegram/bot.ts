/** Connects Telegram to the chat core: translates updates into messages and button presses, and sends replies. */
import type { CallbackQuery, ChatMember, InlineQuery, MessageEntity, Update, User } from 'telegraf/types';
import type { ChatReply } from '../../src/asks/chat.ts';
import { chatSettingsDefault, type Language, questionMax } from '../../src/domain/events.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { Failure } from '../../src/failures.ts';
import { failureText } from '../answer.ts';
import { ChatBot, type BotOptions as CoreOptions } from '../bot.ts';
import { opens } from '../draft.ts';
import { type ChatFile, chatFile } from '../files.ts';
import { settingNames } from '../notes.ts';
import {
  type ChatView,
  type Command,
  commands,
  type Message,
  type Note,
  type Person,
  type Platform,
  type Room,
  type Sign,
} from '../platform.ts';
import { explained } from '../platform-api.ts';
import { cut } from '../splitting.ts';
import { languageOf, readableDate, type Texts, texts } from '../texts.ts';
import type { Api } from './api.ts';
import { escapeHtml, linked } from './html.ts';
import { asPosted, formatted, type Keyboard, passageMessages, replyingTo, TelegramView } from './view.ts';

/** A typing indicator lasts five seconds. */
const typingMs = 4_500;
const inlineMax = 5;
const inlineUnitsMin = 3;
/** The maximum length of a passage in inline results. */
const inlinePassageMax = 1_500;
/** The maximum length kept of a message that is replied to, which is how much can be saved as an answer. */
const aboutMax = 4_096;
/** The maximum number of captioned albums to remember. */
const albumsMax = 500;

export interface BotIdentity {
  id: number;
  username: string;
}

export interface BotOptions extends Omit<CoreOptions<Where>, 'platform'> {
  api: Api;
  me: BotIdentity;
}

/** The fields of a message that are used. */
interface Sent {
  message_id: number;
  date: number;
  edit_date?: number;
  chat: { id: number; type: string };
  from?: User;
  sender_chat?: { id: number; title?: string };
  via_bot?: { id: number };
  is_automatic_forward?: boolean;
  is_topic_message?: boolean;
  message_thread_id?: number;
  media_group_id?: string;
  migrate_to_chat_id?: number;
  forum_topic_created?: object;
  reply_to_message?: Sent;
  quote?: { text?: string };
  text?: string;
  caption?: string;
  entities?: MessageEntity[];
  caption_entities?: MessageEntity[];
  document?: { file_id: string; file_name?: string; file_size?: number };
}

/** The address of a reply in Telegram. */
interface Where {
  chat: number;
  /** The topic in a forum. */
  thread?: number | undefined;
  /** The message to reply to; null if there is none. */
  message: number | null;
}

export class TelegramBot implements Platform<Where> {
  readonly name = 'telegram' as const;
  /**
   * Telegram has neither Slack-style threads nor ephemeral messages, and does not show a bot the messages of other
   * bots.
   */
  readonly settings = settingNames.filter((name) => !/^(?:threads|ephemeral|bots)$/.test(name));
  readonly #options: BotOptions;
  readonly core: ChatBot<Where>;
  /** Albums that have a picture with a caption. */
  readonly #albums = new Set<string>();

  constructor(options: BotOptions) {
    this.#options = options;
    this.core = new ChatBot<Where>({ ...options, platform: this });
  }

  /** Resolves when the update can safely be acknowledged to Telegram. May fail with `unavailable` or `storage_full`. */
  async take(update: Update): Promise<void> {
    try {
      if ('message' in update) await this.#message(update.message as Sent, false);
      else if ('edited_message' in update) await this.#message(update.edited_message as Sent, true);
      else if ('callback_query' in update) await this.#pressed(update.callback_query);
      else if ('inline_query' in update) this.core.beside(this.#inline(update.inline_query));
      else if ('my_chat_member' in update) {
        const { chat, new_chat_member } = update.my_chat_member;
        if (/^(?:kicked|left)$/.test(new_chat_member.status)) this.core.left(String(chat.id));
      }
    } catch (error) {
      if (error instanceof Failure && error.retryable) throw error;
      // Another delivery of the update would fail again and block all later updates.
      this.#options.onTrouble(`A Telegram update failed: ${explained(error) ?? 'an unexpected error.'}`);
    }
  }

  async #message(sent: Sent, isEdit: boolean): Promise<void> {
    const { chat, migrate_to_chat_id: movedTo, media_group_id: album, edit_date } = sent;
    if (movedTo !== undefined) return this.core.moved(String(chat.id), String(movedTo));
    const message = this.#messageOf(sent);
    if (message === null) return;
    const isFile = this.#options.app.files !== null && (message.files ?? []).length > 0;
    if (album !== undefined) {
      if (message.text !== null) this.#remember(album);
      // Ignore pictures without a caption if their album has one; the album was handled with that caption.
      else if (this.#albums.has(album) && !isFile) return;
    }
    const { message: id } = message.where;
    if (isEdit) return this.core.changed(message, `message ${id} ${edit_date}`);
    const isPicture = album !== undefined && message.text === null && !isFile;
    await this.core.take(message, isPicture ? `album ${album}` : `message ${id}`);
  }

  #remember(album: string): void {
    this.#albums.add(album);
    if (this.#albums.size > albumsMax) this.#albums.delete(this.#albums.values().next().value!);
  }

  /**
   * Returns null for updates that are not messages from a person, such as service messages, and for messages from other
   * bots that do not address this one.
   */
  #messageOf(sent: Sent): Message<Where> | null {
    const { me } = this.#options;
    const { chat, via_bot, reply_to_message: replied, quote, document } = sent;
    const from = this.#writerOf(sent);
    if (from === null || chat.type === 'channel') return null;
    const isGroup = chat.type !== 'private';
    const written = textOf(sent);
    if (written === undefined && !isContent(sent)) return null;
    if (via_bot?.id === me.id) return null;
    const said = written === undefined ? null : this.#read(sent, written);
    if (said?.isForAnother) return null;
    const isReplyToUs = replied?.from?.id === me.id;
    const isToUs = !isGroup || isReplyToUs || said?.isToUs === true;
    // A command that does not name this bot may be meant for another one.
    if (!isToUs && said?.command) return null;
    // A message without text is for the bot only in a private chat or as a reply to the bot.
    if (said === null && !isToUs) return null;
    // People who reply to each other are not talking to the bot.
    if (!isToUs && replied !== undefined && !beginsTopic(replied, sent)) return null;
    const topic = topicOf(sent);
    const { file_id, file_name = '', file_size = 0 } = document ?? { file_id: '' };
    const file = chatFile(file_id, file_name, file_size);
    const around = (replied && !isReplyToUs && (quote?.text ?? textOf(replied))) || null;
    return {
      where: { chat: chat.id, thread: topic, message: sent.message_id },
      key: `${chat.id} ${sent.message_id}`,
      ...this.#room(chat.id, isGroup),
      conversation: this.#conversation(chat.id, isGroup, from, topic),
      from,
      at: sent.date * 1_000,
      to: isToUs ? 'us' : 'room',
      text: said === null ? null : said.text,
      about: around && cut(around, aboutMax),
      files: file === null ? [] : [file],
      hasFiles: written !== undefined && isContent(sent) && file === null,
      command: said?.command ?? null,
      mentions: said?.mentions ?? [],
      isRenewed: false,
    };
  }

  #room(chat: number, isGroup: boolean): Room {
    const id = String(chat);
    return { place: isGroup ? id : null, own: [String(this.#options.me.id), id], around: [id] };
  }

  /** In a group, each person has a separate conversation, and a further one in each topic. */
  #conversation(chat: number, isGroup: boolean, from: Person, topic: number | undefined): string[] {
    return [
      ...[String(this.#options.me.id), String(chat)],
      ...(isGroup ? [from.id] : []),
      ...(topic === undefined ? [] : [`topic ${topic}`]),
    ];
  }

  /**
   * The author: a person or, in a group, a chat on whose behalf its administrators write; null for a bot or a message
   * without an author.
   */
  #writerOf(sent: Sent): Person | null {
    const { from, sender_chat: chat } = sent;
    if (sent.is_automatic_forward) return null;
    if (chat) return this.#person(chat.id, null, chat.title ?? null);
    if (!from || from.is_bot) return null;
    return this.#user(from);
  }

  #user({ id, language_code, username, first_name }: User): Person {
    return this.#person(id, language_code ?? null, username ? `@${username}` : first_name);
  }

  #person(id: number, locale: string | null, name: string | null): Person {
    return { id: String(id), names: [String(this.#options.me.id), String(id)], locale, name, isBot: false };
  }

  /** Reads the text without the bot's name, and whether it addresses the bot. */
  #read(sent: Sent, text: string) {
    const { me } = this.#options;
    const ours = `@${me.username}`.toLowerCase();
    const [written] = /^\/\w+(?:@\w+)?/.exec(text) ?? [];
    const [name = '', target] = (written ?? '').slice(1).toLowerCase().split('@');
    const isForAnother = target !== undefined && `@${target}` !== ours;
    const command = (commands as readonly string[]).includes(name) ? (name as Command) : null;
    const { entities = [], caption_entities = [] } = sent;
    const named = [...entities, ...caption_entities].flatMap((entity) => {
      const { offset, length } = entity;
      const word = text.slice(offset, offset + length);
      if (entity.type === 'mention')
        return [{ offset, length, isUs: word.toLowerCase() === ours, who: word }];
      if (entity.type !== 'text_mention') return [];
      return [{ offset, length, isUs: entity.user.id === me.id, who: entity.user.first_name }];
    });
    const mentionsOfUs = named.filter(({ isUs }) => isUs);
    let rest = text;
    for (const { offset, length } of mentionsOfUs.toSorted((a, b) => b.offset - a.offset))
      rest = `${rest.slice(0, offset)} ${rest.slice(offset + length)}`;
    // "/ask question" asks a question; the reply to an unknown command explains how to ask.
    if (written !== undefined) rest = rest.slice(written.length);
    const isUnknown = written !== undefined && command === null && name !== 'ask';
    return {
      text: rest.trim(),
      isForAnother,
      command: isUnknown ? ('help' as const) : command,
      // A command is for this bot if it names the bot or is one of the bot's commands.
      isToUs: mentionsOfUs.length > 0 || (written !== undefined && (!isUnknown || target !== undefined)),
      mentions: named.filter(({ isUs }) => !isUs).map(({ who }) => who),
    };
  }

  // --- Platform interface for the core --------------------------------------------------------------------------

  howToAsk(t: Texts) {
    return { text: t.noQuestion, offersCorpora: false };
  }

  intervalMs({ chat }: Where): number {
    return this.#options.api.intervalMs(chat);
  }

  async language({ from }: Message<Where>): Promise<Language> {
    return languageOf(from.locale);
  }

  async view(
    { where, from }: Message<Where>,
    reply: ChatReply,
    { help, shown }: { help: boolean; shown: () => void },
  ): Promise<ChatView> {
    const { api } = this.#options;
    const t = texts[languageOf(from.locale)];
    return new TelegramView({
      api: api.fenced(() => reply.held()),
      unfenced: api,
      target: { chat: where.chat, thread: where.thread, replyTo: where.message },
      posted: asPosted(reply.messages),
      repeated: t.repeated,
      help,
      record: async (now) => {
        if (now.ids.length > 0) shown();
        await reply.posted(now);
      },
    });
  }

  async say(
    { where }: { where: Where },
    { text, to = [], choices }: Note,
    { fence }: { fence?: () => Promise<void> } = {},
  ): Promise<void> {
    const api = fence ? this.#options.api.fenced(fence) : this.#options.api;
    const called = to.length === 0 ? '' : `${to.join(' ')}: `;
    await api.send('sendMessage', where.chat, {
      ...formatted(escapeHtml(cut(`${called}${text}`, 4_000)), keyboardOf(choices)),
      ...(where.thread !== undefined && { message_thread_id: where.thread }),
      ...(where.message !== null && replyingTo(where.message)),
    });
  }

  /** Shows a typing indicator until part of the answer is visible. */
  sign({ where: { chat, thread } }: Message<Where>): Sign {
    const { api } = this.#options;
    const sign = {
      chat_id: chat,
      action: 'typing',
      ...(thread !== undefined && { message_thread_id: thread }),
    };
    void api.decorate('sendChatAction', sign);
    const timer = setInterval(() => void api.decorate('sendChatAction', sign), typingMs);
    return { shown: () => clearInterval(timer), end: async () => clearInterval(timer) };
  }

  async mayConfigure({ chat }: Where, { id }: Person): Promise<boolean> {
    // A person who writes on behalf of the group is one of its administrators.
    if (id === String(chat)) return true;
    const members = await this.#options.api
      .once<ChatMember[]>('getChatAdministrators', { chat_id: chat })
      .catch(() => []);
    return members.some(({ user }) => String(user.id) === id);
  }

  nameOf({ name, id }: Person): string {
    return name ?? id;
  }

  /** Telegram shows a bot only the messages meant for it, and the message to which they reply. */
  async saidBefore(): Promise<string[]> {
    return [];
  }

  content({ id }: ChatFile, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.api.file(id, signal);
  }

  // --- Buttons and inline queries -------------------------------------------------------------------------------

  /** Handles a pressed button. Presses that must not be lost are recorded; others can be repeated. */
  async #pressed(query: CallbackQuery): Promise<void> {
    const data = 'data' in query ? query.data : '';
    if (data === 'a') await this.#again(query);
    this.core.beside(this.#press(query, data));
  }

  /** Repeats the question that was answered by the message with the button. */
  async #again(query: CallbackQuery): Promise<void> {
    const asked = questionUnder(query);
    const message = asked && this.#messageOf({ ...asked, from: query.from } as Sent);
    if (message) await this.core.take({ ...message, isRenewed: true }, `again ${message.where.message}`);
  }

  async #press(query: CallbackQuery, data: string): Promise<void> {
    const { api } = this.#options;
    const { message } = query;
    const notice = message === undefined ? null : await this.#noticeOf(query, data, message);
    await api.decorate('answerCallbackQuery', {
      callback_query_id: query.id,
      ...(notice != null && { text: cut(notice, 200) }),
    });
  }

  async #noticeOf(
    query: CallbackQuery,
    data: string,
    message: NonNullable<CallbackQuery['message']>,
  ): Promise<string | null> {
    const { chat } = message;
    const { from: user } = query;
    const isGroup = chat.type !== 'private';
    const from = this.#user(user);
    const topic = 'date' in message ? topicOf(message as Sent) : undefined;
    const room = this.#room(chat.id, isGroup);
    const language =
      (await this.core.rooms.settings(room).catch(() => null))?.language ?? languageOf(user.language_code);
    const t = texts[language];
    if (data === 'a') return questionUnder(query) === null ? t.noQuestion : null;
    const where = { chat: chat.id, thread: topic, message: message.message_id };
    if (data.startsWith('p:')) return this.#passage(where, data, language);
    const conversation = this.#conversation(chat.id, isGroup, from, topic);
    const press = { where, ...room, conversation, from, language };
    const { notice, becomes } = await this.core.menus.press(press, data);
    if (becomes) await this.#becomes(where, becomes);
    if (data.startsWith('r:') && notice === t.rated) await this.#mark(message, data);
    return notice ?? null;
  }

  async #becomes({ chat, message }: Where, { text, choices }: Note): Promise<void> {
    await this.#options.api.decorate('editMessageText', {
      chat_id: chat,
      message_id: message,
      ...formatted(escapeHtml(cut(text, 4_000)), keyboardOf(choices)),
    });
  }

  /** Marks the pressed button if only one person sees the message. */
  async #mark(message: NonNullable<CallbackQuery['message']>, data: string): Promise<void> {
    const rows = 'reply_markup' in message ? message.reply_markup?.inline_keyboard : undefined;
    if (!rows || message.chat.type !== 'private') return;
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

  /**
   * Sends the passages of a source that are quoted in an answer, verbatim. Returns the text to show if that is not
   * possible.
   */
  async #passage({ chat, thread, message }: Where, data: string, lang: Language): Promise<string | null> {
    const [, number, requestId = ''] = data.split(':');
    try {
      const draft = await this.core.menus.answered(requestId, lang);
      const source = draft.listed()?.sources.find((one) => one.number === Number(number));
      if (!source) return texts[lang].gone;
      for (const { html } of passageMessages(source))
        await this.#options.api.send('sendMessage', chat, {
          ...formatted(html, null),
          ...(thread !== undefined && { message_thread_id: thread }),
          ...replyingTo(message!),
        });
      return null;
    } catch (error) {
      return failureText(lang, error);
    }
  }

  /** Offers sources for text typed as an inline query in any chat. Does not answer questions. */
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
      const subject = this.core.rooms.subject(this.#person(query.from.id, null, null));
      const verdict = await app.access.count('source', null, subject);
      const room = { around: [String(query.from.id)] };
      const { current } = await this.core.rooms.choice(room, chatSettingsDefault, lang);
      if (verdict?.allowed === false || !current) return await reply([]);
      const caller = { actor: 'public', key_id: null, subject };
      const { sources, texts: passages } = await app.sourceRefs(
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
          const passage = passages[n]?.trim() ?? '';
          const url = [source.page_url, source.url].find(opens) ?? null;
          const quoted =
            passage === '' ? '' : `\n<blockquote>${escapeHtml(cut(passage, inlinePassageMax))}</blockquote>`;
          const line = facts === '' ? '' : `\n${escapeHtml(cut(facts, 300))}`;
          return {
            type: 'article',
            id: String(n),
            title: cut(title, 120),
            description: cut(passage === '' ? facts : passage.replaceAll(/\s+/g, ' '), 200),
            input_message_content: {
              message_text: `<b>${linked(cut(title, 200), url)}</b>${line}${quoted}`,
              parse_mode: 'HTML',
            },
          };
        }),
      );
    } catch {
      await reply([]);
    }
  }
}

/** Messages in a topic, or below a channel post, arrive as replies to the first message there. */
const beginsTopic = (replied: Sent, sent: Sent): boolean =>
  replied.forum_topic_created !== undefined ||
  replied.is_automatic_forward === true ||
  replied.message_id === topicOf(sent);

const keyboardOf = (choices: Note['choices']): Keyboard | null =>
  choices?.map((row) => row.map(({ label, data }) => ({ text: label, callback_data: data }))) ?? null;

const topicOf = (sent: Sent): number | undefined =>
  sent.is_topic_message ? sent.message_thread_id : undefined;

const textOf = ({ text, caption }: Sent): string | undefined => text ?? caption;

/** The message to which the message with the button replies. */
function questionUnder({ message }: CallbackQuery): Sent | null {
  return (message && 'reply_to_message' in message && (message.reply_to_message as Sent)) || null;
}

/** Whether a message contains anything other than text. */
const isContent = (sent: Sent): boolean =>
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
  ].some((kind) => kind in sent);
