/** The stems and names of Kazakh, in Cyrillic script. */

import type { Grammar } from '../grammar.ts';
import { stemKazakh } from './stemmer.ts';

export const kk: Grammar = { stem: stemKazakh, foldName: stemKazakh };
