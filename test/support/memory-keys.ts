import { randomBytes } from 'node:crypto';
import { directKeys } from '../../src/workers/open-keys.ts';

/** Subjects' keys in memory. */
export const keysInMemory = () => directKeys({ file: ':memory:', master: randomBytes(32) });
