/**
 * Path patterns. All positions at which a pattern may stand are followed at once, because a regular expression for
 * "*a*a*a*b" would backtrack exponentially on a long name.
 */

/** Whether a path (in NFC, with "/" between folders) matches a pattern. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles a path pattern: `*` and `?` match within a folder name, `**` matches across folders, and `{a,b}` lists
 * alternatives. Everything else is literal. A leading "./" has no effect.
 */
export function globMatcher(glob: string): PathMatcher {
  const source = glob
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
  // "**/" at the start of a folder name matches any number of folders.
  const patterns = alternatives(source).map((one) => one.match(/(?<![^/])\*\*\/|\*\*|./gsu) ?? []);
  return (path) => patterns.some((signs) => matches(signs, path));
}

/** The patterns that a pattern with braces stands for. */
function alternatives(glob: string): string[] {
  const inner = /\{([^{}]*)\}/.exec(glob);
  if (inner === null) return [glob];
  const before = glob.slice(0, inner.index);
  const after = glob.slice(inner.index + inner[0].length);
  return inner[1]!.split(',').flatMap((one) => alternatives(before + one + after));
}

function matches(pattern: readonly string[], path: string): boolean {
  let places = withSkipped([0], pattern, '/');
  for (const sign of path) {
    const next = [...places].flatMap((place) => {
      const wanted = pattern[place];
      if (wanted === '**' || wanted === '**/') return [place];
      if (wanted === '*' || wanted === '?') return sign === '/' ? [] : [wanted === '*' ? place : place + 1];
      return wanted === sign ? [place + 1] : [];
    });
    places = withSkipped(next, pattern, sign);
  }
  return places.has(pattern.length);
}

/** Adds the places behind signs that may match nothing. `before` is the previous character of the path. */
function withSkipped(places: readonly number[], pattern: readonly string[], before: string): Set<number> {
  const all = new Set(places);
  // Iterating over a Set includes elements added during the iteration.
  for (const place of all) {
    const wanted = pattern[place];
    if (wanted === '*' || wanted === '**' || (wanted === '**/' && before === '/')) all.add(place + 1);
  }
  return all;
}
