/**
 * Slack on loopback: its Web API, its socket and its posted events. It checks every call against the documented
 * arguments, keeps channels as users see them, and replies like Slack, including errors. Invalid calls are listed in
 * `violations`.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ServedFile, serveFile } from './served-files.ts';
import { Watch } from './watch.ts';

type Args = Record<string, unknown>;
type Block = Record<string, unknown>;

export interface ShownMessage {
  ts: string;
  channel: string;
  user: string;
  text: string;
  thread_ts?: string | undefined;
  blocks: Block[];
  /** The streamed text, if the message is streamed. */
  markdown?: string;
  isStreaming?: boolean;
  /** Only this person sees the message. */
  to?: string;
  metadata?: unknown;
  reactions: Set<string>;
}

export interface Call {
  method: string;
  args: Args;
  at: number;
  /** The error code, if the call was rejected. */
  error?: string;
}

/** The outcome of the next call of a method. */
export type Fault = { error: string } | { retryAfter: number } | { status: number } | 'refused' | 'lost';

interface Envelope {
  type: 'events_api' | 'slash_commands' | 'interactive';
  payload: Args;
  acked: boolean;
  tries: number;
  answer?: unknown;
}

/** Methods, their arguments, and how many calls per minute a workspace allows. */
const methods: Record<string, { args: string[]; perMinute: number }> = {
  'auth.test': { args: [], perMinute: 600 },
  'apps.connections.open': { args: [], perMinute: 600 },
  'users.info': { args: ['user', 'include_locale'], perMinute: 100 },
  'chat.postMessage': {
    args: ['channel', 'text', 'blocks', 'thread_ts', 'unfurl_links', 'unfurl_media', 'mrkdwn', 'metadata'],
    perMinute: 10_000,
  },
  'chat.postEphemeral': { args: ['channel', 'user', 'text', 'blocks', 'thread_ts'], perMinute: 100 },
  'chat.update': { args: ['channel', 'ts', 'text', 'blocks', 'metadata'], perMinute: 50 },
  'conversations.replies': {
    args: ['channel', 'ts', 'oldest', 'latest', 'limit', 'cursor', 'inclusive', 'include_all_metadata'],
    perMinute: 50,
  },
  'files.info': { args: ['file'], perMinute: 100 },
  'conversations.info': { args: ['channel'], perMinute: 50 },
  'conversations.open': { args: ['users'], perMinute: 50 },
  'chat.delete': { args: ['channel', 'ts'], perMinute: 50 },
  'chat.startStream': {
    args: ['channel', 'thread_ts', 'markdown_text', 'chunks', 'recipient_team_id', 'recipient_user_id'],
    perMinute: 20,
  },
  'chat.appendStream': { args: ['channel', 'ts', 'markdown_text', 'chunks'], perMinute: 100 },
  'chat.stopStream': {
    args: ['channel', 'ts', 'markdown_text', 'chunks', 'blocks', 'metadata'],
    perMinute: 20,
  },
  'reactions.add': { args: ['channel', 'timestamp', 'name'], perMinute: 50 },
  'reactions.remove': { args: ['channel', 'timestamp', 'name'], perMinute: 20 },
  'views.open': { args: ['trigger_id', 'view'], perMinute: 100 },
  'views.update': { args: ['view_id', 'view', 'hash'], perMinute: 100 },
  'chat.unfurl': { args: ['channel', 'ts', 'unfurls'], perMinute: 50 },
  'views.publish': { args: ['user_id', 'view'], perMinute: 100 },
  'assistant.threads.setStatus': { args: ['channel_id', 'thread_ts', 'status'], perMinute: 600 },
  'assistant.threads.setTitle': { args: ['channel_id', 'thread_ts', 'title'], perMinute: 600 },
  'assistant.threads.setSuggestedPrompts': {
    args: ['channel_id', 'thread_ts', 'prompts', 'title'],
    perMinute: 600,
  },
};

const botToken = 'xoxb-of-the-double';
const appToken = 'xapp-of-the-double';
const signingSecret = 'the-signing-secret-of-the-double';
/** The pause before the first retry of a posted event; each further one is twice as long. Slack waits for minutes. */
const retryMs = 500;
/** Errors that a caller must expect. */
const expected = new Set([
  'file_not_found',
  'message_not_found',
  'no_reaction',
  'already_reacted',
  'channel_not_found',
  'not_in_channel',
  'unknown_method',
  'message_not_in_streaming_state',
  'streaming_state_conflict',
]);

