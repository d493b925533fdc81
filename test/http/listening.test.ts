import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../src/http/listening.ts';
import { buildServer } from '../../src/http/server.ts';
import { eventually } from '../support/eventually.ts';
import { FakeApp, partsOf, patient } from './fake-app.ts';

const host = '127.0.0.1';
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function started(app = new FakeApp(), port = 0) {
  const server = buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient });
  await listen(server, { host, port });
  return { server, port: (server.addresses()[0] as AddressInfo).port };
}

function connected(port: number): Socket {
  const socket = connect(port, host);
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

test.skipIf(process.platform !== 'linux')(
  'of many connections that come at once several are accepted in a turn of the event loop',
  async () => {
    const { server, port } = await started();
    let [all, inTurn, most] = [0, 0, 0];
    server.server.on('connection', () => {
      all++;
      inTurn++;
      most = Math.max(most, inTurn);
    });
    for (let n = 0; n < 64; n++) connected(port);
    while (all < 64) {
      inTurn = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(most).toBeGreaterThan(1);
    for (const socket of sockets) socket.destroy();
    await server.close();
  },
);

test('a port that another has, in whichever way, is not shared with it', async () => {
  const { server, port } = await started();
  await expect(started(new FakeApp(), port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await server.close();
});

test('closing waits until what came over any of the sockets is answered, and takes nothing more', async () => {
  const app = new FakeApp();
  const go = Promise.withResolvers<void>();
  app.parts = async function* (input) {
    await go.promise;
    yield* partsOf(input);
  };
  const { server, port } = await started(app);
  const body = JSON.stringify({ query: 'What is free?' });
  // So many that none of the sockets is without one, but for one time in ten thousand.
  const asked = Array.from({ length: 80 }, () => {
    const socket = connected(port);
    socket.write(
      `POST /api/ask HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    let reply = '';
    socket.on('data', (bytes) => {
      reply += bytes;
    });
    return once(socket, 'close').then(() => reply);
  });
  await eventually(() => expect(app.asked).toHaveLength(asked.length));
  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  go.resolve();
  const replies = await Promise.all(asked);
  await closed;
  for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 200 [\s\S]*"mode":"ordinary"/);
  await expect(once(connect(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
