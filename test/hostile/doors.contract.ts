/**
 * Sends the corpus to every entry point of a complete service. No reply may be a 5xx, no error may repeat the input, no
 * request may block the main thread beyond its budget, and a legitimate question afterwards must be answered as before.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Config } from '../../src/config.ts';
import { type OpenedDoor, olga, openDoor } from '../http/admin-door.ts';
import { heldTooLong, share } from './budget.ts';
import {
  bodies,
  filled,
  forms,
  fragments,
  frames,
  fullHistory,
  headers,
  pageForms,
  questions,
} from './corpus.ts';

/** `random`: the share of all random cases. */
export function hostileDoors(
  name: string,
  settings: () => Partial<Config>,
  { random }: { random: number },
): void {
  describe(`hostile clients of ${name}`, () => {
    let door: OpenedDoor;
    let address: string;
    beforeAll(async () => {
      door = await openDoor(settings());
      address = await door.server.listen({ host: '127.0.0.1', port: 0 });
      await honest();
    });
    afterAll(() => door.close());

    /** The reply to a legitimate caller. */
    async function honest() {
      const { status, body } = await door.call('POST', '/api/ask', {
        query: 'When does the fish market open?',
      });
      expect([status, body.answer]).toEqual([200, expect.stringContaining('five in the morning')]);
    }

    /** Each request comes from a different address, because a caller with many rejected requests is slowed down. */
    let callers = 0;
    const nextAddress = () => {
      callers++;
      return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
    };

    async function post(url: string, payload: string, type = 'application/json', headers = {}) {
      const reply = await door.server.inject({
        method: 'POST',
        url,
        remoteAddress: nextAddress(),
        headers: { 'content-type': type, ...headers },
        payload: Buffer.from(payload, 'utf8'),
      });
      expect([url, reply.statusCode < 500]).toEqual([url, true]);
      return reply;
    }

    const askDoors: [string, (query: string) => Promise<unknown>][] = [
      ['JSON', (query) => post('/api/ask', JSON.stringify({ query }))],
      [
        'JSON after a history',
        (query) => post('/api/ask', JSON.stringify({ query, history: fullHistory(query) })),
      ],
      ['the stream', (query) => post('/api/ask/stream', JSON.stringify({ query }))],
      ['sources', (query) => post('/api/source-refs', JSON.stringify({ query, limit: 20 }))],
      [
        'the form',
        (query) =>
          post('/', new URLSearchParams({ q: query }).toString(), 'application/x-www-form-urlencoded'),
      ],
      ['the WebSocket', (query) => overSocket(JSON.stringify({ query }))],
    ];

    /**
     * Sends a message and resolves with the type of the last part of its answer, or the code with which the connection
     * is closed.
     */
    function overSocket(message: string): Promise<string | number> {
      const { promise, resolve } = Promise.withResolvers<string | number>();
      const socket = new WebSocket(`${address.replace('http', 'ws')}/api/ask/ws`);
      socket.on('open', () => socket.send(message));
      socket.on('error', () => {});
      socket.on('close', resolve);
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data));
        if (type !== 'done' && type !== 'error') return;
        socket.terminate();
        resolve(type);
      });
      return promise;
    }

    describe.each(askDoors)('over %s', (_door, ask) => {
      test.each(Object.entries(questions))('%s', async (_kind, query) => {
        expect(await heldTooLong(() => ask(query))).toBeNull();
        await honest();
      });
    });

    test.each(Object.entries(bodies))('a body of %s', async (_kind, body) => {
      for (const url of ['/api/ask', '/api/ask/stream', '/api/source-refs', '/api/asks/1/rating'])
        expect(await heldTooLong(() => post(url, body))).toBeNull();
      for (const url of ['/admin/api/corpora', '/admin/api/api-keys', '/admin/api/faq-cache'])
        expect(
          await heldTooLong(() => post(url, body, 'application/json', { authorization: olga })),
        ).toBeNull();
      await honest();
    });

    test.each(Object.entries(pageForms))('a form of %s', async (_kind, form) => {
      expect(await heldTooLong(() => post('/', form, 'application/x-www-form-urlencoded'))).toBeNull();
      await honest();
    });

    test.each(Object.entries(headers))('a header of %s', async (_kind, [name, value]) => {
      const get = async (url: string) => {
        const reply = await door.server.inject({
          url,
          remoteAddress: nextAddress(),
          headers: { [name]: value },
        });
        expect([url, reply.statusCode < 500]).toEqual([url, true]);
      };
      const paths = ['/', '/graph', '/source/krk_2026/1', '/widget/docent.js', '/api/corpora'];
      for (const url of [...paths, '/admin/api/corpora', '/api/ask/stream/1'])
        expect(await heldTooLong(() => get(url))).toBeNull();
      const question = JSON.stringify({ query: 'When does the fish market open?' });
      expect(
        await heldTooLong(() => post('/api/ask', question, 'application/json', { [name]: value })),
      ).toBeNull();
    });

    test.each(Object.entries(frames))('a frame of %s', async (_kind, frame) => {
      expect(await heldTooLong(() => overSocket(frame))).toBeNull();
      expect(await overSocket(frame)).toBe('error');
    });

    test.each(Object.entries(forms))('an upload of %s', async (_kind, form) => {
      const upload = () =>
        post('/admin/api/documents', form, 'multipart/form-data; boundary=x', { authorization: olga });
      expect(await heldTooLong(upload)).toBeNull();
      const reply = await upload();
      if (reply.statusCode >= 400)
        for (const { msg } of [reply.json().detail].flat(1) as { msg?: string }[])
          expect((msg ?? '').length).toBeLessThan(1_000);
      await honest();
    });

    const places = [
      '',
      '0',
      '1',
      ':',
      'x:1',
      `${'9'.repeat(40)}`,
      '1e309',
      '-1',
      '\u00ff',
      'NaN',
      '2000000000000',
    ];
    test.each(places)('resuming a stream at "%s"', async (place) => {
      const asked = await post('/api/ask', JSON.stringify({ query: 'When does the fish market open?' }));
      const id = asked.json().request_id;
      for (const last of [place, `${id}:${place}`]) {
        const reply = await door.server.inject({
          url: `/api/ask/stream/${id}`,
          headers: { 'last-event-id': last },
        });
        expect([last, reply.statusCode < 500]).toEqual([last, true]);
      }
    });

    test('any Idempotency-Key matches only its own question', async () => {
      const keys = ['k', 'K', ' k', 'k'.repeat(5_000), 'ключ', '{limit}', '../k', '__proto__'];
      for (const key of keys) {
        const send = (query: string) =>
          door.server.inject({
            method: 'POST',
            url: '/api/ask',
            headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
            payload: { query },
          });
        const first = await send('When does the fish market open?');
        expect(first.statusCode).toBeLessThan(500);
        if (first.statusCode !== 200) continue;
        expect((await send('When does the fish market open?')).json().request_id).toBe(
          first.json().request_id,
        );
        expect((await send('What is Article 2?')).statusCode).toBe(422);
      }
    });

    test('survives mixtures of all inputs', async () => {
      const query = fc
        .tuple(
          fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 6 }),
          fc.oneof(fc.nat(200), fc.constant(2_000)),
        )
        .map(([parts, length]) => filled([...parts, ' '], length));
      await fc.assert(
        fc.asyncProperty(query, fc.constantFrom(...askDoors.slice(0, -1)), async (text, [, ask]) => {
          expect(await heldTooLong(() => ask(text))).toBeNull();
        }),
        share(random),
      );
      await honest();
    });
  });
}
