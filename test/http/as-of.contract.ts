/** The state of the service on a past day, over HTTP, run for every configuration of the stores. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../src/config.ts';
import { eventually } from '../support/eventually.ts';
import { writeFiles } from '../support/folder.ts';
import { aidar, type OpenedDoor, openDoor, type Reply } from './admin-door.ts';

const question = 'How long may a vessel moor at the northern quay without a fee?';

/** `servers`: addresses of the servers in the configuration, read once the suites have started them. */
export function asOfContract(wiring: string, servers: () => Partial<Config> = () => ({})): void {
  describe(`past moments over ${wiring}`, () => {
    let door: OpenedDoor;
    let call: OpenedDoor['call'];
    let before: { position: string; time: string };
    let answer: Reply;
    const files = () => join(door.folder, 'changed');
    const places = () => {
      const folder = join(door.folder, 'data', 'past');
      return existsSync(folder) ? readdirSync(folder) : [];
    };

    /** How far the clock is ahead: no test waits until another moment may be built. */
    let aheadMs = 0;
    const realNow = performance.now.bind(performance);
    beforeEach(() => {
      vi.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
    });

    /** Repeats the request until the moment is built. */
    const then = (method: string, url: string, body?: object, headers?: Record<string, string>) => {
      let stepMs = 6_000;
      return eventually(async () => {
        const reply = await call(method, url, body, headers);
        // If it is still in use, it must rest once more; a large step each time would make it expire.
        if (/^Another moment/.test(reply.body.detail)) aheadMs += stepMs;
        stepMs = 100;
        if (reply.status === 503)
          expect(reply).toMatchObject({
            headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
            status: 200,
          });
        return reply;
      });
    };
    const refs = (as_of?: string, headers?: Record<string, string>) =>
      then('POST', '/api/source-refs', { query: question, limit: 1, as_of }, headers);
    const read = (path: string, as_of?: string) =>
      then('GET', `/admin/api/${path}${as_of ? `${path.includes('?') ? '&' : '?'}as_of=${as_of}` : ''}`);
    const newest = async () => (await call('GET', '/admin/api/events?limit=1')).body.items[0];

    beforeAll(async () => {
      door = await openDoor(servers());
      call = door.call;
      answer = await call('POST', '/api/ask', { query: question });
      await call('PUT', '/admin/api/system-prompt', { content: 'The first.' });
      await call('POST', '/admin/api/api-keys', { name: 'Portal' });
      await door.app.caughtUp();
      before = await newest();
      writeFiles(files(), {
        'berths.md':
          '# Berths\n\n## Article 1. Mooring\n\nA vessel may moor at the northern quay for nine days without a fee.\n',
      });
      await door.app.ingest({ path: files(), corpus_id: 'krk_2026', layer: 'rules', actor: 'system' });
      await call('PUT', '/admin/api/system-prompt', { content: 'The second.' });
      await call('POST', '/admin/api/api-keys/1/revoke');
      await door.app.caughtUp();
    });
    afterAll(() => door.close());

    it('show the passage behind an answer after its document was replaced', async () => {
      expect(answer.body.answer).toContain('three days');
      const now = await refs();
      expect(now.body).toMatchObject({ sources: [{ revision: 2 }], raw_text_included: false });
      expect(now.body).not.toHaveProperty('texts');
      const past = await refs(before.position);
      expect(past.body).toMatchObject({
        mode: answer.body.mode,
        sources: [{ ref: 'berths#1', revision: 1 }],
        texts: [expect.stringContaining('for three days without a fee')],
        raw_text_included: true,
        as_of: before.position,
      });
      expect((await refs(before.position, { authorization: aidar })).body.texts).toEqual(past.body.texts);
      const dossier = await call('GET', `/admin/api/asks/${answer.body.request_id}`);
      expect(JSON.stringify(dossier.body)).toContain('for three days without a fee');
      // The same moment, now given by its time. It is not built again.
      expect((await refs(new Date(Date.parse(before.time)).toISOString())).body.texts).toEqual(
        past.body.texts,
      );
      expect((await call('GET', '/admin/api/moments')).body.items).toMatchObject([
        { position: before.position, status: 'ready', error: null, bytes: expect.any(Number) },
      ]);
    });

    it('show past administration records, and leave present ones unchanged', async () => {
      const at = before.position;
      const { headers, body } = await read('documents', at);
      expect(headers['x-as-of']).toBe(at);
      const berths = body.items.find((item: { doc_key: string }) => item.doc_key === 'berths');
      expect(berths).toMatchObject({ revision: 1, chunk_count: 2, embedded_count: 2 });
      const chunks = async (as_of?: string) => (await read(`documents/${berths.doc_id}/chunks`, as_of)).body;
      expect(await chunks(at)).toMatchObject({
        total: 2,
        items: [{ text: expect.stringContaining('three') }, {}],
      });
      expect(await chunks()).toMatchObject({ total: 1, items: [{ text: expect.stringContaining('nine') }] });
      const revisions = async (as_of?: string) =>
        (await read(`documents/${berths.doc_id}/revisions`, as_of)).body;
      expect(await revisions(at)).toMatchObject({ total: 1, items: [{ revision: 1, visible: true }] });
      expect(await revisions()).toMatchObject({ items: [{ revision: 2 }, { revision: 1, visible: false }] });
      expect((await read(`documents/${berths.doc_id}/revisions/2`, at)).status).toBe(404);
      expect((await read('api-keys/1/use', at)).body).toMatchObject({ questions: 0 });
      expect((await read('system-prompt', at)).body).toMatchObject({ version: 1, content: 'The first.' });
      expect((await read('system-prompt')).body).toMatchObject({ version: 2 });
      expect((await read('system-prompt/versions', at)).body.total).toBe(2);
      expect((await read('api-keys', at)).body.items).toMatchObject([{ name: 'Portal', revoked_at: null }]);
      expect((await read('stats', at)).body).toMatchObject({ active_keys: 1, documents: 3 });
      expect((await read('corpora', at)).body.items).toMatchObject([{ chunk_count: 4 }]);
      // Reading the past does not count as a question.
      expect((await read('queries', at)).body.items).toMatchObject([{ query: question }]);
      expect((await read('queries?channel=http')).body.total).toBe(1);
      expect((await read('unanswered', at)).body.total).toBe(0);
      expect((await read('faq-cache', at)).body.total).toBe(0);
      expect((await read('embeddings/status', at)).body).toMatchObject({
        total_chunks: 4,
        embedded_chunks: 4,
      });
      const then = (await read('audit-log', at)).body;
      const now = (await read('audit-log')).body;
      expect(then.total).toBeLessThan(now.total);
      expect((await read('queries?format=csv', at)).body).toContain(question);
    });

    it('are open to administrators and auditors', async () => {
      const body = { query: question, as_of: before.position };
      const anonymous = await call('POST', '/api/source-refs', body, { authorization: '' });
      expect(anonymous).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.any(String) } });
      const { key } = (await call('POST', '/admin/api/api-keys', { name: 'Other' })).body;
      const keyed = await door.server.inject({
        method: 'POST',
        url: '/api/source-refs',
        payload: body,
        headers: { 'x-api-key': key },
      });
      expect(keyed.statusCode).toBe(403);
      expect(await call('POST', '/api/source-refs', body, { origin: 'https://evil.example' })).toMatchObject({
        status: 403,
      });
      expect(
        (await call('GET', `/admin/api/documents?as_of=${before.position}`, undefined, { authorization: '' }))
          .status,
      ).toBe(401);
      expect((await call('GET', '/admin/api/documents?as_of=yesterday')).status).toBe(422);
      expect((await call('GET', '/admin/api/documents?as_of=1999-12-31')).status).toBe(404);
      const beyond = before.position.replaceAll(/\d/g, '9');
      expect((await call('GET', `/admin/api/documents?as_of=${beyond}`)).status).toBe(422);
    });

    it('are kept one at a time, and removed if their process was killed', async () => {
      const left = join(door.folder, 'data', 'past', 'left');
      mkdirSync(left);
      writeFileSync(join(left, 'alive'), '');
      utimesSync(join(left, 'alive'), 1, 1);
      const later = await newest();
      expect((await refs(later.position)).body).toMatchObject({
        sources: [{ revision: 2 }],
        texts: [expect.stringContaining('nine days')],
      });
      const { items } = (await call('GET', '/admin/api/moments')).body;
      expect(items.map(({ position }: { position: string }) => position)).toEqual([later.position]);
      expect(places()).toHaveLength(1);
      expect(places()).not.toContain('left');
    });

    it('show their differences in pages, to administrators and auditors', async () => {
      const to = (await newest()).position;
      const diff = (query: object, headers?: Record<string, string>) =>
        then('GET', `/admin/api/diff?${new URLSearchParams({ ...query })}`, undefined, headers);
      const pair = { from: before.position, to };
      const { body: documents } = await diff({ ...pair, projection: 'documents' });
      expect(documents).toMatchObject({ ...pair, next: null, compared: expect.any(Number) });
      const berths = documents.items.find(
        ({ after }: { after: { doc?: { doc_key?: string } } }) => after.doc?.doc_key === 'berths',
      );
      expect(berths).toMatchObject({
        projection: 'documents',
        kind: 'changed',
        fields: expect.arrayContaining(['doc.revision']),
        before: { doc: { revision: 1 } },
        after: { doc: { revision: 2 } },
      });
      const { body: whole } = await diff({ ...pair, limit: '500' });
      expect(whole.items).toContainEqual(berths);
      const third = Math.ceil(whole.items.length / 3);
      const pages = [];
      for (let next: number | null = 0; next !== null; ) {
        const { body }: Reply = await diff({ ...pair, limit: String(third), offset: String(next) });
        expect(body.items.length).toBeLessThanOrEqual(third);
        pages.push(...body.items);
        next = body.next;
      }
      expect(pages).toEqual(whole.items);
      // In the opposite order, additions become removals.
      const { body: back } = await diff({ from: to, to: before.position, limit: '500' });
      const turned = { surplus: 'missing', missing: 'surplus', changed: 'changed' } as const;
      expect(back.items.map(({ kind }: { kind: string }) => kind)).toEqual(
        whole.items.map(({ kind }: { kind: keyof typeof turned }) => turned[kind]),
      );
      expect((await diff({ from: to, to }, { authorization: aidar })).body).toMatchObject({ items: [] });
      await door.app.caughtUp();
      const read = 'action=admin.read_questions&target=history&actor=aidar';
      expect((await call('GET', `/admin/api/audit-log?${read}`)).body.items[0]).toMatchObject({
        detail: { filter: { diff_from: to, diff_to: to } },
      });
      const status = async (query: object, headers?: Record<string, string>) =>
        (await diff({ ...pair, ...query }, headers)).status;
      expect(await status({}, { authorization: '' })).toBe(401);
      expect(await status({}, { authorization: '', 'x-api-key': 'dk_any' })).toBe(401);
      expect(await status({ projection: 'none' })).toBe(422);
      expect(await status({ from: 'yesterday' })).toBe(422);
      expect(await status({ to: '1999-12-31' })).toBe(404);
      expect(await status({ to: to.replaceAll(/\d/g, '9') })).toBe(422);
      expect((await call('GET', `/admin/api/diff?from=${to}`)).status).toBe(422);
    });
  });
}
