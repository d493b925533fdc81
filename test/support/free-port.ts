/**
 * A port for a server that is stopped and restarted on it. It is below the range that the system assigns to connections
 * and servers, because another test could take such a port in between.
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
