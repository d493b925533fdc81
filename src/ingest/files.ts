/**
 * Plans which files a run ingests, in what order and under which keys. Hidden files, the manifest itself, and links
 * that point outside the folder are excluded.
 */
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Language } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { Hints } from '../formats/blocks.ts';
import { normaliseKey } from '../formats/hints.ts';
import type { Manifest } from './manifest.ts';
import { reasonOf } from './reasons.ts';

const manifestName = 'corpus.yaml';

export interface PlannedFile {
  /** Absolute path. */
  path: string;
  /** Relative to the root, with `/` between folders, in NFC. */
  relative: string;
  /** Never blank. Front matter may override it. In multi-record files, the records have their own keys. */
  doc_key: string;
  /** Hints from the manifest; `hints.layer` is the layer name, if specified. */
  hints: Hints;
  /** The languages of the corpus, if the manifest lists them. */
  languages?: Language[];
  bytes: number;
}

export interface FilePlan {
  /** Real path of the folder; for a single file, of its parent folder. */
  root: string;
  isFolder: boolean;
  /** The content of corpus.yaml; null if the file does not exist. */
  manifest: Manifest | null;
  files: PlannedFile[];
  /** Files skipped by the manifest, and files excluded after comparing all files. */
  skipped: { path: string; reason: string }[];
  /** Folders below the root that could not be read, with the reason. Their contents are unknown. */
  unread: { path: string; reason: string }[];
}

/**
 * Returns the files of a folder, or a single file, sorted by path in code-unit order, which is the same on every
 * machine. `given`: hints for files without a manifest. Fails with `not_found` if nothing exists at the path, and with
 * `invalid` if it cannot be read or the manifest has errors (all are listed with their lines).
 */
export async function planFiles(path: string, given: Hints = {}): Promise<FilePlan> {
  let root: string;
  let isFolder: boolean;
  try {
    root = await realpath(resolve(path));
    isFolder = (await stat(root)).isDirectory();
  } catch {
    throw new Failure('not_found', `There is no file or folder ${path}.`);
  }
  const unread: FilePlan['unread'] = [];
  const relatives = isFolder ? await walk(root, '', unread) : [basename(root)];
  const top = unread.find((folder) => folder.path === '');
  if (top) throw new Failure('invalid', `The folder ${path} ${top.reason}.`);
  const manifest = isFolder ? await manifestOf(root) : null;
  if (!isFolder) root = dirname(root);
  relatives.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const files: PlannedFile[] = [];
  const left: FilePlan['skipped'] = [];
  for (const relative of relatives) {
    const name = relative.normalize('NFC');
    const hints = manifest ? hintsFor(manifest, name) : given;
    if (hints.skip) {
      left.push({ path: name, reason: 'The manifest says to skip it.' });
      continue;
    }
    const languages = manifest ? { languages: manifest.settings.languages } : {};
    const path = join(root, ...relative.split('/'));
    files.push({ path, relative: name, doc_key: '', hints, bytes: await sizeOf(path), ...languages });
  }
  const { files: kept, skipped } = assignKeys(files);
  return { root, isFolder, manifest, files: kept, skipped: [...left, ...skipped], unread };
}

/** The hints of the first rule that matches a file; `relative` uses `/` between folders. */
export function hintsFor(manifest: Manifest, relative: string): Hints {
  return manifest.files.find((rule) => rule.matches(relative))?.hints ?? {};
}

async function manifestOf(root: string): Promise<Manifest | null> {
  let source: string;
  try {
    source = await readFile(join(root, manifestName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Failure('invalid', `${manifestName} ${reasonOf(error)}.`);
  }
  const { parseManifest } = await import('./manifest.ts');
  const { manifest, faults } = parseManifest(source);
  if (faults.length > 0)
    throw new Failure(
      'invalid',
      faults.map(({ line, message }) => `${manifestName}, line ${line}: ${message}`).join('\n'),
    );
  return manifest;
}

/** The files below a folder. Unreadable folders are added to `unread`. */
async function walk(root: string, below: string, unread: FilePlan['unread']): Promise<string[]> {
  const found: string[] = [];
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, below), { withFileTypes: true });
  } catch (error) {
    unread.push({ path: below.normalize('NFC'), reason: reasonOf(error) });
    return found;
  }
  for (const entry of entries) {
    const relative = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name.startsWith('~$') || relative === manifestName) continue;
    if (entry.isDirectory()) found.push(...(await walk(root, relative, unread)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsInside(root, relative))))
      found.push(relative);
  }
  return found;
}

/** Returns 0 for an inaccessible file; the reason is reported when the file is read. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/**
 * Whether a link points to a file below the root. Links to folders are not followed, because their contents are found
 * directly.
 */
async function leadsInside(root: string, relative: string): Promise<boolean> {
  try {
    const target = await realpath(join(root, relative));
    return target.startsWith(root.endsWith(sep) ? root : root + sep) && (await stat(target)).isFile();
  } catch {
    return false;
  }
}

/**
 * The key is the path without its extension. Files whose keys would collide keep their extensions. Keys from the
 * manifest are used as they are.
 */
function assignKeys(files: readonly PlannedFile[]): Pick<FilePlan, 'files' | 'skipped'> {
  const unnamed = files.filter(({ hints }) => hints.doc_key === undefined);
  const bare = Map.groupBy(unnamed, ({ relative }) => withoutExtension(relative));
  const taken = new Map<string, string>();
  const kept: PlannedFile[] = [];
  const skipped: FilePlan['skipped'] = [];
  for (const file of files) {
    const key = withoutExtension(file.relative);
    file.doc_key = normaliseKey(
      file.hints.doc_key ?? ((bare.get(key) ?? []).length > 1 ? file.relative : key),
    );
    if (isUnnamed(file.doc_key)) file.doc_key = normaliseKey(file.relative);
    if (isUnnamed(file.doc_key)) {
      skipped.push({
        path: file.relative,
        reason: 'Its name contains no visible characters from which to form a key.',
      });
      continue;
    }
    const other = taken.get(file.doc_key);
    if (other !== undefined)
      skipped.push({ path: file.relative, reason: `Its key "${file.doc_key}" is already used by ${other}.` });
    else {
      taken.set(file.doc_key, file.relative);
      kept.push(file);
    }
  }
  return { files: kept, skipped };
}

/** Whether a key has no visible characters, or ends with a folder. */
function isUnnamed(key: string): boolean {
  return key === '' || key.endsWith('/');
}

function withoutExtension(relative: string): string {
  return relative.replace(/(?<=[^/])\.[^./]*$/, '');
}
