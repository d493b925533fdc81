/** Passes what happens in Slack to the chat core, and answers with modals, home tabs and unfurled links. */
import type { AckFn, App, RespondArguments, SlashCommand } from '@slack/bolt';
import type { SourceInput, SourceReader } from '../../src/app-port.ts';
import type { Language } from '../../src/domain/events.ts';
import { failureText } from '../answer.ts';
import { ChatBot, type BotOptions as CoreOptions } from '../bot.ts';
import { settingsNote } from '../notes.ts';
import type { Message } from '../platform.ts';
import { explained } from '../platform-api.ts';
import { cut } from '../splitting.ts';
import { texts } from '../texts.ts';
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
import {
  type ActionBody,
  commandMessage,
  keyOf,
  languageOfText,
  type MessageEvent,
  messageOf,
  messageTo,
  personOf,
  pressOf,
  roomOf,
  type ThreadMessage,
  teamOf,
  type Where,
  type Workspace,
} from './messages.ts';
import { noted, SlackPlatform } from './platform.ts';
import { mentioned, written } from './text.ts';

/** The maximum length of a message in the metadata of a modal, which is limited to 3,000 characters of JSON. */
const aboutMax = 1_400;
/** The maximum number of questions on a person's home tab. */
const recentMax = 8;
/** The maximum number of channels on an administrator's home tab. */
const roomsMax = 20;
/** The maximum number of unfurled links per message. */
const unfurledMax = 5;

export interface BotOptions extends Omit<CoreOptions<Where>, 'platform'> {
  api: Api;
  me: Workspace;
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

export class SlackBot {
  readonly #options: BotOptions;
  readonly #platform: SlackPlatform;
  readonly core: ChatBot<Where>;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#platform = new SlackPlatform(options);
    this.core = new ChatBot<Where>({ ...options, platform: this.#platform });
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
        team: team!,
        channel: channel!,
        thread: thread!,
        ts: null,
        responseUrl: null,
        mayBeOutside: true,
      };
      const message = messageTo(where, body.user.id, asked === '' ? about! : asked);
      await this.core.take({ ...message, about: asked === '' ? null : about! }, `view ${view.id}`);
      await ack();
    });
    this.#onShortcut(app, 'save_answer', async ({ channel, team, thread, text, lang }) => {
      const read =
        thread === undefined
          ? null
          : await this.#options.api
              .once<{ messages?: ThreadMessage[] }>('conversations.replies', {
                channel,
                ts: thread,
                limit: 1,
              })
              .catch(() => null);
      const question = cut(written(read?.messages?.[0]?.text ?? '', this.#me.botUser), aboutMax);
      return saveView(lang, JSON.stringify({ channel, team }), question, cut(text, 3_000));
    });
    app.view('save_answer', async ({ view, body, ack }) => {
      await ack();
      const { channel = '', team = '' } = JSON.parse(view.private_metadata) as Record<string, string>;
      const value = (block: string) => view.state.values[block]?.text?.value?.trim() ?? '';
      const lang = await this.#platform.localeOf(body.user.id);
      const from = personOf(team, body.user.id);
      const room = roomOf(team, channel);
      const text = await this.core.menus.save(room, value('question'), value('answer'), from, lang);
      const where = { team, channel, thread: null, ts: null, responseUrl: null };
      this.core.beside(this.#platform.say({ where, from }, { text }));
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
      const person = personOf(teamOf(body, this.#me), body.user.id);
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
      const person = personOf(body.team?.id ?? this.#me.team, body.user.id);
      await this.core.menus.rate(view.private_metadata, 'down', person, reason);
    });
    this.#onAction(app, 'share', async ({ value, body, lang }) => {
      const url = body.response_url ?? '';
      const [requestId = '', ...words] = value.split(' ');
      const draft = await this.core.menus.answered(requestId, lang);
      for (const message of inFew(draft, { sharedBy: body.user.id, question: words.join(' ') }))
        await this.#options.api.respond(url, {
          response_type: 'in_channel',
          replace_original: false,
          ...message,
        });
      await this.#options.api.respond(url, { delete_original: true });
    });
    this.#onAction(app, /^settings_/, async ({ value: channel, body, lang }) => {
      const settings = await this.core.rooms.settings(roomOf(teamOf(body, this.#me), channel));
      const note = settingsNote(texts[lang], this.#platform.settings, settings);
      await this.#open(body, settingsView(lang, channel, note), lang);
    });
    this.#onAction(app, /^choice_/, async ({ value, body, lang }) => {
      const press = pressOf(body, lang, this.#me);
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
    const message = { ...commandMessage(command), ...said };
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
      const { ts = '', thread_ts: thread, text = '' } = shortcut.message as Partial<ThreadMessage>;
      const lang = await this.#platform.localeOf(user.id);
      const said = written(text, this.#me.botUser);
      const team = body.team?.id ?? this.#me.team;
      const view = await viewOf({ channel: channel.id, team, ts, thread, text: said, lang });
      await this.#open(body as ActionBody, view, lang);
    });
  }

  /**
   * Handles a button. A failure is explained to the person who pressed it, and reported if it is unexpected or the person
   * cannot be told.
   */
  #onAction(app: App, id: string | RegExp, handle: (pressed: Pressed) => Promise<void>): void {
    app.action(id, async ({ action, body: of, ack }) => {
      await ack();
      const body = of as ActionBody;
      const lang = await this.#platform.localeOf(body.user.id);
      const value = String((action as { value?: unknown }).value ?? '');
      await handle({ value, body, lang }).catch(async (error) => {
        await this.#respond(body, failureText(lang, error));
        if (body.response_url === undefined || explained(error) === null) throw error;
      });
    });
  }

