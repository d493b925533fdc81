/** The search parameters of the access pages: filters, and what is open. */
import { searchOf } from '../../app/search.ts';

export const keysSearch = searchOf({ key: 'whole' });
export const chatsSearch = searchOf({ chat: 'text' });
export const auditSearch = searchOf({
  action: 'text',
  actor: 'text',
  target: 'text',
  from: 'text',
  to: 'text',
  as_of: 'text',
  entry: 'text',
});
export const forgettingSearch = searchOf({ subject: 'text' });
