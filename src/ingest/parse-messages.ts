/** What parsing processes say to the pool. */
import type { Prepared } from './prepare.ts';

/** `refused`: why the file cannot be taken in; `ended`: the process is not to be used again. */
export type ParseReply = { prepared: Prepared } | { refused: string; ended?: true };
