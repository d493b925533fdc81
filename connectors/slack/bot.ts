/** Connects Slack to the chat core: translates events into messages and button presses, and sends replies. */
import type { AckFn, App, RespondArguments, SlashCommand } from '@slack/bolt';
import type { SourceInput, SourceReader } from '../../src/app-port.ts';
import type { ChatReply } from '../../src/asks/chats.ts';
import { type Language, languages } from '../../src/domain/events.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { failureText } from '../answer.ts';
import { ChatBot, type BotOptions as CoreOptions } from '../bot.ts';
import { type ChatFile, chatFile } from '../files.ts';
import type { Press } from '../menus.ts';
import { settingNames, settingsNote } from '../notes.ts';
import {
  type ChatView,
  type Command,
  type Message,
  type Note,
  noSign,
  type Person,
  type Platform,
  type Room,
  type Sign,
} from '../platform.ts';
import { Refused } from '../platform-api.ts';
import { cut } from '../splitting.ts';
import { languageOf, type Texts, texts } from '../texts.ts';
import type { Api } from './api.ts';
import {
  askView,
  homeView,
  inFew,
  noteOf,
  passageView,
  reasonView,
  saveView,
  sentence,
  settingsView,
  unfurled,
} from './blocks.ts';
import { called, mentioned, mentions, written } from './text.ts';
import {
  asPosted,
  EphemeralView,
  leftBehind,
  type Posted,
  privately,
  SlackView,
  type Streaming,
  takeBack,
} from './view.ts';

const eyes = 'eyes';
const localesMax = 5_000;
/** The maximum length of a message in the metadata of a modal, which is limited to 3,000 characters of JSON. */
const aboutMax = 1_400;
/** The maximum number of questions on a person's home tab. */
const recentMax = 8;
/** The maximum number of channels on an administrator's home tab. */
const roomsMax = 20;
/**
 * The maximum number of pages read to find the latest messages of a thread, and the maximum number of messages kept.
 */
const threadPagesMax = 10;
const threadMax = 100;
/** The maximum number of unfurled links per message. */
const unfurledMax = 5;

export interface Workspace {
  team: string;
  botUser: string;
  botId: string | null;
}

export interface BotOptions extends Omit<CoreOptions<Where>, 'platform'> {
  api: Api;
  me: Workspace;
}

/** The address of a reply in Slack. */
interface Where {
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
interface MessageEvent {
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
interface ActionBody {
  user: { id: string; team_id?: string };
  team?: { id: string } | null;
  channel?: { id?: string };
  message?: { ts?: string; thread_ts?: string };
  container?: { thread_ts?: string; message_ts?: string };
  view?: { id: string; private_metadata: string } | undefined;
  response_url?: string;
  trigger_id?: string;
}

/** A pressed button. */
interface Pressed {
  value: string;
  body: ActionBody;
  /** The language of the person who pressed it. */
  lang: Language;
}

/** A shortcut used on a message. */
interface Shortcut {
  channel: string;
  team: string;
  ts: string;
  thread: string | undefined;
  text: string;
  lang: Language;
}

/** The links in a message that the app can unfurl. */
interface LinkShared {
  channel: string;
  message_ts: string;
  user?: string;
  links: { url: string }[];
}

export class SlackBot implements Platform<Where> {
  readonly name = 'slack' as const;
  readonly settings = settingNames;
  readonly #options: BotOptions;
  readonly core: ChatBot<Where>;
  readonly #streaming: Streaming = { isOffered: true, live: new Set() };
  readonly #locales = new Map<string, Language>();

  constructor(options: BotOptions) {
    this.#options = options;
    this.core = new ChatBot<Where>({ ...options, platform: this });
  }

