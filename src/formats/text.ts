/**
 * Converts plain text to blocks. Hard-wrapped lines are joined, indented first lines begin paragraphs, and centred or
 * all-capital lines are headings. Text that looks like Markdown is parsed as Markdown.
 */

import { alphabet, classOf } from '../language/index.ts';
import {
  type Block,
  isContentsLine,
  joinWrapped,
  type ParsedDocument,
  tidyLine,
  vocabularyOf,
} from './blocks.ts';
import { cutFrontMatter } from './front-matter.ts';
import { readPoint, readProvision, stopsWithinSentence } from './provisions.ts';

const item = new RegExp(`^(?:[-–—•*·▪●]|\\(?${classOf(alphabet)}\\))\\s`, 'u');

/**
 * Detects Markdown in a file or field that does not state its format, by front matter, a heading at the top or several
 * headings.
 */
export function looksLikeMarkdown(text: string): boolean {
  if (
    /^---[ \t]*(?:ya?ml)?[ \t]*\n[\s\S]{0,4000}?^---[ \t]*$/m.test(text.slice(0, 5000)) &&
    text.startsWith('---')
  )
    return true;
  if (/^\s*#{1,3} \S/.test(text.slice(0, 500))) return true;
  return (text.slice(0, 50_000).match(/^#{1,6} \S/gm)?.length ?? 0) >= 2;
}

/** Whether a text contains Markdown syntax: bold words, links with addresses, code, headings or table rules. */
export function holdsMarkdown(text: string): boolean {
  return (
    /(?<![*\w])\*\*(?=[^\s*])[^*\n]{1,300}\*\*(?![*\w])/u.test(text) ||
    /!?\[[^\]\n]{0,300}\]\((?:https?:|mailto:|[./#])[^()\s]{0,500}\)/.test(text) ||
    /^(?:#{1,6} \S|```|~~~|\|?[ :]*-{3,}[ :]*\|)/m.test(text) ||
    /(?<![\w`])`(?=[^\s`])[^`\n]{0,200}(?<=[^\s`])`(?![\w`])/.test(text)
  );
}

/** Reads plain text, including front matter. */
export function parseText(source: string): ParsedDocument {
  const { hints, body } = cutFrontMatter(source);
  const lines = body
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => line.trimEnd());
  const width = wrapWidth(lines);
  const vocabulary = width === null ? new Set<string>() : vocabularyOf(lines);
  const blocks: Block[] = [];
  let run: string[] = [];
  const flush = () => {
    if (run.length > 0) readRun(run, width, vocabulary, blocks);
    run = [];
  };
  for (const line of lines) {
    if (line.trim() === '') flush();
    else run.push(line);
  }
  flush();
  return { title: null, blocks, hints };
}

/** The width at which lines were wrapped; null if each line is a paragraph. */
function wrapWidth(lines: readonly string[]): number | null {
  const lengths = lines.filter((line) => line.trim() !== '').map((line) => line.length);
  if (lengths.length < 4) return null;
  lengths.sort((a, b) => a - b);
  const width = lengths[Math.floor(lengths.length * 0.9)]!;
  return width >= 40 && width <= 100 && lengths[lengths.length - 1]! <= width * 1.6 ? width : null;
}

/** Reads a run of lines without blank lines between them. */
function readRun(
  run: readonly string[],
  width: number | null,
  vocabulary: ReadonlySet<string>,
  blocks: Block[],
): void {
  const indents = run.map((line) => line.length - line.trimStart().length);
  const text = tidyLine(run.map((line) => line.trim()).join(' '));
  const words = text.split(' ').length;
  const centred = width !== null && Math.min(...indents) >= 9 && run.length <= 5;
  if (
    /\p{L}/u.test(text) &&
    words <= 30 &&
    !/[.;,:]$/.test(text) &&
    ((centred && !/^[\p{Ll}]/u.test(text)) || (run.length <= 4 && isCapitals(text)))
  ) {
    blocks.push({ kind: 'heading', level: 2, text });
    return;
  }
  const base = Math.min(...(indents.length > 1 ? indents.slice(1) : indents));
  let paragraph = '';
  let first = true;
  const flush = () => {
    const before = blocks.at(-1);
    if (first && width !== null && before !== undefined && goesOn(before, paragraph))
      before.text = joinWrapped(before.text, tidyLine(paragraph), vocabulary);
    else pushLine(paragraph, blocks);
    first = false;
    paragraph = '';
  };
  for (const [n, line] of run.entries()) {
    const trimmed = line.trim();
    const before = run[n - 1];
    if (
      before !== undefined &&
      beginsParagraph(trimmed, indents[n]! - base, paragraph, before.length, indents[n - 1]! - base, width)
    )
      flush();
    paragraph = paragraph === '' ? trimmed : joinWrapped(paragraph, trimmed, vocabulary);
  }
  flush();
}

/** Whether a paragraph continues the previous one, because scans and page breaks put blank lines inside sentences. */
function goesOn(before: Block, text: string): before is Extract<Block, { kind: 'paragraph' | 'item' }> {
  return (
    (before.kind === 'paragraph' || before.kind === 'item') &&
    /[\p{L},-]$/u.test(before.text) &&
    /^\p{Ll}[\p{Ll} ]/u.test(text)
  );
}

/** `before` is the paragraph so far; `beforeLength` is the length of its last line. */
function beginsParagraph(
  line: string,
  indent: number,
  before: string,
  beforeLength: number,
  beforeIndent: number,
  width: number | null,
): boolean {
  if (width === null) return true;
  if (readProvision(line) !== null) {
    const wrapped = beforeLength + 1 + line.split(' ', 1)[0]!.length >= width * 0.9;
    if (!wrapped || !stopsWithinSentence(before)) return true;
  }
  const closed = /[.;:!?»")]$/.test(before);
  if (closed && (item.test(line) || readPoint(line) !== null)) return true;
  // A first line is indented further than the lines around it.
  if (indent >= 2 && indent <= 12 && beforeIndent < indent) return true;
  if (indent >= 2 && indent <= 12 && beforeIndent === indent && closed) return true;
  return closed && beforeLength < width * 0.6;
}

function pushLine(text: string, blocks: Block[]): void {
  const line = tidyLine(text);
  if (line === '' || isContentsLine(line)) return;
  const bullet = /^[-–—•*·▪●]\s+(?=\S)/.exec(line);
  if (bullet) blocks.push({ kind: 'item', marker: '–', depth: 0, text: line.slice(bullet[0].length) });
  else if (/[\p{L}\p{N}]/u.test(line)) blocks.push({ kind: 'paragraph', text: line });
}

function isCapitals(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return (
    letters.length >= 4 &&
    letters.every((letter) => letter === letter.toUpperCase()) &&
    text.split(' ').length <= 20
  );
}
