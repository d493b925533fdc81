import { roomWords } from '../../../text/languages/index.ts';

export const own = roomWords(import.meta.url);
