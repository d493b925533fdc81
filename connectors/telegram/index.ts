/**
 * Runs Docent in Telegram. Either one process at a time polls for updates, or Telegram posts them to a webhook,
 * authenticated by a secret.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Telegraf } from 'telegraf';
import type { Update } from 'telegraf/types';
import { renewMs } from '../../src/ports/leases.ts';
import type { Webhook } from '../../src/ports/webhook.ts';
import {
  ChatConnector,
  type Connector,
  type ConnectorOptions,
  pauseAfter,
  type Session,
} from '../connector.ts';
import type { ChatApp } from '../platform.ts';
import { realTime } from '../rate-limits.ts';
import { texts } from '../texts.ts';
import { Api, type Pace } from './api.ts';
import { TelegramBot } from './bot.ts';

export interface TelegramOptions extends ConnectorOptions {
  /** The webhook to which updates are posted. If null, the connector polls for them. */
  webhook?: { url: string; secret: string } | null;
  pace?: Partial<Pace>;
  /** The current time in ms, to compare with the dates of messages. */
  now?: () => number;
}

const updatesWanted = ['message', 'edited_message', 'callback_query', 'inline_query', 'my_chat_member'];
const pollSeconds = 50;
const updatesMax = 100;

export const openTelegram = (app: ChatApp, options: TelegramOptions): Connector =>
  new TelegramConnector(app, options);

class TelegramConnector extends ChatConnector {
  protected override readonly name = 'Telegram';
  override readonly door: string;
  override readonly webhook: Webhook | null = null;
  readonly #options: TelegramOptions;
  readonly #telegraf: Telegraf;
  readonly #api: Api;

  constructor(app: ChatApp, options: TelegramOptions) {
    super(app, options);
    const { token, apiUrl, webhook } = options;
    this.#options = options;
    this.#telegraf = new Telegraf(token, {
      telegram: { apiRoot: apiUrl ?? 'https://api.telegram.org', webhookReply: false },
    });
    // Pass errors to the caller that delivered the update instead of logging them.
    this.#telegraf.catch((error) => {
      throw error;
    });
    this.#api = new Api(this.#telegraf.telegram, { ...options, leave: this.leaving });
    this.door = 'Telegram (connecting)';
    if (!webhook) return;
    const path = new URL(webhook.url).pathname;
    this.door = `Telegram (receiving at ${path})`;
    this.webhook = {
      path,
      isPlausible: (headers) => isSame(headers['x-telegram-bot-api-secret-token'], webhook.secret),
      receive: async ({ rawBody }, response) => {
        const update = parsed(rawBody);
        if (update === null) return void response.writeHead(400).end();
        try {
          if (!this.isReceiving) throw new Error('The connector is not receiving updates.');
          await this.#telegraf.handleUpdate(update);
          response.end();
        } catch {
          // Telegram posts the update again.
          response.writeHead(503).end();
        }
      },
    };
  }

  protected override async connect(): Promise<Session> {
    const me = await this.#api.once<Telegraf['botInfo'] & object>('getMe', {});
    this.#telegraf.botInfo = me;
    await this.app.chats.open();
    await this.checkCorpora();
    const bot = new TelegramBot({
      ...this.botOptions,
      api: this.#api,
      me,
      ...(this.#options.now && { now: this.#options.now }),
    });
    this.#telegraf.use((context) => bot.take(context.update));
    const how = `as @${me.username}`;
    return {
      bot: bot.core,
      receive: async () => {
        await this.#introduce();
        await (this.#options.webhook ? this.#listen(how) : this.#poll(`telegram ${me.id}`, how));
      },
    };
  }

  /** Sets the menu of commands in each language. */
  async #introduce(): Promise<void> {
    for (const [language_code, { commands }] of [...Object.entries(texts), ['', texts.en] as const])
      await this.#api.decorate('setMyCommands', {
        commands: Object.entries(commands).map(([command, description]) => ({ command, description })),
        ...(language_code !== '' && { language_code }),
      });
  }

  async #listen(how: string): Promise<void> {
    const { url, secret } = this.#options.webhook!;
    const set = { url, secret_token: secret, allowed_updates: updatesWanted };
    const isSet = await this.patiently(() => this.#api.once('setWebhook', set));
    if (isSet !== null) this.works(`${how}; it posts to ${new URL(url).pathname}`);
  }

  /** Polls while this process holds the lease. Other processes wait for the lease to become free. */
  async #poll(lease: string, how: string): Promise<void> {
    const { leases } = this.app;
    while (!this.closing.aborted) {
      const isOurs = await leases.take(lease).catch(() => false);
      if (isOurs) await this.#pollWhileHeld(lease, how);
      else await realTime.sleep(renewMs, this.closing);
    }
    await leases.release(lease).catch(() => {});
  }

  async #pollWhileHeld(lease: string, how: string): Promise<void> {
    const lost = new AbortController();
    const until = AbortSignal.any([this.closing, lost.signal]);
    const renewal = setInterval(async () => {
      const isOurs = await this.app.leases.take(lease).catch(() => false);
      if (!isOurs) lost.abort();
    }, renewMs);
    let offset = 0;
    let needsHook = true;
    try {
      while (!until.aborted) {
        try {
          if (needsHook) await this.#api.once('deleteWebhook', {});
          needsHook = false;
          const wanted = { timeout: pollSeconds, limit: updatesMax, allowed_updates: updatesWanted };
          const updates = await this.#api.once<Update[]>(
            'getUpdates',
            { ...wanted, ...(offset > 0 && { offset }) },
            AbortSignal.any([until, AbortSignal.timeout((pollSeconds + 15) * 1_000)]),
          );
          await this.#takeAll(updates);
          const last = updates.at(-1);
          if (last) offset = last.update_id + 1;
          this.works(how);
        } catch (error) {
          if (until.aborted) break;
          this.report(error);
          await this.time.sleep(pauseAfter(error), until);
        }
      }
    } finally {
      clearInterval(renewal);
    }
    // Acknowledge accepted updates to Telegram so that another process does not receive them again.
    if (offset > 0 && !lost.signal.aborted)
      await this.#api.decorate('getUpdates', { offset, limit: 1, timeout: 0 });
  }

  /**
   * Handles each chat's updates in order, and different chats in parallel. Rejects if one of the updates could not
   * be recorded.
   */
  async #takeAll(updates: readonly Update[]): Promise<void> {
    const byChat = Map.groupBy(updates, chatIdOf);
    await Promise.all(
      [...byChat.values()].map(async (some) => {
        for (const update of some) await this.#telegraf.handleUpdate(update);
      }),
    );
  }
}

/** An update in a webhook's body; null if it is not JSON. */
function parsed(body: Buffer): Update | null {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

function chatIdOf(update: Update): number {
  const one = update as unknown as Record<
    string,
    { chat?: { id: number }; message?: { chat: { id: number } } }
  >;
  for (const kind of updatesWanted) {
    const id = one[kind]?.chat?.id ?? one[kind]?.message?.chat.id;
    if (id !== undefined) return id;
  }
  return 0;
}

/** Compares in constant time, so that the duration reveals nothing about the secret. */
function isSame(sent: string | string[] | undefined, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(secret));
}
