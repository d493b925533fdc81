/** The rules for imports. The table defines the architecture: it lists every module and its allowed imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tops = ['src', 'projections', 'connectors', 'web', 'tools'];

/**
 * Each module with the modules it may import from, besides itself. `src/<name>` is a folder or a file of src/. Of the
 * tools, `evaluation` is a separate module, because `docent eval` runs it and the administration shows its reports.
 */
const mayImport: Record<string, readonly string[]> = {
  // These import no other module.
  'src/encryption': [],
  'src/failures': [],
  'src/version': [],
  'src/async': ['src/failures'],
  'src/config': [],
  // The core: pure, and the ports around it.
  'src/domain': ['src/failures'],
  'src/language': ['src/domain'],
  'src/text': ['src/domain', 'src/language'],
  'src/ports': ['src/domain'],
  // Building blocks for the schemas of HTTP records.
  'src/schema': ['src/domain'],
  // Extraction and identity of entities: pure.
  'src/graph': ['src/async', 'src/domain', 'src/language', 'src/ports', 'src/text'],
  projections: ['src/domain', 'src/failures', 'src/graph', 'src/ports', 'src/text'],
  'src/search': ['src/domain', 'src/language', 'src/ports', 'src/text'],
  'src/event-sourcing': ['projections', 'src/async', 'src/domain', 'src/failures', 'src/ports'],
  // What a message asks, judging by its words and the dialogue.
  'src/question': ['src/domain', 'src/language', 'src/text'],
  // Passages read against a question: which sentences answer it, and how sure that is.
  'src/reading': ['src/domain', 'src/language', 'src/ports', 'src/search', 'src/text'],
  'src/answering': [
    'src/async',
    'src/domain',
    'src/failures',
    'src/language',
    'src/ports',
    'src/question',
    'src/reading',
    'src/search',
    'src/text',
  ],
  // Answers written by a model.
  'src/generating': [
    'src/answering',
    'src/async',
    'src/domain',
    'src/failures',
    'src/language',
    'src/ports',
    'src/reading',
    'src/text',
  ],
  'src/asks': [
    'projections',
    'src/access',
    'src/answering',
    'src/async',
    'src/domain',
    'src/encryption',
    'src/event-sourcing',
    'src/failures',
    'src/generating',
    'src/graph',
    'src/ports',
    'src/question',
    'src/reading',
    'src/schema',
    'src/text',
  ],
  'src/access': ['src/config', 'src/domain', 'src/event-sourcing', 'src/failures', 'src/ports'],
  // The bytes of a file, of any format, as blocks of text.
  'src/formats': ['src/domain', 'src/failures', 'src/language', 'src/text'],
  // PDF files and pictures: pages of positioned text as blocks.
  'src/pdf': ['src/formats', 'src/language', 'src/text'],
  'src/ingest': [
    'src/async',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/formats',
    'src/language',
    'src/pdf',
    'src/ports',
    'src/text',
  ],
  'src/faq': [
    'projections',
    'src/answering',
    'src/async',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/language',
    'src/ports',
    'src/text',
  ],
  'src/operations': [
    'projections',
    'src/answering',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/ports',
    'src/schema',
  ],
  'tools/evaluation': [
    'src/answering',
    'src/app-port',
    'src/async',
    'src/domain',
    'src/failures',
    'src/reading',
    'src/text',
    'src/version',
  ],
  'src/history': [
    'projections',
    'src/access',
    'src/async',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/ports',
  ],
  // Adapters, and the threads they run in.
  'src/models': ['src/async', 'src/domain', 'src/failures', 'src/ports', 'src/text'],
  'src/storage': ['src/async', 'src/failures', 'src/ports'],
  'src/log': ['src/async', 'src/domain', 'src/encryption', 'src/failures', 'src/ports', 'src/storage'],
  'src/search/sqlite': ['src/domain', 'src/ports', 'src/search', 'src/storage', 'src/text'],
  'src/search/redis': [
    'src/domain',
    'src/failures',
    'src/language',
    'src/ports',
    'src/search',
    'src/storage',
    'src/text',
  ],
  'src/read-models': [
    'src/async',
    'src/failures',
    'src/ports',
    'src/search/sqlite',
    'src/storage',
    'src/text',
  ],
  'src/workers': [
    'projections',
    'src/access',
    'src/answering',
    'src/async',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/graph',
    'src/models',
    'src/ports',
    'src/question',
    'src/reading',
    'src/search',
    'src/log',
    'src/read-models',
    'src/search/redis',
    'src/search/sqlite',
    'src/storage',
    'src/history',
  ],
  // The part of the service that doors see: types only.
  'src/app-port': [
    'src/access',
    'src/answering',
    'src/asks',
    'src/event-sourcing',
    'src/history',
    'src/ingest',
    'src/operations',
    'src/ports',
  ],
  // Each file has a resource's schema, route and use case.
  'src/admin': [
    'projections',
    'src/access',
    'src/answering',
    'src/asks',
    'src/async',
    'src/config',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/faq',
    'src/formats',
    'src/history',
    'src/http',
    'src/ingest',
    'src/ports',
    'src/schema',
    'src/workers',
    'tools/evaluation',
  ],
  // Composition: everything but the doors, except that the administration is composed here.
  'src/app': [
    'projections',
    'src/access',
    'src/admin',
    'src/answering',
    'src/app-port',
    'src/asks',
    'src/async',
    'src/config',
    'src/domain',
    'src/event-sourcing',
    'src/faq',
    'src/history',
    'src/ingest',
    'src/operations',
    'src/ports',
    'src/version',
    'src/workers',
    'tools/evaluation',
  ],
  // Doors: use cases, never a store.
  web: ['src/answering', 'src/asks', 'src/domain'],
  'src/http': [
    'src/access',
    'src/answering',
    'src/app-port',
    'src/asks',
    'src/async',
    'src/domain',
    'src/failures',
    'src/operations',
    'src/ports',
    'src/schema',
    'src/version',
    'web',
  ],
  connectors: [
    'src/answering',
    'src/app-port',
    'src/asks',
    'src/domain',
    'src/failures',
    'src/ports',
    'src/text',
  ],
  // The process.
  'src/cli': [
    'connectors',
    'src/access',
    'src/admin',
    'src/app',
    'src/app-port',
    'src/asks',
    'src/async',
    'src/config',
    'src/domain',
    'src/event-sourcing',
    'src/failures',
    'src/history',
    'src/http',
    'src/ingest',
    'src/operations',
    'src/ports',
    'src/version',
    'src/workers',
    'tools/evaluation',
    'web',
  ],
  'src/main': [
    'src/access',
    'src/app',
    'src/app-port',
    'src/cli',
    'src/config',
    'src/domain',
    'src/failures',
    'src/operations',
    'src/version',
  ],
  'src/docent': ['src/main'],
};
// They measure every module and use the test setup; nothing may depend on them.
mayImport.tools = [...Object.keys(mayImport), 'test'];

