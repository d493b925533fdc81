import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { adminRoutes } from '../../src/admin/routes.ts';
import { buildServer } from '../../src/http/server.ts';
import { heartbeat } from '../../src/http/sockets.ts';
import { olga, openDoor } from './admin-door.ts';
import { patient } from './fake-app.ts';

afterEach(() => vi.useRealTimers());

test('disconnects a client that follows the history without answering pings', async () => {
  const door = await openDoor({}, { library: false });
  const server = buildServer(door.app, {
    corsOrigins: '*',
    trustProxy: false,
    registry: new Registry(),
    loopDelayMsMax: patient,
    pingMs: 50,
    administration: adminRoutes(door.app),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const dead = new WebSocket(`ws://127.0.0.1:${port}/admin/api/events/live`, {
    headers: { authorization: olga },
    autoPong: false,
  });
  const [code] = await once(dead, 'close');
  expect(code).toBe(1006);
  await server.close();
  await door.close();
});

test('keeps a connection open while pings are answered or data gets through, and closes it only once', () => {
  vi.useFakeTimers();
  const socket = Object.assign(new EventEmitter(), { ping: vi.fn(), terminate: vi.fn() });
  const { alive } = heartbeat(socket as unknown as WebSocket, 1_000);
  vi.advanceTimersByTime(1_000);
  socket.emit('pong');
  vi.advanceTimersByTime(1_000);
  alive();
  vi.advanceTimersByTime(1_000);
  expect([socket.ping.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([3, 0]);
  vi.advanceTimersByTime(1_000);
  expect(socket.terminate.mock.calls.length).toBe(1);
  socket.emit('close');
  vi.advanceTimersByTime(10_000);
  expect([socket.ping.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([3, 1]);
});
