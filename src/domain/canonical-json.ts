/**
 * Canonical JSON (RFC 8785, JCS): one text for one value, whoever writes it, so that anyone can check a hash over it
 * with a standard library.
 */
import canonicalize from 'canonicalize';

/**
 * The canonical text of a JSON value; members that are `undefined` are left out, as JSON.stringify does. Throws
 * TypeError for what has no JSON form (NaN, infinities, a circle). RFC 8785 has no form for lone surrogates either,
 * but people's texts may hold them: each is written as U+FFFD, of the same length in UTF-16.
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

/** JSON.stringify escapes surrogates only where they are alone; an escaped backslash is passed over as a whole. */
const escapes = /\\(?:u(d[89a-f]..)|.)/g;

/** The value with every string well formed; null where that was not what is wrong with it. */
function wellFormed(value: unknown): { value: unknown } | null {
  const json = JSON.stringify(value, (_, member) => {
    if (typeof member === 'number' && !Number.isFinite(member)) throw new TypeError('Not a JSON number.');
    return member;
  });
  const mended = json?.replace(escapes, (found, lone) => (lone === undefined ? found : '\ufffd'));
  return mended === json ? null : { value: JSON.parse(mended) };
}
