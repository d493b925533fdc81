/** The search parameters of the documents pages: filters, what is open, and the running job. */
import { searchOf } from '../../app/search.ts';

export const listSearch = searchOf({ corpus_id: 'text', search: 'text', as_of: 'text', doc: 'whole' });
/** `question`: the unanswered question that the upload should answer. */
export const uploadSearch = searchOf({ corpus_id: 'text', question: 'text' });
export const corporaSearch = searchOf({ corpus: 'text' });
export const embeddingsSearch = searchOf({ job: 'text' });
