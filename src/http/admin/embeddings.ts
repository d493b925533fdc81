import {
  Backfill,
  BackfillConflict,
  BackfillQuery,
  EmbeddingStatus,
  EmbeddingsQuery,
  JobIdPath,
} from '../../api/embeddings.ts';
import { exampleOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basicOrNone, operation } from './operation.ts';

const queued = { ...(exampleOf(Backfill) as Backfill), status: 'queued' };

export function embeddingRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/embeddings/status',
    schema: {
      ...operation('admin_embeddings_status', 'Embedding coverage of all documents'),
      querystring: EmbeddingsQuery,
      response: { 200: reply('The coverage, and the latest backfills.', EmbeddingStatus) },
    },
    config: basicOrNone,
    handler: async (request, reply) => (await adminAt(door, request, reply)).embeddingStatus(),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/backfill-embeddings',
    schema: {
      ...operation('admin_backfill_embeddings', 'Backfill missing embeddings'),
      querystring: BackfillQuery,
      response: {
        202: reply('The job was accepted; look it up by its job_id.', Backfill, { example: queued }),
        409: reply('One is under way over the same documents.', BackfillConflict),
      },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      const { doc_key = null, batch_size = 50 } = request.query;
      const { granted, job } = await admin.backfill({ doc_key, batch_size }, actingIn(request));
      if (granted) return reply.code(202).send(job);
      const detail = 'A backfill is under way over the same documents.';
      return reply.code(409).send({ detail, job_id: job.job_id });
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/backfills/:job_id',
    schema: {
      ...operation('admin_backfill', 'Progress of a backfill'),
      params: JobIdPath,
      response: { 200: reply('The job.', Backfill) },
    },
    config: basicOrNone,
    handler: (request) => admin.backfillJob(request.params.job_id),
  });
}
