/** What the addresses of the history say: filters, the event that is open or to be proved, and the two moments compared. */
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
