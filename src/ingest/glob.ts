/**
 * Path patterns. All positions at which a pattern may stand are followed at once, because a regular expression for
 * "*a*a*a*b" would backtrack exponentially on a long name.
 */

export const alternativesMax = 1_000;

/** Whether a path (in NFC, with "/" between folders) matches a pattern. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles a path pattern: `*` and `?` match within a folder name, `**` matches across folders, and `{a,b}` lists
 * alternatives. Everything else is literal. A leading "./" has no effect. Returns null for a pattern whose braces stand
 * for more than `alternativesMax` patterns.
 */
export function globMatcher(glob: string): PathMatcher | null {
  const source = glob
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
  // "**/" at the start of a folder name matches any number of folders.
  const all = alternatives(source);
  if (all === null) return null;
  const patterns = all.map((one) => one.match(/(?<![^/])\*\*\/|\*\*|./gsu) ?? []);
  return (path) => patterns.some((signs) => matches(signs, path));
}

/** The patterns that a pattern with braces stands for; null if there are too many. */
function alternatives(glob: string): string[] | null {
  // Iterating over a Set includes elements added during the iteration. Equal patterns are expanded once, because inner
  // braces would otherwise multiply them.
  const all = new Set([glob]);
  for (const one of all) {
    const inner = /\{([^{}]*)\}/.exec(one);
    if (inner === null) continue;
    all.delete(one);
    for (const part of inner[1]!.split(',')) {
      all.add(one.replace(inner[0], () => part));
      if (all.size > alternativesMax) return null;
    }
  }
  return [...all];
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
    if (next.length === 0) return false;
    places = withSkipped(next, pattern, sign);
  }
  return places.has(pattern.length);
}

/** Adds the places behind signs that may match nothing. `before` is the previous character of the path. */
function withSkipped(places: readonly number[], pattern: readonly string[], before: string): Set<number> {
  const all = new Set(places);
  for (const place of all) {
    const wanted = pattern[place];
    if (wanted === '*' || wanted === '**' || (wanted === '**/' && before === '/')) all.add(place + 1);
  }
  return all;
}
