import {
  ChunkList,
  ChunksQuery,
  DocIdPath,
  Document,
  DocumentList,
  DocumentsQuery,
} from '../../api/documents.ts';
import { exampleOf, pageOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basicOrNone, operation } from './operation.ts';

const withdrawn = {
  ...(exampleOf(Document) as Document),
  status: 'withdrawn',
  chunk_count: 0,
  embedded_count: 0,
};

export function documentRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/documents',
    schema: {
      ...operation('admin_documents', 'Documents with their chunk counts'),
      querystring: DocumentsQuery,
      response: { 200: reply('Documents by their id.', DocumentList) },
    },
    config: basicOrNone,
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
    config: basicOrNone,
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).chunks(request.params.doc_id, pageOf(request.query)),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/documents/:doc_id',
    schema: {
      ...operation('admin_withdraw_document', 'Withdraw a document'),
      params: DocIdPath,
      response: { 200: reply('The document, withdrawn.', Document, { example: withdrawn }) },
    },
    config: basicOrNone,
    handler: (request) => admin.withdraw(request.params.doc_id, actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/documents/:doc_id/restore',
    schema: {
      ...operation('admin_restore_document', 'Restore a withdrawn document'),
      params: DocIdPath,
      response: { 200: reply('The document: what was visible last, as a new revision.', Document) },
    },
    config: { ...basicOrNone, errors: [...basicOrNone.errors, 409] },
    handler: (request) => admin.restore(request.params.doc_id, actingIn(request)),
  });
}