  get #me(): Workspace {
    return this.#options.me;
  }

  async #event(event: MessageEvent, bodyTeam: string | undefined): Promise<void> {
    const team = bodyTeam ?? event.team ?? this.#me.team;
    const { subtype, channel, channel_type, previous_message } = event;
    if (subtype === 'message_deleted')
      return this.core.withdrawn(keyOf(channel, event.deleted_ts ?? previous_message?.ts ?? ''));
    if (subtype !== 'message_changed') {
      const message = messageOf(event, team, this.#me);
      if (message) await this.core.take(message, `message ${channel} ${event.ts}`);
      return;
    }
    // If a deleted message has a thread, Slack keeps a tombstone in its place.
    if (event.message?.subtype === 'tombstone') return this.core.withdrawn(keyOf(channel, event.message.ts));
    // The bot's own edits arrive as the same event.
    if (!event.message?.user || event.message.bot_id !== undefined) return;
    const { subtype: _, ...now } = event.message;
    const message = messageOf({ ...now, channel, ...(channel_type && { channel_type }) }, team, this.#me);
    if (message)
      await this.core.changed(message, `message ${channel} ${now.ts} ${now.edited?.ts ?? message.text}`);
  }

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

  async #home(user: string, team: string): Promise<void> {
    const { app, api } = this.#options;
    const lang = await this.#platform.localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(roomOf(team, user, true), lang);
    const subject = this.core.rooms.subject(personOf(team, user));
    const recent = await app.chats.recent('slack', subject, recentMax);
    const rooms = (await this.#platform.isAdmin(user)) ? await app.chats.rooms('slack', roomsMax) : [];
    await api.must('views.publish', { user_id: user, view: homeView(lang, corpora, recent, rooms) });
  }

  /** Shows the passages that source links point to, for the corpora that can be searched in the channel. */
  async #unfurl({ channel, message_ts: ts, user, links }: LinkShared, team: string): Promise<void> {
    const { app, api } = this.#options;
    const lang = user === undefined ? 'en' : await this.#platform.localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(roomOf(team, channel), lang);
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
    const lang = await this.#platform.localeOf(user);
    const { corpora } = await this.core.rooms.corporaOf(roomOf(this.#me.team, about), lang);
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
