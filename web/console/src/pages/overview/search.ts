/** The search parameters of the overview: its days. */
import { searchOf } from '../../app/search.ts';

export const overviewSearch = searchOf({ from: 'text', to: 'text' });
