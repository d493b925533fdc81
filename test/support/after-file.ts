/** What every test file leaves behind it: no folders, nothing on the servers it shares with others, what it had compiled. */
import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
import { removeFolders } from './folder.ts';
import { emptyNamespaces } from './servers.ts';

afterAll(removeFolders);
afterAll(emptyNamespaces);
afterAll(() => flushCompileCache());
