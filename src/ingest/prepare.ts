/**
 * Converts a file, or a record of a multi-record file, to a document with its chunks. Runs in a separate process
 * (parse-pool.ts). The library for a format is loaded with the first file in that format.
 */
import { createHash, hash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { Chunk, Language, Layer, Mark } from '../domain/events.ts';
import {
  type Block,
  type FileRecord,
  type Hints,
  type LeftOut,
  type ParsedDocument,
  Refusal,
} from '../formats/blocks.ts';
import { decode } from '../formats/decode.ts';
import { mergeHints } from '../formats/hints.ts';
import { isStruck, unmarked, withMarks } from '../formats/inline-marks.ts';
import { placeNotes } from '../formats/notes.ts';
import { detectLanguage } from '../text/language.ts';
import { chunkBlocks } from './chunk.ts';
import { editionDate } from './edition.ts';
import { type LayerChoice, layerOf } from './layers.ts';
import { readLeaflet } from './leaflets.ts';
import { reasonOf } from './reasons.ts';
import type { RecordsFormat } from './records.ts';
import { withoutNavigation } from './site-navigation.ts';
import { type Format, sniff } from './sniff.ts';
import { documentTitle } from './title.ts';
import { warningsOf } from './warnings.ts';

/** Increment this with every change that produces different text or chunks from the same file. */
const pipelineVersion = 12;

/** Maximum size of a single-document file. */
const maxFileBytes = 200 * 1024 * 1024;
/** A larger table is split into several documents. */
const tableBytes = 8 * 1024 * 1024;

export interface PrepareInput {
  /** Absolute, or only a name if `bytes` is given. */
  path: string;
  bytes?: Uint8Array;
  /** The planned key of the file. */
  doc_key: string;
  /** Hints from the manifest. The file's own front matter or JSONL line takes precedence. */
  hints: Hints;
  /** The languages of the corpus; all three if absent. */
  languages?: Language[];
  layers: LayerChoice;
}

export interface PreparedDocument {
  key: string;
  /** Line number of the record, counted from 1; null if the file is a single document. */
  line: number | null;
  title: string;
  lang: Language;
  layer: Layer;
  url: string | null;
  source_url: string | null;
  event_date: string | null;
  edition?: string;
  metadata: Record<string, unknown>;
  /** The revision's normalised text, of which the chunks are slices. */
  text: string;
  chunks: Chunk[];
  /** Hash of the bytes read and of everything else that determines the result. */
  input_hash: string;
  content_hash: string;
  /** Remarks for the sender about an ingested document, as clauses without a capital letter or full stop. */
  notes: string[];
  /** Content omitted from the text, shortened to what is displayed. */
  left: LeftOut[];
}

/** `unchanged`: the known hash. `records`: the file contains many documents (records.ts). */
export type Prepared = { document: PreparedDocument } | { unchanged: string } | { records: RecordsFormat };

/**
 * Prepares a single-document file. `known` contains the input hashes of unchanged files, which need not be parsed.
 * Throws Refusal with a user-facing sentence if the file cannot be ingested.
 */
export async function prepareFile(input: PrepareInput, known: readonly string[] = []): Promise<Prepared> {
  try {
    const name = basename(input.path);
    if (/\.(?:jsonl|ndjson)$/i.test(name)) {
      sniff(input.bytes ?? (await readHead(input.path)), name);
      return { records: 'jsonl' };
    }
    const isTable = /\.(?:csv|tsv)$/i.test(name);
    const { size } = input.bytes ? { size: input.bytes.length } : await stat(input.path);
    if (isTable && size > tableBytes) return { records: await tableFormat(input) };
    if (size > maxFileBytes) throw new Refusal('larger than 200 MB');
    const bytes = input.bytes ?? (await readFile(input.path));
    const input_hash = createHash('sha256').update(bytes).update(contextOf(input)).digest('hex');
    if (known.includes(input_hash)) return { unchanged: input_hash };
    const seen = sniff(bytes, name);
    if (seen === 'jsonl') return { records: 'jsonl' };
    const format = seen === 'zip' ? (await import('../formats/archive.ts')).archiveFormat(bytes) : seen;
    if (format === 'csv' && (await tableFormat({ ...input, bytes })) === 'rows') return { records: 'rows' };
    const base = input.hints.url ?? input.hints.source_url ?? null;
    const parsed = await parse(bytes, format, base);
    if (parsed.hints.skip) throw new Refusal('its front matter says to skip it');
    return { document: prepareDocument(parsed, input, { name, format, input_hash }) };
  } catch (error) {
    throw new Refusal(reasonOf(error));
  }
}

/** Whether each row of a table is a document, or the table is split into several documents. */
async function tableFormat({ path, bytes }: PrepareInput): Promise<'rows' | 'table'> {
  const { namesFields } = await import('../formats/delimited.ts');
  const head = bytes?.subarray(0, headBytes) ?? (await readHead(path));
  return namesFields(decode(head)) ? 'rows' : 'table';
}

const headBytes = 64 * 1024;

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The hash that identifies an unchanged record. */
export function recordHash({ source, key, part }: FileRecord, input: PrepareInput): string {
  return hash('sha256', `${source}\n${key ?? part}\n${contextOf(input)}`);
}

/** The parts of a large table are separate documents; all but the first are numbered. */
export function keyOfPart(docKey: string, part: number): string {
  return part === 1 ? docKey : `${docKey}~${part}`;
}

/** Prepares a record as a document. Throws Refusal like prepareFile. */
export async function prepareRecord(record: FileRecord, input: PrepareInput): Promise<PreparedDocument> {
  try {
    const { parsed, key, part, line } = record;
    if (parsed.hints.skip) throw new Refusal('it says to skip it');
    const blocks = [...record.blocks];
    const { pair, text, format } = record;
    const base = parsed.hints.url ?? parsed.hints.source_url ?? null;
    if (pair !== null)
      blocks.push({
        kind: 'pair',
        question: pair.question,
        answer: (await parsePlain(pair.answer, format, base, true)).blocks,
      });
    if (text.trim() !== '') blocks.push(...(await parsePlain(text, format, base, true)).blocks);
    const { doc_key: _key, title, ...shared } = input.hints;
    const stem = basename(input.path);
    const own = key === null ? (part === 1 ? stem : stem.replace(/(?=\.[^.]*$)|$/, ` (${part})`)) : '';
    const document = prepareDocument(
      { ...parsed, blocks },
      {
        ...input,
        doc_key: key ?? keyOfPart(input.doc_key, part),
        hints: key === null && title ? { ...shared, title } : shared,
      },
      { name: own, format: key === null ? 'csv' : 'jsonl', input_hash: recordHash(record, input) },
    );
    return { ...document, line };
  } catch (error) {
    throw new Refusal(reasonOf(error));
  }
}

const contexts = new WeakMap<PrepareInput, string>();

/** Everything that determines the result for a file or its records, except its bytes, as JSON. */
function contextOf(input: PrepareInput): string {
  const before = contexts.get(input);
  if (before !== undefined) return before;
  const { doc_key, hints, languages, layers } = input;
  const known = { said: layers.said, layers: layers.layers.map(layerFacts) };
  const context = canonicalJson({ doc_key, hints, languages, layers: known, version: pipelineVersion });
  contexts.set(input, context);
  return context;
}

function layerFacts({ name, kind, visibility }: Layer) {
  return { name, kind, visibility };
}

/** `base` is the document's own address, for relative links; null if unknown. */
async function parse(
  bytes: Uint8Array,
  format: Exclude<Format, 'jsonl' | 'zip'>,
  base: string | null,
): Promise<ParsedDocument> {
  switch (format) {
    case 'docx':
      return (await import('../formats/docx.ts')).parseDocx(bytes);
    case 'xlsx':
      return (await import('../formats/xlsx.ts')).parseXlsx(bytes);
    case 'pptx':
      return (await import('../formats/pptx.ts')).parsePptx(bytes);
    case 'odt':
      return (await import('../formats/odt.ts')).parseOdt(bytes);
    case 'epub':
      return (await import('../formats/epub.ts')).parseEpub(bytes);
    case 'pdf':
      return (await import('../pdf/pdf.ts')).parsePdf(bytes);
    case 'doc':
    case 'xls':
    case 'ppt': {
      const made = await (await import('../formats/old-office.ts')).convertOld(bytes, format);
      return parse(made.bytes, made.format, base);
    }
    case 'image':
      return (await import('../pdf/pdf.ts')).parseImage(bytes);
    case 'rtf':
      return (await import('../formats/rtf.ts')).parseRtf(bytes);
    case 'html': {
      const { declaredEncoding, parseHtml } = await import('../formats/html.ts');
      return parseHtml(decode(bytes, declaredEncoding(bytes)), base);
    }
    case 'csv':
      return (await import('../formats/delimited.ts')).parseDelimited(decode(bytes));
    case 'markdown':
      return (await import('../formats/markdown.ts')).parseMarkdown(decode(bytes), base);
    case 'text':
      return parsePlain(decode(bytes), null, base);
  }
}

/** `field`: the text is a field of a record, in which a single Markdown mark is enough to detect Markdown. */
async function parsePlain(
  text: string,
  format: string | null,
  base: string | null,
  field = false,
): Promise<ParsedDocument> {
  const { holdsMarkdown, looksLikeMarkdown, parseText } = await import('../formats/text.ts');
  const markdown = format !== null && /^(?:md|markdown)$/i.test(format);
  return markdown || looksLikeMarkdown(text) || (field && holdsMarkdown(text))
    ? (await import('../formats/markdown.ts')).parseMarkdown(text, base)
    : parseText(text);
}

function prepareDocument(
  given: ParsedDocument,
  input: PrepareInput,
  { name, format, input_hash }: { name: string; format: string; input_hash: string },
): PreparedDocument {
  const { languages } = input;
  const isPage = /^(?:html|epub|pdf|image)$/.test(format);
  const read = placeNotes(withMarks(given.blocks));
  const parsed = { ...given, blocks: readLeaflet(isPage ? withoutNavigation(read) : read) };
  const hints = mergeHints(parsed.hints, input.hints);
  const { layer, note } = layerOf(parsed.hints.layer ?? null, input.layers);
  const title =
    hints.title ?? documentTitle({ ...parsed, blocks: parsed.blocks.filter(isInForce) }, name, format);
  const lang = hints.lang ?? parsed.lang ?? detectLanguage(sampleOf(parsed.blocks) || title, languages);
  const { text, chunks } = chunkBlocks(parsed.blocks, title, lang, languages);
  if (chunks.length === 0 || !/[\p{L}\p{N}]/u.test(text)) throw new Refusal('empty: it contains no text');
  const edition = editionDate(title, name, parsed.blocks);
  const facts = {
    title,
    lang,
    url: hints.url ?? null,
    source_url: hints.source_url ?? null,
    event_date: hints.event_date ?? null,
    ...(hints.event_date === undefined && edition !== null && { edition }),
    metadata: hints.metadata ?? {},
    text,
  };
  const marks = chunks.flatMap(({ marks = [] }) => marks);
  const content_hash = contentHash({ ...facts, marks }, layer);
  const key = parsed.hints.doc_key ?? input.doc_key;
  const notes = [...(note === null ? [] : [note]), ...warningsOf(parsed)];
  return {
    ...facts,
    key,
    line: null,
    layer,
    chunks,
    input_hash,
    content_hash,
    notes,
    left: shownOf(parsed.left),
  };
}

/** Whether a block is in force; an entirely struck-out block cannot name the document. */
const isInForce = (block: Block): boolean => block.kind !== 'paragraph' || !isStruck(block);

/** Enough to show what was omitted. */
const leftMax = { texts: 200, characters: 500 };

function shownOf(left: readonly LeftOut[] = []): LeftOut[] {
  return left
    .slice(0, leftMax.texts)
    .map((one) => ({ ...one, text: unmarked(one.text).slice(0, leftMax.characters) }));
}

/** A sample from the beginning and middle, for detecting the document's language. */
function sampleOf(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) =>
    block.kind === 'pair'
      ? [`${block.question} ${block.answer.map((one) => ('text' in one ? one.text : '')).join(' ')}`]
      : block.kind === 'table'
        ? block.rows.slice(0, 20).map((row) => row.map(({ text }) => text).join(' '))
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
 * SHA-256 (hex) of everything that determines a revision: its text, the document's metadata, its layer and the pipeline
 * version. Equal content gives equal hashes, regardless of the order of metadata fields.
 */
export function contentHash(
  document: Pick<
    PreparedDocument,
    'text' | 'title' | 'lang' | 'url' | 'source_url' | 'event_date' | 'edition' | 'metadata'
  > & { marks?: readonly Mark[] },
  layer: Layer,
  version: number = pipelineVersion,
): string {
  const { text, title, lang, url, source_url, event_date, edition, metadata, marks = [] } = document;
  return createHash('sha256')
    .update(
      canonicalJson({
        text,
        title,
        lang,
        url,
        source_url,
        event_date,
        ...(edition !== undefined && { edition }),
        metadata,
        ...(marks.length > 0 && { marks }),
        layer: layerFacts(layer),
        version,
      }),
    )
    .digest('hex');
}
