/**
 * Reads a JSON body; where it is malformed, says where and in which words.
 *
 * The words and the offset are those of Python's json module (the reference wording of `json_invalid`), since
 * V8's own messages leave the position out for short texts. Departures: NaN and Infinity are malformed (Python
 * takes them), a comma before a closing bracket is told at the bracket, as Python did before 3.13, and bytes that
 * are no UTF-8 are told at their offset in bytes.
 */
import { isUtf8 } from 'node:buffer';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; offset: number; error: string };

/**
 * Names, lists and objects a body may have outside of its texts: a request has some dozens, and a megabyte of them takes
 * a tenth of a second to make. Few bytes cannot hold many, and are not looked through.
 */
const nodesMax = 10_000;
/** Commas outside of texts: plain values are quickly made, but a fault behind half a million of them is found late. */
const commasMax = 200_000;
/** Texts a body may have, names among them. */
const textsMax = 100_000;
const bytesLookedThrough = 32 * 1024;

const byteOrderMark = Buffer.from('\ufeff');

/** Parses the bytes of a body (a byte order mark is skipped). The offset counts Unicode code points. */
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

/** Where the first text or node beyond the most there may be begins; null where there are not as many. */
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

/** Bytes looked through at once: where they are UTF-8 that is quick, where they are not the place is searched for. */
const pieceBytes = 32 * 1024;

function firstBadByte(bytes: Buffer): number {
  let start = 0;
  for (let end = 0; start < bytes.length; start = end) {
    end = Math.min(start + pieceBytes, bytes.length);
    // Not within a character, which has four bytes at most.
    for (let back = 0; back < 3 && isContinuation(bytes[end]); back++) end--;
    if (!isUtf8(bytes.subarray(start, end))) break;
  }
  const piece = bytes.subarray(start, start + pieceBytes);
  let good = 0;
  for (let bad = piece.length; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(piece.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return start + good;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function codePoints(text: string, end: number): number {
  let count = 0;
  for (let i = 0; i < end; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00 || i === 0) count++;
  return count;
}

type Fault = { at: number; error: string };

const space = /[ \t\n\r]*/y;
const atom = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** A stretch of a text; of limited length, as an expression that is repeated keeps where each repetition began. */
const stretch =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them, here is where that is found
  /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;

/** Where a text that JSON.parse refused stops being JSON. Keeps its own stack: bodies may nest deeply. */
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
  /** A property's name and colon; the value comes next. */
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
