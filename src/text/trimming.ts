/**
 * Removes the trailing characters that match `one`, an expression for a single character without the flags g and y.
 * Takes linear time, whereas `replace(/[…]+$/, '')` scans every run of matching characters again from each position.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Replaces each span from an opening bracket to the next closing one, inclusive. Takes linear time. */
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
