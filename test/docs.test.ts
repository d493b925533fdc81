/** The pages of the documentation: their links work, they are short, and their tables match the code. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { variables } from '../src/config.ts';
import { configurationPage } from '../tools/configuration.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root }).sort();
const sources = globSync('{src,connectors,projections,web,tools,test}/**/*.{ts,tsx}', { cwd: root });
const wordsMax: Record<string, number> = { 'README.md': 1400 };
const wordsMaxElsewhere = 1000;

const markdown = new MarkdownIt({ html: true });

/** The anchor of a heading, as GitHub derives it from the text. */
function anchorsOf(path: string): Set<string> {
  const tokens = markdown.parse(read(path), {});
  const anchors = new Set<string>();
  for (const [i, { type }] of tokens.entries()) {
    if (type !== 'heading_open') continue;
    const text = (tokens[i + 1]!.children ?? []).map(({ content }) => content).join('');
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let n = 0;
    while (anchors.has(n === 0 ? anchor : `${anchor}-${n}`)) n++;
    anchors.add(n === 0 ? anchor : `${anchor}-${n}`);
  }
  return anchors;
}

/** URLs of links and pictures without a host. */
function linksOf(path: string): string[] {
  return markdown
    .parse(read(path), {})
    .flatMap(({ children }) => children ?? [])
    .flatMap((token) => [token.attrGet('href'), token.attrGet('src')])
    .filter((address) => address !== null && !/^[a-z][a-z+.-]*:/i.test(address)) as string[];
}

/** Why a link is broken; null if it works. */
function faultOf(page: string, address: string): string | null {
  const [path = '', anchor] = decodeURI(address).split('#');
  const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
  if (target.startsWith('..') || !existsSync(join(root, target))) return `${address}: there is no such file`;
  if (anchor === undefined) return null;
  const hasAnchor =
    statSync(join(root, target)).isFile() && target.endsWith('.md') && anchorsOf(target).has(anchor);
  return hasAnchor ? null : `${address}: there is no such heading`;
}

describe.each(pages)('%s', (page) => {
  test('links only to existing files and headings', () => {
    expect(linksOf(page).flatMap((address) => faultOf(page, address) ?? [])).toEqual([]);
  });

  test('is short', () => {
    const words = read(page)
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
    expect(words.length).toBeLessThan(wordsMax[page] ?? wordsMaxElsewhere);
  });

  // The log of changes names files of earlier versions.
  if (page !== 'CHANGELOG.md')
    test('names only source files that exist', () => {
      const named = [...read(page).matchAll(/`((?:[\w-]+\/)*[\w-]+\.tsx?)`/g)].map(([, name]) => name!);
      expect(named.filter((name) => !sources.some((one) => `/${one}`.endsWith(`/${name}`)))).toEqual([]);
    });

  test('contains no paths or addresses of a development machine', () => {
    expect(read(page)).not.toMatch(/\/(?:work|home|root|tmp\/w)\//);
  });
});

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached)
    for (const address of linksOf(page)) {
      const path = decodeURI(address).split('#')[0]!;
      if (path.endsWith('.md')) reached.add(relative(root, resolve(root, dirname(page), path)));
    }
  expect(pages.filter((page) => !page.startsWith('.github') && !reached.has(page))).toEqual([]);
});

test('docs/configuration.md matches the schema: npm run docs writes it', () => {
  expect(read('docs/configuration.md')).toBe(configurationPage());
  const rows = read('docs/configuration.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line));
  expect(rows).toHaveLength(Object.keys(variables).length);
});

test('the ten settings in the README exist, with their defaults', () => {
  const rows = [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? \|/gm)];
  expect(rows).toHaveLength(10);
  for (const [, name, fallback] of rows)
    expect([name, variables[name as keyof typeof variables]?.default]).toEqual([name, fallback ?? null]);
});

test('the settings named on the pages exist', () => {
  const others = ['DOCENT_REQUIRE_SERVERS', 'DOCENT_FOLDER', 'DOCENT_MEMORY', 'DOCENT_CPUS'];
  const known = new Set([...Object.keys(variables), ...others]);
  const prefixes = /\b(?:DOCENT|COHERE|OPENAI|MODEL|SLACK|TELEGRAM)_[A-Z_]*[A-Z]\b(?!_?\*)/g;
  for (const page of pages)
    for (const [name] of read(page).matchAll(prefixes))
      expect([page, known.has(name) ? name : `${name} is not a setting`]).toEqual([page, name]);
});
