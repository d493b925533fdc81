/** The dossier of an ask: as a record, or to be printed. */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { dossierHtml, dossierMarkdown, dossierStyle } from '../../administration/dossier-text.ts';
import { Dossier, DossierQuery } from '../../api/dossier.ts';
import * as sample from '../../api/sample.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basicOrNone, operation } from './operation.ts';

const RequestId = Type.Object({
  request_id: Type.String({ minLength: 1, maxLength: 100, examples: [sample.requestId] }),
});

/** The printed page loads nothing and runs nothing; of its style only our own counts. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(dossierStyle).digest('base64')}'; frame-ancestors 'none'`;

export function dossierRoute({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/asks/:request_id',
    schema: {
      ...operation(
        'admin_dossier',
        'Dossier of an ask: everything recorded about it, with the texts as of then',
      ),
      params: RequestId,
      querystring: DossierQuery,
      response: {
        200: {
          description: 'The dossier.',
          content: {
            ...reply('', Dossier).content,
            'text/markdown': { schema: Type.String({ examples: ['# Dossier of 019aa1c2\n'] }) },
            'text/html': { schema: Type.String({ examples: ['<!doctype html>'] }) },
          },
        },
      },
    },
    config: basicOrNone,
    handler: async (request, reply) => {
      const dossier = await admin.dossier(request.params.request_id, actingIn(request));
      const { format = 'json' } = request.query;
      if (format === 'json') return dossier;
      if (format === 'markdown')
        return reply.type('text/markdown; charset=utf-8').send(dossierMarkdown(dossier) as never);
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(dossierHtml(dossier) as never);
    },
  });
}
