/**
 * HTML → blocks: navigation, scripts, forms and what is hidden left out, tables as rows, headings with their levels.
 *
 * The tree comes from cheerio's lenient parser (htmlparser2: no stack, linear also for deep nesting); the walk is
 * a loop over an explicit stack for the same reason. What is content is decided by what the page marks: `main` or
 * `article` where there is one, else all but the parts named as navigation; no scoring of paragraphs, since pages
 * of laws and manuals are mostly lists and tables, which such scoring throws away.
 */
import { load } from 'cheerio/slim';
import { isLanguage } from '../../text/languages/index.ts';
import {
  type Block,
  LeadingRun,
  type ParsedDocument,
  superscript,
  tidyLine,
  tidyLines,
  tidyParagraph,
} from '../blocks.ts';

type Node = ReturnType<ReturnType<typeof load>['root']>[0]['children'][number];
type Element = Extract<Node, { attribs: Record<string, string> }>;

const dropped = new Set(
  'script style noscript template nav aside form button select option input textarea iframe object embed svg canvas audio video map head title dialog menu'.split(
    ' ',
  ),
);
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr nobr'.split(
    ' ',
  ),
);
const furniture =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|footer|header|cookies?|banner|share|social|pagination|pager|toc|skip-link|headerlink|edit-link)(?:$|[\s_-])/i;
const furnitureRoles = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'menu',
  'menubar',
  'dialog',
  'alertdialog',
]);

export function parseHtml(source: string): ParsedDocument {
  const root = load(source).root()[0];
  const all = root ? [...elements(root.children)] : [];
  const title = all.find((element) => element.name === 'title' && !insideSvg(element));
  const html = all.find((element) => element.name === 'html');
  const walker = new Walker();
  walker.walk(contentOf(all, root?.children ?? []));
  const code = (html?.attribs.lang ?? html?.attribs['xml:lang'] ?? '').slice(0, 2).toLowerCase();
  return {
    title: title ? tidyLine(plainText(title)) || null : null,
    blocks: walker.blocks,
    // "en" is what templates say of any page.
    ...(code !== 'en' && isLanguage(code) ? { lang: code } : {}),
    hints: {},
  };
}

/** The encoding an HTML page or an XML part names for itself. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1] ?? null;
}

function* elements(nodes: readonly Node[]): Generator<Element> {
  const stack: Node[] = [...nodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let n = node.children.length - 1; n >= 0; n--) stack.push(node.children[n]!);
  }
}

function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

function insideSvg(element: Element): boolean {
  return element.parent !== null && 'name' in element.parent && element.parent.name === 'svg';
}

/** The page's content: `main`, the only `article`, else the body. */
function contentOf(all: readonly Element[], top: readonly Node[]): readonly Node[] {
  const main = all.filter((element) => element.name === 'main' || element.attribs.role === 'main');
  const articles = all.filter((element) => element.name === 'article');
  const chosen = main[0] ?? (articles.length === 1 ? articles[0] : undefined);
  if (chosen && plainText(chosen).trim().length > 100) return chosen.children;
  return top;
}

function isHidden(element: Element): boolean {
  const { attribs } = element;
  return (
    'hidden' in attribs ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribs.style ?? '') ||
    attribs['aria-hidden'] === 'true'
  );
}

/** Named as navigation or the like; never the page as a whole, and no heading of an article. */
function isFurniture(element: Element): boolean {
  if (/^(?:body|html|main|article)$/.test(element.name) || /^h\d$/.test(element.name)) return false;
  if (element.name === 'footer' || furnitureRoles.has(element.attribs.role ?? '')) return true;
  if (element.name === 'header') return !containsHeading(element);
  return (
    furniture.test(`${element.attribs.class ?? ''} ${element.attribs.id ?? ''}`) && !containsHeading(element)
  );
}

function containsHeading(element: Element): boolean {
  for (const child of elements(element.children)) if (/^h[1-3]$/.test(child.name)) return true;
  return false;
}

