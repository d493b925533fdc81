/**
 * What has come of a WebSocket's message that is not whole yet. The connection keeps it until the rest is there, which a
 * client may never send: it counts as bodies on their way do, and has as long to arrive.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { HeldBytes } from './held-bytes.ts';

/** The head of a control frame from a client, with its mask. */
const controlHeadBytes = 6;

/** Ends the connection of a client that sends more than it may without an end, or takes longer than `msMax` over it. */
export function boundUnfinished(
  socket: WebSocket,
  stream: Duplex,
  { held, network, msMax }: { held: HeldBytes; network: string; msMax: number },
): void {
  let bytes = 0;
  let late: NodeJS.Timeout | undefined;
  const release = (count: number) => {
    held.release(network, count);
    bytes -= count;
    if (bytes > 0) return;
    clearTimeout(late);
    late = undefined;
  };
  const control = (data: Buffer) => release(Math.min(bytes, controlHeadBytes + data.length));
  // Before the WebSocket itself sees them, which tells in the same moment of the messages they make whole.
  stream.prependListener('data', (piece: Buffer) => {
    if (socket.readyState === socket.CLOSED) return;
    if (held.take(network, piece.length) !== null) return socket.terminate();
    bytes += piece.length;
    late ??= setTimeout(() => socket.terminate(), msMax).unref();
  });
  socket.on('message', () => release(bytes));
  socket.on('ping', control);
  socket.on('pong', control);
  socket.once('close', () => release(bytes));
}
