import { expect, test } from 'vitest';
import { programName } from '../../src/cli/command-line.ts';

test.each<[string, string | undefined, NodeJS.ProcessEnv, string]>([
  ['in a checkout', '/home/me/docent/src/docent.js', {}, 'node src/docent.js'],
  ['from another folder', '/opt/docent/src/docent.js', {}, 'node /opt/docent/src/docent.js'],
  [
    'through an npm script',
    '/home/me/docent/src/docent.js',
    { npm_command: 'run-script' },
    'node src/docent.js',
  ],
  ['through npx', '/home/me/site/node_modules/.bin/docent', { npm_command: 'exec' }, 'npx docent'],
  ['when installed', '/usr/local/bin/docent', {}, 'docent'],
])('suggested commands use the name that was typed, %s', (_, entry, env, name) => {
  expect(programName(entry, env, '/home/me/docent')).toBe(name);
});
