/**
 * Delivers events to Bolt, from its socket or from signed HTTP requests. An event is acknowledged once its listeners
 * have recorded it, so an event that could not be recorded is delivered again. The handlers of commands and buttons
 * acknowledge them directly, because a person is waiting.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import {
  type App,
  isValidSlackRequest,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt';
import type { WebhookReply } from '../connector.ts';
import { pauseMs } from '../lifecycle.ts';
import { realTime, type Time } from '../pace.ts';
import { clientOptions, pauseAfter, silent } from './api.ts';

type Processing = Pick<App, 'processEvent'>;

const isEvent = ({ body }: ReceiverEvent) => body.type === 'event_callback';

/** Bolt acknowledges an event before handling it. This delays the acknowledgement until the listeners have finished. */
async function process(app: Processing, event: ReceiverEvent): Promise<void> {
  if (!isEvent(event)) return app.processEvent(event);
  await app.processEvent({ ...event, ack: async () => {} });
  await event.ack();
}

export class SocketReceiver extends SocketModeReceiver {
  readonly #time: Time;

  constructor(appToken: string, apiUrl: string | null, time: Time) {
    super({
      appToken,
      // This module handles reconnecting: the client would take seconds, and would end the process if Slack rejects it.
      autoReconnectEnabled: false,
      logger: silent,
      installerOptions: { clientOptions: clientOptions(apiUrl) },
      // An event that could not be recorded is delivered again.
      processEventErrorHandler: async () => false,
    });
    this.#time = time;
  }

  override init(app: App): void {
    const deferring: Processing = { processEvent: (event) => process(app, event) };
    super.init(deferring as App);
  }

  /**
   * Stays connected until the signal aborts, and reconnects as necessary. Calls `onTrouble` with each error, and
   * `onConnected` after each connection.
   */
  async run(
    signal: AbortSignal,
    onTrouble: (error: unknown) => void,
    onConnected: () => void,
  ): Promise<void> {
    let isFlapping = false;
    while (!signal.aborted) {
      const ended = Promise.withResolvers<void>();
      const end = () => ended.resolve();
      let pause = 0;
      try {
        signal.addEventListener('abort', end, { once: true });
        await Promise.race([this.client.start().then(onConnected), ended.promise]);
        const since = this.#time.now();
        this.client.once('disconnected', end);
        await ended.promise;
        // A socket that Slack refreshes is replaced immediately. After two short connections in a row, pause first:
        // Slack limits how many sockets can be opened.
        const isShort = this.#time.now() - since < pauseMs;
        pause = isShort && isFlapping ? pauseMs : 0;
        isFlapping = isShort;
      } catch (error) {
        pause = pauseAfter(error);
        onTrouble(error);
      } finally {
        this.client.off('disconnected', end);
        signal.removeEventListener('abort', end);
      }
      await this.#time.sleep(pause, signal);
    }
    await Promise.race([this.client.disconnect(), realTime.sleep(1_000)]).catch(() => {});
  }
}

const signatureHeader = 'x-slack-signature';
const timeHeader = 'x-slack-request-timestamp';
/**
 * The maximum difference between a signature's time and the current time, in seconds. It prevents the replay of
 * intercepted requests.
 */
const signedWithinS = 5 * 60;
/** Slack waits this long for a response, in ms. */
const ackMs = 3_000;

/** Returns the signature headers of a request; null if they cannot be a recent signature by Slack. */
export function maybeSigned(
  headers: IncomingHttpHeaders,
): { [signatureHeader]: string; [timeHeader]: number } | null {
  const signature = headers[signatureHeader];
  const time = Number(headers[timeHeader]);
  const isLate = !(Math.abs(Date.now() / 1000 - time) <= signedWithinS);
  if (isLate || typeof signature !== 'string' || !/^v0=[\da-f]{64}$/.test(signature)) return null;
  return { [signatureHeader]: signature, [timeHeader]: time };
}

export class PostedReceiver implements Receiver {
  readonly #secret: string;
  #app: Processing | null = null;

  constructor(signingSecret: string) {
    this.#secret = signingSecret;
  }

  init(app: App): void {
    this.#app = app;
  }
  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async receive(headers: IncomingHttpHeaders, bytes: Buffer): Promise<WebhookReply> {
    const sent = maybeSigned(headers);
    if (sent === null) return { status: 401 };
    const text = bytes.toString('utf8');
    if (!isValidSlackRequest({ signingSecret: this.#secret, body: text, headers: sent }))
      return { status: 401 };
    const body = parsed(headers['content-type'] ?? '', text);
    if (body === null) return { status: 400 };
    if (body.ssl_check === '1') return { status: 200 };
    if (body.type === 'url_verification') return json({ challenge: body.challenge });
    const app = this.#app;
    return app === null ? { status: 503 } : this.#process(app, headers, body);
  }

  #process(
    app: Processing,
    headers: IncomingHttpHeaders,
    body: Record<string, unknown>,
  ): Promise<WebhookReply> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ status: 503 }), ackMs);
      const settle = (reply: WebhookReply) => {
        clearTimeout(timer);
        resolve(reply);
      };
      const ack = async (answer?: unknown) =>
        settle(
          answer === undefined || answer === ''
            ? { status: 200 }
            : typeof answer === 'string'
              ? json({ text: answer })
              : json(answer),
        );
      const retryNum = Number(headers['x-slack-retry-num']);
      const retryReason = headers['x-slack-retry-reason'];
      process(app, {
        body,
        ack,
        ...(Number.isInteger(retryNum) && { retryNum }),
        ...(typeof retryReason === 'string' && { retryReason }),
      }).then(
        () => settle({ status: 200 }),
        () => settle({ status: 503 }),
      );
    });
  }
}

const json = (value: unknown): WebhookReply => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

/** Parses a body. Events are JSON, commands are a form, and button presses are a form that contains JSON. */
function parsed(type: string, text: string): Record<string, unknown> | null {
  try {
    if (!type.startsWith('application/x-www-form-urlencoded')) return JSON.parse(text);
    const form = parse(text);
    return typeof form.payload === 'string' ? JSON.parse(form.payload) : { ...form };
  } catch {
    return null;
  }
}
