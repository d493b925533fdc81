/**
 * Bodies, limited while they arrive: by their route, by a time, and by the room there is for all of them. A small body
 * always has room: each client has few requests in flight.
 */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../failures.ts';

/** The first bytes of a body, for which no room is needed. */
const freeBytes = 32 * 1024;
const roomBytes = 64 * 1024 * 1024;
/** How long a body or a message may take to arrive. */
export const arrivalMsMax = 10_000;

export const overloaded = () =>
  new Failure('unavailable', 'The service is overloaded, try again shortly.', { retryAfterS: 2 });

/** The bytes of large bodies and messages of all clients that are held at the moment. */
export class BodyRoom {
  #held = 0;

  /** A part of it: `grow` says whether so many more bytes fit, `free` gives all of them back. */
  part(): { grow(bytes: number): boolean; free(): void } {
    let bytes = 0;
    let held = 0;
    return {
      grow: (more) => {
        bytes += more;
        const wanted = Math.max(0, bytes - freeBytes) - held;
        if (this.#held + wanted > roomBytes) return false;
        held += wanted;
        this.#held += wanted;
        return true;
      },
      free: () => {
        this.#held -= held;
        bytes = 0;
        held = 0;
      },
    };
  }
}

/** The body of a request, within the limit of its route. Fails as `readBody`. */
export async function bodyOf(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { 'content-length': length } = request.headers;
  return readBody(payload, {
    length: length === undefined ? null : Number(length),
    bytesMax: request.routeOptions.bodyLimit,
    grow: request.grow,
  });
}

export interface BodyLimits {
  /** What its head says; null: nothing. */
  length: number | null;
  bytesMax: number;
  /** Says whether so many more bytes fit. */
  grow(bytes: number): boolean;
}

const refusal = (statusCode: 408 | 413) => Object.assign(new Error('unread body'), { statusCode });

/**
 * The whole body. An error with `statusCode` 413 for one that is too large and 408 for one that does not come; Failure
 * `unavailable`: there is no room; `cancelled`: the client has gone.
 */
export function readBody(payload: Readable, { length, bytesMax, grow }: BodyLimits): Promise<Buffer> {
  if ((length ?? 0) > bytesMax) return Promise.reject(refusal(413));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => reject(refusal(408)), arrivalMsMax).unref();
  const gone = () => reject(new Failure('cancelled', 'The connection was closed.'));
  payload.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > bytesMax) reject(refusal(413));
    else if (!grow(piece.length)) reject(overloaded());
    else pieces.push(piece);
  });
  payload.once('end', () => resolve(Buffer.concat(pieces)));
  payload.once('error', gone);
  payload.once('close', gone);
  return promise.finally(() => {
    clearTimeout(late);
    pieces.length = 0;
    // What still comes of a refused body is dropped.
    payload.removeAllListeners('data');
    payload.resume();
  });
}
