import { expect, test, vi } from 'vitest';
import { printable, printMessage } from '../../src/cli/output.ts';

test('shows control characters as a replacement character, and keeps lines, tabs and all letters', () => {
  expect(printable('a\u001b[2Jb\u0007.md\r\u009b1m\u202ecod')).toBe(
    'a\ufffd[2Jb\ufffd.md\ufffd\ufffd1m\ufffdcod',
  );
  const text = 'Статья 23-бап: «ё», 👍\n\tend';
  expect(printable(text)).toBe(text);
});

test('prints messages the same way', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  printMessage('a\u001b[2Jb.md: skipped');
  expect(written.mock.calls).toEqual([['a\ufffd[2Jb.md: skipped\n']]);
});
