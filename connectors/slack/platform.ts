/** Slack as a platform of the chat core: shows answers and notes, and looks up people and threads. */
import type { ChatReply } from '../../src/asks/chat.ts';
import type { Language } from '../../src/domain/events.ts';
import type { ChatFile } from '../files.ts';
import { settingNames } from '../notes.ts';
import {
  type ChatView,
  type Message,
  type Note,
  noSign,
  type Person,
  type Platform,
  type Sign,
} from '../platform.ts';
import { Refused } from '../platform-api.ts';
import { cut } from '../splitting.ts';
import { languageOf, type Texts, texts } from '../texts.ts';
import type { Api } from './api.ts';
import { noteOf, sentence } from './blocks.ts';
import { languageOfText, type ThreadMessage, type Where, type Workspace } from './messages.ts';
import { called, written } from './text.ts';
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
/**
 * The maximum number of pages read to find the latest messages of a thread, and the maximum number of messages kept.
 */
const threadPagesMax = 10;
const threadMax = 100;

export class SlackPlatform implements Platform<Where> {
  readonly name = 'slack' as const;
  readonly settings = settingNames;
  readonly #options: { api: Api; me: Workspace };
  readonly #streaming: Streaming = { isOffered: true, live: new Set() };
  readonly #locales = new Map<string, Language>();

  constructor(options: { api: Api; me: Workspace }) {
    this.#options = options;
  }

  howToAsk(t: Texts) {
    return { text: t.slackHelp, offersCorpora: true };
  }

  intervalMs(): number {
    return this.#options.api.showMs;
  }

  async language({ text, from }: Message<Where>): Promise<Language> {
    return text === null || text === '' ? this.localeOf(from.id) : languageOfText(text);
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
      id: reply.id,
      channel,
      thread: thread!,
      team,
      user: from.id,
      ts,
      botUser: this.#options.me.botUser,
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
    const lang = await this.localeOf(id);
    const thread = await api.post(channel, noted(sentence(texts[lang].askAbout)));
    return { ...where, channel, thread };
  }

  /** Uses the first question as the title of an assistant thread. */
  async #titled({ where, text }: Message<Where>, reply: ChatReply): Promise<void> {
    if (where.thread === null || (await reply.chat.turns()).length > 0) return;
    await this.#options.api.decorate('assistant.threads.setTitle', {
      channel_id: where.channel,
      thread_ts: where.thread,
      title: cut(text ?? '', 100),
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
        channel_id: channel,
        thread_ts: thread,
        status,
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
    if (await this.isAdmin(id)) return true;
    const about = await this.#options.api.once('conversations.info', { channel }).catch(() => null);
    return (about?.channel as { creator?: string } | undefined)?.creator === id;
  }

  async isAdmin(user: string): Promise<boolean> {
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
    const { botUser, botId } = this.#options.me;
    const isOurs = (one: ThreadMessage) =>
      one.user === botUser || (one.bot_id !== undefined && one.bot_id === botId);
    const since = all.slice(all.findLastIndex(isOurs) + 1);
    return since
      .filter((one) => one.ts < ts && one.bot_id === undefined)
      .map((one) => written(one.text ?? '', botUser))
      .filter((text) => text !== '');
  }

  /** The latest messages of a thread before a given one. Slack lists threads from the beginning. */
  async #before(channel: string, thread: string, latest: string): Promise<ThreadMessage[]> {
    let all: ThreadMessage[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < threadPagesMax; page++) {
      const range = { ts: thread, latest, limit: 200, ...(cursor && { cursor }) };
      const read = await this.#options.api.once('conversations.replies', { channel, ...range });
      all = [...all, ...((read.messages ?? []) as ThreadMessage[])].slice(-threadMax);
      cursor = (read.response_metadata as { next_cursor?: string } | undefined)?.next_cursor;
      if (!cursor) break;
    }
    return all;
  }

  content({ id }: ChatFile, signal: AbortSignal): Promise<Uint8Array> {
    return this.#options.api.file(id, signal);
  }

  /** The language that a person has set in Slack. */
  async localeOf(user: string): Promise<Language> {
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
}

/** Marks a message that is not part of an answer, so that no process mistakes it for an unfinished answer. */
export const noted = <M extends object>(message: M) => ({
  ...message,
  metadata: { event_type: 'docent_note', event_payload: {} },
});
