/** What is read from a file, to be looked at before it is trusted with answers; nothing is taken in. */
import { resolve } from 'node:path';
import { inspectionPage } from '../../web/pages/inspect.ts';
import type { Chunk, Mark } from '../domain/events.ts';
import { planFiles } from '../ingest/files.ts';
import { mainLayer } from '../ingest/manifest.ts';
import { openParsePool, type ParsePool } from '../ingest/parse-pool.ts';
import type { PreparedDocument, PrepareInput } from '../ingest/prepare.ts';
import { sentence } from '../ingest/reasons.ts';
import { print, printMessage, write } from './output.ts';

/** Of a file of many, so many documents are shown. */
const documentsMax = 20;

export interface InspectOptions {
  html?: boolean;
}

/** Prints what a file is read as: text, or a page for a browser. Failure as of planFiles and of the pool. */
export async function inspect(path: string, { html = false }: InspectOptions): Promise<number> {
  const { files, skipped } = await planFiles(path);
  const [file] = files;
  if (!file || files.length > 1) {
    printMessage(skipped[0]?.reason ?? `${path} is a folder; name one file.`);
    return 2;
  }
  const pool = openParsePool();
  try {
    const input: PrepareInput = {
      path: resolve(path),
      doc_key: file.doc_key,
      hints: file.hints,
      layers: { layers: [mainLayer], said: mainLayer.name },
    };
    const documents = await read(pool, input);
    if (html) await write(inspectionPage(documents));
    else for (const document of documents) await print(asText(document));
    return 0;
  } finally {
    await pool.close();
  }
}

async function read(pool: ParsePool, input: PrepareInput): Promise<PreparedDocument[]> {
  const prepared = await pool.prepare(input);
  if ('document' in prepared) return [prepared.document];
  if (!('records' in prepared)) return [];
  const documents: PreparedDocument[] = [];
  const all = async (heads: readonly unknown[]) => heads.map(() => true);
  for await (const batch of pool.records(input, prepared.records, all)) {
    documents.push(...batch.documents);
    for (const { line, reason } of batch.faults) printMessage(`Line ${line ?? '?'}: ${sentence(reason)}`);
    if (documents.length >= documentsMax) break;
  }
  if (documents.length > documentsMax) printMessage(`Only the first ${documentsMax} documents are shown.`);
  return documents.slice(0, documentsMax);
}

function asText({
  key,
  title,
  lang,
  event_date,
  edition,
  text,
  chunks,
  notes,
  left,
}: PreparedDocument): string {
  const pages = new Set(
    chunks.flatMap(({ marks = [] }) => marks.flatMap((mark) => (mark.kind === 'page' ? [mark.page] : []))),
  );
  const facts = [
    `Title:     ${title}`,
    `Key:       ${key}`,
    `Language:  ${lang}`,
    ...(event_date === null ? [] : [`Date:      ${event_date}`]),
    ...(edition === undefined ? [] : [`Edition:   ${edition}`]),
    `Read:      ${text.length} characters, ${chunks.length} chunks${pages.size === 0 ? '' : `, text on ${pages.size} pages`}`,
  ];
  const warnings = notes.map((note) => `  ${sentence(note)}`);
  const missing = left.map(({ where, text }) => `  ${where === '' ? '' : `${where}: `}${text}`);
  return [
    facts.join('\n'),
    ...(warnings.length > 0 ? [`Note:\n${warnings.join('\n')}`] : []),
    ...(missing.length > 0 ? [`Left out as hidden:\n${missing.join('\n')}`] : []),
    `Outline:\n${outline(chunks)}`,
    ...chunks.map((chunk) => chunkText(chunk, text)),
  ].join('\n\n');
}

/** Headings set in by their depth, each once in a row. */
function outline(chunks: readonly Chunk[]): string {
  const lines: string[] = [];
  let before: readonly string[] = [];
  for (const { path } of chunks) {
    for (const [depth, heading] of path.entries())
      if (before[depth] !== heading || before.length < depth) {
        lines.push(`${'  '.repeat(depth + 1)}${heading}`);
        before = path.slice(0, depth + 1);
      }
    before = path;
  }
  return lines.length === 0 ? '  (no headings)' : lines.join('\n');
}

function chunkText(chunk: Chunk, text: string): string {
  const page = chunk.marks?.find((mark) => mark.kind === 'page')?.page;
  const head = [
    `#${chunk.chunk_index}`,
    chunk.unit,
    page === undefined ? null : `page ${page}`,
    chunk.path.join(' › '),
  ];
  return `── ${head.filter(Boolean).join(' · ')}\n${markedText(text.slice(chunk.start, chunk.end), chunk.marks ?? [])}`;
}

/** The text with its marks as Markdown has them. */
function markedText(text: string, marks: readonly Mark[]): string {
  const edges: { at: number; sign: string }[] = [];
  for (const mark of marks) {
    if (mark.kind === 'struck') edges.push({ at: mark.end, sign: '~~' }, { at: mark.start, sign: '~~' });
    else if (mark.kind === 'link')
      edges.push({ at: mark.end, sign: `](${mark.url})` }, { at: mark.start, sign: '[' });
    else if (mark.kind === 'recognised')
      edges.push({
        at: mark.start,
        sign: `{recognised, confidence ${Math.round(mark.confidence * 100)} %} `,
      });
  }
  let out = text;
  for (const { at, sign } of edges.sort((a, b) => b.at - a.at)) out = out.slice(0, at) + sign + out.slice(at);
  return out;
}
