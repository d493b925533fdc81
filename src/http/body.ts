/**
 * Reads bodies with limits that are enforced as data arrives: the route's size limit, a time limit, and a shared memory
 * budget. A small body always fits, because each client has few requests in flight.
 */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../failures.ts';

/** The initial bytes of a body that do not count towards the budget. */
const freeBytes = 32 * 1024;
const roomBytes = 64 * 1024 * 1024;
/** Time limit for a body or message to arrive. */
export const arrivalMsMax = 10_000;

export const overloaded = () =>
  new Failure('unavailable', 'The service is overloaded; try again shortly.', { retryAfterS: 2 });

/** The memory budget for large bodies and messages, shared by all clients. */
export class BodyRoom {
  #held = 0;

  /** A share of the budget. `grow` reserves more bytes if they fit; `free` releases all of them. */
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

/** Reads the body of a request, within its route's limit. Fails like `readBody`. */
export async function bodyOf(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { 'content-length': length } = request.headers;
  return readBody(payload, {
    length: length === undefined ? null : Number(length),
    bytesMax: request.routeOptions.bodyLimit,
    grow: request.grow,
  });
}

export interface BodyLimits {
  /** The length stated in the header; null if there is none. */
  length: number | null;
  bytesMax: number;
  /** Reserves more bytes. Returns false if they do not fit. */
  grow(bytes: number): boolean;
}

const refusal = (statusCode: 408 | 413) => Object.assign(new Error('unread body'), { statusCode });

/**
 * Reads the whole body. Rejects with an error whose `statusCode` is 413 if the body is too large and 408 if it does not
 * arrive in time. Fails with `unavailable` if the budget is exhausted, and with `cancelled` if the client has
 * disconnected.
 */
function readBody(payload: Readable, { length, bytesMax, grow }: BodyLimits): Promise<Buffer> {
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
    // The rest of a rejected body is discarded.
    payload.removeAllListeners('data');
    payload.resume();
  });
}
