/**
 * The widget as the one script that pages load. Its parts are ES modules in plain JavaScript, their types checked
 * from JSDoc (web/tsconfig.json): what a browser runs is what stands in the repository, with no build between, and
 * tests import the same files. Since each imports only from those before it, and no two declare the same name,
 * joining them is leaving out the import lines and the word `export`, and comments and indentation for brevity.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** In the order of their imports. */
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
  /** Quoted, as it stands in the header. */
  etag: string;
}

let made: Script | undefined;

/** Read and joined once. */
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
