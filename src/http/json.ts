/**
 * Parses a JSON body. For malformed bodies, returns the position and the error message.
 *
 * Messages and offsets follow Python's json module (the reference wording of `json_invalid`), because V8's own messages
 * omit the position for short texts. Differences: NaN and Infinity are malformed (Python accepts them), a comma before
 * a closing bracket is reported at the bracket (as in Python before 3.13), and invalid UTF-8 is reported at its byte
 * offset.
 */
import { isUtf8 } from 'node:buffer';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; offset: number; error: string };

/**
 * Maximum number of names, arrays and objects in a body, outside string values. A request has a few dozen, and parsing
 * a megabyte of them takes a tenth of a second. Small bodies cannot contain that many and are not checked.
 */
const nodesMax = 10_000;
/**
 * Maximum number of commas outside strings. Plain values are cheap, but locating an error after half a million of them
 * takes a long time.
 */
const commasMax = 200_000;
/** Maximum number of strings in a body, including names. */
const textsMax = 100_000;
const bytesLookedThrough = 32 * 1024;

const byteOrderMark = Buffer.from('\ufeff');

/** Parses the bytes of a body, skipping a byte order mark. The offset counts Unicode code points. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return { ok: false, offset: firstBadByte(bytes), error: 'Invalid UTF-8' };
  const marked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const text = bytes.toString('utf8', marked ? byteOrderMark.length : 0);
  const tooMany = text.length > bytesLookedThrough ? indexBeyond(text) : null;
  if (tooMany !== null) return { ok: false, offset: codePoints(text, tooMany), error: 'Too many values' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const { at, error } = locate(text);
    return { ok: false, offset: codePoints(text, at), error };
  }
}

const nextNode = /["[{:,]/g;
const restOfText = /[^"\\]*(?:\\.[^"\\]*)*"?/sy;

/** Index of the first string or node beyond the maximum; null if the maximum is not exceeded. */
function indexBeyond(text: string): number | null {
  let nodes = 0;
  let texts = 0;
  let commas = 0;
  nextNode.lastIndex = 0;
  for (let found = nextNode.exec(text); found !== null; found = nextNode.exec(text)) {
    if (found[0] === '"') {
      if (++texts > textsMax) return found.index;
      restOfText.lastIndex = nextNode.lastIndex;
      restOfText.test(text);
      nextNode.lastIndex = restOfText.lastIndex;
    } else if (found[0] === ',' ? ++commas > commasMax : ++nodes > nodesMax) return found.index;
  }
  return null;
}

/** A replacement character that the client sent before the invalid byte is taken for it. */
function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  return Buffer.byteLength(text.slice(0, text.indexOf('\ufffd')));
}

function codePoints(text: string, end: number): number {
  let count = 0;
  for (let i = 0; i < end; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00 || i === 0) count++;
  return count;
}

type Fault = { at: number; error: string };

const space = /[ \t\n\r]*/y;
const atom = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** A run of string content. Its length is limited, because a regular expression stores the start of each repetition. */
const stretch =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a run, because JSON forbids them
  /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;

/** Finds the error in a text that JSON.parse rejected. Uses an explicit stack, because bodies may be deeply nested. */
function locate(text: string): Fault {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const string = (): Fault | null => {
    const start = at++;
    for (;;) {
      while (match(stretch));
      const next = text[at];
      if (next === undefined) return { at: start, error: 'Unterminated string starting at' };
      if (next === '"') {
        at++;
        return null;
      }
      if (next !== '\\') return { at, error: 'Invalid control character at' };
      if (at + 1 >= text.length) return { at: start, error: 'Unterminated string starting at' };
      if (text[at + 1] === 'u') return { at: at + 1, error: 'Invalid \\uXXXX escape' };
      return { at, error: 'Invalid \\escape' };
    }
  };
  /** Parses a property's name and colon; the value comes next. */
  const name = (): Fault | null => {
    if (text[at] !== '"') return { at, error: 'Expecting property name enclosed in double quotes' };
    const fault = string();
    if (fault) return fault;
    match(space);
    if (text[at] !== ':') return { at, error: "Expecting ':' delimiter" };
    at++;
    return null;
  };
  for (;;) {
    match(space);
    const first = text[at];
    let closed = true;
    let fault: Fault | null = null;
    if (first === '{' || first === '[') {
      at++;
      match(space);
      if (text[at] === (first === '{' ? '}' : ']')) at++;
      else {
        open.push(first);
        closed = false;
        if (first === '{') fault = name();
      }
    } else if (first === '"') fault = string();
    else if (!match(atom)) fault = { at, error: 'Expecting value' };
    if (fault) return fault;
    while (closed) {
      match(space);
      const within = open.at(-1);
      if (within === undefined) return { at, error: 'Extra data' };
      if (text[at] === (within === '{' ? '}' : ']')) {
        at++;
        open.pop();
        continue;
      }
      if (text[at] !== ',') return { at, error: "Expecting ',' delimiter" };
      at++;
      match(space);
      if (within === '{') fault = name();
      if (fault) return fault;
      closed = false;
    }
  }
}
