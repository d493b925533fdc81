/**
 * Tests every operation of the OpenAPI document against the real service. Provokes each documented status and checks
 * the reply against its schema.
 */
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRoutes } from '../../src/admin/routes.ts';
import { cancelled, Failure } from '../../src/failures.ts';
import { newSigningKey } from '../../src/history/signed-note.ts';
import type { HttpApp } from '../../src/http/context.ts';
import { buildServer, type HttpConfig } from '../../src/http/server.ts';
import { keepReport } from '../../tools/evaluation/kept.ts';
import { reportOf } from '../../tools/evaluation/report.ts';
import { eventually } from '../support/eventually.ts';
import { over } from '../support/over.ts';
import { aidar, olga, openDoor } from './admin-door.ts';
import { documented } from './documented.ts';
import { patient } from './fake-app.ts';

const door = await openDoor({ DOCENT_SEAL_KEY: newSigningKey('docent.example') });
const { operations, misfit } = documented((await door.call('GET', '/api/openapi.json')).body);
afterAll(() => door.close());

type Request = Omit<InjectOptions, 'method'>;
type Server = ReturnType<typeof buildServer>;
/**
 * A request of an operation: the values of its path, with the query (`1/2?limit=3`), alone or with a payload; or a
 * request without its URL.
 */
type Sent = string | [at: string, payload: object] | Request;
/** A request that succeeds, and requests that cause the replies specific to an operation. */
interface Recipe {
  good: Sent;
  [status: number]: Sent;
}

function requestOf(path: string, sent: Sent): Request {
  if (typeof sent === 'object' && !Array.isArray(sent)) return { url: path, ...sent };
  const [at, payload] = typeof sent === 'string' ? [sent] : sent;
  const [values, query] = at.split('?') as [string, string?];
  const all = values.split('/');
  const url = path.replace(/\{\w+\}/g, () => all.shift()!);
  return { url: query === undefined ? url : `${url}?${query}`, ...(payload && { payload }) };
}

const ask = { query: 'When does the fish market open?' };
const upload = (fields: Record<string, string>, file: string): Request => {
  const payload = new FormData();
  for (const [name, value] of Object.entries(fields)) payload.set(name, value);
  payload.set('file', new File([file], 'ferry.md'));
  return { payload };
};
const ferry = upload({ corpus_id: 'krk_2026' }, '# Ferry\n\nThe ferry leaves at eight in the morning.\n');
const tooManyFields = upload(
  Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, 'x'])),
  '# Ferry\n',
);
const question = { corpus_id: 'krk_2026', question: 'When is high tide?', answer: 'At noon.' };

/** What must exist beforehand: an answer to resume, a key, a job, an entry. */
async function prepared() {
  await door.app.sealing!.seal();
  const { id: sealed } = (await door.call('GET', '/admin/api/events?direction=forwards&limit=1')).body
    .items[0];
  const asked = (await door.call('POST', '/api/ask', ask)).body.request_id;
  const stream = await door.server.inject(`/api/ask/stream/${asked}`);
  const seenToTheEnd = /id: (\S+)\nevent: done/.exec(stream.body)?.[1] ?? '';
  const key = (await door.call('POST', '/admin/api/api-keys', { name: 'a', rate_limit_rpm: 1 })).body;
  const spare = (await door.call('POST', '/admin/api/api-keys', { name: 'c' })).body.key_id;
  const entry = (await door.call('POST', '/admin/api/faq-cache', question)).body.entry_id;
  for (const asked of ['Where is the crane?', 'Where is the pilot?'])
    await door.app.chats.propose({ ...question, question: asked, subject: 'slack:somebody' });
  keepReport(join(door.folder, 'data'), 'before', reportOf({ set: 'set.jsonl', service: 'embedded' }, []));
  const job = (await door.call('POST', '/admin/api/backfill-embeddings?doc_key=fish')).body.job_id;
  const { position } = (await door.call('GET', '/admin/api/events?limit=1')).body.items[0];
  const diff = `?from=${position}&to=${position}`;
  // The moment must be built first.
  await eventually(async () => expect((await door.call('GET', `/admin/api/diff${diff}`)).status).toBe(200));
  return { asked, seenToTheEnd, key, spare, entry, job, diff, sealed };
}

