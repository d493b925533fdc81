/**
 * One file → documents with their chunks. Runs in a process of its own (parse-pool.ts); the library of a format is loaded when
 * the first file of it comes.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { Chunk, Language, Layer } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { detectLanguage } from '../text/language.ts';
import { type Block, type Hints, type ParsedDocument, Refusal, tidyLine } from './blocks.ts';
import { chunkBlocks } from './chunk.ts';
import { decode } from './decode.ts';
import type { PlannedFile } from './files.ts';
import { mergeHints } from './hints.ts';
import { type Format, sniff } from './sniff.ts';
import { documentTitle } from './title.ts';

/** Raised with every change that gives another text or other chunks for the same file. */
const pipelineVersion = 3;

const maxFileBytes = 200 * 1024 * 1024;

export interface PrepareInput {
  /** Absolute, or just a name when `bytes` are given. */
  path: string;
  bytes?: Uint8Array;
  /** What the manifest says of the file; the file's own front matter, or line, wins over it. */
  hints: Hints;
  /** The corpus's languages; absent: all three. */
  languages?: Language[];
}

export interface PreparedDocument {
  /** From front matter or a JSONL line; null: the key the file was planned with. */
  key: string | null;
  /** Number of the JSONL line it stands on, from 1; null when the file is one document. */
  line: number | null;
  title: string;
  lang: Language;
  /** Name of the layer, where the file or the manifest gives one. */
  layer: string | null;
  url: string | null;
  source_url: string | null;
  event_date: string | null;
  metadata: Record<string, unknown>;
  /** The revision's normalised text, which the chunks are slices of. */
  text: string;
  chunks: Chunk[];
}

/** `faults`: lines of a JSONL file that did not go in, each with its number. */
export interface Prepared {
  documents: PreparedDocument[];
  faults: string[];
}

/** Refusal, with one sentence for people, for whatever keeps a file from being taken in. */
export async function prepareFile(input: PrepareInput): Promise<Prepared> {
  try {
    if (!input.bytes) await refuseLarge(input.path);
    const bytes = input.bytes ?? (await readFile(input.path));
    const name = basename(input.path);
    const seen = sniff(bytes, name);
    const format = seen === 'zip' ? (await import('./formats/archive.ts')).archiveFormat(bytes) : seen;
    if (format === 'jsonl') return await prepareJsonl(decode(bytes).text, input);
    const parsed = await parse(bytes, format);
    if (parsed.hints.skip) throw new Refusal('its front matter says skip');
    const document = prepareDocument(
      parsed,
      mergeHints(parsed.hints, input.hints),
      name,
      format,
      input.languages,
    );
    return { documents: [{ ...document, key: parsed.hints.doc_key ?? null, line: null }], faults: [] };
  } catch (error) {
    throw new Refusal(reasonOf(error));
  }
}

async function refuseLarge(path: string): Promise<void> {
  if ((await stat(path)).size > maxFileBytes) throw new Refusal('larger than 200 MB');
}

/**
 * SHA-256 hex over all that decides what a file becomes: its bytes, its key and hints, its layer and the pipeline's
 * version. Equal: nothing has changed, the file need not be parsed. Failure `invalid` when it cannot be read.
 */
export async function inputHash(file: PlannedFile, layer: Layer): Promise<string> {
  try {
    await refuseLarge(file.path);
    const hash = createHash('sha256');
    for await (const part of createReadStream(file.path)) hash.update(part);
    const { doc_key, hints, languages } = file;
    return hash
      .update(
        canonicalJson({ doc_key, hints, languages, layer: layerFacts(layer), version: pipelineVersion }),
      )
      .digest('hex');
  } catch (error) {
    throw new Failure('invalid', sentence(reasonOf(error)));
  }
}

function layerFacts({ name, kind, visibility }: Layer) {
  return { name, kind, visibility };
}

