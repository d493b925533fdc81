/** User-facing reasons why a file or record was not ingested. */
import { Refusal } from '../formats/blocks.ts';

/** A reason as a complete sentence. */
export function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
}

/** Explanations for system error codes that users can act on. */
const meanings: Record<string, string> = {
  EACCES: 'the user that runs Docent has no permission',
  EPERM: 'the user that runs Docent has no permission',
  ENAMETOOLONG: 'its path is too long',
  ENOENT: 'it no longer exists',
};

/** A one-line reason for users; for an unexpected error, the first line of its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'nested too deeply';
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const meaning = meanings[error.code];
    return meaning === undefined ? `cannot be read (${error.code})` : `cannot be read: ${meaning}`;
  }
  return `broken: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown error'}`;
}
