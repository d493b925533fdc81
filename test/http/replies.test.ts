/**
 * Tests every operation of the OpenAPI document against the real service. Provokes each documented status and checks
 * the reply against its schema.
 */
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRoutes } from '../../src/admin/routes.ts';
import { Failure } from '../../src/failures.ts';
import { newSigningKey } from '../../src/history/signed-note.ts';
import type { HttpApp } from '../../src/http/context.ts';
import { buildServer } from '../../src/http/server.ts';
import { keepReport } from '../../tools/evaluation/kept.ts';
import { reportOf } from '../../tools/evaluation/report.ts';
import { eventually } from '../support/eventually.ts';
import { aidar, olga, openDoor } from './admin-door.ts';
import { documented } from './documented.ts';
import { patient } from './fake-app.ts';

const door = await openDoor({ DOCENT_SEAL_KEY: newSigningKey('docent.example') });
const { operations, misfit } = documented((await door.call('GET', '/api/openapi.json')).body);
afterAll(() => door.close());

type Request = Omit<InjectOptions, 'method'>;
type Server = ReturnType<typeof buildServer>;
/** A request that succeeds, and requests that cause the replies specific to an operation. */
interface Recipe {
  good: Request;
  more?: Record<number, Request>;
}

const ask = { query: 'When does the fish market open?' };
const upload = (fields: Record<string, string>, file?: string, url = '/admin/api/documents'): Request => {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  if (file !== undefined)
    parts.push(`--x\r\ncontent-disposition: form-data; name="file"; filename="ferry.md"\r\n\r\n${file}\r\n`);
  return {
    url,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `${parts.join('')}--x--\r\n`,
  };
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
  const diff = `/admin/api/diff?from=${position}&to=${position}`;
  // The moment must be built first.
  await eventually(async () => expect((await door.call('GET', diff)).status).toBe(200));
  return { asked, seenToTheEnd, key, spare, entry, job, diff, sealed };
}

