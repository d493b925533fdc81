/** The administration: every path under /admin/api. Credentials are looked at before these are reached (auth.ts). */
import type { CorpusSettings, Layer } from '../domain/events.ts';
import * as examples from './admin-docs.ts';
import { docs } from './admin-docs.ts';
import * as schema from './admin-schemas.ts';
import { actingIn } from './auth.ts';
import type { Door } from './context.ts';
import { uploadRoute } from './upload.ts';
import { ValidationFailure } from './validation.ts';

const reply = (description: string, example: unknown) => ({ 200: { description, example } });

export function adminRoutes(door: Door): void {
  const { server } = door;
  const use = door.app.administration?.use;
  if (use === undefined) return;

  server.route({
    method: 'GET',
    url: '/admin/api/stats',
    schema: { response: { 200: schema.Stats } },
    config: docs('admin_stats', 'Figures of the dashboard', reply('The figures.', examples.stats)),
    handler: (request) => use.stats(actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/queries',
    schema: { querystring: schema.QueryLogQuery, response: { 200: schema.QueryLog } },
    config: docs('admin_queries', 'The query log', reply('Questions, newest first.', examples.queries)),
    handler: (request) => use.queries({ ...pageOf(request.query), ...request.query }, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/documents',
    schema: { querystring: schema.DocumentsQuery, response: { 200: schema.DocumentList } },
    config: docs(
      'admin_documents',
      'Documents with their chunk counts',
      reply('Documents by their id.', examples.documents),
    ),
    handler: (request) => use.documents({ ...pageOf(request.query), ...request.query }),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/documents/:doc_id/chunks',
    schema: {
      params: schema.DocIdPath,
      querystring: schema.ChunksQuery,
      response: { 200: schema.ChunkList },
    },
    config: docs(
      'admin_chunks',
      'The chunks of a document',
      reply('The chunks of its visible revision, in order.', examples.chunks),
      { errors: [404] },
    ),
    handler: (request) => use.chunks(request.params.doc_id, pageOf(request.query)),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/documents/:doc_id',
    schema: { params: schema.DocIdPath, response: { 200: schema.DocumentSummary } },
    config: docs(
      'admin_withdraw_document',
      'Withdraw a document',
      reply('The document, withdrawn.', examples.withdrawn),
      { errors: [404] },
    ),
    handler: (request) => use.withdraw(request.params.doc_id, actingIn(request)),
  });

  uploadRoute(door, use);

  server.route({
    method: 'GET',
    url: '/admin/api/system-prompt',
    schema: { response: { 200: schema.SystemPrompt } },
    config: docs('admin_system_prompt', 'The system prompt', reply('The prompt in force.', examples.prompt)),
    handler: () => use.systemPrompt(),
  });

  server.route({
    method: 'PUT',
    url: '/admin/api/system-prompt',
    schema: { body: schema.SystemPromptRequest, response: { 200: schema.SystemPrompt } },
    config: docs(
      'admin_change_system_prompt',
      'Change the system prompt',
      reply('The prompt now in force.', examples.prompt),
      { request: { content: examples.prompt.content } },
    ),
    handler: (request) => use.changeSystemPrompt(request.body.content, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/config',
    schema: { response: { 200: schema.ShownConfig } },
    config: docs('admin_config', 'Non-secret configuration', reply('Values by variable.', examples.config)),
    handler: async () => use.config(),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/embeddings/status',
    schema: { response: { 200: schema.EmbeddingStatus } },
    config: docs(
      'admin_embeddings_status',
      'Embedding coverage of all documents',
      reply('The coverage, and the latest backfills.', examples.embeddingStatus),
    ),
    handler: () => use.embeddingStatus(),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/backfill-embeddings',
    schema: {
      querystring: schema.BackfillQuery,
      response: { 202: schema.Backfill, 409: schema.BackfillConflict },
    },
    config: docs(
      'admin_backfill_embeddings',
      'Give vectors to chunks that have none',
      {
        202: { description: 'The job is accepted; ask for it by its job_id.', example: examples.backfill },
        409: { description: 'One is under way over the same documents.', example: examples.backfillConflict },
      },
      { errors: [404] },
    ),
    handler: async (request, reply) => {
      const { doc_key = null, batch_size = 50 } = request.query;
      const { granted, job } = await use.backfill({ doc_key, batch_size }, actingIn(request));
      if (granted) return reply.code(202).send(job);
      const detail = 'A backfill is under way over the same documents.';
      return reply.code(409).send({ detail, job_id: job.job_id });
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/backfills/:job_id',
    schema: { params: schema.JobIdPath, response: { 200: schema.Backfill } },
    config: docs(
      'admin_backfill',
      'How far a backfill has come',
      reply('The job.', { ...examples.backfill, status: 'completed', embedded_chunks: 412 }),
      { errors: [404] },
    ),
    handler: (request) => use.backfillJob(request.params.job_id),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/api-keys',
    schema: { querystring: schema.ApiKeysQuery, response: { 200: schema.ApiKeyList } },
    config: docs(
      'admin_api_keys',
      'API keys, of each only its prefix',
      reply('Keys, newest first, revoked ones too.', examples.apiKeys),
    ),
    handler: (request) => use.apiKeys(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys',
    schema: { body: schema.CreateApiKeyRequest, response: { 201: schema.CreatedApiKey } },
    config: docs(
      'admin_create_api_key',
      'Create an API key',
      { 201: { description: 'The key, told this once.', example: examples.createdApiKey } },
      { request: examples.createApiKey },
    ),
    handler: async (request, reply) => {
      const {
        name,
        owner_email = null,
        corpus_ids = [],
        rate_limit_rpm = 30,
        rate_limit_rph = 300,
      } = request.body;
      await refuseUnknownCorpora(corpus_ids);
      const wanted = {
        name,
        owner_email,
        corpus_ids: [...new Set(corpus_ids)],
        rate_limit_rpm,
        rate_limit_rph,
      };
      return reply.code(201).send(await use.createApiKey(wanted, actingIn(request)));
    },
  });

  async function refuseUnknownCorpora(corpusIds: readonly string[]): Promise<void> {
    const unknown = new Set(await use!.unknownCorpora(corpusIds));
    const faults = corpusIds.flatMap((input, i) =>
      unknown.has(input)
        ? [
            {
              type: 'value_error',
              loc: ['body', 'corpus_ids', i],
              msg: 'Value error, there is no corpus of this name',
              input,
            },
          ]
        : [],
    );
    if (faults.length > 0) throw new ValidationFailure(faults.slice(0, 100));
  }

  server.route({
    method: 'POST',
    url: '/admin/api/api-keys/:key_id/revoke',
    schema: { params: schema.KeyIdPath, response: { 200: schema.ApiKeyEntry } },
    config: docs(
      'admin_revoke_api_key',
      'Revoke an API key',
      reply('The key, revoked.', examples.revokedApiKey),
      { errors: [404] },
    ),
    handler: (request) => use.revokeApiKey(request.params.key_id, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/corpora',
    schema: { querystring: schema.CorporaQuery, response: { 200: schema.AdminCorpusList } },
    config: docs(
      'admin_corpora',
      'All corpora with figures',
      reply('Corpora by their id, inactive ones too.', examples.corpora),
    ),
    handler: (request) => use.corpora(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/corpora',
    schema: { body: schema.CreateCorpusRequest, response: { 201: schema.AdminCorpus } },
    config: docs(
      'admin_create_corpus',
      'Register a corpus',
      { 201: { description: 'The corpus, without documents.', example: examples.emptyCorpus } },
      { errors: [409], request: { corpus_id: 'handbook', title: 'Handbook', languages: ['en'] } },
    ),
    handler: async (request, reply) => {
      const { corpus_id, title, description = null, languages, styles = [], layers } = request.body;
      const settings: CorpusSettings = {
        title,
        description,
        languages: languages === undefined ? ['ru', 'kk', 'en'] : [...languages],
        styles: [...styles],
        layers: layersOf(layers ?? [{ name: 'main' }]),
      };
      return reply.code(201).send(await use.createCorpus(corpus_id, settings, actingIn(request)));
    },
  });

  server.route({
    method: 'PATCH',
    url: '/admin/api/corpora/:corpus_id',
    schema: {
      params: schema.CorpusIdPath,
      body: schema.ChangeCorpusRequest,
      response: { 200: schema.AdminCorpus },
    },
    config: docs('admin_change_corpus', 'Change a corpus', reply('The corpus.', examples.emptyCorpus), {
      errors: [404],
      request: { title: 'Staff handbook', is_active: true },
    }),
    handler: (request) => {
      const { layers, ...changes } = request.body;
      return use.changeCorpus(
        request.params.corpus_id,
        { ...changes, ...(layers && { layers: layersOf(layers) }) },
        actingIn(request),
      );
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/audit-log',
    schema: { querystring: schema.AuditLogQuery, response: { 200: schema.AuditLog } },
    config: docs('admin_audit_log', 'Who changed what', reply('Entries, newest first.', examples.auditLog)),
    handler: (request) => use.auditLog({ ...pageOf(request.query), action: request.query.action }),
  });

  const { faqCache } = use;
  if (faqCache === undefined) return;

  server.route({
    method: 'GET',
    url: '/admin/api/faq-cache',
    schema: { querystring: schema.FaqQuery, response: { 200: schema.FaqList } },
    config: docs('admin_faq_cache', 'The FAQ cache', reply('The entries that hold now.', examples.faqList)),
    handler: (request) => faqCache.list(pageOf(request.query), actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache',
    schema: { body: schema.FaqPairRequest, response: { 201: schema.FaqEntry } },
    config: docs(
      'admin_add_faq_entry',
      'Add a question with its answer',
      { 201: { description: 'The entry.', example: examples.faqEntry } },
      { errors: [404], request: examples.faqPair },
    ),
    handler: async (request, reply) =>
      reply.code(201).send(await faqCache.add(request.body, actingIn(request))),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/faq-cache/:entry_id',
    schema: { params: schema.EntryIdPath },
    config: docs(
      'admin_remove_faq_entry',
      'Remove an entry',
      { 204: { description: 'It is gone.' } },
      { errors: [404] },
    ),
    handler: async (request, reply) => {
      await faqCache.remove(request.params.entry_id, actingIn(request));
      return reply.code(204).send();
    },
  });
}

const pageOf = ({ limit = 50, offset = 0 }: { limit?: number; offset?: number }) => ({ limit, offset });

type GivenLayer = Pick<Layer, 'name'> & {
  title?: string | null;
  kind?: Layer['kind'];
  visibility?: Layer['visibility'];
};

/** Layers with what was left out; no name twice, and at least one. */
function layersOf(given: readonly GivenLayer[]): Layer[] {
  const fault = (msg: string, ...rest: (string | number)[]) =>
    new ValidationFailure([
      { type: 'value_error', loc: ['body', 'layers', ...rest], msg: `Value error, ${msg}` },
    ]);
  if (given.length === 0) throw fault('a corpus has at least one layer');
  const names = new Set<string>();
  return given.map(({ name, title = null, kind = 'text', visibility = 'public' }, i) => {
    if (names.has(name)) throw fault('two layers have the same name', i, 'name');
    names.add(name);
    return { name, title, kind, visibility };
  });
}
