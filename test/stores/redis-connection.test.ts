/** The connection to Redis where a server owes a reply for ever: on a double that answers a connection until told not to. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RedisConnection } from '../../src/stores/server/redis-connection.ts';
import { eventually } from '../support/eventually.ts';

/** In RESP3. */
const replies: Record<string, string> = {
  HELLO: '%1\r\n$5\r\nproto\r\n:3\r\n',
};

let server: Server;
let redis: RedisConnection;
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
    let owes = false;
    socket.on('data', (bytes) => {
      owes ||= String(bytes).includes('OWED');
      for (const [, name] of String(bytes).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (owes) continue;
        socket.write(replies[name!] ?? '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  redis = RedisConnection.open({ url: `redis://127.0.0.1:${port}`, callTimeoutMs: 300 });
});
afterEach(async () => {
  await redis.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('is given up, and all that waits behind, for one that answers', async () => {
  expect(await redis.call('k', 'SET', 'k', 'v')).toBe('OK');
  const behind = () => redis.call('k', 'GET', 'k');
  const all = await Promise.allSettled([redis.call('k', 'OWED'), behind(), behind()]);
  expect(all).toMatchObject(
    [0, 1, 2].map(() => ({ status: 'rejected', reason: { code: 'unavailable', retryable: true } })),
  );
  expect(await eventually(behind)).toBe('OK');
});