interface Import {
  file: string;
  target: string;
}

function files(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(root, 'web/console/dist')));
}

function moduleOf(file: string): string {
  const [top, name, ...within] = file.split('/');
  if (top === 'tools') return within.length > 0 ? `tools/${name}` : 'tools';
  // The stores of the index are modules of their own, because only the threads may import them.
  if (name === 'search' && within.length > 1) return `src/search/${within[0]}`;
  return top === 'src' ? `src/${name!.replace(/\.(?:ts|js)$/, '')}` : top!;
}

/**
 * Imports, including types, and files started or read by URL: `new URL('./log-worker.ts', import.meta.url)`.
 */
const references =
  /(?:\bfrom\s*|\bimport\s*\(?\s*)'(?<path>\.[^']+)'|new URL\(\s*['`](?<address>\.?[^'`]*\.(?:ts|js))['`]/g;

function importsOf(path: string, source: string): Import[] {
  return [...source.matchAll(references)].flatMap(({ groups }) => {
    const target = resolve(dirname(path), (groups!.path ?? groups!.address)!);
    // A URL with a part known only at run time may be any file that matches.
    const [before, after] = target.split(/\$\{[^}]*\}/);
    const found =
      after === undefined
        ? [target]
        : files(dirname(target)).filter((one) => one.startsWith(before!) && one.endsWith(after));
    return found.map((one) => ({ file: relative(root, path), target: relative(root, one) }));
  });
}

