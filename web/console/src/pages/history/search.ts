/** The search parameters of the history pages: filters, the event opened or to be proved, and the moments compared. */
import { searchOf } from '../../app/search.ts';

export const eventsSearch = searchOf({
  stream: 'text',
  type: 'text',
  actor: 'text',
  correlation_id: 'text',
  from: 'text',
  to: 'text',
  event: 'text',
});
export const liveSearch = searchOf({ stream: 'text', type: 'text', actor: 'text' });
export const proofSearch = searchOf({ event: 'text' });
export const momentsSearch = searchOf({ from: 'text', to: 'text', projection: 'text' });
