/** DOCENT_PUBLIC=key: access without a key, with one, and through links in answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aidar, type OpenedDoor, openDoor, send } from './admin-door.ts';

let door: OpenedDoor;
let key: string;
/** A key for another corpus. */
let other: string;
let pageUrl: string;

beforeAll(async () => {
  door = await openDoor({ DOCENT_PUBLIC: 'key' });
  await door.call('POST', '/admin/api/corpora', { corpus_id: 'other', title: 'Another library' });
  const create = async (corpus_ids: string[]) =>
    (await door.call('POST', '/admin/api/api-keys', { name: 'a', corpus_ids })).body.key;
  key = await create(['krk_2026']);
  other = await create(['other']);
  const query = 'When does the fish market open?';
  const answer = await send(door.server, {
    method: 'POST',
    url: '/api/ask',
    payload: { query },
    headers: { 'x-api-key': key },
  });
  pageUrl = answer.body.sources[0].page_url;
});
afterAll(() => door.close());

const get = (url: string, headers: Record<string, string> = {}) =>
  send(door.server, { method: 'GET', url, headers });
const withKey = (value: string) => ({ 'x-api-key': value });

test('requires a key for questions', async () => {
  const ask = (url: string, headers = {}) =>
    send(door.server, { method: 'POST', url, payload: { query: 'fish' }, headers });
  for (const url of ['/api/ask', '/api/source-refs', '/api/ask/stream'])
    expect([url, (await ask(url)).status]).toEqual([url, 401]);
  expect((await ask('/api/source-refs', withKey(key))).status).toBe(200);
  const { body } = await get('/.well-known/docent-consumer.json');
  expect(body.authentication.api_key_required).toBe(true);
});

test('lists only what the key may access, and nothing without a key', async () => {
  const listed = async (headers?: Record<string, string>) =>
    (await get('/api/corpora', headers)).body.map(({ corpus_id }: { corpus_id: string }) => corpus_id);
  expect(await listed()).toEqual([]);
  expect(await listed(withKey(key))).toEqual(['krk_2026']);
  expect(await listed(withKey(other))).toEqual(['other']);
  expect((await get('/api/corpora', withKey(`dk_${'x'.repeat(43)}`))).status).toBe(401);
  expect((await get('/')).body).not.toMatch(/Harbour|Another library|<docent-ask/);
  expect((await get('/', withKey(key))).body).toContain('Harbour rules');
});

test('requires an administrator for metrics', async () => {
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', withKey(key))).status).toBe(401);
  expect((await get('/metrics', { authorization: aidar })).body).toContain('docent_asks_running');
});

test('opens a source with a key for its corpus, or through the link in an answer', async () => {
  const bare = pageUrl.replace(/\?.*/, '');
  expect((await get(bare)).status).toBe(401);
  expect((await get(bare, withKey(other))).status).toBe(403);
  expect((await get(bare, withKey(key))).status).toBe(200);
  expect((await get(bare, withKey('nonsense'))).status).toBe(401);
  const opened = await get(pageUrl.split('#')[0]!);
  expect([opened.status, opened.body.includes('The fish market opens at five')]).toEqual([200, true]);
  expect(opened.body).toMatch(/<mark [^>]*>The fish market opens/);
});

test('a link opens only the source it was made for', async () => {
  const { pathname, searchParams } = new URL(pageUrl, 'http://localhost');
  const status = async (change: Record<string, string | null>, path = pathname) => {
    const query = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(change))
      value === null ? query.delete(name) : query.set(name, value);
    return (await get(`${path}?${query}`)).status;
  };
  expect(await status({})).toBe(200);
  expect(await status({ quote: null, part: '1' })).toBe(200);
  expect(await status({ part: '2' })).toBe(404);
  const changes: Record<string, string | null>[] = [
    { revision: null },
    { revision: '2' },
    { chunk: null },
    { chunk: '002' },
    { expires: '99999999999' },
    { signature: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ];
  for (const change of changes) expect([change, await status(change)]).toEqual([change, 403]);
  for (const path of ['/source/krk_2026/1', '/source/krk_2026/3', '/source/other/2'])
    if (path !== pathname) expect([path, await status({}, path)]).toEqual([path, 403]);
});

test('an answer can no longer be read by its id once its document is withdrawn', async () => {
  const asked = await send(door.server, {
    method: 'POST',
    url: '/api/ask',
    payload: { query: 'When does the fish market open?' },
    headers: withKey(key),
  });
  const url = `/api/ask/stream/${asked.body.request_id}`;
  expect((await get(url, withKey(key))).status).toBe(200);
  const hidden = async (visibility: string) =>
    door.call('PATCH', '/admin/api/corpora/krk_2026', {
      layers: [
        { name: 'rules', visibility },
        { name: 'plans', visibility: 'restricted' },
      ],
    });
  expect((await hidden('restricted')).status).toBe(200);
  const restricted = await get(url, withKey(key));
  expect([restricted.status, restricted.body]).toEqual([
    410,
    { detail: 'A document quoted in this answer is no longer public.' },
  ]);
  await hidden('public');
  expect((await get(url, withKey(key))).status).toBe(200);
  const plans = { name: 'plans', visibility: 'restricted' };
  expect((await door.call('PATCH', '/admin/api/corpora/krk_2026', { layers: [plans] })).status).toBe(200);
  expect((await get(url, withKey(key))).status).toBe(410);
  const source = await get(pageUrl.replace(/\?.*/, ''), withKey(key));
  expect([source.status, source.body.detail]).toEqual([403, 'This document is not public.']);
  await hidden('public');
  expect((await get(url, withKey(key))).status).toBe(200);
  const [, docId] = /\/source\/krk_2026\/(\d+)/.exec(pageUrl) ?? [];
  expect((await door.call('DELETE', `/admin/api/documents/${docId}`)).status).toBeLessThan(300);
  const withdrawn = await get(url, withKey(key));
  expect([withdrawn.status, withdrawn.body.detail]).toEqual([
    410,
    'A document quoted in this answer was withdrawn.',
  ]);
  // Auditors can still read it, because they may read everything.
  const { body } = await door.call('GET', '/admin/api/queries?search=fish', undefined, {
    authorization: aidar,
  });
  expect(body.items.some((item: { request_id: string }) => item.request_id === asked.body.request_id)).toBe(
    true,
  );
});
