/** Closes WebSocket connections whose peer no longer responds. */
import type { WebSocket } from 'ws';

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
