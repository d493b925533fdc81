/**
 * Validates the fields that a manifest, front matter or a JSONL line may state about a document. Unknown fields are
 * kept as metadata.
 */

import { isLanguage, type Language, languages } from '../language/index.ts';
import { type Hints, tidyLine } from './blocks.ts';

const known = ['doc_key', 'title', 'lang', 'layer', 'url', 'source_url', 'event_date', 'skip'];

/** A real calendar date in the form YYYY, YYYY-MM or YYYY-MM-DD. */
function isIsoDate(text: string): boolean {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text);
  if (!parts) return false;
  const [, year, month = '01', day = '01'] = parts;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === `${year}-${month}-${day}`;
}

/** False for an address that a browser would not open as a page, such as `javascript:`. */
function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '');
}

/** The canonical form of a document key: NFC, `/` between folders, trimmed. */
export function normaliseKey(key: string): string {
  return tidyLine(key.replaceAll('\\', '/')).replace(/^\.?\/+/, '');
}

/** Explains why a value is invalid for a field; null if it is valid. Empty values (null, "") count as absent. */
export function faultOf(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (field === 'skip') return typeof value === 'boolean' ? null : '"skip" must be true or false';
  if (field === 'doc_key' && typeof value === 'number') return null;
  if (field === 'event_date' && typeof value === 'number') return isIsoDate(String(value)) ? null : dateFault;
  if (field === 'title' && (typeof value === 'number' || typeof value === 'boolean')) return null;
  if (typeof value !== 'string') return `"${field}" must be a string`;
  if (field === 'lang' && !isLanguage(value)) return `"lang" must be one of ${languages.join(', ')}`;
  if (field === 'event_date' && !isIsoDate(value)) return dateFault;
  if ((field === 'url' || field === 'source_url') && !isWebAddress(value))
    return `"${field}" must be an address that begins with https:// or http://`;
  if (field === 'doc_key' && normaliseKey(value) === '') return '"doc_key" must not be blank';
  if (field === 'doc_key' && value.length > 500) return '"doc_key" must have at most 500 characters';
  return null;
}

const dateFault = '"event_date" must be a date written YYYY-MM-DD, YYYY-MM or YYYY';

/**
 * Reads hints from a mapping. `metadata` receives all fields except the known ones and those in `except`. Invalid
 * values are dropped and reported to `fault` (field, sentence).
 */
export function readHints(
  fields: Record<string, unknown>,
  except: readonly string[],
  fault: (field: string, message: string) => void,
): Hints {
  const hints: Hints = {};
  const metadata: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (except.includes(field)) continue;
    if (!known.includes(field)) {
      metadata[field] = value;
      continue;
    }
    const message = faultOf(field, value);
    if (message !== null) fault(field, message);
    else if (value === null || value === undefined || value === '') continue;
    else if (field === 'skip') hints.skip = value === true;
    else if (field === 'doc_key') hints.doc_key = normaliseKey(String(value));
    else if (field === 'url' || field === 'source_url') hints[field] = new URL(String(value).trim()).href;
    else if (field === 'lang') hints.lang = value as Language;
    else hints[field as 'title' | 'layer' | 'event_date'] = tidyLine(String(value));
  }
  // Values are converted to JSON, because YAML also allows non-finite numbers.
  if (Object.keys(metadata).length > 0) hints.metadata = JSON.parse(JSON.stringify(metadata));
  return hints;
}

/** Merges hints from several sources. The first source with a value wins, and metadata is merged field by field. */
export function mergeHints(...sources: readonly Hints[]): Hints {
  const merged: Hints = {};
  for (const source of [...sources].reverse()) {
    Object.assign(merged, source, { metadata: { ...merged.metadata, ...source.metadata } });
  }
  if (Object.keys(merged.metadata ?? {}).length === 0) delete merged.metadata;
  return merged;
}
