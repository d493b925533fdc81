/** Moments as people type them. */
import { Failure } from '../failures.ts';

const dayMs = 86_400_000;

/**
 * A day (UTC) or an RFC 3339 time, as events' times are compared with it: from its first moment on, and before the first
 * one after it. null for none. Failure `invalid`; `name` says what it is of.
 */
export function momentOf(name: string, text: string | undefined): { start: string; end: string } | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Failure('invalid', `${name} must be a day or an RFC 3339 time.`);
  const lengthMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayMs : 1;
  return { start: new Date(at).toISOString(), end: new Date(at + lengthMs).toISOString() };
}
