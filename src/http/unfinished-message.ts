/**
 * What has come of a WebSocket's message that is not whole yet. The connection keeps it until the rest is there, which a
 * client may never send: it takes room as a body does, and has as long to arrive.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { arrivalMsMax, type BodyRoom } from './body.ts';

/** Ends the connection where there is no room for what it sends, or a message takes too long to arrive. */
export function boundUnfinished(socket: WebSocket, stream: Duplex, room: BodyRoom): void {
  const part = room.part();
  let late: NodeJS.Timeout | undefined;
  const whole = () => {
    part.free();
    clearTimeout(late);
    late = undefined;
  };
  // Before the WebSocket itself sees them, which tells in the same moment of the messages they make whole.
  stream.prependListener('data', (piece: Buffer) => {
    if (socket.readyState === socket.CLOSED) return;
    if (!part.grow(piece.length)) return socket.terminate();
    late ??= setTimeout(() => socket.terminate(), arrivalMsMax).unref();
  });
  for (const event of ['message', 'ping', 'pong', 'close']) socket.on(event, whole);
}
