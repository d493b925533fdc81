/**
 * A port for a server that is stopped and restarted on it. It is below the range from which the system assigns ports,
 * because another test could be given such a port in between.
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
