/** Every regular expression that the sources contain or build while loading, and text made to slow one down. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface Expression {
  /** Its location, or the code that built it. */
  place: string;
  source: string;
  flags: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sources of a module, as paths from the root. */
export function filesOf(room: string): string[] {
  return readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path))
    .map((path) => join(room, path))
    .sort();
}

/** The regular expression literals in a file. */
export function literalsIn(file: string): Expression[] {
  const parsed = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
      found.push({
        place: `${file}:${line + 1}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** The expressions built while `load` runs. */
export async function madeBy(load: () => Promise<unknown>): Promise<Expression[]> {
  const found: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget) as RegExp;
      const place = new Error('made').stack
        ?.split('\n')
        .find((line) => /\/src\/(?!text\/languages\/forms)/.test(line));
      if (place !== undefined)
        found.push({ place: `made ${place.trim()}`, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

/**
 * Texts of `length` units that may be slow for an expression: the words and characters it contains, whole, truncated,
 * joined and repeated.
 */
export function pumped({ source }: Expression, length: number): string[] {
  const written = source.replaceAll(/\\p\{[^}]*\}/giu, ' ');
  const named = [...written.matchAll(/[\p{L}\d]+(?: [\p{L}\d]+)*|[^\p{L}\d\s\\()[\]{}|?*+^$]/gu)].map(
    ([one]) => one,
  );
  const some = [...new Set([...named.slice(0, 4), ...named.slice(-4)])];
  const units = new Set(some.flatMap((one) => [one, `${one} `, one.slice(0, -1), one.slice(0, 1)]));
  units.add(some.join(''));
  units.add(some.join(' '));
  units.delete('');
  return [...units].map((unit) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
}

/** Everything the expression finds in a text. */
export function findAll({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, [...new Set([...flags.replace('y', ''), 'g'])].join(''));
  let count = 0;
  for (const _ of text.matchAll(expression)) count++;
  return count;
}
