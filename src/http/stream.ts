/**
 * Server-sent events: framing, pings, and the end of the stream. Back-pressure is handled by the readable: a frame is
 * created only when the connection has accepted the previous ones.
 */
import { Readable } from 'node:stream';
import type { NumberedPart } from '../asks/cursor.ts';
import { within } from '../async/within.ts';

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/**
 * An event. Its id lets a client resume here (see asks/cursor.ts), its name is the part's type, and its data is the rest of
 * the part.
 */
function frame(requestId: string, { n, part }: NumberedPart): string {
  const { type, ...data } = part;
  return `id: ${requestId}:${n}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The number in a Last-Event-ID of this request; 0 (the start) if it is missing or belongs to another request. */
export function lastSeen(requestId: string, lastEventId: string | string[] | undefined): number {
  const match = /^(.+):(\d{1,15})$/.exec(String(lastEventId ?? ''));
  return match?.[1] === requestId ? Number(match[2]) : 0;
}

/** The events as bytes, with a comment after every pingMs of silence. */
export function eventStream(
  requestId: string,
  events: AsyncGenerator<NumberedPart, void>,
  pingMs: number,
): Readable {
  async function* frames(): AsyncGenerator<string, void> {
    let pending: Promise<IteratorResult<NumberedPart, void>> | null = null;
    try {
      for (;;) {
        pending ??= events.next();
        const next = await within(pending, pingMs, () => null);
        if (next === null) {
          yield ': ping\n\n';
          continue;
        }
        pending = null;
        if (next.done) return;
        yield frame(requestId, next.value);
      }
    } finally {
      await events.return();
    }
  }
  return Readable.from(frames(), { objectMode: false });
}
