/** Recognises the same question in other asks by its words, regardless of case and punctuation. */
import { createHash } from 'node:crypto';

export function questionWords(query: string): string {
  return query
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The key of a question to a corpus (22 characters). */
export function questionKey(corpusId: string, query: string): string {
  return createHash('sha256')
    .update(JSON.stringify([corpusId, questionWords(query)]))
    .digest('base64url')
    .slice(0, 22);
}
