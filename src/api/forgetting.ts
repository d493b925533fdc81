/** Forgetting a person. */
import { type Static, Type } from 'typebox';
import { Count, record } from './schema.ts';

export const SubjectPath = Type.Object({
  subject: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Who asked, as the query log and the dossier name them.',
  }),
});

export const ForgottenSubject = record(
  'ForgottenSubject',
  {
    subject: Type.String(),
    keys_destroyed: Type.Integer({ ...Count, description: 'Days with erased data.' }),
  },
  { example: { subject: 'key:1', keys_destroyed: 3 } },
);
export type ForgottenSubject = Static<typeof ForgottenSubject>;
