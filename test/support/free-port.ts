/**
 * A port for what is stopped and started again on it. Below those that the system gives to connections and to servers
 * that leave the choice to it: one of these might be taken by another test in between.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const [lowest, highest] = [15_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
