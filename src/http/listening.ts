/**
 * Listens for connections, several of which are accepted in a turn of the event loop. libuv accepts one a turn from each
 * socket it listens on: while turns are long and others connect over and over, a newcomer would wait behind all of them,
 * for a second under a hundred. Where the system spreads connections over sockets of one port (Linux), there are a few.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { HttpServer } from './context.ts';

const socketsEach = 8;
const spreads = process.platform === 'linux';

/**
 * Resolves when connections are taken; rejects as Node's `listen` does, with EADDRINUSE also where another process has
 * the port in the same way. Called once, before the server is ready: its `close` ends all sockets, and resolves when
 * what came over any of them has been answered.
 */
export async function listen(
  server: HttpServer,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const further: { socket: Server; closed: Promise<unknown> }[] = [];
  server.addHook('preClose', (done) => {
    for (const { socket } of further) socket.close();
    done();
  });
  server.addHook('onClose', async () => {
    await Promise.all(further.map(({ closed }) => closed));
  });
  if (!spreads) {
    await server.listen({ host, port });
    return;
  }
  if (port !== 0) await assertFree(host, port);
  // Fastify hands on what it does not name.
  const shared = { host, port, reusePort: true };
  await server.listen(shared);
  const addresses = server.addresses().filter((address) => typeof address === 'object');
  for (const { address, port } of addresses)
    for (let n = 1; n < socketsEach; n++) {
      const socket = createServer({ allowHalfOpen: true, noDelay: true }, (connection) =>
        server.server.emit('connection', connection),
      );
      socket.listen({ host: address, port, reusePort: true });
      await once(socket, 'listening');
      further.push({ socket, closed: once(socket, 'close') });
    }
}

/** Sockets that share a port keep only those out that do not ask to share it. */
async function assertFree(host: string, port: number): Promise<void> {
  const one = createServer();
  one.listen({ host, port });
  await once(one, 'listening');
  one.close();
  await once(one, 'close');
}