let teams = 100;

export class SlackDouble {
  readonly botToken = botToken;
  readonly appToken = appToken;
  readonly signingSecret = signingSecret;
  /** Each double is a new workspace without earlier data. */
  readonly team = `T${teams++}`;
  readonly bot = 'UBOT';
  readonly calls: Call[] = [];
  readonly violations: string[] = [];
  readonly views: { user?: string; view: Args }[] = [];
  readonly unfurls: Args[] = [];
  readonly statuses: string[] = [];
  readonly titles: string[] = [];
  readonly prompts: unknown[] = [];
  /** Whether the workspace supports streamed messages. */
  streams = true;
  /** Whether rate limits are enforced. */
  tiers = false;
  /** Channels the bot is not in. */
  readonly closed = new Set<string>();
  /** Files by id; `at`: a different address to report. */
  readonly files = new Map<string, ServedFile & { at?: string }>();
  readonly locales = new Map<string, string>();
  /** Administrators of the workspace. */
  readonly admins = new Set<string>();
  /** The creators of channels. */
  readonly creators = new Map<string, string>();
  /** The address to which events are posted; null: they are sent over the socket. */
  eventsUrl: string | null = null;
  url = '';
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  #socket: WebSocket | null = null;
  readonly #channels = new Map<string, ShownMessage[]>();
  readonly #faults = new Map<string, Fault[]>();
  readonly #envelopes = new Map<string, Envelope>();
  /** Whether the first response to a command can be replaced; the documentation mentions this only for buttons. */
  replacesCommands = true;
  readonly #responses = new Map<
    string,
    { channel: string; user: string; used: number; of: ShownMessage | null; isCommand: boolean }
  >();
  readonly #triggers = new Set<string>();
  readonly #watch = new Watch();
  readonly #used = new Map<string, number[]>();
  #n = 0;
  #posting = new Set<Promise<void>>();
  #closed = false;

  static async start(): Promise<SlackDouble> {
    const double = new SlackDouble();
    double.#server.listen(0, '127.0.0.1');
    await once(double.#server, 'listening');
    double.url = `http://127.0.0.1:${(double.#server.address() as AddressInfo).port}/api/`;
    return double;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#connected(opened)),
    );
  }

