/** The knowledge graph on the command line: queries and export. */
import type { App } from '../app-port.ts';
import type { GraphEdge, GraphNode } from '../asks/graph-schema.ts';
import { requireCorpus } from './corpus.ts';
import { print, printJson, printMessage, writeExactly } from './output.ts';

export type GraphFormat = 'graphml' | 'json';

/** Exit status if the graph does not contain the entity. */
const nothingFound = 3;

async function corpusOf(app: App, corpus: string | undefined, command: string): Promise<string> {
  await requireCorpus(app, corpus, command);
  return app.access.corpusFor(null, corpus ?? null);
}

export interface GraphQueryOptions {
  corpus?: string;
  /** Only edges of this kind. */
  relation?: GraphEdge['relation'];
  depth: number;
  limit: number;
  json?: boolean;
}

/** Prints the connections of a name, a node id or a provision. */
export async function askGraph(
  app: App,
  entity: string,
  { corpus, relation, depth, limit, json }: GraphQueryOptions,
): Promise<number> {
  await app.caughtUp();
  const question = { entity, to: null, query: null, relation: relation ?? null, depth, limit };
  const answer = await app.graph.query(await corpusOf(app, corpus, 'graph query "…"'), question);
  if (json) await printJson(answer);
  else if (answer.nodes.length === 0) printMessage('The graph has no entity with this name.');
  else {
    const nameOf = new Map(answer.nodes.map(({ id, name }) => [id, name]));
    const lines = answer.edges.map(({ from, relation, to, count, source_refs }) =>
      [nameOf.get(from), relation, nameOf.get(to), count, source_refs.join(' ')].join('\t'),
    );
    await print(lines.length > 0 ? lines : answer.nodes.map(({ name, kind }) => `${name}\t${kind}`));
    if (answer.cut) printMessage('There are more results; raise --limit.');
  }
  return answer.nodes.length > 0 ? 0 : nothingFound;
}

/** Writes the whole graph of a corpus to stdout. */
export async function exportGraph(
  app: App,
  { corpus, format }: { corpus?: string; format: GraphFormat },
): Promise<number> {
  await app.caughtUp();
  const corpus_id = await corpusOf(app, corpus, 'graph export');
  const whole = await app.graph.whole(corpus_id);
  if (format === 'json') await printJson({ corpus_id, ...whole });
  else for (const line of graphml(corpus_id, whole)) await writeExactly(`${line}\n`);
  return 0;
}

const attributes = [
  ['node', 'kind', 'string'],
  ['node', 'name', 'string'],
  ['node', 'count', 'int'],
  ['node', 'source_refs', 'string'],
  ['edge', 'relation', 'string'],
  ['edge', 'count', 'int'],
  ['edge', 'source_refs', 'string'],
] as const;

/** A graph as GraphML, line by line. The passages of an element are a single value, with one passage per line. */
export function* graphml(
  corpusId: string,
  { nodes, edges }: { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] },
): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">';
  for (const [of, name, type] of attributes)
    yield `<key id="${of}-${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`;
  yield `<graph id="${xml(corpusId)}" edgedefault="directed">`;
  for (const { id, ...said } of nodes) yield `<node id="${xml(id)}">${data('node', said)}</node>`;
  for (const { from, to, ...rest } of edges)
    yield `<edge source="${xml(from)}" target="${xml(to)}">${data('edge', rest)}</edge>`;
  yield '</graph>';
  yield '</graphml>';
}

function data(of: 'node' | 'edge', said: object): string {
  const values: Record<string, unknown> = { ...said };
  return attributes
    .filter(([whose]) => whose === of)
    .map(([, name]) => {
      const value = values[name];
      return `<data key="${of}-${name}">${xml(Array.isArray(value) ? value.join('\n') : String(value))}</data>`;
    })
    .join('');
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text that is valid in XML 1.0, which excludes most control characters. */
const xml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced here.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .toWellFormed()
    .replace(/[&<>"]/g, (mark) => marks[mark]!);