function recipes(there: Awaited<ReturnType<typeof prepared>>): Record<string, Recipe> {
  const { asked, seenToTheEnd, key, spare, entry, job, diff, sealed } = there;
  const used = { 'x-api-key': key.key };
  const foreign = { origin: 'https://stranger.example' };
  const asking: Recipe = {
    good: ['', ask],
    403: { payload: { ...ask, corpus_id: 'krk_2026' }, headers: { 'x-api-key': 'scoped' } },
    404: ['', { ...ask, corpus_id: 'none' }],
    422: ['', { query: '' }],
    429: { payload: ask, headers: used },
  };
  const trial = { ...ask, corpus_id: 'krk_2026', model: 'none' };
  /** A list with pages. */
  const pages: Recipe = { good: '', 422: '?limit=0' };
  return {
    'get /admin/api/api-keys': pages,
    'post /admin/api/api-keys': { good: ['', { name: 'b' }], 422: ['', { name: 'b', corpus_ids: ['none'] }] },
    'post /admin/api/api-keys/{key_id}/revoke': { good: `${spare}`, 404: '99', 422: 'x' },
    'get /admin/api/api-keys/{key_id}/use': { good: `${spare}`, 404: '99', 422: `${spare}?from=2026-02-30` },
    'get /admin/api/audit-log': { good: '', 422: '?limit=501' },
    'get /admin/api/asks/{request_id}': { good: asked, 404: 'none', 422: `${asked}?format=pdf` },
    'get /admin/api/events': { good: '', 422: '?limit=501' },
    'get /admin/api/events/live': { good: '', 403: { headers: foreign }, 422: '?after=x' },
    'get /admin/api/events/{event_id}/proof': { good: sealed, 404: 'none', 422: 'x'.repeat(101) },
    'get /admin/api/streams/{stream}': { good: 'catalog', 404: 'none', 422: 'catalog?limit=0' },
    'get /api/transparency/checkpoint': { good: '' },
    'post /admin/api/backfill-embeddings': { good: '', 404: '?doc_key=none', 422: '?batch_size=0' },
    'get /admin/api/backfills/{job_id}': { good: job, 404: 'none' },
    'get /admin/api/config': { good: '' },
    'get /admin/api/moments': { good: '' },
    'get /admin/api/diff': {
      good: diff,
      404: '?from=1999-12-31&to=1999-12-31',
      422: `${diff}&projection=none`,
    },
    'get /admin/api/corpora': pages,
    'post /admin/api/corpora': {
      good: ['', { corpus_id: 'side', title: 'Side' }],
      409: ['', { corpus_id: 'krk_2026', title: 'Again' }],
      422: ['', { corpus_id: 'a b' }],
    },
    'patch /admin/api/corpora/{corpus_id}': {
      good: ['side', { is_active: false }],
      404: ['none', { title: 'None' }],
      422: ['side', { layers: [] }],
    },
    'get /admin/api/documents': { good: '?corpus_id=krk_2026', 422: '?limit=0' },
    'post /admin/api/documents': {
      good: ferry,
      200: ferry,
      404: upload({ corpus_id: 'none' }, '# Ferry\n'),
      409: upload({ corpus_id: 'krk_2026', doc_key: 'berths' }, '# Ferry\n'),
      413: tooManyFields,
      422: upload({}, '# Ferry\n'),
    },
    'post /admin/api/documents/inspect': {
      good: ferry,
      404: upload({ corpus_id: 'none' }, '# Ferry\n'),
      413: tooManyFields,
      422: upload({ corpus_id: 'krk_2026' }, ' '),
    },
    'delete /admin/api/documents/{doc_id}': { good: '3', 404: '99', 422: 'x' },
    'get /admin/api/documents/{doc_id}/chunks': { good: '1', 404: '99', 422: '1?limit=201' },
    'post /admin/api/documents/{doc_id}/restore': { good: '3', 404: '99', 422: 'x' },
    'get /admin/api/documents/{doc_id}/revisions': { good: '1', 404: '99', 422: '1?limit=501' },
    'get /admin/api/documents/{doc_id}/revisions/{revision}': { good: '1/1', 404: '1/9', 422: '1/0' },
    'get /admin/api/embeddings/status': { good: '' },
    'get /admin/api/evaluations': { good: '' },
    'get /admin/api/evaluations/{name}': { good: 'before?against=before', 404: 'none', 422: '..%2Fbefore' },
    'get /admin/api/faq-cache': pages,
    'post /admin/api/faq-cache': {
      good: ['', { ...question, question: 'When is low tide?' }],
      404: ['', { ...question, corpus_id: 'none' }],
      422: ['', { ...question, answer: ' ' }],
    },
    'get /admin/api/faq-cache/proposals': pages,
    'post /admin/api/faq-cache/proposals/{proposal_id}/accept': {
      good: ['1', {}],
      404: ['99', {}],
      422: ['1', { answer: ' ' }],
    },
    'post /admin/api/faq-cache/proposals/{proposal_id}/reject': { good: '2', 404: '99', 422: 'x' },
    'get /admin/api/chats': pages,
    'get /admin/api/chats/{platform}/{place}': { good: 'slack/C1', 422: 'irc/C1' },
    'patch /admin/api/chats/{platform}/{place}': {
      good: ['slack/C1', { silent: true }],
      404: ['slack/C1', { corpora: ['none'] }],
      422: ['slack/C1', { silent: 'perhaps' }],
    },
    'delete /admin/api/faq-cache/{entry_id}': { good: `${entry}`, 404: '999', 422: 'x' },
    'get /admin/api/queries': { good: '', 422: '?has_error=perhaps' },
    'get /admin/api/stats': { good: '', 422: '?from=2026-02-30' },
    'delete /admin/api/subjects/{subject}': { good: 'nobody', 422: 'x'.repeat(201) },
    'get /admin/api/system-prompt': { good: '' },
    'post /admin/api/trials': {
      good: ['', trial],
      404: ['', { ...trial, corpus_id: 'none' }],
      422: ['', { ...trial, model: undefined }],
    },
    'get /admin/api/unanswered': pages,
    'get /admin/api/system-prompt/versions': pages,
    'post /admin/api/system-prompt/versions/{version}/restore': { good: '0', 404: '99', 422: 'x' },
    'put /admin/api/system-prompt': { good: ['', { content: 'Be brief.' }], 422: ['', { content: '' }] },
    'post /api/ask': asking,
    'post /api/ask/stream': asking,
    'get /api/ask/stream/{request_id}': {
      good: asked,
      204: { url: `/api/ask/stream/${asked}`, headers: { 'last-event-id': seenToTheEnd } },
      404: 'none',
    },
    'delete /api/ask/stream/{request_id}': { good: asked, 404: 'none' },
    'get /api/ask/ws': { good: '', 403: { headers: foreign } },
    'post /api/asks/{request_id}/rating': {
      good: [asked, { rating: 'up' }],
      404: ['none', { rating: 'up' }],
      422: [asked, { rating: 'sideways' }],
      429: { url: `/api/asks/${asked}/rating`, payload: { rating: 'up' }, headers: used },
    },
    'get /api/corpora': { good: '' },
    'head /api/corpora': { good: '' },
    'post /api/source-refs': asking,
    'get /api/graph/stats': { good: '' },
    'post /api/graph/query': { ...asking, good: ['', { entity: 'fish market' }] },
    'get /health': { good: '' },
    'head /health': { good: '' },
    'get /metrics': { good: '' },
  };
}

