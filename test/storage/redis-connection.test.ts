/**
 * The connection to a Redis server that starts late or never replies, with a double that replies until it is silenced.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { RedisConnection } from '../../src/storage/redis-connection.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

/** In RESP3. */
const replies: Record<string, string> = { HELLO: '%1\r\n$5\r\nproto\r\n:3\r\n' };

let server: Server;
let redis: RedisConnection;
const sockets = new Set<Socket>();

async function listen(port = 0): Promise<number> {
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
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
afterEach(async () => {
  await redis.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('replaces a connection without replies, and fails its waiting calls', async () => {
  redis = RedisConnection.open({ url: `redis://127.0.0.1:${await listen()}`, callTimeoutMs: 300 });
  expect(await redis.call('SET', 'k', 'v')).toBe('OK');
  const behind = () => redis.call('GET', 'k');
  const all = await Promise.allSettled([redis.call('OWED'), behind(), behind()]);
  expect(all).toMatchObject(
    [0, 1, 2].map(() => ({ status: 'rejected', reason: { code: 'unavailable', retryable: true } })),
  );
  expect(await eventually(behind)).toBe('OK');
});

it('connects once there is a server, even if there was none at first', async () => {
  const port = await freePort();
  const said: string[] = [];
  const onTrouble = (sentence: string) => said.push(sentence);
  redis = RedisConnection.open({ url: `redis://127.0.0.1:${port}`, callTimeoutMs: 300, onTrouble });
  const set = () => redis.call('SET', 'k', 'v');
  await expect(set()).rejects.toMatchObject({ code: 'unavailable' });
  await listen(port);
  expect(await eventually(set)).toBe('OK');
  expect(said).toEqual([expect.stringContaining('cannot be reached'), 'Redis is reachable again.']);
});
