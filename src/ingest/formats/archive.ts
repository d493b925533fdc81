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
      return part && new TextDecoder(encodingOf(part)).decode(part);
    },
  };
}

function encodingOf(part: Uint8Array): string {
  if (part[0] === 0xff && part[1] === 0xfe) return 'utf-16le';
  return part[0] === 0xfe && part[1] === 0xff ? 'utf-16be' : 'utf-8';
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
  /** With the usual prefix of its namespace ("w:p"), whatever prefix the file uses; as written for other namespaces. */
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** Deeper nesting than this is no document but an attack on whoever walks it. */
const maxDepth = 500;
/** Elements of one part: as many as a tree has room for in the memory a file may take. */
const maxElements = 1_000_000;

/** Namespaces and the prefixes that names are given here; ISO's strict forms have the same. */
const usualPrefixes: Record<string, string> = {
  'urn:oasis:names:tc:opendocument:xmlns:office:1.0': 'office',
  'urn:oasis:names:tc:opendocument:xmlns:text:1.0': 'text',
  'urn:oasis:names:tc:opendocument:xmlns:table:1.0': 'table',
  'urn:oasis:names:tc:opendocument:xmlns:style:1.0': 'style',
  'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0': 'draw',
  'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0': 'fo',
  'urn:oasis:names:tc:opendocument:xmlns:meta:1.0': 'meta',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.w3.org/1998/Math/MathML': 'math',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://www.idpf.org/2007/opf': '',
  'urn:oasis:names:tc:opendocument:xmlns:container': '',
  'http://schemas.openxmlformats.org/package/2006/relationships': '',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://schemas.microsoft.com/office/drawing/2010/main': 'a14',
  ...Object.fromEntries(
    Object.entries({
      'wordprocessingml/main': 'w',
      'spreadsheetml/main': '',
      'presentationml/main': 'p',
      'drawingml/main': 'a',
      'drawingml/diagram': 'dgm',
      'officeDocument/relationships': 'r',
      'officeDocument/math': 'm',
    }).flatMap(([name, prefix]) => [
      [`http://schemas.openxmlformats.org/${name.replace('/', '/2006/')}`, prefix],
      [`http://purl.oclc.org/ooxml/${name}`, prefix],
    ]),
  ),
};

const taken = new Set(Object.values(usualPrefixes).filter((prefix) => prefix !== ''));

/** The names that the elements and attributes below a declaration of namespaces are known by. */
class Names {
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #known = new Map<string, string>();

  constructor(prefixes: ReadonlyMap<string, string> = new Map()) {
    this.#prefixes = prefixes;
  }

  /** The names inside an element. The same object if the element declares no namespaces. */
  below(attributes: Readonly<Record<string, string>>): Names {
    let prefixes: Map<string, string> | null = null;
    for (const name in attributes) {
      if (!name.startsWith('xmlns')) continue;
      const own = name === 'xmlns' ? '' : name.slice('xmlns:'.length);
      const usual = usualPrefixes[attributes[name]!];
      prefixes ??= new Map(this.#prefixes);
      if (usual !== undefined) prefixes.set(own, usual);
      // A usual prefix for something else must not be taken for what it usually stands for.
      else if (taken.has(own)) prefixes.set(own, `other-${own}`);
      else prefixes.delete(own);
    }
    return prefixes === null ? this : new Names(prefixes);
  }

  element(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const colon = name.indexOf(':');
    const usual = this.#prefixes.get(colon < 0 ? '' : name.slice(0, colon));
    const bare = name.slice(colon + 1);
    const made = usual === undefined ? name : usual === '' ? bare : `${usual}:${bare}`;
    this.#known.set(name, made);
    return made;
  }

  attributes(given: Record<string, string>): Record<string, string> {
    let changed: Record<string, string> | null = null;
    for (const name in given) {
      // Without a prefix an attribute is in no namespace.
      const made = name.includes(':') && !name.startsWith('xmlns') ? this.element(name) : name;
      if (made === name) continue;
      changed ??= { ...given };
      delete changed[name];
      changed[made] = given[name]!;
    }
    return changed ?? given;
  }
}

export interface XmlHandler {
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

/**
 * Reads XML piece by piece, with names as in XmlElement; of bytes no more than a piece is held as text. A forgiving
 * reader: unclosed elements end with their parent.
 */
export function scanXml(source: string | Uint8Array, handler: XmlHandler): void {
  const scopes = [new Names()];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (scopes.length > maxDepth) throw new Refusal('nested too deeply');
        const names = scopes.at(-1)!.below(attributes);
        scopes.push(names);
        handler.open(names.element(name), names.attributes(attributes));
      },
      onclosetag(name) {
        handler.close((scopes.pop() ?? scopes[0]!).element(name));
      },
      ontext: (text) => handler.text(text),
    },
    { xmlMode: true },
  );
  // A reader that is given a long text at once keeps it all until the end.
  const decoder = typeof source === 'string' ? null : new TextDecoder(encodingOf(source));
  for (let at = 0; at < source.length; at += pieceLength) {
    const piece = source.slice(at, at + pieceLength);
    parser.write(typeof piece === 'string' ? piece : decoder!.decode(piece, { stream: true }));
  }
  parser.end();
}

const pieceLength = 1 << 16;

/** The whole of a part as a tree. Refusal where it is nested too deeply or has more elements than fit. */
export function parseXml(source: string | Uint8Array): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  let count = 0;
  const add = (child: XmlElement | string) => {
    const parent = open.at(-1)!;
    if (parent.children === none) parent.children = [child];
    else parent.children.push(child);
  };
  scanXml(source, {
    open(name, attributes) {
      if (++count > maxElements) throw new Refusal(`holds more than ${maxElements} elements`);
      const element: XmlElement = {
        name,
        attributes: isEmpty(attributes) ? nothing : attributes,
        children: none,
      };
      add(element);
      open.push(element);
    },
    close() {
      open.pop();
    },
    // A text comes in pieces, one for each entity in it.
    text(text) {
      const { children } = open.at(-1)!;
      const last = children.at(-1);
      if (typeof last === 'string') children[children.length - 1] = last + text;
      else add(text);
    },
  });
  return root;
}

/** Most elements have no attributes or no children, and a tree has very many of them. */
const nothing: Record<string, string> = Object.freeze({});
const none: (XmlElement | string)[] = [];
Object.freeze(none);

function isEmpty(attributes: Readonly<Record<string, string>>): boolean {
  for (const _ in attributes) return false;
  return true;
}

/** The relations of a part, by their ids; their targets as paths in the archive, addresses outside as they stand. */
export function relationsOf(
  archive: Archive,
  part: string,
): Map<string, { type: string; target: string; external: boolean }> {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const source = archive.text(`${folder}_rels/${part.slice(slash + 1)}.rels`) ?? '';
  return new Map(
    descendants(parseXml(source), 'Relationship').map(({ attributes }) => {
      const external = attributes.TargetMode === 'External';
      const target = attributes.Target ?? '';
      return [
        attributes.Id ?? '',
        { type: attributes.Type ?? '', target: external ? target : pathFrom(folder, target), external },
      ];
    }),
  );
}

/** A path in an archive as one that starts from a folder names it. */
export function pathFrom(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
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
