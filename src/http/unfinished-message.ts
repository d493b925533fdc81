/**
 * Limits incomplete WebSocket messages. The connection buffers such a message until the rest arrives, which may never
 * happen, so it counts towards the memory budget and has a time limit, like a body.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { arrivalMsMax, type BodyRoom } from './body.ts';

/** Terminates the connection if its data exceeds the budget or a message takes too long to arrive. */
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
