/** What every test file leaves behind it: nothing on the servers it shares with others, and what it had compiled. */
import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
import { emptyNamespaces } from './servers.ts';

afterAll(emptyNamespaces);
afterAll(() => flushCompileCache());
