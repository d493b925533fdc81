/** Forgetting a person. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import { Count, record } from '../schema.ts';
import { type AdministrationDeps, causeOf } from './context.ts';
import { type AdminDoor, operation } from './door.ts';

export const SubjectPath = Type.Object({
  subject: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "The asker's opaque name, as in the query log and the dossier.",
  }),
});

export const ForgottenSubject = record('ForgottenSubject', {
  subject: Type.String(),
  keys_destroyed: Type.Integer({ ...Count, description: 'Days with erased data.' }),
});
export type ForgottenSubject = Static<typeof ForgottenSubject>;

export const forgetting = ({ forget }: Pick<AdministrationDeps, 'forget'>) => ({
  /**
   * Irreversibly erases a subject's questions and the answers to them. Fails with `conflict` if this history is not
   * sealed.
   */
  forgetSubject: (subject: string, acting: Acting): Promise<ForgottenSubject> =>
    forget(subject, causeOf(acting)),
});

export function forgettingRoutes({ server, admin }: AdminDoor<ReturnType<typeof forgetting>>): void {
  server.route({
    method: 'DELETE',
    url: '/admin/api/subjects/:subject',
    schema: {
      ...operation('admin_forget_subject', "Irreversibly erase a person's questions and the answers to them"),
      params: SubjectPath,
      response: { 200: reply('Erased.', ForgottenSubject) },
    },
    config: { errors: [409] },
    handler: (request) => admin.forgetSubject(request.params.subject, actingIn(request)),
  });
}
