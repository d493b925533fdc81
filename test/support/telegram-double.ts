/**
 * Telegram's Bot API on loopback. It checks every call against the documented arguments, keeps chats as users see them,
 * and replies like Telegram, including errors. Invalid calls are listed in `violations`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type ServedFile, serveFile } from './served-files.ts';
import { Watch } from './watch.ts';

export interface Person {
  id: number;
  first_name: string;
  language_code?: string;
}

export interface ShownMessage {
  message_id: number;
  from: { id: number; is_bot: boolean; first_name: string; language_code?: string };
  chat: { id: number; type: string };
  date: number;
  text: string;
  /** The text as it was sent. */
  html?: string;
  reply_markup?: { inline_keyboard: Record<string, string>[][] };
  reply_to_message?: ShownMessage | undefined;
}

export interface Call {
  method: string;
  payload: Record<string, unknown>;
  at: number;
}

/** The outcome of the next call of a method. `lost`: it is executed, but the connection breaks before the reply. */
export type Fault = { status: number; description: string; retry_after?: number } | 'refused' | 'lost';

type Result = { ok: true; result: unknown } | ReturnType<typeof failure>;

const failure = (error_code: number, description: string, parameters?: object) => ({
  ok: false as const,
  error_code,
  description,
  ...(parameters && { parameters }),
});

const markup = ['reply_markup'];
const sending = ['chat_id', 'message_thread_id', 'reply_parameters', 'disable_notification'];
const worded = ['text', 'parse_mode', 'entities', 'link_preview_options'];
const parameters: Record<string, string[]> = {
  getMe: [],
  getUpdates: ['offset', 'limit', 'timeout', 'allowed_updates'],
  setWebhook: [
    'url',
    'secret_token',
    'allowed_updates',
    'max_connections',
    'drop_pending_updates',
    'ip_address',
  ],
  deleteWebhook: ['drop_pending_updates'],
  setMyCommands: ['commands', 'scope', 'language_code'],
  sendMessage: [...sending, ...worded, ...markup],
  editMessageText: ['chat_id', 'message_id', 'inline_message_id', ...worded, ...markup],
  editMessageReplyMarkup: ['chat_id', 'message_id', 'inline_message_id', ...markup],
  deleteMessage: ['chat_id', 'message_id'],
  sendChatAction: ['chat_id', 'message_thread_id', 'action'],
  getFile: ['file_id'],
  getChatAdministrators: ['chat_id'],
  answerCallbackQuery: ['callback_query_id', 'text', 'show_alert', 'url', 'cache_time'],
  answerInlineQuery: ['inline_query_id', 'results', 'cache_time', 'is_personal', 'next_offset', 'button'],
};

/** Each double is a new bot without earlier data. */
let bots = 100_200;

export class TelegramDouble {
  readonly me = { id: bots++, is_bot: true, first_name: 'Docent', username: 'docent_test_bot' };
  readonly token = `${this.me.id}:the-token-of-the-double`;
  readonly calls: Call[] = [];
  readonly violations: string[] = [];
  /** Chats that are closed to the bot, as when a person has blocked it. */
  readonly blocked = new Set<number>();
  /** Files by id. */
  readonly files = new Map<string, ServedFile>();
  /** Administrators of all groups. */
  readonly admins = new Set<number>();
  /** Returns the description of an additional error, if the call should fail. */
  refuse: (method: string, payload: Record<string, unknown>) => string | false = () => false;
  webhook: { url: string; secret_token?: string } | null = null;
  url = '';
  readonly #server: Server;
  readonly #chats = new Map<number, ShownMessage[]>();
  readonly #faults = new Map<string, Fault[]>();
  #updates: { update_id: number }[] = [];
  #nextUpdate = 500;
  #nextMessage = 10;
  #poll: { answer(updates: unknown): void } | null = null;
  readonly #watch = new Watch();
  #posting: Promise<void> = Promise.resolve();
  #closed = false;

