/**
 * Path patterns, matched character by character by a nondeterministic automaton that follows all states simultaneously.
 * A regular expression for "*a*a*a*b" would backtrack exponentially on a long name.
 */

/** Whether a path (in NFC, with "/" between folders) matches a pattern. */
export type PathMatcher = (path: string) => boolean;

/** A state of the automaton: its transitions for each character, and those that consume none. */
interface State {
  moves: { takes: (sign: string) => boolean; to: State }[];
  skips: State[];
}

const state = (): State => ({ moves: [], skips: [] });
const any = () => true;
const inFolder = (sign: string) => sign !== '/';

/**
 * Compiles a path pattern: `*` and `?` match within a folder name, `**` matches across folders, and `{a,b}` lists
 * alternatives. Everything else is literal. A leading "./" has no effect.
 */
export function globMatcher(glob: string): PathMatcher {
  const source = glob
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
  const signs = [...source];
  const lastClose = signs.lastIndexOf('}');
  const start = state();
  const groups: { start: State; end: State }[] = [];
  let at = start;
  const skip = (): void => {
    const next = state();
    at.skips.push(next);
    at = next;
  };
  for (let i = 0; i < signs.length; i++) {
    const sign = signs[i]!;
    const group = groups.at(-1);
    const across = sign === '*' && signs[i + 1] === '*';
    if (across && signs[i + 2] === '/' && (i === 0 || signs[i - 1] === '/')) {
      skip();
      const folder = state();
      at.moves.push({ takes: inFolder, to: folder });
      folder.moves.push({ takes: inFolder, to: folder }, { takes: (one) => one === '/', to: at });
      skip();
      i += 2;
    } else if (sign === '*') {
      skip();
      at.moves.push({ takes: across ? any : inFolder, to: at });
      skip();
      if (across) i++;
    } else if (sign === '{' && lastClose > i) {
      skip();
      groups.push({ start: at, end: state() });
      skip();
    } else if (sign === '}' && group) {
      at.skips.push(group.end);
      at = group.end;
      groups.pop();
    } else if (sign === ',' && group) {
      at.skips.push(group.end);
      at = group.start;
      skip();
    } else {
      const to = state();
      at.moves.push({ takes: sign === '?' ? inFolder : (one) => one === sign, to });
      at = to;
    }
  }
  for (const { end } of groups.reverse()) {
    at.skips.push(end);
    at = end;
  }
  return (path) => {
    let states = reached([start]);
    for (const sign of path)
      states = reached(
        [...states].flatMap(({ moves }) => moves.filter(({ takes }) => takes(sign)).map(({ to }) => to)),
      );
    return states.has(at);
  };
}

/** Returns the states and every state that can be reached from them without consuming a character. */
function reached(states: readonly State[]): Set<State> {
  const all = new Set(states);
  // Iterating over a Set includes elements added during the iteration.
  for (const one of all) for (const next of one.skips) all.add(next);
  return all;
}
