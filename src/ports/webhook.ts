/** An endpoint to which a chat platform sends events. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export interface Webhook {
  path: string;
  /**
   * Whether a request with these headers can come from the platform. Other requests are rejected before their body is
   * read.
   */
  isPlausible(headers: IncomingHttpHeaders): boolean;
  /** Verifies and answers a plausible request. */
  receive(request: IncomingMessage & { rawBody: Buffer }, response: ServerResponse): void;
}
