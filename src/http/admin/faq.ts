import { EntryIdPath, FaqEntry, FaqList, FaqPairRequest, FaqQuery } from '../../api/faq.ts';
import { pageOf } from '../../api/schema.ts';
import { actingIn } from '../auth.ts';
import { nothing, reply } from '../openapi.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basicOrNone, operation } from './operation.ts';

export function faqRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_faq_cache', 'The FAQ cache'),
      querystring: FaqQuery,
      response: { 200: reply('The entries in effect.', FaqList) },
    },
    config: basicOrNone,
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).faqEntries(pageOf(request.query), actingIn(request)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/faq-cache',
    schema: {
      ...operation('admin_add_faq_entry', 'Add a question with its answer'),
      body: FaqPairRequest,
      response: { 201: reply('The entry.', FaqEntry) },
    },
    config: basicOrNone,
    handler: async (request, reply) =>
      reply.code(201).send(await admin.addFaqEntry(request.body, actingIn(request))),
  });

  server.route({
    method: 'DELETE',
    url: '/admin/api/faq-cache/:entry_id',
    schema: {
      ...operation('admin_remove_faq_entry', 'Remove an entry'),
      params: EntryIdPath,
      response: { 204: nothing('Removed.') },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      await admin.removeFaqEntry(request.params.entry_id, actingIn(request));
      return reply.code(204).send();
    },
  });
}