/** Text below, as it stands in the source, hidden parts and navigation left out. */
function plainText(element: Element, keepLines = false): string {
  let out = '';
  const stack: Node[] = [...element.children].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isElement(node)) {
      if (dropped.has(node.name) || isHidden(node)) continue;
      if (node.name === 'sup') {
        out += superscript(out.trimEnd(), plainText(node));
        continue;
      }
      if (node.name === 'br') out += '\n';
      else if (!inline.has(node.name)) out += keepLines ? '' : ' ';
      for (let n = node.children.length - 1; n >= 0; n--) stack.push(node.children[n]!);
    } else if (node.type === 'text') out += node.data;
  }
  return out;
}

/** Tables this deep only lay out a page. */
const deepTables = 20;

type Frame = { node: Node } | { leave: () => void };

class Walker {
  readonly blocks: Block[] = [];
  private text = '';
  /** Open lists, the innermost last; a counter of null is an unordered list. */
  private readonly lists: { next: number | null; format: string }[] = [];
  /** The marker of the list item that has no text yet. */
  private marker: string | null = null;
  private raised = 0;
  /** Elements around that are set in bold, and the bold words the text begins with. */
  private bold = 0;
  private readonly lead = new LeadingRun();
  private headingLevel = 1;
  private tables = 0;

  walk(nodes: readonly Node[]): void {
    const stack: Frame[] = [...nodes].reverse().map((node) => ({ node }));
    for (let frame = stack.pop(); frame; frame = stack.pop()) {
      if ('leave' in frame) frame.leave();
      else if (isElement(frame.node)) {
        const leave = this.enter(frame.node);
        if (leave === null) continue;
        stack.push({ leave });
        const { children } = frame.node;
        for (let n = children.length - 1; n >= 0; n--) stack.push({ node: children[n]! });
      } else if (frame.node.type === 'text') {
        const text = frame.node.data.replace(/\s+/g, ' ');
        const piece = this.raised > 0 ? superscript(this.text.trimEnd(), text) : text;
        this.text += piece;
        this.lead.add(piece, this.bold > 0);
      }
    }
    this.flush();
  }

  /** Begins an element: what to do when it ends, or null when its children are not to be walked. */
  private enter(element: Element): (() => void) | null {
    const name = element.name;
    if (dropped.has(name) || isHidden(element) || isFurniture(element)) return null;
    if (name === 'br') {
      this.text += '\n';
      this.lead.add('\n', false);
      return null;
    }
    if (name === 'sup') {
      this.raised++;
      return () => {
        this.raised--;
      };
    }
    if (/^(?:b|strong)$/.test(name)) {
      this.bold++;
      return () => {
        this.bold--;
      };
    }
    if (inline.has(name)) return () => {};
    this.flush();
    if (name === 'dt') {
      // A term is set off whatever the style.
      this.bold++;
      return () => {
        this.flush();
        this.bold--;
      };
    }
    if (/^h[1-6]$/.test(name)) return this.heading(element, Number(name[1]));
    if (name === 'summary') return this.heading(element, Math.min(6, this.headingLevel + 1));
    if (name === 'details') {
      const outer = this.headingLevel;
      return () => {
        this.flush();
        this.blocks.push({ kind: 'end', level: Math.min(6, outer + 1) });
        this.headingLevel = outer;
      };
    }
    if (name === 'pre') {
      const text = tidyLines(plainText(element, true));
      if (text.trim() !== '') this.blocks.push({ kind: 'code', text });
      return null;
    }
    if (name === 'table') return this.table(element);
    if (name === 'ul' || name === 'ol') {
      const start = Number(element.attribs.start ?? 1);
      this.lists.push({
        next: name === 'ol' ? (Number.isInteger(start) ? start : 1) : null,
        format: element.attribs.type ?? '1',
      });
      return () => {
        this.flush();
        this.lists.pop();
      };
    }
    if (name === 'li') this.marker = this.nextMarker(element);
    return () => {
      this.flush();
      if (name === 'li') this.marker = null;
    };
  }

