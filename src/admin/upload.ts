/** Uploads a document: the file is stored temporarily and then ingested as on the command line. */
import { type Static, Type } from 'typebox';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { Count, record } from '../schema.ts';
import { Document, type documents } from './documents.ts';
import { type AdminDoor, operation } from './door.ts';
import { notAForm, UploadForm, withForm } from './upload-form.ts';

export const UploadResult = record('UploadResult', {
  corpus_id: Type.String(),
  added: Count,
  revised: Count,
  unchanged: Count,
  chunks: Count,
  skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
  documents: Type.Array(Document),
});
export type UploadResult = Static<typeof UploadResult>;

/** `server`: see formRoutes. */
export function uploadRoute({
  server,
  admin,
}: AdminDoor<Pick<ReturnType<typeof documents>, 'upload' | 'openUploadFolder'>>): void {
  server.route({
    method: 'POST',
    url: '/admin/api/documents',
    schema: {
      ...operation('admin_upload_document', 'Upload a document'),
      response: {
        200: reply('The document is unchanged.', UploadResult),
        201: reply('Ingested.', UploadResult),
        ...notAForm,
      },
    },
    config: { errors: [404, 409, 413, 422], form: UploadForm },
    handler: (request, reply) =>
      withForm(request, reply, admin, async (form) => {
        const { report, documents } = await admin.upload(form, actingIn(request));
        const { added, revised, unchanged, chunks, skipped } = report;
        reply.code(added + revised > 0 ? 201 : 200);
        return { corpus_id: form.corpus_id, added, revised, unchanged, chunks, skipped, documents };
      }),
  });
}
