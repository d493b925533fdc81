/** A chat connector, as seen by the process that runs it. */
import type { IncomingHttpHeaders } from 'node:http';

export interface WebhookReply {
  status: number;
  type?: string;
  body?: string;
}

/** Where the platform posts to; its requests are checked by `receive`. */
export interface Webhook {
  path: string;
  /** Whether these may be the headers of a request of the platform: what else comes is refused before its body is read. */
  isPlausible(headers: IncomingHttpHeaders): boolean;
  receive(headers: IncomingHttpHeaders, body: Buffer): Promise<WebhookReply>;
}

export interface Connector {
  /** Said when the process starts. */
  door: string;
  /** null: it connects by itself. */
  webhook: Webhook | null;
  /** Connects and answers until it is closed; trouble is reported and waited out. */
  start(): void;
  /** Accepts no more messages, lets answers finish for so long, and leaves the others to another process. */
  close(drainMs: number): Promise<void>;
}