  private heading(element: Element, level: number): null {
    const text = tidyLine(plainText(element)).replace(/ ?[¶#]$/, '');
    if (text !== '') {
      this.blocks.push({ kind: 'heading', level, text });
      this.headingLevel = level;
    }
    return null;
  }

  private nextMarker(element: Element): string {
    const list = this.lists[this.lists.length - 1];
    if (!list || list.next === null) return '–';
    const given = Number(element.attribs.value);
    const n = Number.isInteger(given) && element.attribs.value !== undefined ? given : list.next;
    list.next = n + 1;
    const letter =
      list.format === 'a'
        ? 'abcdefghijklmnopqrstuvwxyz'
        : list.format === 'A'
          ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
          : '';
    return `${letter[n - 1] ?? n}.`;
  }

  /** A data table becomes rows; one that only lays out the page is walked like any other element. */
  private table(table: Element): (() => void) | null {
    const layout = () => {
      this.tables++;
      return () => {
        this.tables--;
        this.flush();
      };
    };
    // Looking into each of very many nested tables would take the square of their number.
    if (this.tables > deepTables) return layout();
    const rows = rowsOf(table);
    const cells = rows.flatMap((row) => row.cells);
    const nested = cells.some((cell) => [...elements(cell.children)].some((inner) => inner.name === 'table'));
    const wide = rows.filter((row) => row.cells.length > 1).length;
    const long = cells.some((cell) => tidyLine(plainText(cell)).length > 2000);
    if (nested || long || wide === 0) return layout();
    const above: ({ text: string | null; rows: number } | undefined)[] = [];
    for (const [n, row] of rows.entries()) {
      const texts = textsOf(row.cells, above);
      if (texts.every((text) => text === '')) continue;
      const header = rows.length > 1 && (row.header || n === 0);
      if (texts.filter((text) => text !== '').length === 1 && !header)
        this.blocks.push({ kind: 'paragraph', text: texts.find((text) => text !== '')! });
      else this.blocks.push({ kind: 'row', cells: texts, header });
    }
    return null;
  }

  private flush(): void {
    const text = tidyParagraph(this.text);
    const lead = this.lead.take();
    this.text = '';
    if (text === '') return;
    if (this.marker !== null) {
      this.blocks.push({
        kind: 'item',
        marker: this.marker,
        depth: Math.max(0, this.lists.length - 1),
        text,
        ...lead,
      });
      this.marker = null;
    } else this.blocks.push({ kind: 'paragraph', text, ...lead });
  }
}

const spanMax = 100;

/** Texts of a row's cells; `above`: by column, of cells that reach down into this row, which say the same in it. */
function textsOf(
  cells: readonly Element[],
  above: ({ text: string | null; rows: number } | undefined)[],
): string[] {
  const texts: string[] = [];
  const span = (cell: Element, name: string) =>
    Math.min(spanMax, Math.max(1, Math.trunc(Number(cell.attribs[name])) || 1));
  let column = 0;
  const takeAbove = () => {
    for (let held = above[column]; held && held.rows > 0; held = above[++column]) {
      held.rows--;
      if (held.text !== null) texts.push(held.text);
    }
  };
  for (const cell of cells) {
    takeAbove();
    const text = tidyLine(plainText(cell));
    const rows = span(cell, 'rowspan') - 1;
    texts.push(text);
    for (let n = span(cell, 'colspan'), first = true; n > 0; n--, first = false)
      above[column++] = { text: first ? text : null, rows };
  }
  takeAbove();
  return texts;
}

/** Rows of a table without those of tables inside it. */
function rowsOf(table: Element): { cells: Element[]; header: boolean }[] {
  const rows: { cells: Element[]; header: boolean }[] = [];
  const visit = (parent: Element, inHead: boolean) => {
    for (const child of parent.children) {
      if (!isElement(child) || isHidden(child)) continue;
      if (/^(?:thead|tbody|tfoot)$/.test(child.name)) visit(child, child.name === 'thead');
      else if (child.name === 'tr') {
        const cells = child.children.filter(
          (cell): cell is Element => isElement(cell) && /^t[dh]$/.test(cell.name) && !isHidden(cell),
        );
        rows.push({
          cells,
          header: inHead || (cells.length > 0 && cells.every((cell) => cell.name === 'th')),
        });
      }
    }
  };
  visit(table, false);
  return rows;
}
