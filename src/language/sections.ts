/**
 * The format of a language's word files, designed for editing by linguists:
 *
 *   # a comment, on a line of its own
 *   [grammar.articles]        the name of a section; its content follows
 *   a an the
 *
 * A section contains words or phrases in the notation of forms.ts, rows with cells separated by " | " (an indented line
 * continues the previous row), pairs of letters ("ё = е"), a number, or "yes" or "no". A `[define]` section at the
 * beginning of a file defines names that the rest of the file can use: "{ending}".
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The content of each section by name, without comments and empty lines. */
export type Sections = ReadonlyMap<string, string>;

/** Parses the sections in the content of several files. Throws if a name is repeated. */
export function sectionsIn(texts: readonly string[]): Sections {
  const sections = new Map<string, string>();
  for (const text of texts) {
    const [, ...parts] = text.replaceAll('\r', '').split(/^\[([\w.]+)\]\n/m);
    let defined: ReadonlyMap<string, string> = new Map();
    for (let n = 0; n < parts.length; n += 2) {
      const name = parts[n]!;
      const plain = parts[n + 1]!.replace(/^(?:#.*)?\n/gm, '').trimEnd();
      if (sections.has(name)) throw new Error(`"${name}" is defined twice`);
      if (name === 'define') defined = lettersIn(plain);
      else sections.set(name, defined.size === 0 ? plain : withDefined(plain, defined));
    }
  }
  return sections;
}

const withDefined = (text: string, defined: ReadonlyMap<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (hole, name) => defined.get(name) ?? hole);

/** Reads the sections in several files. Missing files are ignored. */
export const readSections = (files: readonly URL[]): Sections =>
  sectionsIn(files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8')));

/** The word files in a folder, ordered by name. */
export const filesOf = (folder: URL): URL[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => new URL(name, folder));

/** The rows of a section, split into cells. */
export const rowsIn = (text: string): string[][] =>
  text
    .split(/\n(?! )/)
    .filter(Boolean)
    .map((row) => `${row} `.split(/ \|(?=\s)/).map((cell) => cell.trim().replace(/\s+/g, ' ')));

/** The pairs in a section: each left side is replaced by its right side. */
export const lettersIn = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from(text.matchAll(/^(\S+) = ?(.*)$/gm), ([, from, to]) => [from!, to!] as const));
