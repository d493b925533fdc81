/**
 * Removes trailing characters that match `one` (an expression for a single character, without the flags g and y).
 * Linear, unlike `replace(/[…]+$/, '')`, which scans each run of them again from each of its positions.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Replaces each span from an opening to the next closing bracket, inclusive; linear. */
export function replaceEnclosed(
  text: string,
  [open, close]: readonly [string, string],
  by: (inner: string) => string,
): string {
  let out = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
    if (end === -1) return out + text.slice(from);
    out += text.slice(from, start) + by(text.slice(start + open.length, end));
    from = end + close.length;
  }
}
