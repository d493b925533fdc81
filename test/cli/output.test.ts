import { expect, test } from 'vitest';
import { printable } from '../../src/cli/output.ts';

test('what a terminal would take for a command is shown as a sign; lines, tabs and all letters stay', () => {
  expect(printable('a\u001b[2Jb\u0007.md\r\u009b1m\u202ecod')).toBe(
    'a\ufffd[2Jb\ufffd.md\ufffd\ufffd1m\ufffdcod',
  );
  const text = 'Статья 23-бап: «ё», 👍\n\tend';
  expect(printable(text)).toBe(text);
});