function recipes({
  asked,
  seenToTheEnd,
  key,
  spare,
  entry,
  job,
  diff,
  sealed,
}: Awaited<ReturnType<typeof prepared>>) {
  const admin = '/admin/api';
  const askErrors = (url: string): Record<number, Request> => ({
    403: { url, payload: { ...ask, corpus_id: 'krk_2026' }, headers: { 'x-api-key': 'scoped' } },
    404: { url, payload: { ...ask, corpus_id: 'none' } },
    422: { url, payload: { query: '' } },
    429: { url, payload: ask, headers: { 'x-api-key': key.key } },
  });
  /** A list with pages. */
  const listed = (url: string): Recipe => {
    const faulty = new URL(url, 'http://x');
    faulty.searchParams.set('limit', '0');
    return { good: { url }, more: { 422: { url: `${faulty.pathname}${faulty.search}` } } };
  };
  const all: Record<string, Recipe> = {
    'get /admin/api/api-keys': listed(`${admin}/api-keys`),
    'post /admin/api/api-keys': {
      good: { url: `${admin}/api-keys`, payload: { name: 'b' } },
      more: { 422: { url: `${admin}/api-keys`, payload: { name: 'b', corpus_ids: ['none'] } } },
    },
    'post /admin/api/api-keys/{key_id}/revoke': {
      good: { url: `${admin}/api-keys/${spare}/revoke` },
      more: { 404: { url: `${admin}/api-keys/99/revoke` }, 422: { url: `${admin}/api-keys/x/revoke` } },
    },
    'get /admin/api/api-keys/{key_id}/use': {
      good: { url: `${admin}/api-keys/${spare}/use` },
      more: {
        404: { url: `${admin}/api-keys/99/use` },
        422: { url: `${admin}/api-keys/${spare}/use?from=2026-02-30` },
      },
    },
    'get /admin/api/audit-log': {
      good: { url: `${admin}/audit-log` },
      more: { 422: { url: `${admin}/audit-log?limit=501` } },
    },
    'get /admin/api/asks/{request_id}': {
      good: { url: `${admin}/asks/${asked}` },
      more: {
        404: { url: `${admin}/asks/none` },
        422: { url: `${admin}/asks/${asked}?format=pdf` },
      },
    },
    'get /admin/api/events': {
      good: { url: `${admin}/events` },
      more: { 422: { url: `${admin}/events?limit=501` } },
    },
    'get /admin/api/events/live': {
      good: { url: `${admin}/events/live` },
      more: {
        403: { url: `${admin}/events/live`, headers: { origin: 'https://stranger.example' } },
        422: { url: `${admin}/events/live?after=x` },
      },
    },
    'get /admin/api/events/{event_id}/proof': {
      good: { url: `${admin}/events/${sealed}/proof` },
      more: {
        404: { url: `${admin}/events/none/proof` },
        422: { url: `${admin}/events/${'x'.repeat(101)}/proof` },
      },
    },
    'get /admin/api/streams/{stream}': {
      good: { url: `${admin}/streams/catalog` },
      more: { 404: { url: `${admin}/streams/none` }, 422: { url: `${admin}/streams/catalog?limit=0` } },
    },
    'get /api/transparency/checkpoint': { good: { url: '/api/transparency/checkpoint' } },
    'post /admin/api/backfill-embeddings': {
      good: { url: `${admin}/backfill-embeddings` },
      more: {
        404: { url: `${admin}/backfill-embeddings?doc_key=none` },
        422: { url: `${admin}/backfill-embeddings?batch_size=0` },
      },
    },
    'get /admin/api/backfills/{job_id}': {
      good: { url: `${admin}/backfills/${job}` },
      more: { 404: { url: `${admin}/backfills/none` } },
    },
    'get /admin/api/config': { good: { url: `${admin}/config` } },
    'get /admin/api/moments': { good: { url: `${admin}/moments` } },
    'get /admin/api/diff': {
      good: { url: diff },
      more: {
        404: { url: `${admin}/diff?from=1999-12-31&to=1999-12-31` },
        422: { url: `${diff}&projection=none` },
      },
    },
    'get /admin/api/corpora': listed(`${admin}/corpora`),
    'post /admin/api/corpora': {
      good: { url: `${admin}/corpora`, payload: { corpus_id: 'side', title: 'Side' } },
      more: {
        409: { url: `${admin}/corpora`, payload: { corpus_id: 'krk_2026', title: 'Again' } },
        422: { url: `${admin}/corpora`, payload: { corpus_id: 'a b' } },
      },
    },
    'patch /admin/api/corpora/{corpus_id}': {
      good: { url: `${admin}/corpora/side`, payload: { is_active: false } },
      more: {
        404: { url: `${admin}/corpora/none`, payload: { title: 'None' } },
        422: { url: `${admin}/corpora/side`, payload: { layers: [] } },
      },
    },
    'get /admin/api/documents': listed(`${admin}/documents?corpus_id=krk_2026`),
    'post /admin/api/documents': {
      good: ferry,
      more: {
        200: ferry,
        404: upload({ corpus_id: 'none' }, '# Ferry\n'),
        409: upload({ corpus_id: 'krk_2026', doc_key: 'berths' }, '# Ferry\n'),
        413: tooManyFields,
        422: upload({}, '# Ferry\n'),
      },
    },
    'post /admin/api/documents/inspect': {
      good: { ...ferry, url: `${admin}/documents/inspect` },
      more: {
        404: upload({ corpus_id: 'none' }, '# Ferry\n', `${admin}/documents/inspect`),
        413: { ...tooManyFields, url: `${admin}/documents/inspect` },
        422: upload({ corpus_id: 'krk_2026' }, ' ', `${admin}/documents/inspect`),
      },
    },
    'delete /admin/api/documents/{doc_id}': {
      good: { url: `${admin}/documents/3` },
      more: { 404: { url: `${admin}/documents/99` }, 422: { url: `${admin}/documents/x` } },
    },
    'get /admin/api/documents/{doc_id}/chunks': {
      good: { url: `${admin}/documents/1/chunks` },
      more: {
        404: { url: `${admin}/documents/99/chunks` },
        422: { url: `${admin}/documents/1/chunks?limit=201` },
      },
    },
    'post /admin/api/documents/{doc_id}/restore': {
      good: { url: `${admin}/documents/3/restore` },
      more: {
        404: { url: `${admin}/documents/99/restore` },
        422: { url: `${admin}/documents/x/restore` },
      },
    },
    'get /admin/api/documents/{doc_id}/revisions': {
      good: { url: `${admin}/documents/1/revisions` },
      more: {
        404: { url: `${admin}/documents/99/revisions` },
        422: { url: `${admin}/documents/1/revisions?limit=501` },
      },
    },
    'get /admin/api/documents/{doc_id}/revisions/{revision}': {
      good: { url: `${admin}/documents/1/revisions/1` },
      more: {
        404: { url: `${admin}/documents/1/revisions/9` },
        422: { url: `${admin}/documents/1/revisions/0` },
      },
    },
    'get /admin/api/embeddings/status': { good: { url: `${admin}/embeddings/status` } },
    'get /admin/api/evaluations': { good: { url: `${admin}/evaluations` } },
    'get /admin/api/evaluations/{name}': {
      good: { url: `${admin}/evaluations/before?against=before` },
      more: {
        404: { url: `${admin}/evaluations/none` },
        422: { url: `${admin}/evaluations/..%2Fbefore` },
      },
    },
    'get /admin/api/faq-cache': listed(`${admin}/faq-cache`),
    'post /admin/api/faq-cache': {
      good: { url: `${admin}/faq-cache`, payload: { ...question, question: 'When is low tide?' } },
      more: {
        404: { url: `${admin}/faq-cache`, payload: { ...question, corpus_id: 'none' } },
        422: { url: `${admin}/faq-cache`, payload: { ...question, answer: ' ' } },
      },
    },
    'get /admin/api/faq-cache/proposals': listed(`${admin}/faq-cache/proposals`),
    'post /admin/api/faq-cache/proposals/{proposal_id}/accept': {
      good: { url: `${admin}/faq-cache/proposals/1/accept`, payload: {} },
      more: {
        404: { url: `${admin}/faq-cache/proposals/99/accept`, payload: {} },
        422: { url: `${admin}/faq-cache/proposals/1/accept`, payload: { answer: ' ' } },
      },
    },
    'post /admin/api/faq-cache/proposals/{proposal_id}/reject': {
      good: { url: `${admin}/faq-cache/proposals/2/reject` },
      more: {
        404: { url: `${admin}/faq-cache/proposals/99/reject` },
        422: { url: `${admin}/faq-cache/proposals/x/reject` },
      },
    },
    'get /admin/api/chats': listed(`${admin}/chats`),
    'get /admin/api/chats/{platform}/{place}': {
      good: { url: `${admin}/chats/slack/C1` },
      more: { 422: { url: `${admin}/chats/irc/C1` } },
    },
    'patch /admin/api/chats/{platform}/{place}': {
      good: { url: `${admin}/chats/slack/C1`, payload: { silent: true } },
      more: {
        404: { url: `${admin}/chats/slack/C1`, payload: { corpora: ['none'] } },
        422: { url: `${admin}/chats/slack/C1`, payload: { silent: 'perhaps' } },
      },
    },
    'delete /admin/api/faq-cache/{entry_id}': {
      good: { url: `${admin}/faq-cache/${entry}` },
      more: { 404: { url: `${admin}/faq-cache/999` }, 422: { url: `${admin}/faq-cache/x` } },
    },
    'get /admin/api/queries': {
      good: { url: `${admin}/queries` },
      more: { 422: { url: `${admin}/queries?has_error=perhaps` } },
    },
    'get /admin/api/stats': {
      good: { url: `${admin}/stats` },
      more: { 422: { url: `${admin}/stats?from=2026-02-30` } },
    },
    'delete /admin/api/subjects/{subject}': {
      good: { url: `${admin}/subjects/nobody` },
      more: { 422: { url: `${admin}/subjects/${'x'.repeat(201)}` } },
    },
    'get /admin/api/system-prompt': { good: { url: `${admin}/system-prompt` } },
    'post /admin/api/trials': {
      good: { url: `${admin}/trials`, payload: { ...ask, corpus_id: 'krk_2026', model: 'none' } },
      more: {
        404: { url: `${admin}/trials`, payload: { ...ask, corpus_id: 'none', model: 'none' } },
        422: { url: `${admin}/trials`, payload: { ...ask, corpus_id: 'krk_2026' } },
      },
    },
    'get /admin/api/unanswered': listed(`${admin}/unanswered`),
    'get /admin/api/system-prompt/versions': listed(`${admin}/system-prompt/versions`),
    'post /admin/api/system-prompt/versions/{version}/restore': {
      good: { url: `${admin}/system-prompt/versions/0/restore` },
      more: {
        404: { url: `${admin}/system-prompt/versions/99/restore` },
        422: { url: `${admin}/system-prompt/versions/x/restore` },
      },
    },
    'put /admin/api/system-prompt': {
      good: { url: `${admin}/system-prompt`, payload: { content: 'Be brief.' } },
      more: { 422: { url: `${admin}/system-prompt`, payload: { content: '' } } },
    },
    'post /api/ask': { good: { url: '/api/ask', payload: ask }, more: askErrors('/api/ask') },
    'post /api/ask/stream': {
      good: { url: '/api/ask/stream', payload: ask },
      more: askErrors('/api/ask/stream'),
    },
    'get /api/ask/stream/{request_id}': {
      good: { url: `/api/ask/stream/${asked}` },
      more: {
        204: { url: `/api/ask/stream/${asked}`, headers: { 'last-event-id': seenToTheEnd } },
        404: { url: '/api/ask/stream/none' },
      },
    },
    'delete /api/ask/stream/{request_id}': {
      good: { url: `/api/ask/stream/${asked}` },
      more: { 404: { url: '/api/ask/stream/none' } },
    },
    'get /api/ask/ws': {
      good: { url: '/api/ask/ws' },
      more: { 403: { url: '/api/ask/ws', headers: { origin: 'https://stranger.example' } } },
    },
    'post /api/asks/{request_id}/rating': {
      good: { url: `/api/asks/${asked}/rating`, payload: { rating: 'up' } },
      more: {
        404: { url: '/api/asks/none/rating', payload: { rating: 'up' } },
        422: { url: `/api/asks/${asked}/rating`, payload: { rating: 'sideways' } },
        429: {
          url: `/api/asks/${asked}/rating`,
          payload: { rating: 'up' },
          headers: { 'x-api-key': key.key },
        },
      },
    },
    'get /api/corpora': { good: { url: '/api/corpora' } },
    'head /api/corpora': { good: { url: '/api/corpora' } },
    'post /api/source-refs': {
      good: { url: '/api/source-refs', payload: ask },
      more: askErrors('/api/source-refs'),
    },
    'get /api/graph/stats': { good: { url: '/api/graph/stats' } },
    'post /api/graph/query': {
      good: { url: '/api/graph/query', payload: { entity: 'fish market' } },
      more: askErrors('/api/graph/query'),
    },
    'get /health': { good: { url: '/health' } },
    'head /health': { good: { url: '/health' } },
    'get /metrics': { good: { url: '/metrics' } },
  };
  return all;
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
    access: new Proxy(fail(door.app.access, ['isPublic']), {
      get: (access, name) =>
        name === 'clientOf' ? door.app.access.clientOf.bind(door.app.access) : Reflect.get(access, name),
    }),
    logins: { hasPasswords: true, failed() {}, login: async () => ({ name: 'olga', role: 'admin' }) },
  };
  const { admin, moments } = door.app;
  const administration = adminRoutes({ admin: fail(admin), moments: fail(moments), health: app.health });
  return buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient, administration });
}

