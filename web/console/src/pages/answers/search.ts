/** What the addresses of the answers say: an entry begun from a question, and the compared versions of the prompt. */
import { searchOf } from '../../app/search.ts';

export const curatedSearch = searchOf({ corpus_id: 'text', question: 'text', entry: 'whole' });
export const promptSearch = searchOf({ version: 'whole' });