  async stop(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#sockets.clients) socket.terminate();
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

  /** A person writes in a channel ("C…") or to the bot ("D…"). Returns the message's ts. */
  write(
    user: string,
    channel: string,
    text: string,
    { thread, ...more }: { thread?: string; files?: object[]; subtype?: string; bot_id?: string } = {},
  ): string {
    const message = this.#message(channel, user, text, thread);
    const event = {
      type: 'message',
      channel,
      text,
      ts: message.ts,
      team: this.team,
      ...more,
      ...(user !== '' && { user }),
      channel_type: channel.startsWith('D') ? 'im' : 'channel',
      ...(thread && { thread_ts: thread }),
    };
    if (text.includes(`<@${this.bot}>`) && !channel.startsWith('D'))
      this.event({ ...event, type: 'app_mention' });
    this.event(event);
    return message.ts;
  }

  rewrite(ts: string, channel: string, text: string): void {
    const message = this.message(channel, ts)!;
    const previous_message = { type: 'message', user: message.user, text: message.text, ts };
    message.text = text;
    this.event({
      type: 'message',
      subtype: 'message_changed',
      channel,
      ts: this.#ts(),
      channel_type: channel.startsWith('D') ? 'im' : 'channel',
      message: { ...previous_message, text, edited: { user: message.user, ts: this.#ts() } },
      previous_message,
    });
  }

  /** A message with replies leaves a tombstone. */
  erase(ts: string, channel: string): void {
    const all = this.#at(channel);
    const [message] = all.splice(
      all.findIndex((one) => one.ts === ts),
      1,
    );
    const isParent = all.some(({ thread_ts }) => thread_ts === ts);
    const channel_type = channel.startsWith('D') ? 'im' : 'channel';
    const previous_message = { type: 'message', user: message!.user, text: message!.text, ts };
    const text = 'This message was deleted.';
    this.event(
      isParent
        ? {
            type: 'message',
            subtype: 'message_changed',
            channel,
            channel_type,
            ts: this.#ts(),
            message: { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text, ts, thread_ts: ts },
            previous_message,
          }
        : {
            type: 'message',
            subtype: 'message_deleted',
            channel,
            channel_type,
            ts: this.#ts(),
            deleted_ts: ts,
            previous_message,
          },
    );
  }

  event(event: Args, event_id = `Ev${++this.#n}`): void {
    this.#deliver('events_api', {
      type: 'event_callback',
      team_id: this.team,
      api_app_id: 'A1',
      event,
      event_id,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [{ team_id: this.team, user_id: this.bot, is_bot: true, enterprise_id: null }],
    });
  }

  /** A person types a command. */
  command(user: string, channel: string, text: string, command = '/ask'): void {
    this.#deliver('slash_commands', {
      command,
      text,
      user_id: user,
      channel_id: channel,
      team_id: this.team,
      api_app_id: 'A1',
      trigger_id: this.#trigger(),
      response_url: this.#responseUrl(channel, user, null),
    });
  }

  /** A person presses a button of a message. */
  press(user: string, message: ShownMessage, action: Args): void {
    const { channel } = message;
    this.#deliver('interactive', {
      type: 'block_actions',
      team: { id: this.team },
      user: { id: user, team_id: this.team },
      api_app_id: 'A1',
      trigger_id: this.#trigger(),
      response_url: this.#responseUrl(channel, user, message),
      channel: { id: channel },
      container: { type: 'message', message_ts: message.ts, channel_id: channel },
      message: { ts: message.ts, text: message.text },
      actions: [{ ...action, action_ts: this.#ts(), block_id: 'b' }],
    });
  }

  /** A person presses a button in a modal, which belongs to no channel. */
  pressInModal(user: string, view: Args, action: Args): void {
    this.#deliver('interactive', {
      type: 'block_actions',
      team: { id: this.team },
      user: { id: user, team_id: this.team },
      api_app_id: 'A1',
      trigger_id: this.#trigger(),
      container: { type: 'view' },
      view: { ...view, id: 'V1' },
      actions: [{ ...action, action_ts: this.#ts(), block_id: 'b' }],
    });
  }

  shortcut(user: string, message: ShownMessage, callback_id = 'ask_about'): void {
    this.#deliver('interactive', {
      type: 'message_action',
      callback_id,
      team: { id: this.team },
      trigger_id: this.#trigger(),
      user: { id: user, team_id: this.team },
      channel: { id: message.channel },
      message: { ts: message.ts, text: message.text, user: message.user, thread_ts: message.thread_ts },
      message_ts: message.ts,
      response_url: this.#responseUrl(message.channel, user, message),
    });
  }

  submit(user: string, view: Args, values: Args): void {
    this.#deliver('interactive', {
      type: 'view_submission',
      team: { id: this.team },
      user: { id: user, team_id: this.team },
      view: { ...view, id: `V${++this.#n}`, state: { values } },
    });
  }

  said(channel: string): ShownMessage[] {
    return this.#at(channel).filter(({ user }) => user === this.bot);
  }

  /** The complete answers in a channel, recognised by their rating buttons. */
  answers(channel: string): ShownMessage[] {
    return this.said(channel).filter(({ blocks }) => blocks.some(({ type }) => type === 'context_actions'));
  }

  /** The button of a message with this label, in the form in which it is pressed. */
  button(message: ShownMessage, label: string): Args {
    const found = this.actions(message).find(({ text }) => JSON.stringify(text ?? '').includes(label));
    return { ...found, type: 'button' };
  }

  message(channel: string, ts: string): ShownMessage | undefined {
    return this.#at(channel).find((message) => message.ts === ts);
  }

  /** The buttons of a message. */
  actions({ blocks }: ShownMessage): Args[] {
    return blocks
      .filter(({ type }) => type === 'actions' || type === 'context_actions')
      .flatMap(({ elements }) => elements as Args[]);
  }

  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  get unacknowledged(): number {
    return [...this.#envelopes.values()].filter(({ acked }) => !acked).length;
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** Refreshes the socket as Slack does: announces this and closes it. Events in between wait for the next socket. */
  refresh(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
  }

  /** Breaks the connection. */
  drop(): void {
    this.#socket?.terminate();
    this.#socket = null;
  }

  /** Redelivers unacknowledged events, as Slack does after some seconds. */
  redeliver(): void {
    for (const [id, envelope] of this.#envelopes) if (!envelope.acked) this.#send(id, envelope);
  }

  /** A channel as text, as people read it. */
  transcript(channel: string): string {
    return this.#at(channel)
      .map((message) => {
        const who = message.user === this.bot ? 'Docent' : message.user;
        const lines = [`${who}:${message.to ? ` (only to ${message.to})` : ''}`];
        const shown = [
          ...(message.markdown === undefined ? [] : [message.markdown]),
          ...message.blocks.map(blockText),
        ];
        for (const text of shown.length > 0 ? shown : [message.text])
          lines.push(
            ...shownText(text)
              .split('\n')
              .map((line) => `  ${line}`),
          );
        if (message.reactions.size > 0) lines.push(`  (${[...message.reactions].join(' ')})`);
        return lines.join('\n');
      })
      .join('\n\n');
  }

  #connected(socket: WebSocket): void {
    this.#socket = socket;
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const { envelope_id, payload } = JSON.parse(String(data));
      const envelope = this.#envelopes.get(envelope_id);
      if (envelope) {
        envelope.acked = true;
        envelope.answer = payload;
        this.#answered(envelope);
      }
      this.#watch.changed();
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
    this.redeliver();
    this.#watch.changed();
  }

  #deliver(type: Envelope['type'], payload: Args): void {
    const id = `E${++this.#n}`;
    const envelope: Envelope = { type, payload, acked: false, tries: 0 };
    this.#envelopes.set(id, envelope);
    if (this.eventsUrl) {
      const posting = this.#post(envelope).finally(() => this.#posting.delete(posting));
      this.#posting.add(posting);
    } else this.#send(id, envelope);
  }

  #send(id: string, envelope: Envelope): void {
    const { type, payload, tries } = envelope;
    if (this.#socket === null) return;
    envelope.tries++;
    this.#socket.send(
      JSON.stringify({
        envelope_id: id,
        type,
        payload,
        accepts_response_payload: type !== 'events_api',
        ...(tries > 0 && { retry_attempt: tries, retry_reason: 'timeout' }),
      }),
    );
  }

  async #post(envelope: Envelope): Promise<void> {
    const { type, payload } = envelope;
    for (; envelope.tries < 4 && !this.#closed; envelope.tries++) {
      const body =
        type === 'events_api'
          ? JSON.stringify(payload)
          : new URLSearchParams(
              type === 'interactive'
                ? { payload: JSON.stringify(payload) }
                : (payload as Record<string, string>),
            ).toString();
      const time = String(Math.floor(Date.now() / 1000));
      const hash = createHmac('sha256', signingSecret).update(`v0:${time}:${body}`).digest('hex');
      const reply = await fetch(this.eventsUrl!, {
        method: 'POST',
        headers: {
          'content-type': type === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
          'x-slack-signature': `v0=${hash}`,
          'x-slack-request-timestamp': time,
          ...(envelope.tries > 0 && { 'x-slack-retry-num': String(envelope.tries) }),
        },
        body,
      }).catch(() => null);
      if (reply?.ok) {
        envelope.acked = true;
        envelope.answer = await reply.json().catch(() => undefined);
        this.#answered(envelope);
        this.#watch.changed();
        return;
      }
      await delay(retryMs * 2 ** envelope.tries);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request).catch(() => '');
    const reply = (value: object, status = 200, headers: Record<string, string> = {}) => {
      if (response.destroyed) return;
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    };
    const [, path = ''] = /^\/([^?]*)/.exec(request.url ?? '') ?? [];
    if (path.startsWith('respond/')) {
      const fault = this.#faults.get('response_url')?.shift();
      if (typeof fault === 'object' && 'retryAfter' in fault) {
        reply({ ok: false }, 429, { 'retry-after': String(fault.retryAfter) });
        return this.#watch.changed();
      }
      const wrong = this.#respond(path, JSON.parse(body));
      reply(wrong ? { ok: false, error: wrong } : { ok: true }, wrong ? 404 : 200);
      return this.#watch.changed();
    }
    if (path.startsWith('files-pri/') && request.headers.authorization === `Bearer ${botToken}`) {
      serveFile(response, this.files.get(path.slice('files-pri/'.length)));
      return this.#watch.changed();
    }
    const method = path.replace(/^api\//, '');
    const args = argsOf(request.headers['content-type'] ?? '', body);
    const authorization = request.headers.authorization ?? `Bearer ${args.token}`;
    delete args.token;
    const call: Call = { method, args, at: performance.now() };
    this.calls.push(call);
    const fault = this.#faults.get(method)?.shift();
    if (fault === 'refused') {
      request.socket.destroy();
      return this.#watch.changed();
    }
    if (typeof fault === 'object') {
      if ('retryAfter' in fault)
        reply({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': String(fault.retryAfter) });
      else if ('status' in fault) reply({}, fault.status);
      else reply({ ok: false, error: fault.error });
      return this.#watch.changed();
    }
    const token = method === 'apps.connections.open' ? appToken : botToken;
    if (authorization !== `Bearer ${token}`) return reply({ ok: false, error: 'invalid_auth' });
    const limited = this.#limited(method);
    if (limited) return reply({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '1' });
    const result = this.#do(method, args);
    if ('error' in result) call.error = String(result.error);
    if ('error' in result && !expected.has(String(result.error)))
      this.violations.push(`${method}: ${result.error} ${result.detail ?? ''}`);
    if (fault === 'lost') request.socket.destroy();
    else reply('error' in result ? { ok: false, ...result } : { ok: true, ...result });
    this.#watch.changed();
  }

  #limited(method: string): boolean {
    const known = methods[method];
    if (!this.tiers || !known) return false;
    const now = performance.now();
    const used = (this.#used.get(method) ?? []).filter((at) => at > now - 60_000);
    if (used.length >= known.perMinute) {
      this.violations.push(`${method} was called more than ${known.perMinute} times a minute`);
      return true;
    }
    this.#used.set(method, [...used, now]);
    return false;
  }

  #do(method: string, args: Args): Args {
    const known = methods[method];
    if (!known || (!this.streams && /Stream$/.test(method))) return { error: 'unknown_method' };
    for (const name of Object.keys(args))
      if (!known.args.includes(name)) this.violations.push(`${method} has no argument ${name}`);
    const wrong = contentFault(method, args);
    if (wrong) return { error: wrong[0], detail: wrong[1] };
    const channel = String(args.channel ?? args.channel_id ?? '');
    if (this.closed.has(channel)) return { error: 'not_in_channel' };
    const at = () => this.#at(channel).find(({ ts }) => ts === (args.ts ?? args.timestamp));
    const ours = () => {
      const message = at();
      return message?.user === this.bot ? message : undefined;
    };
    switch (method) {
      case 'auth.test':
        return {
          team_id: this.team,
          user_id: this.bot,
          bot_id: 'BBOT',
          team: 'Double',
          user: 'docent',
          url: '',
        };
      case 'apps.connections.open':
        return { url: `${this.url.replace('http', 'ws').replace('/api/', '/link')}` };
      case 'users.info': {
        const locale = this.locales.get(String(args.user)) ?? 'en-US';
        const is_admin = this.admins.has(String(args.user));
        return {
          user: { id: args.user, is_admin, ...(String(args.include_locale) === 'true' && { locale }) },
        };
      }
      case 'files.info': {
        const file = this.files.get(String(args.file));
        if (!file) return { error: 'file_not_found' };
        const url_private_download = file.at ?? new URL(`/files-pri/${args.file}`, this.url).href;
        return { file: { id: args.file, url_private_download } };
      }
      case 'conversations.info':
        return { channel: { id: channel, creator: this.creators.get(channel) } };
      case 'conversations.open':
        return { channel: { id: `D${args.users}` } };
      case 'chat.postMessage':
      case 'chat.postEphemeral': {
        const message = this.#message(
          channel,
          this.bot,
          String(args.text),
          args.thread_ts as string | undefined,
        );
        message.blocks = (args.blocks as Block[]) ?? [];
        message.metadata = args.metadata;
        if (method === 'chat.postEphemeral') message.to = String(args.user);
        return { ts: message.ts, channel, message_ts: message.ts };
      }
      case 'conversations.replies': {
        const all = this.#at(channel).filter(
          ({ ts, thread_ts, to }) =>
            to === undefined && (ts === args.ts || thread_ts === args.ts) && ts >= String(args.oldest ?? ''),
        );
        const shown = all.map(({ ts, user, text, blocks, thread_ts, metadata }) => {
          const known = args.include_all_metadata !== undefined && metadata ? { metadata } : {};
          return { type: 'message', ts, user, text, thread_ts, blocks, ...known };
        });
        return { messages: shown, has_more: false };
      }
      case 'chat.update': {
        const message = ours();
        if (!message) return { error: 'message_not_found' };
        if (message.isStreaming) return { error: 'streaming_state_conflict' };
        message.text = String(args.text);
        message.blocks = (args.blocks as Block[]) ?? [];
        delete message.markdown;
        return { ts: message.ts, channel, text: message.text };
      }
      case 'chat.delete': {
        const message = ours();
        if (!message) return { error: 'message_not_found' };
        this.#at(channel).splice(this.#at(channel).indexOf(message), 1);
        return { ts: message.ts, channel };
      }
      case 'chat.startStream': {
        if (!args.thread_ts) return { error: 'invalid_arguments', detail: 'thread_ts' };
        if (!args.recipient_user_id || !args.recipient_team_id) return { error: 'missing_recipient_user_id' };
        const message = this.#message(channel, this.bot, '', String(args.thread_ts));
        message.markdown = String(args.markdown_text ?? '');
        message.isStreaming = true;
        return { ts: message.ts, channel };
      }
      case 'chat.appendStream':
      case 'chat.stopStream': {
        const message = ours();
        if (!message) return { error: 'message_not_found' };
        if (!message.isStreaming) return { error: 'message_not_in_streaming_state' };
        message.markdown += String(args.markdown_text ?? '');
        if (method === 'chat.stopStream') {
          message.isStreaming = false;
          if (args.metadata) message.metadata = args.metadata;
          message.blocks = (args.blocks as Block[]) ?? [];
        }
        return { ts: message.ts, channel };
      }
      case 'reactions.add': {
        const message = at();
        if (!message) return { error: 'message_not_found' };
        if (message.reactions.has(String(args.name))) return { error: 'already_reacted' };
        message.reactions.add(String(args.name));
        return {};
      }
      case 'reactions.remove':
        return at()?.reactions.delete(String(args.name)) ? {} : { error: 'no_reaction' };
      case 'views.open': {
        if (!this.#triggers.delete(String(args.trigger_id))) return { error: 'invalid_trigger_id' };
        this.views.push({ view: args.view as Args });
        return { view: { id: `V${++this.#n}`, ...(args.view as Args) } };
      }
      case 'views.update':
        this.views.push({ view: args.view as Args });
        return { view: { id: args.view_id, ...(args.view as Args) } };
      case 'chat.unfurl':
        this.unfurls.push(args.unfurls as Args);
        return {};
      case 'views.publish':
        this.views.push({ user: String(args.user_id), view: args.view as Args });
        return { view: { id: `V${++this.#n}` } };
      case 'assistant.threads.setStatus':
        this.statuses.push(String(args.status));
        return {};
      case 'assistant.threads.setTitle':
        this.titles.push(String(args.title));
        return {};
      default:
        this.prompts.push(args.prompts);
        return {};
    }
  }

  /** The text in the acknowledgement of a command is shown to its user. */
  #answered({ type, payload, answer }: Envelope): void {
    const { text } = (answer ?? {}) as Args;
    if (type !== 'slash_commands' || text === undefined) return;
    const wrong = contentFault('acknowledgement', answer as Args);
    if (wrong) this.violations.push(`acknowledgement: ${wrong.join(' ')}`);
    const said = this.#message(String(payload.channel_id), this.bot, String(text), undefined);
    said.to = String(payload.user_id);
    const place = this.#responses.get(new URL(String(payload.response_url)).pathname.slice(1))!;
    place.of ??= said;
  }

  /** Posts a message to a response_url; returns the error in it, or null. */
  #respond(path: string, message: Args): string | null {
    const place = this.#responses.get(path);
    if (!place || place.used >= 5) return 'used_url';
    place.used++;
    const { channel, user, of } = place;
    for (const name of Object.keys(message))
      if (
        !['response_type', 'replace_original', 'delete_original', 'text', 'blocks', 'thread_ts'].includes(
          name,
        )
      )
        this.violations.push(`response_url takes no ${name}`);
    const wrong = contentFault('response_url', message);
    if (wrong) this.violations.push(`response_url: ${wrong.join(' ')}`);
    const replaces = place.isCommand ? this.replacesCommands : true;
    if (message.replace_original && of && replaces) {
      of.text = String(message.text ?? '');
      of.blocks = (message.blocks as Block[]) ?? [];
      return null;
    }
    if (message.delete_original) {
      if (message.text || message.blocks)
        this.violations.push('response_url: delete_original takes no text or blocks');
      if (of) this.#at(channel).splice(this.#at(channel).indexOf(of), 1);
      return null;
    }
    const said = this.#message(channel, this.bot, String(message.text ?? ''), undefined);
    said.blocks = (message.blocks as Block[]) ?? [];
    if (message.response_type !== 'in_channel') said.to = user;
    return null;
  }

  #responseUrl(channel: string, user: string, of: ShownMessage | null): string {
    const path = `respond/${++this.#n}`;
    this.#responses.set(path, { channel, user, used: 0, of, isCommand: of === null });
    return this.url.replace('api/', path);
  }

  #trigger(): string {
    const id = `trigger.${++this.#n}`;
    this.#triggers.add(id);
    return id;
  }

  #ts(): string {
    return `${1_700_000_000 + ++this.#n}.000100`;
  }

  #message(channel: string, user: string, text: string, thread_ts: string | undefined): ShownMessage {
    const message: ShownMessage = {
      ts: this.#ts(),
      channel,
      user,
      text,
      thread_ts,
      blocks: [],
      reactions: new Set(),
    };
    this.#at(channel).push(message);
    return message;
  }

  #at(channel: string): ShownMessage[] {
    const known = this.#channels.get(channel) ?? [];
    this.#channels.set(channel, known);
    return known;
  }
}

