/**
 * Detects the format of a file, primarily by its content and secondarily by its name, so that misnamed files can be
 * read.
 */
import { Refusal } from '../formats/blocks.ts';
import { detectEncoding } from '../formats/decode.ts';
import type { OldFormat } from '../formats/old-office.ts';

/** File extensions by format. A name without an extension means plain text. */
const extensions = {
  markdown: ['md', 'markdown', 'mdx'],
  html: ['html', 'htm', 'xhtml'],
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  odt: ['odt'],
  rtf: ['rtf'],
  epub: ['epub'],
  pptx: ['pptx'],
  xlsx: ['xlsx', 'xlsm'],
  csv: ['csv', 'tsv'],
  jsonl: ['jsonl', 'ndjson'],
  image: ['png', 'jpg', 'jpeg', 'tif', 'tiff'],
  text: ['txt', 'text'],
};
type NamedFormat = keyof typeof extensions;

/** `zip`: an archive, whose entries determine its format (formats/archive.ts). */
export type Format = NamedFormat | OldFormat | 'zip';

const byExtension = new Map(
  Object.entries(extensions).flatMap(([format, names]) =>
    names.map((name) => [name, format as NamedFormat] as const),
  ),
);
const binary: Partial<Record<Format, string>> = {
  pdf: 'PDF',
  docx: 'ZIP archive',
  odt: 'ZIP archive',
  epub: 'ZIP archive',
  pptx: 'ZIP archive',
  xlsx: 'ZIP archive',
  rtf: 'RTF text',
  image: 'picture',
};

/** First bytes of PNG and JPEG files, and of TIFF files in either byte order. */
const pictures = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
];

/** First bytes of files without readable text. */
const others: [number[], string][] = [
  [[0x47, 0x49, 0x46, 0x38], 'a picture (GIF)'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive'],
  [[0x52, 0x61, 0x72, 0x21], 'a RAR archive'],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program'],
  [[0x4d, 0x5a, 0x90], 'a program'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'a database'],
];

/** Extensions of files that can be ingested, without the dot. */
export const knownExtensions: readonly string[] = [...byExtension.keys()];

/** `name` is the file name. Throws Refusal with the reason if the format is not supported. */
export function sniff(bytes: Uint8Array, name: string): Format {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (bytes.length === 0) throw new Refusal('empty: zero bytes');
  const other = others.find(([magic]) => starts(bytes, magic));
  if (other) throw new Refusal(`not a document: ${other[1]}`);
  if (pictures.some((magic) => starts(bytes, magic))) return 'image';
  if (starts(bytes, [0x50, 0x4b, 3, 4])) return 'zip';
  if (starts(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) return oldFormat(bytes);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1');
  if (start.includes('%PDF-')) return 'pdf';
  if (start.startsWith('{\\rtf')) return 'rtf';
  const named = byExtension.get(extension);
  if (named === undefined && extension !== '') throw new Refusal(`unsupported file type .${extension}`);
  const wanted = named && binary[named];
  if (wanted) throw new Refusal(`broken: not a ${wanted}`);
  if (named === 'text' && /^\s*(?:<!doctype html|<html)/i.test(start.replace(/^\u00ef\u00bb\u00bf/, '')))
    return 'html';
  if (isBinary(bytes)) throw new Refusal('not a text file');
  return named ?? 'text';
}

function starts(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, n) => bytes[n] === byte);
}

/** The container of the old Office formats and of encrypted new ones. Names in it are in UTF-16. */
function oldFormat(bytes: Uint8Array): Format {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (name: string) => file.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage')) throw new Refusal('encrypted: it needs a password');
  if (has('WordDocument')) return 'doc';
  if (has('PowerPoint Document')) return 'ppt';
  if (has('Workbook') || has('Book')) return 'xls';
  throw new Refusal('unsupported: an old binary Office format; save it in a current format');
}

/** Maximum proportion of characters that never occur in text. */
const oddShare = 0.03;
/** Maximum proportion of NULs, which pad fixed-length fields. */
const nulShare = 0.3;

/** Decides by the control, unassigned and undecodable characters in the likeliest encoding. */
function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8192);
  const text = new TextDecoder(detectEncoding(sample)).decode(sample);
  const nuls = text.split('\0').length - 1;
  const kept = text.match(/[\t\n\v\f\r\u0085]|\p{Cf}|\p{Co}/gu)?.length ?? 0;
  const odd = (text.match(/\p{C}|\ufffd/gu)?.length ?? 0) - nuls - kept;
  return nuls > text.length * nulShare || odd > text.length * oddShare;
}
