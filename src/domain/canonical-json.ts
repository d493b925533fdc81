/**
 * Canonical JSON (RFC 8785, JCS). A value has the same text in every program, so anyone can verify its hash with a
 * standard library.
 */
import canonicalize from 'canonicalize';

/**
 * Returns the canonical text of a JSON value. Members that are `undefined` are omitted, as in JSON.stringify. Throws
 * TypeError for values without a JSON form (NaN, infinities, cycles). RFC 8785 has no form for lone surrogates either,
 * but text written by people may contain them. Each is written as U+FFFD, which has the same length in UTF-16.
 */
export function canonicalJson(value: unknown): string {
  let json: string | undefined;
  try {
    json = canonicalize(value);
  } catch (error) {
    const mended = wellFormed(value);
    if (mended === null) throw new TypeError('This value has no canonical JSON form.', { cause: error });
    json = canonicalize(mended.value);
  }
  if (json === undefined) throw new TypeError('This value has no JSON form.');
  return json;
}

/** JSON.stringify escapes only lone surrogates. An escaped backslash is matched as a unit and skipped. */
const escapes = /\\(?:u(d[89a-f]..)|.)/g;

/**
 * Returns the value with all strings well-formed; null if they already were, in which case the error has another cause.
 */
function wellFormed(value: unknown): { value: unknown } | null {
  const json = JSON.stringify(value, (_, member) => {
    if (typeof member === 'number' && !Number.isFinite(member)) throw new TypeError('Not a JSON number.');
    return member;
  });
  const mended = json?.replace(escapes, (found, lone) => (lone === undefined ? found : '\ufffd'));
  return mended === json ? null : { value: JSON.parse(mended) };
}
