import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenedDoor, openDoor } from './admin-door.ts';

let door: OpenedDoor;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.close());

async function ended(jobId: string) {
  for (;;) {
    const { body } = await door.call('GET', `/admin/api/backfills/${jobId}`);
    if (body.status === 'completed' || body.status === 'failed') return body;
  }
}

test('accepts a backfill, reports its progress, and rejects another one while it runs', async () => {
  const request = () => door.call('POST', '/admin/api/backfill-embeddings?batch_size=7');
  const replies = await Promise.all([request(), request()]);
  const [accepted, refused] = replies.sort((a, b) => a.status - b.status);
  expect(accepted).toMatchObject({
    status: 202,
    body: { status: 'queued', doc_key: null, batch_size: 7, total_chunks: 4, embedded_chunks: 4 },
  });
  const { job_id } = accepted!.body;
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.any(String), job_id } });
  expect(await ended(job_id)).toMatchObject({ job_id, status: 'completed', embedded_chunks: 4, error: null });
  const one = await door.call('POST', '/admin/api/backfill-embeddings?doc_key=berths');
  expect(one).toMatchObject({ status: 202, body: { doc_key: 'berths', batch_size: 50, total_chunks: 2 } });
  await ended(one.body.job_id);
  const { items } = (await door.call('GET', '/admin/api/audit-log?action=embeddings.backfill')).body;
  expect(items).toMatchObject([
    { actor: 'olga', target: 'berths', detail: { batch_size: 50, job_id: one.body.job_id } },
    { actor: 'olga', target: 'all', detail: { batch_size: 7, job_id } },
  ]);
});

test('reports coverage by corpus, with the latest jobs', async () => {
  const { body } = await door.call('GET', '/admin/api/embeddings/status');
  const coverage = { total_chunks: 4, embedded_chunks: 4, coverage: 1 };
  expect(body).toEqual({
    ...coverage,
    generations: [{ embedder: 'offline-grams-1', serves: true, ...coverage }],
    embedder: { name: 'offline-grams-1', dimension: 256, deterministic: true },
    corpora: [{ corpus_id: 'krk_2026', ...coverage }],
    jobs: expect.arrayContaining([expect.objectContaining({ batch_size: 7, status: 'completed' })]),
  });
});
