/**
 * Docent in Slack: which messages are questions, in whose conversation, and what is said to the others. A message is
 * recorded before Slack is told that it arrived; the answering goes on beside the taking in.
 */
import type { App } from '@slack/bolt';
import type { Chat, ChatReply } from '../../src/asks/chats.ts';
import { type HistoryMessage, type Language, languages } from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import { detectLanguage } from '../../src/text/language.ts';
import {
  answer,
  type ChatApp,
  choice,
  failureText,
  forgetAsker,
  Left,
  namedCorpus,
  rate,
  recorded,
  type View,
  ViewGone,
} from '../chat.ts';
import { type CorporaByChat, corporaAt } from '../chat-corpora.ts';
import { cut } from '../splitting.ts';
import { languageOf, texts } from '../texts.ts';
import { type Api, Refused } from './api.ts';
import {
  askView,
  corpusMenu,
  forgetMenu,
  homeView,
  inFew,
  type Message,
  passageView,
  sentence,
} from './blocks.ts';
import { mentions, written } from './text.ts';
import { EphemeralView, leftBehind, type Posted, privately, SlackView, type Streaming } from './view.ts';

const channelName = 'slack' as const;
const eyes = 'eyes';
/** Answers made at once; the others wait for their turn. */
const atOnceMax = 100;
const followedMax = 2_000;
const localesMax = 5_000;
const aboutMax = 1_500;
/** Questions on a person's home tab. */
const recentMax = 8;
/** Of what a modal carries along. */
const metadataMax = 2_900;

export interface Workspace {
  team: string;
  botUser: string;
  botId: string | null;
}

export interface BotOptions {
  app: ChatApp;
  api: Api;
  me: Workspace;
  corporaByChat: CorporaByChat;
  leave: AbortSignal;
  onTrouble: (sentence: string) => void;
}

/** A message as it waits to be answered; recorded sealed. */
interface Task {
  team: string;
  channel: string;
  user: string;
  /** What is answered in its thread; null: only its asker sees the answer, at `responseUrl`. */
  thread: string | null;
  /** The message itself, which a sign is put on; null where there is none. */
  ts: string | null;
  /** The thread began with this message, or is one of a private conversation. */
  isPrivate: boolean;
  text: string;
  responseUrl: string | null;
  /** The text of another message that is asked about. */
  about: string | null;
}

interface Followed {
  text: string;
  taken: AbortController;
  /** What stands in the chat. */
  view: SlackView | null;
  ended: Promise<void>;
}

/** Of a message event what is looked at. */
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
  message?: MessageEvent;
  previous_message?: MessageEvent;
}

export class SlackBot {
  readonly #options: BotOptions;
  readonly #streaming: Streaming = { isOffered: true, live: new Set() };
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #followed = new Map<string, Followed>();
  readonly #locales = new Map<string, Language>();

  constructor(options: BotOptions) {
    this.#options = options;
  }

