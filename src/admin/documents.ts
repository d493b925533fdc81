/** Documents and their chunks. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import type { CorpusSettings } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import type { IngestReport, IngestRequest } from '../ingest/ingest.ts';
import type { Passage } from '../ports/chunk-search.ts';
import type { Position } from '../ports/event-log.ts';
import type { Doc } from '../ports/read-models.ts';
import {
  asOf,
  Count,
  exampleOf,
  filter,
  Lang,
  type Listed,
  listOf,
  NullableText,
  orNull,
  type Page,
  page,
  pageOf,
  record,
  Time,
  wholePage,
} from '../schema.ts';
import { uploadFolder } from '../workers/adapter-config.ts';
import { openTemporaryFolder } from '../workers/temporary-folders.ts';
import { type AdministrationDeps, causeOf, equal, shown, words } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

export const DocumentsQuery = Type.Object({
  ...wholePage,
  corpus_id: filter('Only documents in this corpus.'),
  search: filter('Words in the title, compared by stem.'),
  ...asOf,
});
export const DocIdPath = Type.Object({ doc_id: Type.Integer() });
export const ChunksQuery = Type.Object({ ...page(200), ...asOf });

export const Document = record('Document', {
  doc_id: Type.Integer(),
  doc_key: Type.String(),
  corpus_id: Type.String(),
  title: NullableText,
  lang: NullableText,
  layer: NullableText,
  status: Type.Enum(['ingesting', 'published', 'withdrawn']),
  revision: orNull(Type.Integer()),
  content_hash: NullableText,
  chunk_count: Count,
  embedded_count: Count,
  url: NullableText,
  source_url: NullableText,
  event_date: NullableText,
  updated_at: orNull(Time),
});
export type Document = Static<typeof Document>;
export const DocumentList = listOf(Document);

export const Chunk = record('Chunk', {
  chunk_index: Type.String(),
  ref: Type.String(),
  heading: Type.String(),
  text: Type.String(),
  lang: Lang,
  start: Type.Integer({ description: "UTF-16 offset into the revision's text." }),
  end: Type.Integer({ description: 'UTF-16 offset of the end of the chunk (exclusive).' }),
  embedded: Type.Boolean(),
});
export type Chunk = Static<typeof Chunk>;
export const ChunkList = listOf(Chunk);

/** An uploaded file and the sender's metadata. */
export interface Upload {
  path: string;
  corpus_id: string;
  layer: string | null;
  upload: NonNullable<IngestRequest['upload']>;
  /** Whether it may become the next revision of a document that came from a different file. */
  replace: boolean;
}

export function documents(
  deps: Pick<
    AdministrationDeps,
    'commands' | 'reads' | 'progress' | 'config' | 'embedder' | 'ingest' | 'restore'
  >,
) {
  const { commands, reads, embedder, ingest } = deps;

  async function records(docs: readonly Doc[]): Promise<Document[]> {
    const ids = docs.map(({ doc_id }) => Number(doc_id));
    const rows = embedder === null ? [] : await reads.embeddedByDocument(embedder.name, ids);
    const embedded = new Map(rows.map((row) => [row.doc_id, row.embedded]));
    return docs.map((doc) => recordOf(doc, embedded.get(Number(doc.doc_id)) ?? 0));
  }

  /** Fails with `not_found` if there is no document with this id. */
  async function known(docId: number): Promise<void> {
    const { documents } = await commands.catalog.load();
    for (const byKey of documents.values())
      for (const { doc_id } of byKey.values()) if (doc_id === docId) return;
    throw noDocument(docId);
  }

  /** The document once the read models show the change. */
  async function changed(docId: number, position: Position | null): Promise<Document> {
    await shown(deps, position, 'documents', 'chunks', 'corpora');
    const doc = await reads.get('documents', String(docId));
    if (doc === null)
      throw new Failure('unavailable', 'The change was made but is not visible yet.', { retryAfterS: 1 });
    const [record] = await records([doc]);
    return record!;
  }

  return {
    /** Documents that match all filters, by id; empty for an unknown corpus. `search`: words of the title. */
    async documents({
      limit,
      offset,
      search,
      ...filters
    }: Page & { corpus_id?: string; search?: string }): Promise<Listed<Document>> {
      const { items, total } = await reads.find('documents', {
        where: equal(filters),
        ...words(search),
        orderBy: { field: 'doc_id' },
        limit,
        offset,
      });
      return { items: await records(items), total, limit, offset };
    },

    /** The chunks of the document's visible revision, in order. Fails with `not_found` for an unknown document. */
    async chunks(docId: number, { limit, offset }: Page): Promise<Listed<Chunk>> {
      if ((await reads.get('documents', String(docId))) === null) throw noDocument(docId);
      const { items, total } = await reads.chunks(docId, limit, offset, embedder?.name ?? null);
      return { items: items.map(chunkOf), total, limit, offset };
    },

    /** A folder for the file of an upload. */
    openUploadFolder: () => openTemporaryFolder(uploadFolder(deps.config.DOCENT_DATA)),

    /**
     * Ingests an uploaded file. Fails with `not_found` for an unknown corpus, and with `invalid` for an unknown layer or
     * (with the reason) if nothing in the file could be ingested.
     */
    async upload(
      { path, corpus_id, layer, upload, replace }: Upload,
      acting: Acting,
    ): Promise<{ report: IngestReport; documents: Document[] }> {
      await knownLayer({ commands }, { corpus_id, layer });
      const report = await ingest({ path, corpus_id, layer, upload, replace }, causeOf(acting));
      if (report.added + report.revised + report.unchanged === 0)
        throw new Failure('invalid', report.skipped[0]?.reason ?? 'The file contains no document.', {
          field: 'file',
        });
      const byKey = commands.catalog.state.documents.get(corpus_id);
      const ids = report.keys.flatMap((key) => byKey?.get(key)?.doc_id ?? []);
      const sent = await reads.getMany('documents', ids.map(String));
      return { report, documents: await records(sent.filter((doc) => doc !== null)) };
    },

    /**
     * Returns the document after the change. A document that is already withdrawn stays unchanged. Fails with `not_found`
     * for an unknown document.
     */
    async withdraw(docId: number, acting: Acting): Promise<Document> {
      await known(docId);
      const { position } = await commands
        .document(docId)
        .execute({ type: 'Withdraw', reason: 'Withdrawn by an administrator.' }, causeOf(acting));
      return changed(docId, position);
    },

    /**
     * Publishes the last visible content as a new revision and returns the document. A document that is already visible
     * stays unchanged. Fails with `not_found` for an unknown document, and with `conflict` if it was never published or
     * another process is writing it.
     */
    async restore(docId: number, acting: Acting): Promise<Document> {
      await known(docId);
      return changed(docId, await deps.restore(docId, causeOf(acting)));
    },
  };
}

