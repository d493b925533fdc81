/**
 * ZIP archives (DOCX, XLSX, PPTX, ODT, EPUB) with a limit on what they unpack to, and their parts as trees of XML. No
 * document type is read: entities other than the five of XML and numeric ones stay as they stand, so nothing can be
 * expanded or fetched.
 */
import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import { Refusal } from '../blocks.ts';

const maxUnpackedBytes = 200 * 1024 * 1024;

export interface Archive {
  /** Names of all entries, as they stand. */
  names: string[];
  /** An entry's bytes; null when there is none of that name. */
  bytes(name: string): Uint8Array | null;
  /** An entry as text (UTF-8, or UTF-16 with its mark). */
  text(name: string): string | null;
}

/**
 * Opens an archive, unpacking only the entries `wanted` names. Sizes are taken from the directory, and no entry is
 * unpacked beyond the size it declares. Refusal: broken, encrypted, more than 200 MB unpacked.
 */
export function openArchive(bytes: Uint8Array, wanted: (name: string) => boolean): Archive {
  const names: string[] = [];
  let total = 0;
  let entries: Record<string, Uint8Array>;
  if (isEncrypted(bytes)) throw new Refusal('the archive is encrypted');
  try {
    entries = unzipSync(bytes, {
      filter: (entry) => {
        names.push(entry.name);
        total += entry.originalSize;
        if (total > maxUnpackedBytes) throw new Refusal('unpacks to more than 200 MB');
        return wanted(entry.name);
      },
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('broken: not a readable ZIP archive');
  }
  const read = (name: string) => entries[name] ?? null;
  return {
    names,
    bytes: read,
    text: (name) => {
      const part = read(name);
      if (!part) return null;
      const wide =
        part[0] === 0xff && part[1] === 0xfe
          ? 'utf-16le'
          : part[0] === 0xfe && part[1] === 0xff
            ? 'utf-16be'
            : 'utf-8';
      return new TextDecoder(wide).decode(part);
    },
  };
}

/** The kind of document an archive holds, by the names of its entries. Refusal: none that is read here. */
export function archiveFormat(bytes: Uint8Array): 'docx' | 'xlsx' | 'pptx' | 'odt' | 'epub' {
  const archive = openArchive(bytes, (name) => name === 'mimetype');
  const mimetype = archive.text('mimetype')?.trim() ?? '';
  const has = (pattern: RegExp) => archive.names.some((name) => pattern.test(name));
  if (mimetype === 'application/epub+zip') return 'epub';
  if (/^application\/vnd\.oasis\.opendocument\.text(?:-template|-master)?$/.test(mimetype)) return 'odt';
  if (mimetype.startsWith('application/vnd.oasis.opendocument.'))
    throw new Refusal('unsupported: OpenDocument of another kind than text');
  if (has(/^word\/document\d*\.xml$/)) return 'docx';
  if (has(/^xl\/workbook\.xml$/)) return 'xlsx';
  if (has(/^xl\/workbook\.bin$/)) throw new Refusal('unsupported: binary Excel workbook; save it as XLSX');
  if (has(/^ppt\/presentation\.xml$/)) return 'pptx';
  if (has(/^META-INF\/container\.xml$/)) return 'epub';
  throw new Refusal('a ZIP archive, not a document');
}

/** Whether its first entry is encrypted. An archive that was cut off has no directory, and nothing true to say. */
function isEncrypted(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end < 0 || end + 20 > file.length) return false;
  const directory = file.readUInt32LE(end + 16);
  const flags = directory + 10 <= file.length ? file.readUInt16LE(directory + 8) : 0;
  return ((flags | file.readUInt16LE(6)) & 1) === 1;
}

export interface XmlElement {
  /** As written, with its prefix ("w:p"). */
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** Deeper nesting than this is no document but an attack on whoever walks it. */
const maxDepth = 500;

/** A forgiving reader: unknown constructs are skipped, unclosed elements end with their parent. */
export function parseXml(source: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > maxDepth) throw new Refusal('nested too deeply');
        const element: XmlElement = { name, attributes, children: [] };
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      onclosetag() {
        open.pop();
      },
      // A text comes in pieces, one for each entity in it.
      ontext(text) {
        const { children } = open.at(-1)!;
        const last = children.at(-1);
        if (typeof last === 'string') children[children.length - 1] = last + text;
        else children.push(text);
      },
    },
    { xmlMode: true },
  );
  parser.end(source);
  return root;
}

export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== 'string';
}

/** Child elements, all or those of one name. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => isElement(child) && (!name || child.name === name),
  );
}

/** The first child element of a name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child): child is XmlElement => isElement(child) && child.name === name);
}

/** All elements of a name below, in reading order. */
export function descendants(element: XmlElement, name: string, found: XmlElement[] = []): XmlElement[] {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    if (child.name === name) found.push(child);
    descendants(child, name, found);
  }
  return found;
}

/** All text below. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (isElement(child) ? textOf(child) : child)).join('');
}
