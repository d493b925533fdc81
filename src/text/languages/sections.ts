/**
 * The files that words of a language stand in, written to be edited by linguists:
 *
 *   # a comment, on a line of its own
 *   [grammar.articles]        the name of a section; what it holds stands below it
 *   a an the
 *
 * A section holds words or phrases in the notation of forms.ts, rows whose cells are parted by " | " (a line that
 * begins with a blank goes on with the row above), pairs of letters ("ё = е"), a number, or "yes" or "no". What
 * `[define]` names at the head of a file stands for it in the rest of that file: "{ending}".
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What stands under each name, without comments and empty lines. */
export type Sections = ReadonlyMap<string, string>;

/** The sections of some texts. A name that stands twice is an error. */
export function sectionsIn(texts: readonly string[]): Sections {
  const sections = new Map<string, string>();
  for (const text of texts) {
    const [, ...parts] = text.replaceAll('\r', '').split(/^\[([\w.]+)\]\n/m);
    let defined: ReadonlyMap<string, string> = new Map();
    for (let n = 0; n < parts.length; n += 2) {
      const name = parts[n]!;
      const plain = parts[n + 1]!.replace(/^(?:#.*)?\n/gm, '').trimEnd();
      if (sections.has(name)) throw new Error(`"${name}" stands twice`);
      if (name === 'define') defined = lettersIn(plain);
      else sections.set(name, defined.size === 0 ? plain : withDefined(plain, defined));
    }
  }
  return sections;
}

const withDefined = (text: string, defined: ReadonlyMap<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (hole, name) => defined.get(name) ?? hole);

/** The sections of some files; one that does not exist has none. */
export const readSections = (files: readonly URL[]): Sections =>
  sectionsIn(files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8')));

/** The files of a folder of words, in the order of their names. */
export const filesOf = (folder: URL): URL[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => new URL(name, folder));

/** The rows of a section, each by its cells. */
export const rowsIn = (text: string): string[][] =>
  text
    .split(/\n(?! )/)
    .filter(Boolean)
    .map((row) => `${row} `.split(/ \|(?=\s)/).map((cell) => cell.trim().replace(/\s+/g, ' ')));

/** The pairs of a section: what stands on the left is read or written as what stands on the right. */
export const lettersIn = (text: string): ReadonlyMap<string, string> =>
  new Map(Array.from(text.matchAll(/^(\S+) = ?(.*)$/gm), ([, from, to]) => [from!, to!] as const));
