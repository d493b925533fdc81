/**
 * Reads front matter: the block between `---` lines at the start of a text, parsed as YAML data and never evaluated. A
 * block that declares another language (`---js`) is dropped unread, and YAML tags create no objects.
 */
import { LineCounter, parseDocument } from 'yaml';
import { type Hints, Refusal } from './blocks.ts';
import { readHints } from './hints.ts';

/**
 * Throws Refusal if the block is not YAML or a known field has an invalid value, because that field may have been meant
 * to keep a document private.
 */
export function cutFrontMatter(text: string): { hints: Hints; body: string } {
  const opening = /^\ufeff?(---|\+\+\+)[ \t]*([\w-]*)[ \t]*\n/.exec(text);
  if (!opening) return { hints: {}, body: text };
  const fence = opening[1]!;
  const close = new RegExp(`^\\${fence[0]}{3}[ \\t]*$`, 'm');
  const rest = text.slice(opening[0].length);
  const end = close.exec(rest);
  if (!end) return { hints: {}, body: text };
  const body = rest.slice(end.index + end[0].length).replace(/^\n/, '');
  if (fence !== '---' || !/^(?:|ya?ml)$/i.test(opening[2]!)) return { hints: {}, body };
  const source = rest.slice(0, end.index);
  // A horizontal rule looks the same, but in front matter the next line with text is a field.
  if (!/^\s*(?:#.*\n\s*)*(?:["']?[\p{L}_][\p{L}\p{N}_ \t.-]*(?:["'][ \t]*)?:|$)/u.test(source))
    return { hints: {}, body: text };
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  const error = document.errors[0];
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw new Refusal(`front matter, line ${line + 1}: ${error.message}`);
  }
  let fields: unknown;
  try {
    fields = document.toJS({ maxAliasCount: 50 });
    // JSON cannot represent a value that contains itself, which YAML aliases allow ("b: &b [*b]").
    JSON.stringify(fields);
  } catch {
    throw new Refusal('front matter: too many aliases, or an alias that contains itself');
  }
  if (fields === null || fields === undefined) return { hints: {}, body };
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new Refusal('front matter: not a list of fields');
  const hints = readHints(fields as Record<string, unknown>, [], (field, message) => {
    // Other tools use this field for other languages, so an unknown language is ignored.
    if (field !== 'lang') throw new Refusal(`front matter: ${message}`);
  });
  return { hints, body };
}
