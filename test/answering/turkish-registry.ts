/** The registry of languages with one more. */
import { packs as own } from '../../src/text/languages/registry.ts';
import { tr } from './turkish.ts';

export const packs = { ...own, tr };