  /** Resolves when what is being answered has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  listen(app: App): void {
    app.event('app_mention', async ({ event, body }) => this.#message(event as MessageEvent, body.team_id));
    app.event('message', async ({ event, body }) =>
      this.#message(event as unknown as MessageEvent, body.team_id),
    );
    app.event('app_home_opened', async ({ event, body }) => {
      if (event.tab === 'home') this.#beside(this.#home(event.user, body.team_id ?? this.#me.team));
    });
    app.event('assistant_thread_started', async ({ event }) => {
      const { channel_id, thread_ts, user_id } = event.assistant_thread;
      this.#beside(this.#greet(channel_id, thread_ts, user_id));
    });
    app.command('/ask', async ({ command, ack }) => {
      const {
        team_id: team,
        channel_id: channel,
        user_id: user,
        text,
        response_url: responseUrl,
        trigger_id,
      } = command;
      const rest = { thread: null, ts: null, isPrivate: true, about: null };
      const task = { ...rest, team, channel, user, text: written(text ?? '', this.#me.botUser), responseUrl };
      const reply = await this.#begin(task, `command ${trigger_id}`);
      try {
        // Seen at once; the answer takes its place.
        if (reply && task.text !== '')
          await ack({ response_type: 'ephemeral', text: texts[languageOfText(task.text)].searching });
        else await ack();
      } finally {
        if (reply) this.#run(task, reply);
      }
    });
    app.command('/forget', async ({ command, ack }) => {
      await ack();
      const { user_id, response_url } = command;
      const lang = await this.#localeOf(user_id);
      await this.#options.api.respond(response_url, privately(forgetMenu(lang)));
    });
    app.action(/^forget_(?:yes|no)$/, async ({ action, body, ack }) => {
      await ack();
      const lang = await this.#localeOf(body.user.id);
      const team = body.team?.id ?? this.#me.team;
      const said =
        buttonValue(action) === 'forget_yes'
          ? await forgetAsker(this.#options.app, this.#subject(team, body.user.id), lang)
          : texts[lang].kept;
      // Only who typed the command sees it, so that nobody else can press.
      const url = 'response_url' in body ? String(body.response_url) : '';
      await this.#options.api.respond(url, { replace_original: true, ...sentence(said) });
    });
    app.shortcut('ask_about', async ({ shortcut, ack, body }) => {
      await ack();
      if (shortcut.type !== 'message_action') return;
      const { channel, message, user, trigger_id } = shortcut;
      const lang = await this.#localeOf(user.id);
      const said = written(String(message.text ?? ''), this.#me.botUser);
      const thread = String((message as { thread_ts?: string }).thread_ts ?? message.ts);
      const metadata = {
        channel: channel.id,
        thread,
        team: body.team?.id ?? this.#me.team,
        about: cut(said, aboutMax),
      };
      const json = JSON.stringify(metadata);
      const carried =
        json.length <= metadataMax ? json : JSON.stringify({ ...metadata, about: cut(said, 500) });
      try {
        await this.#options.api.once('views.open', { trigger_id, view: askView(lang, carried) });
      } catch (error) {
        // The moment in which it may be opened has passed.
        await this.#respond(body, sentence(failureText(lang, error)));
      }
    });
    app.view('ask_about', async ({ view, body, ack }) => {
      const { channel, thread, team, about } = JSON.parse(view.private_metadata) as Record<string, string>;
      const asked = view.state.values.question?.text?.value?.trim() ?? '';
      const task: Task = {
        ...{
          team: team!,
          channel: channel!,
          user: body.user.id,
          thread: thread!,
          ts: null,
          isPrivate: false,
        },
        ...{ text: asked === '' ? about! : asked, responseUrl: null, about: asked === '' ? null : about! },
      };
      await this.#start(task, `view ${view.id}`);
      await ack();
    });
    app.action(/^passage_\d+$/, async ({ action, body, ack }) => {
      await ack();
      const [number, requestId] = buttonValue(action).split(':');
      const lang = await this.#localeOf(body.user.id);
      const trigger_id = 'trigger_id' in body ? body.trigger_id : '';
      try {
        const draft = await recorded(this.#options.app, requestId!, lang);
        const source = draft.listed()?.sources.find((one) => one.number === Number(number));
        if (!source) throw new Failure('gone', 'Source not found.');
        await this.#options.api.once('views.open', { trigger_id, view: passageView(source, draft.lang) });
      } catch (error) {
        await this.#respond(body, sentence(failureText(lang, asGone(error))));
      }
    });
    app.action('feedback', async ({ action, body, ack }) => {
      await ack();
      const [rating, requestId] = buttonValue(action).split(':');
      const lang = await this.#localeOf(body.user.id);
      const t = texts[lang];
      const done = await rate(
        this.#options.app,
        requestId!,
        rating === 'up' ? 'up' : 'down',
        this.#subject(body.team?.id ?? this.#me.team, body.user.id),
      ).then(
        () => true,
        () => false,
      );
      await this.#respond(body, sentence(done ? t.rated : t.notRated));
    });
    app.action('share', async ({ action, body, ack }) => {
      await ack();
      const url = 'response_url' in body ? String(body.response_url) : '';
      const lang = await this.#localeOf(body.user.id);
      try {
        const draft = await recorded(this.#options.app, buttonValue(action), lang);
        for (const message of inFew(draft, { sharedBy: body.user.id }))
          await this.#options.api.respond(url, {
            response_type: 'in_channel',
            replace_original: false,
            ...message,
          });
        await this.#options.api.respond(url, { delete_original: true });
      } catch (error) {
        await this.#respond(body, sentence(failureText(lang, asGone(error))));
      }
    });
    app.action('corpus', async ({ action, body, ack }) => {
      await ack();
      const channel = 'channel' in body ? body.channel?.id : undefined;
      const corpus = 'selected_option' in action ? action.selected_option?.value : undefined;
      if (channel === undefined || corpus === undefined) return;
      const lang = await this.#localeOf(body.user.id);
      const { corpora } = await this.#choice(body.team?.id ?? this.#me.team, channel, lang);
      const chosen = corpora.find(({ corpus_id }) => corpus_id === corpus);
      if (chosen)
        await this.#settingsOf(body.team?.id ?? this.#me.team, channel).change({
          corpus_id: chosen.corpus_id,
        });
      await this.#respond(
        body,
        sentence(chosen ? texts[lang].corpusChosen(chosen.title) : texts[lang].noAccess),
      );
    });
  }

  /** Goes on with what a process that has gone left behind. Failure `unavailable`. */
  async takeOver(): Promise<void> {
    for (const reply of await this.#options.app.chats.takeOver(channelName)) {
      const task = reply.task as Task | null;
      if (task) this.#run(task, reply);
      else await reply.end(false);
    }
  }

