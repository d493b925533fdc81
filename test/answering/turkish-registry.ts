/** The registry of languages plus one: a folder of words, and a stemmer. */
import * as own from '../../src/language/registry.ts';

const same = (word: string) => word;
const tr = { stem: (word: string) => word.replace(/(?<=.{4})(?:yü|yı|nin|nün|de|da)$/u, ''), foldName: same };
export const grammars = { ...own.grammars, tr };

const data = new URL('./turkish/', import.meta.url);
type Code = Parameters<typeof own.folderOf>[0] | 'tr';

export const folderOf = (language: Code): URL => (language === 'tr' ? data : own.folderOf(language));

export function ownFile(module: string, language: Code): URL {
  if (language !== 'tr') return own.ownFile(module, language);
  const kind = /([\w-]+)\/[\w-]+\.ts/.exec(module)?.[1];
  return new URL(`kinds/${kind}.txt`, data);
}
