import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../src/config.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the table of the environment is that of the schema, row by row', () => {
  const rows = readme.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const expected = Object.entries(variables).map(
    ([name, { default: fallback, about }]) =>
      `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${about} |`,
  );
  expect(rows).toEqual(expected);
});

test('the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const [, script] of readme.matchAll(/npm ci && npm (?:run )?(\w+)/g))
    expect(Object.keys(scripts)).toContain(script);
});