  get #me(): Workspace {
    return this.#options.me;
  }

  async #message(event: MessageEvent, bodyTeam: string | undefined): Promise<void> {
    const team = bodyTeam ?? event.team ?? this.#me.team;
    if (event.subtype === 'message_changed') return this.#changed(event, team);
    if (event.subtype === 'message_deleted') return this.#deleted(event);
    const task = await this.#taskOf(event, team);
    if (task) await this.#start(task, `message ${event.channel} ${event.ts}`);
  }

  /** null for what is none of our concern. */
  async #taskOf(event: MessageEvent, team: string): Promise<Task | null> {
    const { channel, channel_type, subtype, user, bot_id, text = '', ts, thread_ts } = event;
    if (!user || bot_id !== undefined || user === this.#me.botUser) return null;
    if (subtype !== undefined && subtype !== 'file_share' && subtype !== 'thread_broadcast') return null;
    const isPrivate = channel_type === 'im';
    const isMention = mentions(text, this.#me.botUser);
    if (!isPrivate && !isMention) {
      // In a thread we are in, no mention is needed; one that is said to somebody else is not for us.
      if (thread_ts === undefined || /^\s*<@/.test(text)) return null;
      if (!(await this.#chat(team, channel, thread_ts).isKnown())) return null;
    }
    const thread = thread_ts ?? ts;
    const said = written(text, this.#me.botUser);
    return { team, channel, user, thread, ts, isPrivate, text: said, responseUrl: null, about: null };
  }

  /** A question that is changed is answered as it is now; our own edits come back in the same way. */
  async #changed({ message, channel, channel_type }: MessageEvent, team: string): Promise<void> {
    if (!message?.user || message.bot_id !== undefined || message.user === this.#me.botUser) return;
    const followed = this.#followed.get(`${channel} ${message.ts}`);
    const text = written(message.text ?? '', this.#me.botUser);
    if (!followed || followed.text === text) return;
    const event = { ...message, channel, ...(channel_type && { channel_type }) };
    delete event.subtype;
    const task = await this.#taskOf(event, team);
    if (!task) return;
    const reply = await this.#conversation(task).start(
      `message ${channel} ${message.ts} ${text}`,
      this.#subject(team, task.user),
      task,
    );
    if (!reply) return;
    followed.taken.abort();
    this.#run(task, reply, followed);
  }

  async #deleted({ channel, deleted_ts, previous_message }: MessageEvent): Promise<void> {
    const followed = this.#followed.get(`${channel} ${deleted_ts ?? previous_message?.ts}`);
    if (!followed) return;
    followed.taken.abort();
    this.#beside(followed.ended.then(() => followed.view?.withdraw()));
  }

  async #start(task: Task, delivery: string): Promise<void> {
    const reply = await this.#begin(task, delivery);
    if (reply) this.#run(task, reply);
  }

  /** null where it came before. */
  #begin(task: Task, delivery: string): Promise<ChatReply | null> {
    return this.#conversation(task).start(delivery, this.#subject(task.team, task.user), task);
  }

  #chat(...names: string[]): Chat {
    return this.#options.app.chats.chat(channelName, ...names);
  }

  /** Whose turns are read. */
  #conversation({ team, channel, thread, ts, isPrivate, user }: Task): Chat {
    if (thread === null) return this.#chat(team, channel, 'commands', user);
    return isPrivate && thread === ts ? this.#chat(team, channel) : this.#chat(team, channel, thread);
  }

  /** How a channel is answered, for all in it. */
  #settingsOf(team: string, channel: string): Chat {
    return this.#chat(team, channel, 'settings');
  }

  #subject(team: string, user: string): string {
    return this.#options.app.chats.subject(channelName, team, user);
  }

  async #turns(task: Task): Promise<HistoryMessage[]> {
    if (task.about !== null) return [{ role: 'user', content: task.about }];
    const turns = await this.#conversation(task).turns();
    if (turns.length > 0 || !task.isPrivate || task.thread === task.ts || task.thread === null) return turns;
    // A thread under a private message continues what was said outside of it.
    return this.#chat(task.team, task.channel).turns();
  }

  /** `before`: what was answered, or begun, before the question was changed. */
  #run(task: Task, reply: ChatReply, before: Followed | null = null): void {
    const ended = Promise.withResolvers<void>();
    const followed: Followed = {
      text: task.text,
      taken: new AbortController(),
      view: null,
      ended: ended.promise,
    };
    if (task.ts !== null) this.#follow(`${task.channel} ${task.ts}`, followed);
    this.#beside(
      this.#turn(async () => {
        if (this.#options.leave.aborted) throw new Left();
        await before?.ended;
        await this.#process(task, reply, followed, before?.view?.posted ?? null);
      }).finally(() => ended.resolve()),
    );
  }

  /** No more than so many at once, the others in their order. */
  async #turn(work: () => Promise<void>): Promise<void> {
    if (this.#running.size > atOnceMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      this.#waiting.shift()?.();
    }
  }

  #beside(work: Promise<unknown>): void {
    const running: Promise<void> = work
      .catch((error: unknown) => this.#trouble(error))
      .then(() => {
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  #trouble(error: unknown): void {
    if (error instanceof Left || error instanceof ViewGone) return;
    const what =
      error instanceof Failure ? error.detail : error instanceof Refused ? error.message : 'an error';
    this.#options.onTrouble(`A Slack request failed: ${what}`);
  }

  #follow(key: string, followed: Followed): void {
    this.#followed.delete(key);
    this.#followed.set(key, followed);
    if (this.#followed.size > followedMax) this.#followed.delete(this.#followed.keys().next().value!);
  }

  async #process(task: Task, reply: ChatReply, followed: Followed, before: Posted | null): Promise<void> {
    const { api } = this.#options;
    if (followed.taken.signal.aborted) return reply.end(false);
    const sign = this.#sign(task, reply.isTaken);
    try {
      const lang = task.text === '' ? await this.#localeOf(task.user) : languageOfText(task.text);
      const { corpus: named, query } = namedCorpus(task.text);
      const { corpora, current } = await this.#choice(task.team, task.channel, lang);
      const t = texts[lang];
      const asked = named === null ? current : corpora.find(({ corpus_id }) => corpus_id === named);
      const refusal =
        corpora.length === 0
          ? sentence(t.noAccess)
          : asked === undefined
            ? sentence(t.noCorpus(corpora.map(({ corpus_id }) => corpus_id).join(', ')))
            : query === '' || asked === null
              ? corpusMenu(query === '' ? t.slackHelp : t.corpora, corpora, current)
              : null;
      if (refusal !== null || asked == null) {
        await this.#aside(task, refusal ?? sentence(t.noAccess));
        return await reply.end(false);
      }
      const view = await this.#view(task, reply, followed, before);
      const settings = await this.#settingsOf(task.team, task.channel).settings();
      const question = {
        query,
        corpus_id: asked.corpus_id,
        style: settings.style,
        lang,
        history: await this.#turns(task),
      };
      if (task.isPrivate && task.thread !== null && task.thread !== task.ts && question.history.length === 0)
        void api.decorate('assistant.threads.setTitle', {
          channel_id: task.channel,
          thread_ts: task.thread,
          title: cut(query, 100),
        });
      await answer(this.#options.app, reply, question, view, {
        channel: channelName,
        intervalMs: () => api.pace.showMs,
        signal: followed.taken.signal,
        leave: this.#options.leave,
      });
    } catch (error) {
      if (error instanceof ViewGone) return await reply.end(false);
      if (error instanceof Refused) {
        this.#trouble(error);
        return await reply.end(false);
      }
      throw error;
    } finally {
      await sign.end();
    }
  }

  async #view(task: Task, reply: ChatReply, followed: Followed, before: Posted | null): Promise<View> {
    const { api } = this.#options;
    if (task.thread === null) return new EphemeralView(api, task.responseUrl ?? '');
    const recorded = asPosted(before ?? reply.messages);
    const { channel, thread, team, user, ts } = task;
    const target = { id: reply.id, channel, thread, team, user, ts, botUser: this.#me.botUser };
    const posted =
      reply.isTaken && !recorded.isStreaming
        ? await leftBehind(api, target, this.#streaming, recorded)
        : recorded;
    followed.view = new SlackView(api, target, posted, this.#streaming, (posted) => reply.posted(posted));
    return followed.view;
  }

  /** That it is being worked on: a status in an assistant's thread, elsewhere eyes on the message, if there is room. */
  #sign(task: Task, isTaken: boolean): { end(): Promise<void> } {
    const { api } = this.#options;
    const { channel, ts, thread, isPrivate } = task;
    if (ts === null || thread === null) return { end: async () => {} };
    const reaction = { channel, timestamp: ts, name: eyes };
    const takeAway = () => api.must('reactions.remove', reaction).catch(() => {});
    // Whoever left it may have put them there.
    if (isTaken) {
      return { end: async () => void (await takeAway()) };
    }
    if (isPrivate && thread !== ts) {
      const lang = languageOfText(task.text);
      const status = { channel_id: channel, thread_ts: thread, status: texts[lang].searching };
      const shown = api.decorate('assistant.threads.setStatus', status);
      // An answer ends the status by itself; one that failed to come does not.
      return { end: async () => void (await shown) };
    }
    if (!api.reactions.tryTake()) return { end: async () => {} };
    const put = api.decorate('reactions.add', reaction);
    return {
      end: async () => {
        await put;
        await takeAway();
      },
    };
  }

  /** What only the asker sees. */
  async #aside(task: Task, message: Message): Promise<void> {
    const { api } = this.#options;
    const { channel, user, thread, responseUrl } = task;
    if (responseUrl !== null) return api.respond(responseUrl, privately(message));
    if (task.isPrivate) {
      await api.post(channel, { ...message, thread_ts: thread });
      return;
    }
    const to = { channel, user, ...(thread !== null && thread !== task.ts && { thread_ts: thread }) };
    await api.must('chat.postEphemeral', { ...to, ...message });
  }

  /** Says something to whoever pressed a button. */
  async #respond(body: object, message: Message): Promise<void> {
    const url = (body as { response_url?: string }).response_url;
    if (url === undefined) return;
    await this.#options.api
      .respond(url, { response_type: 'ephemeral', replace_original: false, ...message })
      .catch(() => {});
  }

  async #choice(team: string, channel: string, lang: Language) {
    const { app, corporaByChat } = this.#options;
    const { corpus_id } = await this.#settingsOf(team, channel).settings();
    return choice(app, corporaAt(corporaByChat, [channel, team]), corpus_id, lang);
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
    const { app } = this.#options;
    const lang = await this.#localeOf(user);
    const { corpora } = await this.#choice(team, user, lang);
    const recent = await app.chats.recent(channelName, this.#subject(team, user), recentMax);
    await this.#options.api.must('views.publish', { user_id: user, view: homeView(lang, corpora, recent) });
  }

  async #greet(channel: string, thread: string, user: string): Promise<void> {
    const { api } = this.#options;
    const lang = await this.#localeOf(user);
    const { corpora } = await this.#choice(this.#me.team, channel, lang);
    await api.post(channel, { ...sentence(texts[lang].welcome), thread_ts: thread });
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

function asPosted(messages: unknown): Posted {
  const { ts, isStreaming } = (messages ?? {}) as Partial<Posted>;
  return {
    ts: Array.isArray(ts) ? ts.filter((one): one is string => typeof one === 'string') : [],
    isStreaming: isStreaming === true,
  };
}

const languageOfText = (text: string): Language => detectLanguage(text, languages, 'en');

const buttonValue = (action: object): string => String((action as { value?: unknown }).value ?? '');

const asGone = (error: unknown) =>
  error instanceof Failure && error.code === 'not_found' ? new Failure('gone', error.detail) : error;