/** A server that is closed after the tests. */
function opened(app: HttpApp, more: Partial<HttpConfig> = {}): Server {
  const server = buildServer(app, {
    corsOrigins: '*',
    trustProxy: false,
    loopDelayMsMax: patient,
    administration: adminRoutes(door.app),
    ...more,
  });
  afterAll(() => server.close());
  return server;
}

/** The HTTP server with every use case failing; callers are still identified. */
function failing(error: Error): Server {
  const fail = <T extends object>(of: T, spared: readonly string[] = []): T =>
    new Proxy(of, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (spared.includes(String(name)) || value === null || value === undefined) return value;
        if (typeof value !== 'function') return typeof value === 'object' ? fail(value as object) : value;
        return () => {
          throw error;
        };
      },
    });
  const app: HttpApp = {
    ...fail({ ...door.app }, ['access', 'admin', 'logins']),
    health: () => {
      if (!(error instanceof Failure && error.code === 'unavailable')) throw error;
      return { ...door.app.health(), status: 'down' };
    },
    asks: {
      running: 0,
      onEnd: () => {},
      begin: () => Promise.reject(error),
      find: () => Promise.reject(error),
      cancel: () => Promise.reject(error),
      close: async () => {},
    },
    access: over(fail(door.app.access, ['isPublic']), {
      clientOf: (...of) => door.app.access.clientOf(...of),
    }),
    logins: { hasPasswords: true, failed() {}, login: async () => ({ name: 'olga', role: 'admin' }) },
  };
  const { admin, moments } = door.app;
  return opened(app, {
    administration: adminRoutes({ admin: fail(admin), moments: fail(moments), health: app.health }),
  });
}

