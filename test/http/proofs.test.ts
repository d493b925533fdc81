/** Proofs over HTTP that an event is in the sealed history. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkProof } from '../../src/history/proofs.ts';
import { newSigningKey, readSigningKey } from '../../src/history/signed-note.ts';
import { aidar, type OpenedDoor, openDoor } from './admin-door.ts';

const secret = newSigningKey('docent.example');
const trusted = [readSigningKey(secret).verifying];

let door: OpenedDoor;
beforeAll(async () => {
  door = await openDoor({ DOCENT_SEAL_KEY: secret });
});
afterAll(() => door.close());

const idOf = async (type: string): Promise<string> =>
  (await door.call('GET', `/admin/api/events?type=${type}`)).body.items[0].id;
const proofOf = (id: string) => door.call('GET', `/admin/api/events/${id}/proof`);

test('gives an auditor the proof of a sealed event, which can be verified without the service', async () => {
  await door.app.sealing!.seal();
  const id = await idOf('CorpusRegistered');
  const reply = await door.call('GET', `/admin/api/events/${id}/proof`, undefined, { authorization: aidar });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  const report = checkProof(reply.body, trusted);
  expect(report).toMatchObject({ holds: true, of: 'event', event: { id } });
  const other = readSigningKey(newSigningKey('docent.example')).verifying;
  expect(checkProof(reply.body, [other])).toMatchObject({ holds: false });
});

test('returns no proof for an event that is unknown or not sealed yet', async () => {
  await door.app.sealing!.seal();
  await door.call('POST', '/admin/api/api-keys', { name: 'Portal' });
  const reply = await proofOf(await idOf('ApiKeyCreated'));
  expect([reply.status, reply.body.detail]).toEqual([404, expect.stringContaining('not sealed yet')]);
  expect((await proofOf('nothing')).status).toBe(404);
  await door.app.sealing!.seal();
  expect((await proofOf(await idOf('ApiKeyCreated'))).status).toBe(200);
});

test('generates one proof at a time, and records the request in the audit log', async () => {
  const id = await idOf('CorpusRegistered');
  const statuses = await Promise.all(
    [proofOf(id), proofOf(id), proofOf(id)].map(async (one) => (await one).status),
  );
  expect(statuses.sort()).toEqual([200, 503, 503]);
  const { items } = (await door.call('GET', '/admin/api/audit-log?action=admin.read_questions')).body;
  expect(items).toContainEqual(expect.objectContaining({ detail: { filter: { proof: id } } }));
});
