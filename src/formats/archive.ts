/**
 * Reads ZIP archives (DOCX, XLSX, PPTX, ODT, EPUB) with a limit on their unpacked size, and parses their parts into XML
 * trees. Document type declarations are ignored: entities other than XML's five predefined ones and numeric references
 * stay unresolved, so nothing can be expanded or fetched.
 */
import { unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import { Refusal } from './blocks.ts';

const maxUnpackedBytes = 200 * 1024 * 1024;

export interface Archive {
  /** Names of all entries, as stored. */
  names: string[];
  /** The bytes of an entry; null if it does not exist. */
  bytes(name: string): Uint8Array | null;
  /** An entry as text (UTF-8, or UTF-16 with a byte order mark). */
  text(name: string): string | null;
}

/**
 * Opens an archive and unpacks only the `wanted` entries. Sizes are taken from the directory, and no entry is unpacked
 * beyond its declared size. Throws Refusal if the archive is broken, encrypted or larger than 200 MB when unpacked.
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

/** Determines the document format of an archive from its entry names. Throws Refusal if the format is unsupported. */
export function archiveFormat(bytes: Uint8Array): 'docx' | 'xlsx' | 'pptx' | 'odt' | 'epub' {
  const archive = openArchive(bytes, (name) => name === 'mimetype');
  const mimetype = archive.text('mimetype')?.trim() ?? '';
  const has = (pattern: RegExp) => archive.names.some((name) => pattern.test(name));
  if (mimetype === 'application/epub+zip') return 'epub';
  if (/^application\/vnd\.oasis\.opendocument\.text(?:-template|-master)?$/.test(mimetype)) return 'odt';
  if (mimetype.startsWith('application/vnd.oasis.opendocument.'))
    throw new Refusal('unsupported: an OpenDocument file that is not a text document');
  if (has(/^word\/document\d*\.xml$/)) return 'docx';
  if (has(/^xl\/workbook\.xml$/)) return 'xlsx';
  if (has(/^xl\/workbook\.bin$/)) throw new Refusal('unsupported: binary Excel workbook; save it as XLSX');
  if (has(/^ppt\/presentation\.xml$/)) return 'pptx';
  if (has(/^META-INF\/container\.xml$/)) return 'epub';
  throw new Refusal('a ZIP archive, not a document');
}

/** Whether the first entry is encrypted. False for a truncated archive, which has no directory. */
function isEncrypted(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end < 0 || end + 20 > file.length) return false;
  const directory = file.readUInt32LE(end + 16);
  const flags = directory + 10 <= file.length ? file.readUInt16LE(directory + 8) : 0;
  return ((flags | file.readUInt16LE(6)) & 1) === 1;
}

export interface XmlElement {
  /**
   * The name with its namespace's usual prefix ("w:p"), regardless of the prefix in the file. Names in other namespaces
   * are unchanged.
   */
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** Deeper nesting indicates an attack on tree walkers, not a real document. */
const maxDepth = 500;
/** Maximum number of elements in a part, to keep the tree in memory. */
const maxElements = 1_000_000;

/** Namespaces and their normalised prefixes. ISO's strict variants share the prefixes. */
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

/** The normalised names in scope for a namespace declaration. */
class Names {
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #known = new Map<string, string>();

  constructor(prefixes: ReadonlyMap<string, string> = new Map()) {
    this.#prefixes = prefixes;
  }

  /** The names in scope inside an element. Returns the same object if the element declares no namespaces. */
  below(attributes: Readonly<Record<string, string>>): Names {
    let prefixes: Map<string, string> | null = null;
    for (const name in attributes) {
      if (!name.startsWith('xmlns')) continue;
      const own = name === 'xmlns' ? '' : name.slice('xmlns:'.length);
      const usual = usualPrefixes[attributes[name]!];
      prefixes ??= new Map(this.#prefixes);
      if (usual !== undefined) prefixes.set(own, usual);
      // A usual prefix that the file binds to another namespace must not be mistaken for the usual one.
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
      // An attribute without a prefix belongs to no namespace.
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
 * Parses XML, with names as in XmlElement. Bytes are decoded chunk by chunk. Unclosed elements end with their parent.
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
  // If given a long text in one call, the parser would keep it in memory until the end.
  const decoder = typeof source === 'string' ? null : new TextDecoder(encodingOf(source));
  for (let at = 0; at < source.length; at += pieceLength) {
    const piece = source.slice(at, at + pieceLength);
    parser.write(typeof piece === 'string' ? piece : decoder!.decode(piece, { stream: true }));
  }
  parser.end();
}

const pieceLength = 1 << 16;

/** Parses a part into a tree. Throws Refusal if it is nested too deeply or has too many elements. */
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
      if (++count > maxElements) throw new Refusal(`contains more than ${maxElements} elements`);
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
    // Text arrives in several pieces, split at entities.
    text(text) {
      const { children } = open.at(-1)!;
      const last = children.at(-1);
      if (typeof last === 'string') children[children.length - 1] = last + text;
      else add(text);
    },
  });
  return root;
}

/** Shared empty values, because most elements have no attributes or no children. */
const nothing: Record<string, string> = Object.freeze({});
const none: (XmlElement | string)[] = [];
Object.freeze(none);

function isEmpty(attributes: Readonly<Record<string, string>>): boolean {
  for (const _ in attributes) return false;
  return true;
}

/** The relationships of a part by id. Targets are paths in the archive; external addresses are unchanged. */
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

/** Resolves a path relative to a folder in the archive. */
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

/** Child elements, optionally only those with a given name. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => isElement(child) && (!name || child.name === name),
  );
}

/** The first child element with a given name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child): child is XmlElement => isElement(child) && child.name === name);
}

/** The nearest descendants that `wanted` matches, without entering elements that `through` does not match. */
export function nearest(element: XmlElement, wanted: RegExp, through: RegExp): XmlElement[] {
  return childrenOf(element).flatMap((child) =>
    wanted.test(child.name) ? [child] : through.test(child.name) ? nearest(child, wanted, through) : [],
  );
}

/** All descendants with a given name, in reading order. */
export function descendants(element: XmlElement, name: string, found: XmlElement[] = []): XmlElement[] {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    if (child.name === name) found.push(child);
    descendants(child, name, found);
  }
  return found;
}

/** All text in an element and its descendants. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (isElement(child) ? textOf(child) : child)).join('');
}