const failures: Record<number, Error> = {
  409: cancelled(),
  500: new Error('a secret'),
  503: new Failure('unavailable', 'Something is down.'),
  504: new Failure('timeout', 'It took too long.'),
  507: new Failure('storage_full', 'The disk is full.'),
};
/** Replies that cannot be caused: every string is a valid id, and nothing that the metrics depend on can fail. */
const spared: Record<string, number[]> = {
  'get /admin/api/backfills/{job_id}': [422],
  // Answers whose source was withdrawn: public-key.test.ts
  'post /api/ask': [410],
  'post /api/ask/stream': [410],
  'get /api/ask/stream/{request_id}': [410, 422],
  'delete /api/ask/stream/{request_id}': [410, 422],
  'get /api/ask/ws': [101], // websocket.test.ts
  // Sends its messages over the socket: admin.contract.ts
  'get /admin/api/events/live': [101, 500, 503],
  // A checkpoint exists or does not: transparency.test.ts
  'get /api/transparency/checkpoint': [404, 500, 503],
  'get /metrics': [503],
};
const sockets = ['get /api/ask/ws', 'get /admin/api/events/live'];
let recipesOf: Record<string, Recipe>;
let scoped: string;
const closed = opened(door.app, { corsOrigins: ['https://ours.example'] });
/** All further logins are blocked for a while. */
const locked = opened({
  ...door.app,
  logins: {
    hasPasswords: true,
    failed() {},
    login: async () => {
      throw new Failure('rate_limited', 'Too many failed logins.', { retryAfterS: 5 });
    },
  },
});
/** Every caller is over the limit. */
const exhausted = opened({
  ...door.app,
  access: over(door.app.access, {
    count: async () => ({ allowed: false, limit: 1, remaining: 0, resetS: 9, retryAfterS: 9 }),
  }),
});
const broken = Object.entries(failures).map(([status, error]): [number, Server] => [
  Number(status),
  failing(error),
]);
beforeAll(async () => {
  const there = await prepared();
  recipesOf = recipes(there);
  await door.call('POST', '/admin/api/corpora', { corpus_id: 'other', title: 'Other' });
  scoped = (await door.call('POST', '/admin/api/api-keys', { name: 's', corpus_ids: ['other'] })).body.key;
  // A key that is over its limits.
  const used = { 'x-api-key': there.key.key };
  await door.call('POST', '/api/ask', ask, used);
  await door.call('POST', `/api/asks/${there.asked}/rating`, { rating: 'up' }, used);
});

