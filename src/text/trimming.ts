/**
 * The text without what it ends with of these characters (an expression for one of them, without flags that keep a
 * place). Linear, as `replace(/[…]+$/, '')` is not: that looks at each stretch of them from each of its places.
 */
export function withoutEnd(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** What stands between brackets, each with the next that closes, replaced together with them; linear. */
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