/** A reason as a sentence of its own. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
}

/** One line for people; of an unexpected error its first line. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'nested too deeply';
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return `cannot be read (${error.code})`;
  return `broken: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown error'}`;
}

async function parse(bytes: Uint8Array, format: Exclude<Format, 'jsonl' | 'zip'>): Promise<ParsedDocument> {
  switch (format) {
    case 'docx':
      return (await import('./formats/docx.ts')).parseDocx(bytes);
    case 'xlsx':
      return (await import('./formats/xlsx.ts')).parseXlsx(bytes);
    case 'pptx':
      return (await import('./formats/pptx.ts')).parsePptx(bytes);
    case 'odt':
      return (await import('./formats/odt.ts')).parseOdt(bytes);
    case 'epub':
      return (await import('./formats/epub.ts')).parseEpub(bytes);
    case 'pdf':
      return (await import('./formats/pdf.ts')).parsePdf(bytes);
    case 'rtf':
      return (await import('./formats/rtf.ts')).parseRtf(bytes);
    case 'html': {
      const { declaredEncoding, parseHtml } = await import('./formats/html.ts');
      return parseHtml(decode(bytes, declaredEncoding(bytes)).text);
    }
    case 'csv':
      return (await import('./formats/delimited.ts')).parseDelimited(decode(bytes).text);
    case 'markdown':
      return (await import('./formats/markdown.ts')).parseMarkdown(decode(bytes).text);
    case 'text':
      return parsePlain(decode(bytes).text, null);
  }
}

async function parsePlain(text: string, format: string | null): Promise<ParsedDocument> {
  const { looksLikeMarkdown, parseText } = await import('./formats/text.ts');
  const markdown = format !== null && /^(?:md|markdown)$/i.test(format);
  return markdown || looksLikeMarkdown(text)
    ? (await import('./formats/markdown.ts')).parseMarkdown(text)
    : parseText(text);
}

async function prepareJsonl(
  text: string,
  input: PrepareInput,
): Promise<{ documents: PreparedDocument[]; faults: string[] }> {
  const { readJsonl } = await import('./formats/jsonl.ts');
  const { documents, faults } = readJsonl(text);
  const prepared: PreparedDocument[] = [];
  const told = [...faults];
  const { doc_key: _key, title: _title, ...shared } = input.hints;
  for (const { line, text: body, format, parsed, pair } of documents) {
    try {
      if (parsed.hints.skip) throw new Refusal('it says skip');
      const blocks: Block[] = pair
        ? [{ kind: 'pair', question: tidyLine(pair.question), answer: pair.answer }]
        : [];
      if (body.trim() !== '') blocks.push(...(await parsePlain(body, format)).blocks);
      const hints = mergeHints(parsed.hints, shared);
      const name = hints.title ?? hints.doc_key ?? '';
      prepared.push({
        ...prepareDocument({ ...parsed, blocks }, hints, name, 'jsonl', input.languages),
        key: hints.doc_key ?? null,
        line,
      });
    } catch (error) {
      told.push({ line, message: reasonOf(error) });
    }
  }
  const sentences = told
    .sort((a, b) => a.line - b.line)
    .map((fault) => `line ${fault.line}: ${fault.message}`);
  if (prepared.length === 0) {
    throw new Refusal(
      sentences.length === 0
        ? 'empty: no line holds a document'
        : `none of its ${sentences.length} lines is a document; ${sentences[0]}`,
    );
  }
  return { documents: prepared, faults: sentences };
}

function prepareDocument(
  parsed: ParsedDocument,
  hints: Hints,
  name: string,
  format: string,
  languages: readonly Language[] | undefined,
): Omit<PreparedDocument, 'key' | 'line'> {
  const title = hints.title ?? documentTitle(parsed, name, format);
  const lang = hints.lang ?? parsed.lang ?? detectLanguage(sampleOf(parsed.blocks) || title, languages);
  const { text, chunks } = chunkBlocks(parsed.blocks, title, lang, languages);
  if (chunks.length === 0 || !/[\p{L}\p{N}]/u.test(text)) throw new Refusal('empty: it holds no text');
  return {
    title,
    lang,
    layer: hints.layer ?? null,
    url: hints.url ?? null,
    source_url: hints.source_url ?? null,
    event_date: hints.event_date ?? null,
    metadata: hints.metadata ?? {},
    text,
    chunks,
  };
}

/** Prose from the beginning and the middle, by which a document's language is told. */
function sampleOf(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) =>
    block.kind === 'pair'
      ? [`${block.question} ${block.answer}`]
      : block.kind === 'row'
        ? [block.cells.join(' ')]
        : 'text' in block && block.kind !== 'code'
          ? [block.text]
          : [],
  );
  const middle = texts
    .slice(Math.floor(texts.length / 2))
    .slice(0, 20)
    .join(' ')
    .slice(0, 1000);
  return `${texts.slice(0, 20).join(' ').slice(0, 1000)} ${middle}`;
}

/**
 * SHA-256 hex over all that makes a revision: text, what the document says of itself, its layer and the pipeline's
 * version. Equal for equal content whatever the order of metadata fields.
 */
export function contentHash(
  document: Omit<PreparedDocument, 'key' | 'line' | 'chunks' | 'layer'>,
  layer: Layer,
  version: number = pipelineVersion,
): string {
  const { text, title, lang, url, source_url, event_date, metadata } = document;
  return createHash('sha256')
    .update(
      canonicalJson({
        text,
        title,
        lang,
        url,
        source_url,
        event_date,
        metadata,
        layer: layerFacts(layer),
        version,
      }),
    )
    .digest('hex');
}
