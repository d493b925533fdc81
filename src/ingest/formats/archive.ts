/**
 * ZIP archives (DOCX, XLSX, PPTX, ODT, EPUB) with a limit on what they unpack to, and the small XML reader their
 * parts need. The reader keeps no document type: entities other than the five of XML and numeric ones stay as they
 * stand, so nothing can be expanded or fetched.
 */
import { unzipSync } from 'fflate';
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
  let at = 0;
  while (at < source.length) {
    const top = open[open.length - 1]!;
    const less = source.indexOf('<', at);
    if (less !== at) {
      top.children.push(decodeEntities(source.slice(at, less < 0 ? undefined : less)));
      if (less < 0) break;
    }
    at = less + 1;
    if (source.startsWith('!--', at)) at = after(source, '-->', at);
    else if (source.startsWith('![CDATA[', at)) {
      const end = source.indexOf(']]>', at);
      top.children.push(source.slice(at + 8, end < 0 ? undefined : end));
      at = after(source, ']]>', at);
    } else if (source[at] === '?') at = after(source, '?>', at);
    else if (source[at] === '!') at = after(source, '>', at);
    else {
      const end = tagEnd(source, at);
      const tag = source.slice(at, end);
      at = end + 1;
      if (tag.startsWith('/')) {
        const name = tag.slice(1).trim();
        let n = open.length - 1;
        while (n > 0 && open[n]!.name !== name) n--;
        if (n > 0) open.length = n;
      } else {
        const name = /^[^\s/>]+/.exec(tag)?.[0] ?? '';
        const element: XmlElement = { name, attributes: attributesOf(tag.slice(name.length)), children: [] };
        top.children.push(element);
        if (!tag.endsWith('/')) {
          if (open.length > maxDepth) throw new Refusal('nested too deeply');
          open.push(element);
        }
      }
    }
  }
  return root;
}

function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

/** The `>` that ends a tag, not one inside a quoted attribute. */
function tagEnd(source: string, from: number): number {
  let quote = '';
  for (let i = from; i < source.length; i++) {
    const sign = source[i]!;
    if (quote) {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return i;
  }
  return source.length;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const found of text.matchAll(/([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes[found[1]!] = decodeEntities(found[2] ?? found[3] ?? '');
  }
  return attributes;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? all;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
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
