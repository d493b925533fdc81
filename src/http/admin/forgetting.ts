import { ForgottenSubject, SubjectPath } from '../../api/forgetting.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { operation } from './operation.ts';

export function forgettingRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'DELETE',
    url: '/admin/api/subjects/:subject',
    schema: {
      ...operation('admin_forget_subject', 'Erase everything a person asked and was answered, irreversibly'),
      params: SubjectPath,
      response: { 200: reply('Erased.', ForgottenSubject) },
    },
    config: { security: 'basic', errors: [409] },
    handler: (request) => admin.forgetSubject(request.params.subject, actingIn(request)),
  });
}
