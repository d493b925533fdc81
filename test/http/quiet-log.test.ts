/** Clients that disconnect or send invalid data are not errors of the service, and are not logged as errors. */
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { buildServer } from '../../src/http/server.ts';
import { FakeApp } from './fake-app.ts';

const config = { corsOrigins: '*' as const, trustProxy: false as const };

/** Sends bytes, then breaks the connection, or waits for the other side to close it. */
function sent(port: number, text: string, { reset }: { reset: boolean }): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(text, 'latin1', () => {
        if (reset) setImmediate(() => socket.resetAndDestroy());
      }),
    );
    socket.on('error', () => {});
    socket.resume();
    socket.on('close', () => resolve());
  });
}

test('logs lost connections, invalid frames and invalid requests only at debug level', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  try {
    const server = buildServer(new FakeApp(), { ...config, logLevel: 'info' });
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(address).port);
    const head = (path: string, more = '') => `POST ${path} HTTP/1.1\r\nhost: a\r\n${more}`;
    const json = 'content-type: application/json\r\n';
    for (const text of [
      head('/api/ask', `${json}content-length: 500\r\n\r\n{"query":`),
      head('/api/ask', `${json}transfer-encoding: chunked\r\n\r\n6\r\n{"quer\r\n`),
      head('/api/ask', `${json}content-length: 15\r\n\r\n{"query":"Who?"}`),
      head('/api/ask/stream', `${json}content-length: 15\r\n\r\n{"query":"Who?"}`),
      head(
        '/admin/api/documents',
        'content-type: multipart/form-data; boundary=x\r\ncontent-length: 99\r\n\r\n--x',
      ),
      'GET /api/corpora HTTP/1.1\r\nhost: a\r\n\r\n',
      'GET /source/krk_2026/1 HTTP/1.1\r\nhost: a\r\n\r\n',
    ])
      await sent(port, text, { reset: true });
    for (const text of [
      '\u0000\u0001\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET  HTTP/1.1\r\n\r\n',
      head('/api/ask', 'content-length: -1\r\n\r\n'),
    ])
      await sent(port, text, { reset: false });
    const upgrade = `GET /api/ask/ws HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    // Reserved bits, an unmasked frame, an oversized control frame, an unknown opcode.
    for (const frame of [
      '\u00f1\u0080aaaa',
      '\u0081\u0001a',
      '\u0089\u00fe\u0001\u0000aaaa',
      '\u0083\u0080aaaa',
    ])
      await sent(port, upgrade + frame, { reset: false });
    await sent(port, upgrade, { reset: true });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ask/ws`);
    await new Promise((resolve) => socket.once('open', resolve));
    for (const message of ['[', '{"query":5}', Buffer.from([255, 254])]) socket.send(message);
    await new Promise((resolve) => socket.once('message', resolve));
    socket.terminate();
    await server.close();
  } finally {
    write.mockRestore();
  }
  const said = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(said.filter(({ msg }) => !/^Server listening/.test(msg))).toEqual([]);
});
