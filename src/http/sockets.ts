/** Code shared by the WebSocket routes. */
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { arrivalMsMax, type BodyRoom } from './body.ts';
import { ErrorResponse } from './errors.ts';
import { nothing, reply } from './operation.ts';

/** The replies of a path that accepts only WebSocket connections. */
export const socketReplies = {
  101: nothing('Switching protocols.'),
  426: reply('The request is not a WebSocket upgrade.', ErrorResponse),
};

/** Answers an ordinary request to such a path. */
export const upgradeRequired = async (_request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(426)
    .header('upgrade', 'websocket')
    .send({ detail: 'This path accepts only WebSocket connections.' });

/**
 * Pings every `pingMs` and terminates a connection that was silent between two pings. Callers report other activity
 * with `alive`. Stops when the connection closes.
 */
export function heartbeat(socket: WebSocket, pingMs: number): { alive(): void } {
  let isAlive = true;
  const alive = () => {
    isAlive = true;
  };
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs);
  socket.on('pong', alive);
  socket.on('close', () => clearInterval(timer));
  return { alive };
}

/**
 * Terminates the connection if its data exceeds the budget or a message takes too long to arrive. The connection buffers
 * an incomplete message until the rest arrives, which may never happen, so it is limited like a body.
 */
export function boundUnfinished(socket: WebSocket, stream: Duplex, room: BodyRoom): void {
  const part = room.part();
  let late: NodeJS.Timeout | undefined;
  const whole = () => {
    part.free();
    clearTimeout(late);
    late = undefined;
  };
  // Must run before the WebSocket's own listener, which emits completed messages in the same tick.
  stream.prependListener('data', (piece: Buffer) => {
    if (socket.readyState === socket.CLOSED) return;
    if (!part.grow(piece.length)) return socket.terminate();
    late ??= setTimeout(() => socket.terminate(), arrivalMsMax).unref();
  });
  for (const event of ['message', 'ping', 'pong', 'close']) socket.on(event, whole);
}
