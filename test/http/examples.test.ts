/** Examples made from the examples of their fields must not contradict themselves. */
import { expect, test } from 'vitest';
import { ApiKey, CreatedApiKey } from '../../src/admin/api-keys.ts';
import { AdminCorpus } from '../../src/admin/corpora.ts';
import { Chunk } from '../../src/admin/documents.ts';
import { EmbeddingStatus } from '../../src/admin/embeddings.ts';
import { exampleOf } from '../../src/schema.ts';

test('a chunk is as long as its offsets say', () => {
  const { start, end, text } = exampleOf(Chunk) as Chunk;
  expect(text).toHaveLength(end - start);
});

test('a share is that of its counts', () => {
  const { total_chunks, embedded_chunks, coverage } = exampleOf(EmbeddingStatus) as EmbeddingStatus;
  expect(coverage).toBe(embedded_chunks / total_chunks);
  const corpus = exampleOf(AdminCorpus) as AdminCorpus;
  expect(corpus.embedding_coverage).toBe(corpus.embedded_chunks / corpus.chunk_count);
});

test('a new key is unused, and only a new key is shown', () => {
  expect(exampleOf(CreatedApiKey)).toMatchObject({ request_count: 0, last_used_at: null, revoked_at: null });
  expect(exampleOf(ApiKey)).not.toHaveProperty('key');
});
