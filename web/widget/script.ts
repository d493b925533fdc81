/**
 * The widget as one script. Its parts are ES modules in plain JavaScript, with types checked from JSDoc
 * (web/tsconfig.json), so browsers and tests run the files of the repository without a build. Each part imports only
 * from earlier ones, and no two declare the same name. To join them, import lines, the word `export`, comments and
 * indentation are removed.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** In import order. */
const modules = [
  'dom.js',
  'texts.js',
  'style.js',
  'sse.js',
  'answering.js',
  'memory.js',
  'answer-text.js',
  'turn.js',
  'element.js',
  'docent.js',
];

export interface Script {
  bytes: Buffer;
  gzipped: Buffer;
  /** With quotes, as in the header. */
  etag: string;
}

let made: Script | undefined;

/** Reads and joins the parts once. */
export function widgetScript(): Script {
  if (!made) {
    const bytes = Buffer.from(`(() => {\n'use strict';\n${modules.map(unwrapped).join('\n')}})();\n`);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    made = { bytes, gzipped: gzipSync(bytes, { level: 9 }), etag };
  }
  return made;
}

function unwrapped(name: string): string {
  const source = readFileSync(new URL(name, import.meta.url), 'utf8');
  return source
    .replace(/\/\*\*.*?\*\/\s*/gs, '')
    .replace(/^ +(?:\/\/.*\n *)*/gm, '')
    .replace(/^import [^;]+;\n/gm, '')
    .replace(/^export /gm, '');
}
