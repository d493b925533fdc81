/** What every test file leaves behind it: nothing on the servers it shares with others. */
import { afterAll } from 'vitest';
import { emptyNamespaces } from './servers.ts';

afterAll(emptyNamespaces);