function argsOf(type: string, body: string): Args {
  if (type.startsWith('application/json')) return body === '' ? {} : JSON.parse(body);
  return Object.fromEntries(
    Object.entries(parse(body)).map(([name, value]) => {
      const text = String(value);
      return [
        name,
        /^[[{]/.test(text) && name !== 'text' && name !== 'markdown_text' ? JSON.parse(text) : text,
      ];
    }),
  );
}

type Wrong = [code: string, detail: string] | null;

/** The error in the content of a call. */
function contentFault(method: string, args: Args): Wrong {
  const text = args.text as string | undefined;
  if (/^chat\.(?:postMessage|postEphemeral|update)$/.test(method)) {
    if (!text && !args.blocks) return ['no_text', ''];
    if ((text ?? '').length > (method === 'chat.update' ? 4_000 : 40_000)) return ['msg_too_long', ''];
  }
  if (text !== undefined && rings(text)) return ['it_rings', text];
  const streamed = args.markdown_text as string | undefined;
  if (streamed !== undefined && (streamed.length > 12_000 || rings(streamed)))
    return ['msg_too_long', streamed];
  if (args.blocks !== undefined) {
    if ((args.blocks as Block[]).length > 50) return ['invalid_blocks', 'more than 50'];
    // As observed: https://github.com/slackapi/bolt-js/issues/2509
    if (JSON.stringify(args.blocks).length > 13_000) return ['msg_blocks_too_long', ''];
    return blocksFault(args.blocks as Block[]);
  }
  const view = args.view as Args | undefined;
  if (view) {
    if (JSON.stringify(view).length > 250_000) return ['view_too_large', ''];
    if (String(view.private_metadata ?? '').length > 3_000) return ['invalid_arguments', 'private_metadata'];
    if (view.type === 'modal') {
      for (const [name, max] of [
        ['title', 24],
        ['submit', 24],
        ['close', 24],
      ] as const) {
        const wrong = view[name] === undefined ? null : plainFault(view[name], max, name);
        if (wrong) return wrong;
      }
      if ((view.blocks as Block[]).some(({ type }) => type === 'input') && !view.submit)
        return ['invalid_arguments', 'input without submit'];
    }
    if ((view.blocks as Block[]).length > 100) return ['invalid_arguments', 'more than 100 blocks'];
    return blocksFault(view.blocks as Block[]);
  }
  if (method === 'assistant.threads.setSuggestedPrompts' && (args.prompts as unknown[]).length > 4)
    return ['invalid_arguments', 'more than 4 prompts'];
  return null;
}

const wrong = (detail: string): Wrong => ['invalid_blocks', detail];

function blocksFault(blocks: readonly Block[]): Wrong {
  if (!Array.isArray(blocks) || blocks.length === 0) return wrong('no blocks');
  for (const block of blocks) {
    const fault = blockFault(block);
    if (fault) return fault;
  }
  return null;
}

function blockFault(block: Block): Wrong {
  const elements = (block.elements ?? []) as Args[];
  switch (block.type) {
    case 'section':
      return textFault(block.text, 3_000, 'section');
    case 'divider':
      return null;
    case 'header':
      return plainFault(block.text, 150, 'header');
    case 'context':
      if (elements.length < 1 || elements.length > 10) return wrong('context elements');
      return elements.map((one) => textFault(one, 2_000, 'context')).find(Boolean) ?? null;
    case 'actions': {
      if (elements.length < 1 || elements.length > 25) return wrong('actions elements');
      const ids = elements.map(({ action_id }) => action_id);
      if (new Set(ids).size < ids.length) return wrong('action_id repeats');
      return elements.map(elementFault).find(Boolean) ?? null;
    }
    case 'context_actions':
      if (elements.length < 1 || elements.length > 5) return wrong('context_actions elements');
      for (const { type, positive_button, negative_button } of elements) {
        if (type !== 'feedback_buttons') return wrong(String(type));
        for (const button of [positive_button, negative_button] as Args[]) {
          const fault = plainFault(button.text, 75, 'feedback button');
          if (fault) return fault;
          if (String(button.value).length > 2_000) return wrong('feedback value');
        }
      }
      return null;
    case 'input':
      return plainFault(block.label, 2_000, 'label');
    case 'rich_text':
      for (const part of elements as { type: string; elements: Args[] }[]) {
        if (part.type !== 'rich_text_quote') return wrong(part.type);
        for (const { type, text } of part.elements)
          if (type !== 'text' || typeof text !== 'string' || text === '') return wrong('rich text');
      }
      return null;
    default:
      return wrong(`type ${block.type}`);
  }
}

/** The connector uses only buttons. */
function elementFault({ type, action_id, text, value }: Args): Wrong {
  if (type !== 'button') return wrong(`element ${type}`);
  if (String(action_id).length > 255) return wrong('action_id');
  if (value !== undefined && String(value).length > 2_000) return wrong('button value');
  return plainFault(text, 75, 'button');
}

function plainFault(value: unknown, max: number, what: string): Wrong {
  const { type, text } = (value ?? {}) as Args;
  if (type !== 'plain_text' || typeof text !== 'string' || text === '' || text.length > max)
    return wrong(what);
  return null;
}

function textFault(value: unknown, max: number, what: string): Wrong {
  const { type, text } = (value ?? {}) as Args;
  if ((type !== 'mrkdwn' && type !== 'plain_text') || typeof text !== 'string') return wrong(what);
  if (text === '' || text.length > max) return wrong(`${what} of ${text.length} characters`);
  return type === 'mrkdwn' && rings(text) ? ['it_rings', text] : null;
}

/** Whether some text notifies people it should not, or has invalid markup. */
function rings(text: string): boolean {
  const left = text
    .replaceAll(/<https?:\/\/[^<>|\s]+(?:\|[^<>|]*)?>/g, '')
    .replaceAll(/<(?:@[UW]|#C|!subteam\^S)[A-Z0-9]+>/g, '')
    .replaceAll(/&(?:amp|lt|gt);/g, '');
  return /[<>]|&(?!\w)/.test(left);
}

function blockText(block: Block): string {
  const elements = (block.elements ?? []) as Args[];
  const inner = (value: unknown) => String((value as Args | undefined)?.text ?? '');
  switch (block.type) {
    case 'section':
    case 'header':
      return inner(block.text);
    case 'context':
      return elements.map((one) => String(one.text)).join(' ');
    case 'actions':
      return elements.map((one) => `[ ${inner(one.text)} ]`).join(' ');
    case 'context_actions':
      return elements
        .flatMap(({ positive_button, negative_button }) => [positive_button, negative_button])
        .map((button) => `[ ${inner((button as Args).text)} ]`)
        .join(' ');
    case 'divider':
      return '---';
    default:
      return `(${block.type})`;
  }
}

/** Text as people see it. */
const shownText = (text: string): string =>
  text
    .replaceAll(/<(https?:[^|>]*)\|([^>]*)>/g, '$2')
    .replaceAll('\u200b', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
