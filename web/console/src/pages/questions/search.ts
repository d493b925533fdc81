/** The search parameters of the questions pages: filters, and the opened question. */
import { searchOf } from '../../app/search.ts';

export const logSearch = searchOf({
  search: 'text',
  corpus_id: 'text',
  mode: 'text',
  lang: 'text',
  channel: 'text',
  rating: 'text',
  has_error: 'flag',
  key_id: 'whole',
  from: 'text',
  to: 'text',
  as_of: 'text',
  ask: 'text',
});

export const unansweredSearch = searchOf({
  corpus_id: 'text',
  lang: 'text',
  from: 'text',
  to: 'text',
  ask: 'text',
});
