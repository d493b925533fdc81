/** A chat connector, as seen by the process that runs it. */
import type { IncomingHttpHeaders } from 'node:http';

export interface WebhookReply {
  status: number;
  type?: string;
  body?: string;
}

/** The endpoint to which the platform sends events. `receive` verifies its requests. */
export interface Webhook {
  path: string;
  /**
   * Whether a request with these headers can come from the platform. Other requests are rejected before their body is
   * read.
   */
  isPlausible(headers: IncomingHttpHeaders): boolean;
  receive(headers: IncomingHttpHeaders, body: Buffer): Promise<WebhookReply>;
}

export interface Connector {
  /** The text that is printed when the process starts. */
  door: string;
  /** Null if the connector opens its own connection. */
  webhook: Webhook | null;
  /** Connects and answers until the connector is closed. Reports problems and retries. */
  start(): void;
  /** Stops accepting messages, waits up to `drainMs` for answers to finish, and leaves the rest to another process. */
  close(drainMs: number): Promise<void>;
}
