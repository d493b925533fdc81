import type { ForgottenSubject } from '../api/forgetting.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf } from './context.ts';

export interface Forgetting {
  /** Erases everything a subject asked and was answered, irreversibly. Failure `conflict`: nothing is sealed here. */
  forgetSubject(subject: string, acting: Acting): Promise<ForgottenSubject>;
}

export const forgetting = ({ forget }: Pick<AdministrationDeps, 'forget'>): Forgetting => ({
  forgetSubject: (subject, acting) => forget(subject, causeOf(acting)),
});
