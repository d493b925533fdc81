/** Markdown (GFM) → blocks. Raw HTML gives only its text, comments nothing; site directives are resolved first. */
import type { Nodes, Parent, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { type Block, type ParsedDocument, tidyLine, tidyLines, tidyParagraph } from '../blocks.ts';
import { cutEnd, resolveDirectives } from './directives.ts';
import { cutFrontMatter } from './front-matter.ts';

export function parseMarkdown(text: string): ParsedDocument {
  const { hints, body } = cutFrontMatter(text);
  const source = resolveDirectives(body.replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
  const tree = unified().use(remarkParse).use(remarkGfm).parse(source);
  const blocks: Block[] = [];
  read(tree.children, blocks, source, 0);
  return { title: null, blocks, hints };
}

function read(nodes: readonly RootContent[], blocks: Block[], source: string, depth: number): void {
  for (const node of nodes) {
    if (node.type === 'heading')
      pushText(blocks, {
        kind: 'heading',
        level: node.depth,
        text: tidyLine(textOf(node).replace(/\s*\{#[\w-]+\}\s*$/, '')),
      });
    else if (node.type === 'paragraph') readParagraph(tidyParagraph(textOf(node)), blocks);
    else if (node.type === 'code') pushText(blocks, { kind: 'code', text: tidyLines(node.value) });
    else if (node.type === 'html')
      pushText(blocks, { kind: 'paragraph', text: tidyParagraph(stripTags(node.value)) });
    else if (node.type === 'blockquote') read(node.children, blocks, source, depth);
    else if (node.type === 'list') {
      for (const [n, item] of node.children.entries()) {
        let marker = '–';
        if (node.ordered) {
          const start = item.position?.start.offset ?? 0;
          const mark = /^\d+([.)])/.exec(source.slice(start, start + 12))?.[1] ?? '.';
          marker = `${(node.start ?? 1) + n}${mark}`;
        }
        const [first, ...rest] = item.children;
        if (first?.type === 'paragraph') {
          pushText(blocks, { kind: 'item', marker, depth, text: tidyParagraph(textOf(first)) });
          read(rest, blocks, source, depth + 1);
        } else read(item.children, blocks, source, depth + 1);
      }
    } else if (node.type === 'table') {
      for (const [n, row] of node.children.entries()) {
        const cells = row.children.map((cell) => tidyLine(textOf(cell)));
        if (cells.some((cell) => cell !== ''))
          blocks.push({ kind: 'row', cells, header: n === 0 && node.children.length > 1 });
      }
    } else if (node.type === 'footnoteDefinition') {
      const text = tidyLine(node.children.map((child) => textOf(child)).join(' '));
      pushText(blocks, {
        kind: 'paragraph',
        text: text === '' ? '' : `[${node.label ?? node.identifier}] ${text}`,
      });
    }
  }
}

function readParagraph(text: string, blocks: Block[]): void {
  const end = cutEnd.exec(text);
  if (end) blocks.push({ kind: 'end', level: Number(end[1]) });
  else pushText(blocks, { kind: 'paragraph', text });
}

function pushText(blocks: Block[], block: Extract<Block, { text: string }>): void {
  if (block.text !== '') blocks.push(block);
}

function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'html':
      return stripTags(node.value);
    case 'footnoteReference':
      return ` [${node.label ?? node.identifier}]`;
    case 'image':
    case 'imageReference':
      return '';
    default:
      return 'children' in node ? (node as Parent).children.map((child) => textOf(child)).join('') : '';
  }
}

/** Text of a piece of raw HTML; what scripts, styles and comments hold is no text. */
function stripTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}
