/** Shows the result of parsing a file, so that it can be checked before answers rely on it. Nothing is ingested. */
import { inspectionPage } from '../../web/pages/inspect.ts';
import type { Chunk, Mark } from '../domain/events.ts';
import { inspectFile, pageCount, pageOf } from '../ingest/inspect.ts';
import { mainLayer } from '../ingest/layers.ts';
import { openParsePool } from '../ingest/parse-pool.ts';
import type { PreparedDocument } from '../ingest/prepare.ts';
import { sentence } from '../ingest/reasons.ts';
import { counted, print, printMessage, write } from './output.ts';

export interface InspectOptions {
  html?: boolean;
}

/** Prints the parsed file as text, or as a page for a browser. Fails like inspectFile. */
export async function inspect(path: string, { html = false }: InspectOptions): Promise<number> {
  const pool = openParsePool();
  try {
    const layers = { layers: [mainLayer], said: mainLayer.name };
    const { documents, faults, hasMore } = await inspectFile(pool, { path, layers });
    for (const { line, reason } of faults) printMessage(`Line ${line ?? '?'}: ${sentence(reason)}`);
    if (hasMore) printMessage(`The output shows only the first ${counted(documents.length, 'document')}.`);
    if (html) await write(inspectionPage(documents));
    else for (const document of documents) await print(asText(document));
    return 0;
  } finally {
    await pool.close();
  }
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
  const pages = pageCount(chunks);
  const facts = [
    `Title:     ${title}`,
    `Key:       ${key}`,
    `Language:  ${lang}`,
    ...(event_date === null ? [] : [`Date:      ${event_date}`]),
    ...(edition === undefined ? [] : [`Edition:   ${edition}`]),
    `Read:      ${counted(text.length, 'character')}, ${counted(chunks.length, 'chunk')}${pages === 0 ? '' : `, text on ${counted(pages, 'page')}`}`,
  ];
  const warnings = notes.map((note) => `  ${sentence(note)}`);
  const missing = left.map(({ where, text }) => `  ${where === '' ? '' : `${where}: `}${text}`);
  return [
    facts.join('\n'),
    ...(warnings.length > 0 ? [`Note:\n${warnings.join('\n')}`] : []),
    ...(missing.length > 0 ? [`Omitted as hidden:\n${missing.join('\n')}`] : []),
    `Outline:\n${outline(chunks)}`,
    ...chunks.map((chunk) => chunkText(chunk, text)),
  ].join('\n\n');
}

/** Headings indented by depth, without immediate repetitions. */
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
  const page = pageOf(chunk);
  const head = [
    `#${chunk.chunk_index}`,
    chunk.unit,
    page === null ? null : `page ${page}`,
    chunk.path.join(' › '),
  ];
  return `── ${head.filter(Boolean).join(' · ')}\n${markedText(text.slice(chunk.start, chunk.end), chunk.marks ?? [])}`;
}

/** The text with its marks as Markdown. */
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
