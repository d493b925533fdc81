/** The words of this module, in the files of its folder words/. */
import { roomWords } from '../../../text/languages/index.ts';

export const own = roomWords(import.meta.url);
