/** The graph over HTTP must not reveal a restricted layer, a deactivated corpus or the corpus of another key. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../support/folder.ts';
import { type OpenedDoor, openDoor, send } from './admin-door.ts';

const files: Record<string, string> = {
  'town/corpus.yaml': `id: town
title: Town
languages: [en]
layers:
  - {name: rules}
  - {name: plans, visibility: restricted}
files:
  - {path: "plans/**", layer: plans}
`,
  'town/rules.md': '# Berths\n\nBerths are given by the Harbour Committee and by the Fish Council.\n',
  'town/plans/lights.md':
    '# Lights\n\nThe tower is painted by the Lighthouse Agency, as the Harbour Committee asks.\n',
  'guild/corpus.yaml': 'id: guild\ntitle: Guild\nlanguages: [en]\nlayers:\n  - {name: rules}\n',
  'guild/pilots.md': '# Pilots\n\nPilots are heard by the Pilotage Tribunal.\n',
};

let door: OpenedDoor;
const keys: Record<string, string> = {};

beforeAll(async () => {
  door = await openDoor({ DOCENT_PUBLIC: 'key' }, { library: false });
  writeFiles(door.folder, files);
  for (const corpus of ['town', 'guild']) {
    await door.app.ingest({ path: join(door.folder, corpus), actor: 'system' });
    const made = await door.call('POST', '/admin/api/api-keys', { name: corpus, corpus_ids: [corpus] });
    keys[corpus] = made.body.key;
  }
  await door.app.caughtUp();
});
afterAll(() => door.close());

const headers = (key: string | null) => (key === null ? {} : { 'x-api-key': keys[key]! });
const query = (key: string | null, payload: object) =>
  send(door.server, { method: 'POST', url: '/api/graph/query', payload, headers: headers(key) });
const get = (key: string | null, url: string) =>
  send(door.server, { method: 'GET', url, headers: headers(key) });

/** Every kind of request, with names that the caller may and may not see. */
const questions = (corpus_id: string) =>
  [
    { entity: 'Harbour Committee', depth: 3 },
    { entity: 'Lighthouse Agency' },
    { entity: 'name:lighthouse agency' },
    { entity: 'document:plans/lights' },
    { entity: 'Harbour Committee', to: 'Lighthouse Agency' },
    { query: 'What does the Lighthouse Agency ask of the Harbour Committee?', depth: 3 },
    { relation: 'mentions' },
  ].map((question) => ({ corpus_id, ...question }));

/** Everything a key can see of a corpus: answers, figures and pages. */
async function shown(key: string | null, corpus: string): Promise<{ statuses: Set<number>; text: string }> {
  const replies = [];
  for (const question of questions(corpus)) replies.push(await query(key, question));
  const statuses = new Set(replies.map(({ status }) => status));
  replies.push(await get(key, '/api/graph/stats'));
  for (const entity of ['', 'Harbour Committee', 'Lighthouse Agency'])
    replies.push(await get(key, `/graph?${new URLSearchParams({ corpus, entity })}`));
  // Replies repeat the requested name.
  const text = replies.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))).join('\n');
  return { statuses, text: text.replaceAll(/value="[^"]*"|“[^”]*”|entity=[^"]*"/g, '') };
}

const layers = (rules: string, plans: string) =>
  door.call('PATCH', '/admin/api/corpora/town', {
    layers: [
      { name: 'rules', visibility: rules },
      { name: 'plans', visibility: plans },
    ],
  });

test('hides a restricted layer until it becomes public', async () => {
  const before = await shown('town', 'town');
  expect(before.statuses).toEqual(new Set([200]));
  expect(before.text).toContain('Harbour Committee');
  expect(before.text).not.toMatch(/Lighthouse Agency|plans\/lights/);
  expect((await layers('public', 'public')).status).toBe(200);
  expect((await shown('town', 'town')).text).toMatch(/Lighthouse Agency/);
  expect((await layers('public', 'restricted')).status).toBe(200);
  expect((await shown('town', 'town')).text).not.toMatch(/Lighthouse Agency|plans\/lights/);
  expect((await layers('restricted', 'restricted')).status).toBe(200);
  expect((await shown('town', 'town')).text).not.toMatch(/Harbour Committee|rules#/);
  expect((await layers('public', 'restricted')).status).toBe(200);
});

test('hides a corpus from anonymous callers and from keys without access to it', async () => {
  const other = await shown('guild', 'town');
  expect(other.statuses).toEqual(new Set([403]));
  expect(other.text).toContain('Pilotage Tribunal');
  expect(other.text).not.toMatch(/Harbour Committee|Fish Council|rules#|"town"/);
  const none = await shown(null, 'town');
  expect(none.statuses).toEqual(new Set([401]));
  expect(none.text).not.toMatch(/Harbour Committee|Fish Council|Pilotage|"town"|"guild"/);
});

test('hides a deactivated corpus from everyone until it is active again', async () => {
  const active = (is_active: boolean) => door.call('PATCH', '/admin/api/corpora/town', { is_active });
  expect((await active(false)).status).toBe(200);
  const { statuses, text } = await shown('town', 'town');
  expect([...statuses]).toEqual([404]);
  expect(text).not.toMatch(/Harbour Committee|Fish Council|rules#/);
  expect((await get('town', '/api/graph/stats')).body.by_corpus).toEqual({});
  expect((await active(true)).status).toBe(200);
  expect((await shown('town', 'town')).text).toContain('Harbour Committee');
});

test('serves the least-served caller next, and drops work for callers that disconnect', async () => {
  await query('town', { corpus_id: 'town', entity: 'Harbour Committee' });
  const ended: string[] = [];
  const leaving = new AbortController();
  const ask = (who: string, signal = new AbortController().signal) =>
    door.app
      .graphFor(who, signal)
      .query('town', {
        entity: 'Harbour Committee',
        to: null,
        query: null,
        relation: null,
        depth: 1,
        limit: 9,
      })
      .then(
        () => ended.push(who),
        ({ code }) => ended.push(code),
      );
  const flood = Array.from({ length: 40 }, () => ask('flood'));
  const left = ask('left', leaving.signal);
  const honest = ask('honest');
  leaving.abort();
  await Promise.all([...flood, left, honest]);
  expect(ended[0]).toBe('cancelled');
  expect(ended.indexOf('honest')).toBeLessThan(10);
  expect(ended).toHaveLength(42);
});