  static async start(): Promise<TelegramDouble> {
    const double = new TelegramDouble();
    double.#server.listen(0, '127.0.0.1');
    await once(double.#server, 'listening');
    double.url = `http://127.0.0.1:${(double.#server.address() as AddressInfo).port}`;
    return double;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async stop(): Promise<void> {
    this.#closed = true;
    this.#poll?.answer([]);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Resolves when the condition is true; checks after every call and message. */
  until(isSo: () => boolean): Promise<void> {
    return this.#watch.until(isSo);
  }

  fault(method: string, ...faults: Fault[]): void {
    this.#faults.set(method, [...(this.#faults.get(method) ?? []), ...faults]);
  }

  /** A person writes; a negative id is a group. Returns the message's id. */
  write(
    from: Person,
    text: string | null,
    {
      chat = from.id,
      at = Date.now(),
      ...more
    }: { chat?: number; at?: number } & Record<string, unknown> = {},
  ): number {
    const message = { ...this.#message(from, chat, at), ...more, ...(text !== null && { text }) };
    if (text === null) delete (message as Partial<ShownMessage>).text;
    this.#at(chat).push(message as ShownMessage);
    this.update({ message: forBot(message) });
    return message.message_id;
  }

  /** A person mentions the bot. */
  mention(from: Person, chat: number, text: string): number {
    const name = `@${this.me.username}`;
    return this.write(from, `${name} ${text}`, {
      chat,
      entities: [{ type: 'mention', offset: 0, length: name.length }],
    });
  }

  rewrite(from: Person, message_id: number, text: string, chat = from.id): void {
    const message = this.message(chat, message_id)!;
    message.text = text;
    this.update({ edited_message: { ...forBot(message), edit_date: message.date + 1 } });
  }

  press(from: Person, message: ShownMessage, callback_data: string): void {
    const id = String(this.#nextUpdate * 7);
    this.update({
      callback_query: { id, from, message: forBot(message), chat_instance: '1', data: callback_data },
    });
  }

  type(from: Person, query: string): string {
    const id = String(this.#nextUpdate * 3);
    this.update({ inline_query: { id, from, query, offset: '' } });
    return id;
  }

  /** A person blocks the bot. */
  block(from: Person): void {
    this.blocked.add(from.id);
    const user = { id: this.me.id, is_bot: true, first_name: 'Docent' };
    this.update({
      my_chat_member: {
        chat: { id: from.id, type: 'private' },
        from,
        date: Math.floor(Date.now() / 1000),
        old_chat_member: { status: 'member', user },
        new_chat_member: { status: 'kicked', user, until_date: 0 },
      },
    });
  }

  /** Delivers an update, twice with the same id if one is given. */
  update(update: object, update_id = this.#nextUpdate++): number {
    const whole = { update_id, ...update };
    if (this.webhook) this.#post(whole);
    else {
      this.#updates.push(whole);
      this.#handOut();
    }
    this.#watch.changed();
    return update_id;
  }

  said(chat: number): ShownMessage[] {
    return this.#at(chat).filter(({ from }) => from.is_bot);
  }

  /** The complete answers in a chat, recognised by their rating buttons. An unfinished answer has a stop button. */
  answers(chat: number): ShownMessage[] {
    return this.said(chat).filter(({ reply_markup }) =>
      reply_markup?.inline_keyboard.flat().some(({ callback_data }) => callback_data?.startsWith('r:')),
    );
  }

  message(chat: number, id: number): ShownMessage | undefined {
    return this.#at(chat).find(({ message_id }) => message_id === id);
  }

  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  /** A chat as text, as a person reads it. */
  transcript(chat: number): string {
    return this.#at(chat)
      .map(({ from, text, reply_markup }) => {
        const rows = (reply_markup?.inline_keyboard ?? []).map(
          (row) => `  ${row.map((button) => `[ ${button.text} ]`).join(' ')}`,
        );
        return [`${from.first_name}:`, ...(text ?? '').split('\n').map((line) => `  ${line}`), ...rows].join(
          '\n',
        );
      })
      .join('\n\n');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, holder, id = ''] = /^\/file\/bot([^/]+)\/documents\/(.+)$/.exec(request.url ?? '') ?? [];
    if (holder === this.token) {
      this.calls.push({ method: 'file', payload: { id }, at: performance.now() });
      serveFile(response, this.files.get(decodeURIComponent(id)));
      return this.#watch.changed();
    }
    const [, called, method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
    const payload = ((await json(request).catch(() => ({}))) ?? {}) as Record<string, unknown>;
    const reply = (result: Result) => {
      const status = result.ok ? 200 : result.error_code;
      if (response.destroyed) return;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    };
    if (called !== this.token) return reply(failure(401, 'Unauthorized'));
    this.calls.push({ method, payload, at: performance.now() });
    const fault = this.#faults.get(method)?.shift();
    if (fault === 'refused') {
      request.socket.destroy();
      return this.#watch.changed();
    }
    if (typeof fault === 'object') {
      const after = fault.retry_after === undefined ? undefined : { retry_after: fault.retry_after };
      reply(failure(fault.status, fault.description, after));
      return this.#watch.changed();
    }
    if (method === 'getUpdates') {
      this.#getUpdates(payload, reply, request);
      return this.#watch.changed();
    }
    const result = this.#do(method, payload);
    if (!result.ok && result.error_code === 400 && !expected.test(result.description))
      this.violations.push(`${method}: ${result.description}`);
    if (fault === 'lost') request.socket.destroy();
    else reply(result);
    this.#watch.changed();
  }

  #getUpdates(
    payload: Record<string, unknown>,
    reply: (result: Result) => void,
    request: IncomingMessage,
  ): void {
    this.#check('getUpdates', payload);
    if (this.webhook) {
      reply(failure(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook"));
      return;
    }
    this.#poll?.answer(null);
    const offset = Number(payload.offset ?? 0);
    if (offset > 0) this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset);
    const timer = setTimeout(() => poll.answer([]), Number(payload.timeout ?? 0) * 1000).unref();
    const poll = {
      answer: (updates: unknown) => {
        if (this.#poll === poll) this.#poll = null;
        clearTimeout(timer);
        reply(
          updates === null
            ? failure(
                409,
                'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
              )
            : { ok: true, result: updates },
        );
      },
    };
    request.socket.once('close', () => {
      clearTimeout(timer);
      if (this.#poll === poll) this.#poll = null;
    });
    this.#poll = poll;
    this.#handOut(Number(payload.limit ?? 100));
  }

  #handOut(limit = 100): void {
    if (this.#updates.length > 0) this.#poll?.answer(this.#updates.slice(0, limit));
  }

  /** Posts to the webhook in order, and repeats each post until it is accepted. */
  #post(update: object): void {
    this.#posting = this.#posting.then(async () => {
      for (let tries = 0; tries < 20 && !this.#closed; tries++) {
        const { url, secret_token } = this.webhook!;
        const reply = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(secret_token && { 'x-telegram-bot-api-secret-token': secret_token }),
          },
          body: JSON.stringify(update),
        }).catch(() => null);
        if (reply?.ok) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }

  #do(method: string, payload: Record<string, unknown>): Result {
    const refusal = this.refuse(method, payload);
    if (refusal) return failure(400, `Bad Request: ${refusal}`);
    const wrong = this.#check(method, payload);
    if (wrong)
      return failure(
        wrong === 'method' ? 404 : 400,
        wrong === 'method' ? 'Not Found: method not found' : `Bad Request: ${wrong}`,
      );
    const chat = Number(payload.chat_id);
    if (payload.chat_id !== undefined) {
      if (this.blocked.has(chat)) return failure(403, 'Forbidden: bot was blocked by the user');
      if (!this.#chats.has(chat)) return failure(400, 'Bad Request: chat not found');
    }
    switch (method) {
      case 'getMe':
        return { ok: true, result: { ...this.me, can_join_groups: true, supports_inline_queries: true } };
      case 'setWebhook':
        this.webhook = payload.url === '' ? null : (payload as { url: string });
        for (const update of this.#updates.splice(0)) this.#post(update);
        return { ok: true, result: true };
      case 'deleteWebhook':
        this.webhook = null;
        return { ok: true, result: true };
      case 'sendMessage': {
        const parsed = parse(payload);
        if (typeof parsed === 'string') return failure(400, `Bad Request: ${parsed}`);
        const to = payload.reply_parameters as
          | { message_id: number; allow_sending_without_reply?: boolean }
          | undefined;
        const replied = to && this.message(chat, to.message_id);
        if (to && !replied && !to.allow_sending_without_reply)
          return failure(400, 'Bad Request: message to be replied not found');
        const message: ShownMessage = {
          ...this.#message(this.me, chat, Date.now()),
          text: parsed.text,
          html: String(payload.text),
          ...(payload.reply_markup !== undefined && { reply_markup: payload.reply_markup as never }),
          ...(replied && { reply_to_message: replied }),
        };
        this.#at(chat).push(message);
        return { ok: true, result: forBot(message) };
      }
      case 'editMessageText':
      case 'editMessageReplyMarkup': {
        const message = this.message(chat, Number(payload.message_id));
        if (!message) return failure(400, 'Bad Request: message to edit not found');
        if (!message.from.is_bot) return failure(400, "Bad Request: message can't be edited");
        const parsed = method === 'editMessageText' ? parse(payload) : { text: message.text };
        if (typeof parsed === 'string') return failure(400, `Bad Request: ${parsed}`);
        const keys = JSON.stringify(payload.reply_markup);
        if (
          message.text === parsed.text &&
          JSON.stringify(message.reply_markup) === keys &&
          (method !== 'editMessageText' || message.html === payload.text)
        )
          return failure(
            400,
            'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
          );
        message.text = parsed.text;
        if (method === 'editMessageText') message.html = String(payload.text);
        if (payload.reply_markup === undefined) delete message.reply_markup;
        else message.reply_markup = payload.reply_markup as never;
        return { ok: true, result: forBot(message) };
      }
      case 'getFile':
        return { ok: true, result: { ...payload, file_path: `documents/${payload.file_id}` } };
      case 'getChatAdministrators':
        return {
          ok: true,
          result: [...this.admins].map((id) => ({ user: { id }, status: 'administrator' })),
        };
      case 'deleteMessage': {
        const at = this.#at(chat);
        const index = at.findIndex(({ message_id }) => message_id === payload.message_id);
        if (index === -1) return failure(400, 'Bad Request: message to delete not found');
        at.splice(index, 1);
        return { ok: true, result: true };
      }
      default:
        return { ok: true, result: true };
    }
  }

  /** The error in a call's arguments; null if there is none. */
  #check(method: string, payload: Record<string, unknown>): string | null {
    const known = parameters[method];
    if (!known) {
      this.violations.push(`there is no method ${method}`);
      return 'method';
    }
    for (const name of Object.keys(payload))
      if (!known.includes(name)) this.violations.push(`${method} has no parameter ${name}`);
    const size = (text: unknown, min: number, max: number, what: string) => {
      if (typeof text !== 'string' || text.length < min || text.length > max)
        this.violations.push(`${method}: ${what} must have ${min} to ${max} characters`);
    };
    const keyboard = (payload.reply_markup as { inline_keyboard?: Record<string, string>[][] } | undefined)
      ?.inline_keyboard;
    for (const row of keyboard ?? []) {
      if (row.length === 0 || row.length > 8) return 'BUTTON_ROW_INVALID';
      for (const button of row) {
        if (!button.text)
          return "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
        const bytes = Buffer.byteLength(button.callback_data ?? 'x');
        if (bytes < 1 || bytes > 64) return 'BUTTON_DATA_INVALID';
        if ((button.url === undefined) === (button.callback_data === undefined)) return 'BUTTON_TYPE_INVALID';
        if (button.url !== undefined && !/^(?:https?|tg):\/\/[^/]+\./.test(button.url))
          return `inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`;
      }
    }
    if ((keyboard?.flat().length ?? 0) > 100) return 'REPLY_MARKUP_TOO_LONG';
    if (method === 'answerCallbackQuery' && payload.text !== undefined) size(payload.text, 0, 200, 'text');
    if (
      method === 'setWebhook' &&
      payload.secret_token !== undefined &&
      !/^[\w-]{1,256}$/.test(String(payload.secret_token))
    )
      return 'secret token contains unallowed characters';
    if (method === 'setMyCommands')
      for (const { command, description } of payload.commands as { command: string; description: string }[]) {
        if (!/^[a-z0-9_]{1,32}$/.test(command)) return 'BOT_COMMAND_INVALID';
        size(description, 1, 256, 'a description');
      }
    if (method === 'sendChatAction' && payload.action !== 'typing')
      return 'wrong parameter action in request';
    if (method === 'answerInlineQuery') {
      const results = payload.results as {
        type: string;
        id: string;
        title: string;
        input_message_content: Record<string, unknown>;
      }[];
      if (results.length > 50) return 'RESULTS_TOO_MUCH';
      if (new Set(results.map(({ id }) => id)).size < results.length) return 'RESULT_ID_DUPLICATE';
      for (const { type, id, title, input_message_content } of results) {
        if (type !== 'article' || !title) return 'RESULT_TYPE_INVALID';
        size(id, 1, 64, 'id');
        const parsed = parse({
          text: input_message_content.message_text,
          parse_mode: input_message_content.parse_mode,
        });
        if (typeof parsed === 'string') return parsed;
      }
    }
    return null;
  }

  #message(from: Person | TelegramDouble['me'], chat: number, at: number): ShownMessage {
    return {
      message_id: this.#nextMessage++,
      from: { is_bot: false, ...from },
      chat: { id: chat, type: chat < 0 ? 'supergroup' : 'private' },
      date: Math.floor(at / 1000),
      text: '',
    };
  }

  #at(chat: number): ShownMessage[] {
    const known = this.#chats.get(chat) ?? [];
    this.#chats.set(chat, known);
    return known;
  }
}

/** Errors that a caller must expect. */
const expected = /not modified|not found|can't be edited|chat not found|BUTTON_URL_INVALID/;

/** A message as updates contain it. */
function forBot({ html: _, ...message }: ShownMessage): object {
  return message;
}

const tags = new Set([
  'b',
  'strong',
  'i',
  'em',
  'u',
  'ins',
  's',
  'strike',
  'del',
  'a',
  'code',
  'pre',
  'blockquote',
]);
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The text of a message as people see it, or its error. */
function parse({ text, parse_mode }: Record<string, unknown>): { text: string } | string {
  if (typeof text !== 'string' || text === '') return 'message text is empty';
  const parsed = parse_mode === 'HTML' ? parseHtml(text) : { text };
  if (typeof parsed === 'string') return parsed;
  if (parsed.text.trim() === '') return 'message text is empty';
  return parsed.text.length > 4096 ? 'message is too long' : parsed;
}

function parseHtml(source: string): { text: string } | string {
  const open: string[] = [];
  let text = '';
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    if (rest.startsWith('<')) {
      const [whole, close, name = ''] =
        /^<(\/?)([a-z]+)(?: (?:href|class)="[^"<>]*"| expandable)*>/.exec(rest) ?? [];
      if (whole === undefined || !tags.has(name))
        return `can't parse entities: Unsupported start tag "${rest.slice(1, 12)}" at byte offset ${at}`;
      if (close === '') open.push(name);
      else if (open.pop() !== name) return `can't parse entities: Unmatched end tag at byte offset ${at}`;
      at += whole.length;
    } else if (rest.startsWith('&')) {
      const [whole, name, code] = /^&(?:([a-z]+)|#(\d+));/.exec(rest) ?? [];
      if (whole === undefined) {
        text += '&';
        at++;
      } else {
        text += name === undefined ? String.fromCodePoint(Number(code)) : (named[name] ?? whole);
        at += whole.length;
      }
    } else {
      if (rest.startsWith('>')) return `can't parse entities: an unescaped ">" at byte offset ${at}`;
      text += source[at++];
    }
  }
  return open.length > 0
    ? `can't parse entities: Can't find end tag corresponding to start tag "${open.at(-1)}"`
    : { text };
}