/** Fails with `not_found` for an unknown corpus, and with `invalid` if the corpus does not have the layer. */
export async function knownLayer(
  { commands }: Pick<AdministrationDeps, 'commands'>,
  { corpus_id, layer }: Pick<Upload, 'corpus_id' | 'layer'>,
): Promise<{ settings: CorpusSettings }> {
  const corpus = (await commands.catalog.load()).corpora.get(corpus_id);
  if (corpus === undefined) throw new Failure('not_found', `There is no corpus "${corpus_id}".`);
  const layers = corpus.settings.layers.map(({ name }) => name);
  if (layer !== null && !layers.includes(layer))
    throw new Failure('invalid', `The corpus has no layer "${layer}", only ${layers.join(', ')}.`, {
      field: 'layer',
    });
  return corpus;
}

const noDocument = (docId: number) => new Failure('not_found', `There is no document ${docId}.`);

/** A registered document that is not published yet has only its key and corpus. */
function recordOf(doc: Doc, embedded_count: number): Document {
  const fields = Object.keys(Document.properties).map((field) => [field, doc[field] ?? null]);
  const { status, chunk_count, ...rest } = Object.fromEntries(fields) as Document;
  return { ...rest, status: status ?? 'ingesting', chunk_count: chunk_count ?? 0, embedded_count };
}

function chunkOf({ facts, chunk, text, embedded }: Passage & { embedded: boolean }): Chunk {
  const { chunk_index, heading, lang, start, end } = chunk;
  return { chunk_index, ref: `${facts.doc_key}#${chunk_index}`, heading, text, lang, start, end, embedded };
}

export function documentRoutes(door: AdminDoor<ReturnType<typeof documents>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/documents',
    schema: {
      ...operation('admin_documents', 'Documents with their chunk counts'),
      querystring: DocumentsQuery,
      response: { 200: reply('Documents by id.', DocumentList) },
    },
    handler: async (request, reply) => {
      const { as_of: _, ...filters } = request.query;
      return (await adminAt(door, request, reply)).documents({ ...filters, ...pageOf(request.query) });
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/documents/:doc_id/chunks',
    schema: {
      ...operation('admin_chunks', 'The chunks of a document'),
      params: DocIdPath,
      querystring: ChunksQuery,
      response: { 200: reply('The chunks of its visible revision, in order.', ChunkList) },
    },
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).chunks(request.params.doc_id, pageOf(request.query)),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/documents/:doc_id',
    schema: {
      ...operation('admin_withdraw_document', 'Withdraw a document'),
      params: DocIdPath,
      response: {
        200: reply('The document, withdrawn.', Document, {
          example: {
            ...(exampleOf(Document) as Document),
            status: 'withdrawn',
            chunk_count: 0,
            embedded_count: 0,
          },
        }),
      },
    },
    handler: (request) => admin.withdraw(request.params.doc_id, actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/documents/:doc_id/restore',
    schema: {
      ...operation('admin_restore_document', 'Restore a withdrawn document'),
      params: DocIdPath,
      response: { 200: reply('The document: its last visible content as a new revision.', Document) },
    },
    config: { errors: [404, 409] },
    handler: (request) => admin.restore(request.params.doc_id, actingIn(request)),
  });
}