const failures: Record<number, Error> = {
  409: new Failure('cancelled', 'The question was cancelled.'),
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
const administration = adminRoutes(door.app);
const closed = buildServer(door.app, {
  administration,
  corsOrigins: ['https://ours.example'],
  trustProxy: false,
  loopDelayMsMax: patient,
});
/** All further logins are blocked for a while. */
const locked = buildServer(
  {
    ...door.app,
    logins: {
      ...{ hasPasswords: true, failed() {} },
      login: async () => {
        throw new Failure('rate_limited', 'Too many failed logins.', { retryAfterS: 5 });
      },
    },
  },
  { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient, administration },
);
/** Every caller is over the limit. */
const exhausted = buildServer(
  {
    ...door.app,
    access: new Proxy(door.app.access, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === 'count')
          return async () => ({ allowed: false, limit: 1, remaining: 0, resetS: 9, retryAfterS: 9 });
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  },
  { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient, administration },
);
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
afterAll(() =>
  Promise.all(
    [closed, locked, exhausted, ...broken.map(([, server]) => server)].map((server) => server.close()),
  ),
);

test('every operation has test requests', () => {
  expect(Object.keys(recipesOf).sort()).toEqual(operations.map(({ name }) => name).sort());
});

test.each(operations)(
  '$name: each possible reply matches its schema',
  async ({ name, path, method, operation }) => {
    const { good, ...recipe } = recipesOf[name]!;
    const asOf = (moment: string): Request => {
      const url = new URL(good.url as string, 'http://x');
      url.searchParams.set('as_of', moment);
      return { url: `${url.pathname}${url.search}` };
    };
    const hasPast = operation.parameters?.some((parameter) => parameter.name === 'as_of');
    const past: Record<number, Request> = hasPast ? { 404: asOf('1999-12-31'), 422: asOf('yesterday') } : {};
    const more = { ...past, ...recipe.more };
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