  listen(app: App): void {
    app.event('app_mention', async ({ event, body }) => this.#event(event as MessageEvent, body.team_id));
    app.event('message', async ({ event, body }) =>
      this.#event(event as unknown as MessageEvent, body.team_id),
    );
    app.event('app_home_opened', async ({ event, body }) => {
      if (event.tab === 'home') this.core.beside(this.#home(event.user, body.team_id ?? this.#me.team));
    });
    app.event('assistant_thread_started', async ({ event }) => {
      const { channel_id, thread_ts, user_id, context } = event.assistant_thread;
      // Use the corpora of the channel that the person came from.
      this.core.beside(this.#greet(channel_id, thread_ts, user_id, context.channel_id ?? channel_id));
    });
    app.event('link_shared', async ({ event, body }) =>
      this.core.beside(this.#unfurl(event as LinkShared, body.team_id)),
    );
    app.command('/ask', async ({ command, ack }) => {
      const text = written(command.text ?? '', this.#me.botUser);
      const isSettings = /^settings(?:$|\s+helpers(?:\s|$))/i.test(text);
      const mentions = mentioned(command.text ?? '', this.#me.botUser);
      const asked = isSettings
        ? { text: text.slice('settings'.length).trim(), command: 'settings' as const, mentions }
        : { text, mentions };
      // This text is visible immediately and is later replaced by the answer.
      const first = texts[languageOfText(text)].searching;
      await this.#command(command, ack, asked, isSettings || text === '' ? null : first);
    });
    app.command('/forget', ({ command, ack }) => this.#command(command, ack, { command: 'forget' }, null));
    this.#onShortcut(app, 'ask_about', async ({ channel, team, ts, thread, text, lang }) => {
      const about = cut(text, aboutMax);
      return askView(lang, JSON.stringify({ channel, thread: thread ?? ts, team, about }));
    });
    app.view('ask_about', async ({ view, body, ack }) => {
      const { channel, thread, team, about } = JSON.parse(view.private_metadata) as Record<string, string>;
      const asked = view.state.values.question?.text?.value?.trim() ?? '';
      const where: Where = {
        ...{ team: team!, channel: channel!, thread: thread!, ts: null, responseUrl: null },
        mayBeOutside: true,
      };
      const message = this.#message(where, body.user.id, asked === '' ? about! : asked);
      await this.core.take({ ...message, about: asked === '' ? null : about! }, `view ${view.id}`);
      await ack();
    });
    this.#onShortcut(app, 'save_answer', async ({ channel, team, thread, text, lang }) => {
      const read =
        thread === undefined
          ? null
          : await this.#options.api
              .once<{ messages?: Reply[] }>('conversations.replies', { channel, ts: thread, limit: 1 })
              .catch(() => null);
      const question = cut(written(read?.messages?.[0]?.text ?? '', this.#me.botUser), aboutMax);
      return saveView(lang, JSON.stringify({ channel, team }), question, cut(text, 3_000));
    });
    app.view('save_answer', async ({ view, body, ack }) => {
      await ack();
      const { channel = '', team = '' } = JSON.parse(view.private_metadata) as Record<string, string>;
      const value = (block: string) => view.state.values[block]?.text?.value?.trim() ?? '';
      const lang = await this.#localeOf(body.user.id);
      const from = this.#person(team, body.user.id);
      const room = this.#room(team, channel);
      const text = await this.core.menus.save(room, value('question'), value('answer'), from, lang);
      const where = { team, channel, thread: null, ts: null, responseUrl: null };
      this.core.beside(this.say({ where, from }, { text }));
    });
    this.#onAction(app, /^passage_\d+$/, async ({ value, body, lang }) => {
      const [number, requestId = ''] = value.split(':');
      const draft = await this.core.menus.answered(requestId, lang);
      const source = draft.listed()?.sources.find((one) => one.number === Number(number));
      if (source) await this.#open(body, passageView(source, draft.lang), lang);
      else await this.#respond(body, texts[lang].gone);
    });
    this.#onAction(app, 'feedback', async ({ value, body, lang }) => {
      const [rating, requestId = ''] = value.split(':');
      const t = texts[lang];
      const person = this.#person(this.#teamOf(body), body.user.id);
      const isDone = await this.core.menus.rate(requestId, rating === 'up' ? 'up' : 'down', person);
      const { trigger_id } = body;
      if (isDone && rating !== 'up' && trigger_id)
        await this.#options.api.decorate('views.open', { trigger_id, view: reasonView(lang, requestId) });
      await this.#respond(body, isDone ? t.rated : t.notRated);
    });
    app.view('feedback_reason', async ({ view, body, ack }) => {
      await ack();
      const reason = view.state.values.reason?.text?.value?.trim() ?? '';
      if (reason === '') return;
      const person = this.#person(body.team?.id ?? this.#me.team, body.user.id);
      await this.core.menus.rate(view.private_metadata, 'down', person, reason);
    });
    this.#onAction(app, 'share', async ({ value, body, lang }) => {
      const url = body.response_url ?? '';
      const [requestId = '', ...words] = value.split(' ');
      const draft = await this.core.menus.answered(requestId, lang);
      for (const message of inFew(draft, { sharedBy: body.user.id, question: words.join(' ') }))
        await this.#options.api.respond(url, {
          ...{ response_type: 'in_channel', replace_original: false },
          ...message,
        });
      await this.#options.api.respond(url, { delete_original: true });
    });
    this.#onAction(app, /^settings_/, async ({ value: channel, body, lang }) => {
      const settings = await this.core.rooms.settings(this.#room(this.#teamOf(body), channel));
      const note = settingsNote(texts[lang], this.settings, settings);
      await this.#open(body, settingsView(lang, channel, note), lang);
    });
    this.#onAction(app, /^choice_/, async ({ value, body, lang }) => {
      const press = this.#pressOf(body, lang);
      const { notice, becomes } = await this.core.menus.press(press, value);
      if (body.view) {
        const view = settingsView(lang, press.where.channel, becomes ?? { text: notice ?? '' });
        await this.#options.api.decorate('views.update', { view_id: body.view.id, view });
      } else if (becomes && body.response_url)
        await this.#options.api
          .respond(body.response_url, { replace_original: true, ...noteOf(becomes) })
          .catch(() => {});
      else if (notice !== undefined) await this.#respond(body, notice);
    });
  }

  /** Records a command, then shows `first` to its user. The reply follows that text. */
  async #command(
    command: SlashCommand,
    ack: AckFn<RespondArguments>,
    said: Partial<Message<Where>>,
    first: string | null,
  ): Promise<void> {
    const ready = Promise.withResolvers<void>();
    const message = { ...this.#commanded(command), ...said };
    try {
      const isNew = await this.core.take(message, `command ${command.trigger_id}`, ready.promise);
      await (isNew && first !== null ? ack({ response_type: 'ephemeral', text: first }) : ack());
    } finally {
      ready.resolve();
    }
  }

  /** Opens the modal of a shortcut on a message. */
  #onShortcut(app: App, id: string, viewOf: (of: Shortcut) => Promise<object>): void {
    app.shortcut(id, async ({ shortcut, ack, body }) => {
      await ack();
      if (shortcut.type !== 'message_action') return;
      const { channel, user } = shortcut;
      const { ts = '', thread_ts: thread, text = '' } = shortcut.message as Partial<Reply>;
      const lang = await this.#localeOf(user.id);
      const said = written(text, this.#me.botUser);
      const team = body.team?.id ?? this.#me.team;
      const view = await viewOf({ channel: channel.id, team, ts, thread, text: said, lang });
      await this.#open(body as ActionBody, view, lang);
    });
  }

  /** Handles a button. A failure is explained to the person who pressed it. */
  #onAction(app: App, id: string | RegExp, handle: (pressed: Pressed) => Promise<void>): void {
    app.action(id, async ({ action, body: of, ack }) => {
      await ack();
      const body = of as ActionBody;
      const lang = await this.#localeOf(body.user.id);
      const value = String((action as { value?: unknown }).value ?? '');
      await handle({ value, body, lang }).catch((error) => this.#respond(body, failureText(lang, error)));
    });
  }

  get #me(): Workspace {
    return this.#options.me;
  }

  // --- Events from Slack ------------------------------------------------------------------------------------------

  async #event(event: MessageEvent, bodyTeam: string | undefined): Promise<void> {
    const team = bodyTeam ?? event.team ?? this.#me.team;
    const { subtype, channel, channel_type, previous_message } = event;
    if (subtype === 'message_deleted')
      return this.core.withdrawn(keyOf(channel, event.deleted_ts ?? previous_message?.ts ?? ''));
    if (subtype !== 'message_changed') {
      const message = this.#messageOf(event, team);
      if (message) await this.core.take(message, `message ${channel} ${event.ts}`);
      return;
    }
    // If a deleted message has a thread, Slack keeps a tombstone in its place.
    if (event.message?.subtype === 'tombstone') return this.core.withdrawn(keyOf(channel, event.message.ts));
    // The bot's own edits arrive as the same event.
    if (!event.message?.user || event.message.bot_id !== undefined) return;
    const { subtype: _, ...now } = event.message;
    const message = this.#messageOf({ ...now, channel, ...(channel_type && { channel_type }) }, team);
    if (message)
      await this.core.changed(message, `message ${channel} ${now.ts} ${now.edited?.ts ?? message.text}`);
  }

  /** Returns null for events that are not messages from a person or another bot. */
  #messageOf(event: MessageEvent, team: string): Message<Where> | null {
    const { channel, channel_type, subtype, user, bot_id, text = '', ts, thread_ts, files = [] } = event;
    const { botUser, botId } = this.#me;
    const who = user || bot_id;
    if (!who || who === botUser || (bot_id !== undefined && bot_id === botId)) return null;
    if (subtype !== undefined && !/^(?:file_share|thread_broadcast|bot_message)$/.test(subtype)) return null;
    const isAlone = channel_type === 'im';
    const isToUs = isAlone || mentions(text, botUser);
    const where = { team, channel, thread: thread_ts ?? ts, ts, responseUrl: null };
    const message = this.#message(where, who, written(text, botUser), isAlone);
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

  #commanded(command: { team_id: string; channel_id: string; user_id: string; response_url: string }) {
    const { team_id: team, channel_id: channel, user_id, response_url: responseUrl } = command;
    return this.#message({ team, channel, thread: null, ts: null, responseUrl }, user_id, '');
  }

  #message(
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
      ...this.#room(team, channel, isAlone),
      conversation:
        thread === null ? [team, channel, 'commands', user] : [team, channel, ...(isThread ? [thread] : [])],
      from: this.#person(team, user),
      ...{ at: null, to: 'us', text, about: null, hasFiles: false, mentions: [], isRenewed: false },
      command: null as Command | null,
    };
  }

  #room(team: string, channel: string, isAlone = channel.startsWith('D')): Room {
    return { place: isAlone ? null : channel, own: [team, channel], around: [channel, team] };
  }

  #person(team: string, user: string): Person {
    return { id: user, names: [team, user], locale: null, name: null, isBot: false };
  }

  #teamOf({ team }: ActionBody): string {
    return team?.id ?? this.#me.team;
  }

  #pressOf(body: ActionBody, language: Language): Press<Where> {
    const team = this.#teamOf(body);
    // In a modal, the channel is the one whose settings are shown.
    const channel = body.channel?.id ?? body.view?.private_metadata ?? '';
    const thread = body.message?.thread_ts ?? body.container?.thread_ts ?? body.message?.ts ?? null;
    const where = { team, channel, thread, ts: null, responseUrl: body.response_url ?? null };
    const { place, own, around, conversation, from } = this.#message(where, body.user.id, '');
    return { where, place, own, around, conversation, from, language };
  }

  // --- Platform interface for the core ----------------------------------------------------------------------------

  howToAsk(t: Texts) {
    return { text: t.slackHelp, offersCorpora: true };
  }

  intervalMs(): number {
    return this.#options.api.showMs;
  }

  async language({ text, from }: Message<Where>): Promise<Language> {
    return text === null || text === '' ? this.#localeOf(from.id) : languageOfText(text);
  }

  async view(
    message: Message<Where>,
    reply: ChatReply,
    { help, onlyAsker, shown }: { help: boolean; onlyAsker: boolean; shown: () => void },
  ): Promise<ChatView> {
    const { where, from } = message;
    const api = this.#options.api.fenced(() => reply.held());
    const question = message.text ?? '';
    if (where.thread === null)
      return new EphemeralView((said) => api.respond(where.responseUrl ?? '', said), { question, help });
    if (onlyAsker) {
      const { channel, thread, ts } = where;
      const to = { channel, user: from.id, ...(thread !== ts && { thread_ts: thread }) };
      const say = async ({ text, blocks }: { text: string; blocks?: unknown }) => {
        await api.must('chat.postEphemeral', { ...to, text, blocks });
      };
      return new EphemeralView(say, { question, help });
    }
    const { team, channel, thread, ts } = await this.#reachable(where, from, api);
    const recorded = asPosted(reply.messages);
    const target = {
      ...{ id: reply.id, channel, thread: thread!, team, user: from.id, ts, botUser: this.#me.botUser },
      help,
    };
    const now =
      reply.isTaken && !recorded.isStreaming
        ? await leftBehind(api, target, this.#streaming, recorded)
        : recorded;
    if (message.place === null && thread !== ts && reply.chat) void this.#titled(message, reply);
    const record = async (said: Posted) => {
      if (said.ts.length > 0) shown();
      await reply.posted(said);
    };
    return new SlackView(api, target, now, this.#streaming, record, async (sent) => {
      await reply.over();
      await takeBack(this.#options.api, target, sent);
    });
  }

  /**
   * Returns where the answer can be posted. If the bot is not a member of the channel, the answer goes to the asker,
   * below a new message.
   */
  async #reachable(where: Where, { id }: Person, api: Api): Promise<Where> {
    if (!where.mayBeOutside) return where;
    try {
      await api.once('conversations.replies', { channel: where.channel, ts: where.thread, limit: 1 });
      return where;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    const opened = await api.must('conversations.open', { users: id });
    const channel = String((opened.channel as { id?: string }).id);
    const lang = await this.#localeOf(id);
    const thread = await api.post(channel, noted(sentence(texts[lang].askAbout)));
    return { ...where, channel, thread };
  }

  /** Uses the first question as the title of an assistant thread. */
  async #titled({ where, text }: Message<Where>, reply: ChatReply): Promise<void> {
    if (where.thread === null || (await reply.chat.turns()).length > 0) return;
    await this.#options.api.decorate('assistant.threads.setTitle', {
      ...{ channel_id: where.channel, thread_ts: where.thread, title: cut(text ?? '', 100) },
    });
  }

  /** Replies only to the asker. In a chat with one person, or with `toAll`, posts an ordinary message. */
  async say(
    { where, from }: Pick<Message<Where>, 'where' | 'from'>,
    note: Note,
    { toAll = false, fence }: { toAll?: boolean; fence?: () => Promise<void> } = {},
  ): Promise<void> {
    const api = fence ? this.#options.api.fenced(fence) : this.#options.api;
    const { channel, thread, responseUrl } = where;
    const message = noteOf(note);
    if (!toAll && responseUrl !== null) return api.respond(responseUrl, privately(message));
    if (toAll || channel.startsWith('D')) {
      await api.post(channel, { ...noted(message), ...(thread !== null && { thread_ts: thread }) });
      return;
    }
    const to = {
      channel,
      user: from.id,
      ...(thread !== null && thread !== where.ts && { thread_ts: thread }),
    };
    await api.must('chat.postEphemeral', { ...to, ...message });
  }

  /**
   * Shows that the message is being processed: as a status in an assistant thread, and elsewhere as an eyes reaction if
   * the rate limit allows it.
   */
  sign({ where, place, text }: Message<Where>, isTaken: boolean): Sign {
    const { api } = this.#options;
    const { channel, ts, thread } = where;
    if (ts === null || thread === null) return noSign;
    const reaction = { channel, timestamp: ts, name: eyes };
    const takeAway = async () => void (await api.must('reactions.remove', reaction).catch(() => {}));
    // The reaction may have been added by the process that abandoned the reply.
    if (isTaken) return { shown() {}, end: takeAway };
    if (place === null && thread !== ts) {
      const status = texts[languageOfText(text ?? '')].searching;
      const shown = api.decorate('assistant.threads.setStatus', {
        ...{ channel_id: channel, thread_ts: thread, status },
      });
      // An answer ends the status automatically; a failure to answer does not.
      return { shown() {}, end: async () => void (await shown) };
    }
    if (!api.reactions.tryTake()) return noSign;
    const put = api.decorate('reactions.add', reaction);
    return {
      shown() {},
      end: async () => {
        await put;
        await takeAway();
      },
    };
  }

  /** Administrators and owners of the workspace, and the creator of the channel. */
  async mayConfigure({ channel }: Where, { id }: Person): Promise<boolean> {
    if (await this.#isAdmin(id)) return true;
    const about = await this.#options.api.once('conversations.info', { channel }).catch(() => null);
    return (about?.channel as { creator?: string } | undefined)?.creator === id;
  }

  async #isAdmin(user: string): Promise<boolean> {
    const known = await this.#options.api.once('users.info', { user }).catch(() => null);
    const { is_admin, is_owner } = (known?.user ?? {}) as { is_admin?: boolean; is_owner?: boolean };
    return is_admin === true || is_owner === true;
  }

  nameOf({ id }: Person): string {
    return called(id);
  }

  async saidBefore({ where, place }: Message<Where>): Promise<string[]> {
    const { channel, thread, ts } = where;
    if (place === null || thread === null || ts === null || thread === ts) return [];
    const all = await this.#before(channel, thread, ts).catch(() => []);
    const { botUser, botId } = this.#me;
    const isOurs = (one: Reply) => one.user === botUser || (one.bot_id !== undefined && one.bot_id === botId);
    const since = all.slice(all.findLastIndex(isOurs) + 1);
    return since
      .filter((one) => one.ts < ts && one.bot_id === undefined)
      .map((one) => written(one.text ?? '', botUser))
      .filter((text) => text !== '');
  }

  /** The latest messages of a thread before a given one. Slack lists threads from the beginning. */
  async #before(channel: string, thread: string, latest: string): Promise<Reply[]> {
    let all: Reply[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < threadPagesMax; page++) {
      const range = { ts: thread, latest, limit: 200, ...(cursor && { cursor }) };
      const read = await this.#options.api.once('conversations.replies', { channel, ...range });
      all = [...all, ...((read.messages ?? []) as Reply[])].slice(-threadMax);
      cursor = (read.response_metadata as { next_cursor?: string } | undefined)?.next_cursor;
      if (!cursor) break;
    }
    return all;
  }

  content({ id }: ChatFile, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.api.file(id, signal);
  }

  // --- Modals, ephemeral messages and unfurls -----------------------------------------------------------------------

  /** Opens a modal. If it is too late to open one, sends a message to the user. */
  async #open(body: ActionBody, view: object, lang: Language): Promise<void> {
    try {
      await this.#options.api.once('views.open', { trigger_id: body.trigger_id, view });
    } catch (error) {
      await this.#respond(body, failureText(lang, error));
    }
  }

  /** Replies to the person who pressed a button. */
  async #respond({ response_url: url }: ActionBody, text: string): Promise<void> {
    if (url === undefined) return;
    await this.#options.api
      .respond(url, { response_type: 'ephemeral', replace_original: false, ...sentence(text) })
      .catch(() => {});
  }

  async #localeOf(user: string): Promise<Language> {
    const known = this.#locales.get(user);
    if (known) return known;
    const reply = await this.#options.api
      .once('users.info', { user, include_locale: true })
      .catch(() => null);
    const lang = languageOf((reply?.user as { locale?: string } | undefined)?.locale);
    if (this.#locales.size >= localesMax) this.#locales.clear();
    if (reply) this.#locales.set(user, lang);
    return lang;
  }

  async #home(user: string, team: string): Promise<void> {
    const { app, api } = this.#options;
    const lang = await this.#localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(this.#room(team, user, true), lang);
    const subject = this.core.rooms.subject(this.#person(team, user));
    const recent = await app.chats.recent('slack', subject, recentMax);
    const rooms = (await this.#isAdmin(user)) ? await app.chats.rooms('slack', roomsMax) : [];
    await api.must('views.publish', { user_id: user, view: homeView(lang, corpora, recent, rooms) });
  }

  /** Shows the passages that source links point to, for the corpora that can be searched in the channel. */
  async #unfurl({ channel, message_ts: ts, user, links }: LinkShared, team: string): Promise<void> {
    const { app, api } = this.#options;
    const lang = user === undefined ? 'en' : await this.#localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(this.#room(team, channel), lang);
    const unfurls: Record<string, object> = {};
    for (const { url } of links.slice(0, unfurledMax)) {
      const place = sourceAt(url);
      if (place === null || !corpora.some(({ corpus_id }) => corpus_id === place.input.corpus_id)) continue;
      const source = await app.source(place.input, place.reader).catch(() => null);
      if (source?.status !== 'published') continue;
      const { chunks, text, start } = await source.read();
      const cited = chunks.find(({ chunk_index }) => chunk_index === place.input.chunk) ?? chunks[0];
      if (cited)
        unfurls[url] = unfurled(
          source.facts.title,
          cited.heading,
          text.slice(cited.start - start, cited.end - start),
        );
    }
    if (Object.keys(unfurls).length > 0) await api.decorate('chat.unfurl', { channel, ts, unfurls });
  }

  async #greet(channel: string, thread: string, user: string, about: string): Promise<void> {
    const { api } = this.#options;
    const lang = await this.#localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(this.#room(this.#me.team, about), lang);
    await api.post(channel, { ...noted(sentence(texts[lang].welcome)), thread_ts: thread });
    const prompts = [...new Set(corpora.flatMap(({ examples }) => examples))].slice(0, 4);
    if (prompts.length > 0)
      await api.decorate('assistant.threads.setSuggestedPrompts', {
        channel_id: channel,
        thread_ts: thread,
        title: texts[lang].examples,
        prompts: prompts.map((prompt) => ({ title: cut(prompt, 75), message: prompt })),
      });
  }
}

interface Reply {
  user?: string;
  bot_id?: string;
  text?: string;
  ts: string;
  thread_ts?: string;
}

/** The source that a URL of the service's source page refers to; null for any other URL. */
function sourceAt(address: string): { input: SourceInput; reader: SourceReader } | null {
  const url = URL.parse(address);
  const [, corpus, document] = /\/source\/([^/]+)\/(\d+)$/.exec(url?.pathname ?? '') ?? [];
  if (!url || corpus === undefined) return null;
  const { revision, chunk, expires, signature } = Object.fromEntries(url.searchParams);
  return {
    input: {
      corpus_id: decodeURIComponent(corpus),
      doc_id: Number(document),
      revision: revision === undefined ? null : Number(revision),
      chunk: chunk ?? null,
    },
    reader: { signature: expires && signature ? { expires, signature } : null },
  };
}

const keyOf = (channel: string, ts: string) => `${channel} ${ts}`;

/** Marks a message that is not part of an answer, so that no process mistakes it for an unfinished answer. */
const noted = <M extends object>(message: M) => ({
  ...message,
  metadata: { event_type: 'docent_note', event_payload: {} },
});

const languageOfText = (text: string): Language => detectLanguage(text, languages, 'en');
