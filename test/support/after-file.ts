/** Cleans up after every test file: its folders, its data on shared servers, and its compiled code. */
import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
import { removeFolders } from './folder.ts';
import { emptyNamespaces } from './servers.ts';

afterAll(removeFolders);
afterAll(emptyNamespaces);
afterAll(() => flushCompileCache());