const all = tops.flatMap((top) => files(join(root, top)));
const tests = files(join(root, 'test'));
const imports = all.flatMap((path) => importsOf(path, readFileSync(path, 'utf8')));

/**
 * Words that once had a different meaning in each module: an answer or a report was "told", four types were called
 * "Reading", ten "Place"; "space" was a part of the index as well as white space. Names must use specific terms.
 */
const privateNames =
  /^(?:un)?told(?:[A-Z]|$)|^Told|Told$|^tell$|^(?:Reading|(?:[A-Z][A-Za-z]*)?(?:Place|Space)(?:s|Terms)?)$/;

/** The words of a source outside its comments, strings and templates: its names. */
function namesIn(source: string): string[] {
  const code = source.replace(
    /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gm,
    '',
  );
  return code.match(/\w+/g) ?? [];
}

/** Import cycles between files, each listed once. Tarjan's strongly connected components. */
function circles(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, target } of edges) next.set(file, [...(next.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    path.push(file);
    for (const target of next.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (path.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1 || next.get(file)?.includes(file)) found.push(circle.sort());
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return found;
}

describe('the architecture', () => {
  test('lists exactly the existing modules', () => {
    const modules = new Set(all.map((path) => moduleOf(relative(root, path))));
    expect([...modules].sort()).toEqual(Object.keys(mayImport).sort());
    const named = Object.values(mayImport).flat();
    expect(named.filter((module) => !modules.has(module) && module !== 'test')).toEqual([]);
  });

  test('has no computed URLs for loaded or started files, which the table could not check', () => {
    const hidden = /(?:\bimport|\bnew URL)\(\s*[^\s'`)][^)]*(?:import\.meta\.url)?\)/g;
    const found = all.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(hidden)]
        .filter(([text]) => text.startsWith('import') || text.includes('import.meta.url'))
        .map(([text]) => `${relative(root, path)}: ${text}`),
    );
    // The widget's modules, each in a list next to it, are read and joined into one script.
    expect(found).toEqual(['web/widget/script.ts: new URL(name, import.meta.url)']);
  });

  test('allows only the imports of the table', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [moduleOf(file), moduleOf(target)];
      return from !== to && !mayImport[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('has no import cycles between modules or files', () => {
    const between = Object.entries(mayImport).flatMap(([file, targets]) =>
      targets.map((target) => ({ file, target })),
    );
    expect(circles(between)).toEqual([]);
    expect(circles(imports)).toEqual([]);
  });

  test('keeps the kinds of question and the retrieval that runs for all of them apart', () => {
    const folderIn = (path: string) => /^src\/answering\/(kinds|retrieval)\//.exec(path)?.[1] ?? null;
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [folderIn(file), folderIn(target)];
      return from !== null && to !== null && from !== to;
    });
    expect(wrong).toEqual([]);
  });

  test('allows only the threads to import the stores, and only the process to import the doors', () => {
    const whoMay = (module: string) =>
      Object.keys(mayImport).filter((from) => from !== 'tools' && mayImport[from]!.includes(module));
    expect(whoMay('src/log')).toEqual(['src/workers']);
    expect(whoMay('src/read-models')).toEqual(['src/workers']);
    expect(whoMay('src/search/redis')).toEqual(['src/workers']);
    expect(whoMay('src/search/sqlite')).toEqual(['src/read-models', 'src/workers']);
    expect(whoMay('src/workers')).toEqual(['src/admin', 'src/app', 'src/cli']);
    expect(whoMay('src/http')).toEqual(['src/admin', 'src/cli']);
    expect(whoMay('src/app')).toEqual(['src/cli', 'src/main']);
    expect(whoMay('connectors')).toEqual(['src/cli']);
  });

  test('loads server adapters, models and connectors only if they are configured', () => {
    const heavy =
      /from '(?:@eventstore\/db-client|redis|@redis\/\w+|cohere-ai|openai|telegraf|@slack\/bolt)'/;
    const behind =
      /^(?:src\/.*\/(?:redis|eventstore)\/|src\/storage\/redis|src\/models\/|connectors\/|tools\/)/;
    for (const path of all) {
      const file = relative(root, path);
      if (behind.test(file)) continue;
      const source = readFileSync(path, 'utf8');
      expect(source, file).not.toMatch(heavy);
      expect(source, file).not.toMatch(
        /^import (?!type ).*from '[^']*\/(?:(?:redis|eventstore)\/|redis-connection)[^']*'/m,
      );
    }
  });

  test('names in comments only files that exist, with their folder if it is another one', () => {
    const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
    const named = /(?<![\w./*<>-])\w[\w./-]*\.ts\b/g;
    const found = all.flatMap((path) =>
      (readFileSync(path, 'utf8').match(comment) ?? [])
        .flatMap((text) => text.match(named) ?? [])
        .filter((name) => !existsSync(join(dirname(path), name)))
        .filter((name) => !name.includes('/') || ![...all, ...tests].some((one) => one.endsWith(`/${name}`)))
        .map((name) => `${relative(root, path)}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test('uses no private vocabulary in names', () => {
    const found = all.flatMap((path) =>
      namesIn(readFileSync(path, 'utf8'))
        .filter((name) => privateNames.test(name))
        .map((name) => `${relative(root, path)}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the search for names', () => {
  test('finds types, functions, variables, fields and parameters, but not comments and strings', () => {
    const source = `
      export interface Reading { told: boolean; readonly #untold: string }
      async function toldOf({ toldBy, other }: Place, gold?: SourcePlace) {
        const [first, placesTold] = [1, 2];
        return service.tell(first);
      }
      // The reader is told
      const text = 'told: nothing'; /* nor Reading */
    `;
    expect(namesIn(source).filter((name) => privateNames.test(name))).toEqual([
      ...['Reading', 'told', 'untold', 'toldOf', 'toldBy', 'Place', 'SourcePlace', 'placesTold', 'tell'],
    ]);
  });
});

describe('the search for imports', () => {
  test('finds types, side effects, lazy imports and files started by URL', () => {
    const source = `
      import type { A } from './a.ts';
      import './b.ts';
      const c = await import('./c.ts');
      export { d } from '../text/words.ts';
      new Worker(new URL('./e-worker.ts', import.meta.url));
      fork(fileURLToPath(new URL('f.ts', import.meta.url)));
    `;
    expect(importsOf(join(root, 'src/x/y.ts'), source).map(({ target }) => target)).toEqual([
      'src/x/a.ts',
      'src/x/b.ts',
      'src/x/c.ts',
      'src/text/words.ts',
      'src/x/e-worker.ts',
      'src/x/f.ts',
    ]);
  });

  test('finds every worker that a URL may refer to', () => {
    const workers = imports
      .filter(({ file }) => file === 'src/workers/threads.ts')
      .map(({ target }) => target);
    const there = readdirSync(join(root, 'src/workers')).filter((name) => name.endsWith('-worker.ts'));
    expect(workers.map((one) => basename(one))).toEqual(expect.arrayContaining(there));
  });

  test('finds cycles', () => {
    const edges = ['a b', 'b c', 'c b', 'c d', 'e e'].map((edge) => {
      const [file, target] = edge.split(' ');
      return { file: file!, target: target! };
    });
    expect(circles(edges)).toEqual([['b', 'c'], ['e']]);
  });
});
