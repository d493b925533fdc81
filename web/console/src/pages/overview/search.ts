/** What the address of the overview says: the days it covers. */
import { searchOf } from '../../app/search.ts';

export const overviewSearch = searchOf({ from: 'text', to: 'text' });