test('every operation has test requests', () => {
  expect(Object.keys(recipesOf).sort()).toEqual(operations.map(({ name }) => name).sort());
});

test.each(operations)(
  '$name: each possible reply matches its schema',
  async ({ name, path, method, operation }) => {
    const requests = Object.entries(recipesOf[name]!).map(([of, sent]) => [of, requestOf(path, sent)]);
    const { good, ...recipe } = Object.fromEntries(requests) as { good: Request; [status: number]: Request };
    const asOf = (moment: string): Request => {
      const url = new URL(good.url as string, 'http://x');
      url.searchParams.set('as_of', moment);
      return { url: `${url.pathname}${url.search}` };
    };
    const hasPast = operation.parameters?.some((parameter) => parameter.name === 'as_of');
    const past: Record<number, Request> = hasPast ? { 404: asOf('1999-12-31'), 422: asOf('yesterday') } : {};
    const more: Record<number, Request> = { ...past, ...recipe };
    const inside = path.startsWith('/admin/');
    const send = (request: Request, over: Request = {}, server: Server = door.server) => {
      const headers: NonNullable<InjectOptions['headers']> = {
        ...(inside && { authorization: olga }),
        ...request.headers,
        ...over.headers,
      };
      if (headers['x-api-key'] === 'scoped') headers['x-api-key'] = scoped;
      return server.inject({
        method: method.toUpperCase() as NonNullable<InjectOptions['method']>,
        ...request,
        ...over,
        headers,
      });
    };
    const seen = new Set<number>();
    const held = async (expected: number, reply: Awaited<ReturnType<Server['inject']>>) => {
      expect([name, reply.statusCode, misfit({ path, method }, reply)]).toEqual([name, expected, null]);
      expect(reply.body).not.toContain('a secret');
      seen.add(expected);
    };
    const statuses = Object.keys(operation.responses).map(Number);
    const has = (status: number) => statuses.includes(status);
    if (has(401)) {
      const headers = inside ? { authorization: 'Basic x' } : { 'x-api-key': 'dk_wrong' };
      await held(401, await send(good, { headers }));
    }
    if (has(403) && inside && more[403] === undefined)
      await held(403, await send(good, { headers: { authorization: aidar } }));
    if (has(429) && inside) await held(429, await send(good, {}, locked));
    if (has(429) && !inside) await held(429, await send(good, {}, exhausted));
    if (has(413) && more[413] === undefined) {
      const headers = { 'content-type': 'application/json' };
      await held(413, await send(good, { headers, payload: `"${'a'.repeat(2 * 1024 * 1024)}"` }));
    }
    if (has(415)) {
      await held(415, await send(good, { headers: { 'content-type': 'nonsense' }, payload: 'x' }));
    }
    const success = statuses.filter((status) => status < 300 && more[status] === undefined);
    if (sockets.includes(name)) await held(426, await send(good));
    else {
      expect(success).toHaveLength(1);
      await held(success[0]!, await send(good));
    }
    if (name === 'post /admin/api/backfill-embeddings') {
      // One of two requests over the same documents must find the other one running.
      const both = await Promise.all([send(good), send(good)]);
      for (const reply of both.sort((a, b) => a.statusCode - b.statusCode).slice(1)) await held(409, reply);
    }
    for (const [status, request] of Object.entries(more))
      await held(Number(status), await send(request, {}, name === 'get /api/ask/ws' ? closed : door.server));
    for (const [status, server] of broken)
      if (has(status) && !seen.has(status) && !spared[name]?.includes(status))
        await held(status, await send(good, {}, server));
    const unseen = statuses.filter((status) => !seen.has(status));
    expect([name, unseen]).toEqual([name, spared[name] ?? []]);
  },
);
