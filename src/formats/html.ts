/**
 * Converts HTML to blocks, without navigation, scripts, forms and hidden parts. Tables become rows, and headings keep
 * their levels.
 *
 * The tree comes from cheerio's lenient htmlparser2, which uses no recursion and takes linear time even on deep
 * nesting; the traversal uses an explicit stack for the same reason. The content is determined by the page's markup:
 * `main` or `article` if present, otherwise everything except parts named as navigation. Paragraphs are not scored for
 * relevance, because scoring discards lists and tables, which make up most pages of laws and manuals.
 */
import { load } from 'cheerio/slim';
import { isLanguage } from '../language/index.ts';
import { replaceEnclosed } from '../text/trimming.ts';
import type { XmlElement } from './archive.ts';
import { type ParsedDocument, Refusal, superscript, tidyLine, tidyLines } from './blocks.ts';
import { mathMl } from './formulas.ts';
import { linked, struck, unmarked } from './inline-marks.ts';
import { formatCounter } from './labels.ts';
import { OpenDocument, Runs } from './runs.ts';
import { Grid } from './tables.ts';

type Node = ReturnType<ReturnType<typeof load>['root']>[0]['children'][number];
type Element = Extract<Node, { attribs: Record<string, string> }>;

const dropped = new Set(
  'script style noscript template nav form button select option input textarea iframe object embed svg canvas audio video map head title dialog menu'.split(
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

/** `base` is the page's own address, for resolving relative links; null if unknown. */
export function parseHtml(source: string, base: string | null = null): ParsedDocument {
  if (isTooDeep(source)) throw new Refusal('nested too deeply');
  const root = load(source).root()[0];
  const all = root ? [...elements(root.children)] : [];
  const title = all.find((element) => element.name === 'title' && outerOf(element)?.name !== 'svg');
  const html = all.find((element) => element.name === 'html');
  const document = new OpenDocument();
  const page = new Page(all, base, document);
  const walker = new Walker(page, document);
  walker.walk(contentOf(all, root?.children ?? []));
  const code = (html?.attribs.lang ?? html?.attribs['xml:lang'] ?? '').slice(0, 2).toLowerCase();
  return {
    ...document.finish(title ? tidyLine(unmarked(page.textOf(title))) || null : null),
    // Page templates often state "en" regardless of the actual language.
    ...(code !== 'en' && isLanguage(code) ? { lang: code } : {}),
  };
}

/** The encoding declared by an HTML page or an XML part. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1] ?? null;
}

/** For deeper pages, parsing time grows quadratically with depth. */
const deepest = 20_000;
/** Elements that are never nested in themselves and need no end tag. */
const endless =
  /^(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/i;

function isTooDeep(source: string): boolean {
  if (source.length < deepest * 3) return false;
  let depth = 0;
  for (const [, ends, name] of source.matchAll(/<(\/?)([a-z][\w-]*)[^<>]*>/gi)) {
    if (endless.test(name!)) continue;
    depth = ends === '' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return false;
}

/** These nodes and everything inside them, in reading order. */
function* nodesIn(nodes: readonly Node[]): Generator<Node> {
  const stack: Node[] = [...nodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if (!isElement(node)) continue;
    for (let n = node.children.length - 1; n >= 0; n--) stack.push(node.children[n]!);
  }
}

function* elements(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodesIn(nodes)) if (isElement(node)) yield node;
}

function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

/** The element that contains another one; null at the top of the page. */
function outerOf({ parent }: Element): Element | null {
  return parent !== null && isElement(parent) ? parent : null;
}

/** The page's content: `main`, the only `article`, or otherwise the body. */
function contentOf(all: readonly Element[], top: readonly Node[]): readonly Node[] {
  const main = all.filter((element) => element.name === 'main' || element.attribs.role === 'main');
  const articles = all.filter((element) => element.name === 'article');
  const chosen = main[0] ?? (articles.length === 1 ? articles[0] : undefined);
  if (chosen && rawText(chosen).trim().length > 100) return chosen.children;
  return top;
}

/** Navigation and similar parts, by name; never the whole page or an article heading. */
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

/** Page-wide information needed to read its parts: permanently hidden elements, and elements that are notes. */
class Page {
  readonly base: string | null;
  readonly #document: OpenDocument;
  readonly #ids: ReadonlyMap<string, Element>;
  /** Ids of elements that can be opened by a control on the page. */
  readonly #opened = new Set<string>();
  /** Simple selectors (".name", "#name") that are hidden by a style sheet of the page. */
  readonly #hiding: ReadonlySet<string>;
  /** Note marks, keyed by the element that contains the note. */
  readonly #notes = new Map<string, string>();
  readonly #reported = new Set<Element>();

  constructor(all: readonly Element[], base: string | null, document: OpenDocument) {
    this.#document = document;
    const own =
      all.find(({ name }) => name === 'base')?.attribs.href ??
      all.find(({ name, attribs }) => name === 'link' && attribs.rel === 'canonical')?.attribs.href;
    this.base = own === undefined ? base : (URL.parse(own, base ?? undefined)?.href ?? base);
    this.#hiding = hiddenSelectors(all.filter(isScreenStyle).map(rawText).join('\n'));
    this.#ids = new Map(all.flatMap((one) => (one.attribs.id ? [[one.attribs.id, one] as const] : [])));
    for (const element of all) {
      const { attribs } = element;
      for (const id of controlled(attribs)) this.#opened.add(id);
      const href = attribs.href ?? '';
      if (!href.startsWith('#')) continue;
      if (
        /(?:^|\s)(?:tab|button)(?:\s|$)/.test(attribs.role ?? '') ||
        attribs['data-toggle'] ||
        attribs['data-bs-toggle']
      )
        this.#opened.add(href.slice(1));
      const target = this.#ids.get(href.slice(1));
      if (target && isNoteReference(element) && isNote(target)) {
        const mark = tidyLine(rawText(element)).replace(/^[[(]|[\])]$/g, '');
        if (mark !== '' && mark.length <= 5) this.#notes.set(href.slice(1), mark);
      }
    }
  }

  /** The mark of the note in an element; null if the element is not a note. */
  noteOf({ attribs }: Element): string | null {
    return this.#notes.get(attribs.id ?? '') ?? null;
  }

  /** The mark of the note that a link refers to; null if the link does not refer to a note. */
  markOf({ attribs }: Element): string | null {
    const { href = '' } = attribs;
    return href.startsWith('#') ? (this.#notes.get(href.slice(1)) ?? null) : null;
  }

  /** A button that contains heading text or opens a part of the page. */
  isTitleButton(element: Element): boolean {
    const { name, attribs } = element;
    if (name !== 'button') return false;
    const outer = outerOf(element);
    return (
      (outer !== null && /^(?:h[1-6]|summary|dt)$/.test(outer.name)) ||
      controlled(attribs).some((id) => this.#ids.has(id)) ||
      panel.test(`${attribs.class ?? ''} ${outer?.attribs.class ?? ''}`)
    );
  }

  /** Whether an element is permanently hidden, with no control to open it. Each omission is reported once. */
  isHidden(element: Element): boolean {
    const { attribs, name } = element;
    if (attribs['aria-hidden'] === 'true' && inline.has(name)) return true;
    const style = attribs.style ?? '';
    const names = [...(attribs.class ?? '').split(/\s+/).map((one) => `.${one}`), `#${attribs.id ?? ''}`];
    const bySheet = this.#hiding.size > 0 && names.some((one) => this.#hiding.has(one));
    const isOff =
      'hidden' in attribs ||
      attribs['aria-hidden'] === 'true' ||
      hides.test(style) ||
      (bySheet && !shows.test(style));
    if (!isOff || attribs.hidden === 'until-found' || this.#isPanel(element)) return false;
    if (!this.#reported.has(element)) {
      for (const one of [element, ...elements(element.children)]) this.#reported.add(one);
      if (!dropped.has(name)) this.#document.leaveOut(rawText(element));
    }
    return true;
  }

  /** Whether an element is only collapsed, such as a tab or accordion panel. */
  #isPanel(element: Element): boolean {
    const { attribs } = element;
    return (
      this.#opened.has(attribs.id ?? ' ') ||
      attribs.role === 'tabpanel' ||
      panel.test(attribs.class ?? '') ||
      outerOf(element)?.name === 'details'
    );
  }

  /** The source text of an element, without hidden parts and navigation. */
  textOf(element: Element, keepLines = false): string {
    let out = '';
    type Step = Node | { end: (inner: string) => string; from: number };
    const stack: Step[] = [...element.children].reverse();
    for (let step = stack.pop(); step; step = stack.pop()) {
      if ('end' in step) {
        out = out.slice(0, step.from) + step.end(out.slice(step.from));
        continue;
      }
      if (!isElement(step)) {
        if (step.type === 'text') out += step.data;
        continue;
      }
      const node = step;
      if (node.name === 'math') {
        out += mathMl(asXml(node));
        continue;
      }
      if ((dropped.has(node.name) && !this.isTitleButton(node)) || this.isHidden(node)) continue;
      const mark = node.name === 'a' ? this.markOf(node) : null;
      if (mark !== null) {
        out += ` [${mark}]`;
        continue;
      }
      const from = out.length;
      if (node.name === 'a')
        stack.push({ from, end: (inner) => linked(inner, node.attribs.href, this.base) });
      else if (isStrike(node)) stack.push({ from, end: struck });
      else if (node.name === 'sup')
        stack.push({ from, end: (inner) => superscript(out.slice(0, from).trimEnd(), inner) });
      if (node.name === 'br') out += '\n';
      else if (!inline.has(node.name)) out += keepLines ? '' : ' ';
      for (let n = node.children.length - 1; n >= 0; n--) stack.push(node.children[n]!);
    }
    return out;
  }
}

/** Ids of the elements that this one opens or closes. */
function controlled(attribs: Record<string, string>): string[] {
  const said = attribs['aria-controls'] ?? attribs['data-bs-target'] ?? attribs['data-target'] ?? '';
  return said.split(/\s+/).flatMap((id) => (id === '' ? [] : [id.replace(/^#/, '')]));
}

const isScreenStyle = ({ name, attribs }: Element): boolean =>
  name === 'style' && /^$|screen|all/i.test(attribs.media ?? '');

/** Class names of collapsible parts. */
const panel =
  /(?:^|[\s_-])(?:accordion|collaps(?:e|ed|ible)|tab-?(?:pane|panel|content)|panel|faq|toggle|spoiler|answer|details)(?:$|[\s_-])/i;

/** Single-name selectors that the page's style sheets hide at every window size. */
const hides = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const shows = /(?:^|;)\s*display\s*:\s*(?!none)[a-z]/i;

function hiddenSelectors(css: string): ReadonlySet<string> {
  const found = new Set<string>();
  const shown = new Set<string>();
  const rules = replaceEnclosed(css.slice(0, styleMax), ['/*', '*/'], () => '');
  let depth = 0;
  let from = 0;
  let selectors = '';
  for (const { 0: brace, index } of rules.matchAll(/[{}]/g)) {
    const text = rules.slice(from, index);
    from = index + 1;
    if (brace === '{') {
      if (depth++ === 0) selectors = text;
      continue;
    }
    depth = Math.max(0, depth - 1);
    const named = selectors.slice(selectors.lastIndexOf(';') + 1);
    // Parts that a script or a smaller window reveals are content.
    if (shows.test(text)) for (const [name] of named.matchAll(/[.#][\w-]+/g)) shown.add(name);
    // Inside "@media", visibility depends on the display.
    if (depth > 0 || named.includes('@') || !hides.test(text)) continue;
    for (const selector of named.split(',')) {
      const name = selector.trim();
      if (/^[.#][\w-]+$/.test(name)) found.add(name);
    }
  }
  for (const name of shown) found.delete(name);
  return found;
}

const styleMax = 200_000;

/** All text in an element and its descendants. */
function rawText(element: Element): string {
  let out = '';
  for (const node of nodesIn(element.children)) if (node.type === 'text') out += node.data;
  return out;
}

function isStrike({ name, attribs }: Element): boolean {
  return (
    /^(?:del|s|strike)$/.test(name) || /text-decoration[\w-]*\s*:[^;]*line-through/i.test(attribs.style ?? '')
  );
}

/** Whether an element is a note reference, by its name or because it is superscript. */
function isNoteReference(element: Element): boolean {
  const { attribs } = element;
  return (
    /noteref/.test(`${attribs['epub:type'] ?? ''} ${attribs.role ?? ''}`) ||
    outerOf(element)?.name === 'sup' ||
    /(?:^|[\s_-])(?:footnote|fn)(?:$|[\s_-])/i.test(attribs.class ?? '')
  );
}

/** Matches an element that can contain a single note. */
function isNote({ name }: Element): boolean {
  return /^(?:aside|div|li|p|dd|section|td)$/.test(name);
}

function asXml(element: Element): XmlElement {
  return {
    name: element.name,
    attributes: element.attribs,
    children: element.children.flatMap((child): (XmlElement | string)[] =>
      isElement(child) ? [asXml(child)] : child.type === 'text' ? [child.data] : [],
    ),
  };
}

/** Deeper than any heading level in a page: the level of question headings (ingest/leaflets.ts). */
const belowHeadings = 7;
/** Tables nested this deep are used only for layout. */
const deepTables = 20;

interface InnerLook {
  bold: boolean;
  struck: boolean;
  raised: boolean;
  /** The target of the enclosing link. */
  address: string | undefined;
}

/** The formatting inside an element. A defined term is always set off. */
function lookInside(element: Element, { bold, struck, raised, address }: InnerLook): InnerLook {
  const { name, attribs } = element;
  return {
    bold: bold || /^(?:b|strong|dt)$/.test(name),
    struck: struck || isStrike(element),
    raised: raised || name === 'sup',
    address: name === 'a' ? attribs.href : address,
  };
}

type Frame = { node: Node } | { leave: () => void };

class Walker {
  private readonly page: Page;
  private readonly document: OpenDocument;
  private readonly runs: Runs;
  /** The formatting of the text inside the current element. */
  private look: InnerLook = { bold: false, struck: false, raised: false, address: undefined };
  /** Open lists, innermost last. A null counter means an unordered list. */
  private readonly lists: { next: number | null; format: string }[] = [];
  /** The marker of the list item that has no text yet. */
  private marker: string | null = null;
  private headingLevel = 1;
  private tables = 0;

  constructor(page: Page, document: OpenDocument) {
    this.page = page;
    this.document = document;
    this.runs = new Runs(page.base);
  }

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
        this.add(this.look.raised ? superscript(this.runs.text.trimEnd(), text) : text);
      }
    }
    this.flush();
  }

  private add(piece: string): void {
    this.runs.add(piece, this.look, this.look.address);
  }

  /** Enters an element. Returns the action for its end, or null if its children must not be visited. */
  private enter(element: Element): (() => void) | null {
    const { look } = this;
    this.look = lookInside(element, look);
    const leave = this.open(element);
    if (leave === null) this.look = look;
    return (
      leave &&
      (() => {
        leave();
        this.look = look;
      })
    );
  }

  /** Reads the entire text, using the surrounding formatting. */
  private whole(element: Element): string {
    const text = tidyLine(this.page.textOf(element));
    return this.look.struck ? struck(text) : text;
  }

  private open(element: Element): (() => void) | null {
    const name = element.name;
    const { page } = this;
    if (page.isHidden(element) || isFurniture(element)) return null;
    if (page.isTitleButton(element)) return this.buttonTitle(element);
    if (dropped.has(name)) return null;
    const note = page.noteOf(element);
    if (note !== null) return this.note(element, note);
    const mark = name === 'a' ? page.markOf(element) : null;
    if (mark !== null) {
      this.add(` [${mark}]`);
      return null;
    }
    if (name === 'math') {
      this.add(mathMl(asXml(element)));
      return null;
    }
    if (name === 'br') {
      this.add('\n');
      return null;
    }
    if (inline.has(name)) return () => {};
    this.flush();
    if (name === 'dl') {
      return () => {
        this.flush();
        // The text after the list does not belong to the last term.
        this.document.blocks.push({ kind: 'end', level: belowHeadings });
      };
    }
    if (/^h[1-6]$/.test(name)) return this.heading(element, Number(name[1]));
    if (name === 'summary') return this.heading(element, Math.min(6, this.headingLevel + 1));
    if (name === 'details') {
      const outer = this.headingLevel;
      return () => {
        this.flush();
        this.document.blocks.push({ kind: 'end', level: Math.min(6, outer + 1) });
        this.headingLevel = outer;
      };
    }
    if (name === 'pre') {
      const text = unmarked(tidyLines(page.textOf(element, true)));
      if (text.trim() !== '') this.document.blocks.push({ kind: 'code', text });
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

  /** A button that opens a part of the page is set off like a defined term. */
  private buttonTitle(element: Element): null {
    this.flush();
    const text = this.whole(element);
    if (text !== '') this.document.blocks.push({ kind: 'paragraph', text, lead: text });
    return null;
  }

  /** A note, without its mark and back links. */
  private note(element: Element, mark: string): null {
    this.flush();
    const text = tidyLine(this.page.textOf(element)).replace(/(?:[↩↑⏎]\ufe0e?\s*)+$/u, '');
    const bare = text.replace(/^[\^↑\s]+/, '');
    const own = [`[${mark}]`, `${mark}.`, `${mark})`, `${mark} `].find((one) => bare.startsWith(one)) ?? '';
    const said = bare.slice(own.length).trim();
    if (said !== '') this.document.blocks.push({ kind: 'note', mark, text: said });
    return null;
  }

  private heading(element: Element, level: number): null {
    const text = this.whole(element).replace(/ ?[¶#]$/, '');
    if (text !== '') {
      this.document.blocks.push({ kind: 'heading', level, text });
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
    return `${formatCounter(n, list.format)}.`;
  }

  /** A data table. Layout tables are traversed like any other element. */
  private table(table: Element): (() => void) | null {
    const layout = () => {
      this.tables++;
      return () => {
        this.tables--;
        this.flush();
      };
    };
    // Analysing each of many nested tables would take quadratic time.
    if (this.tables > deepTables) return layout();
    const rows = rowsOf(table, this.page);
    const cells = rows.flatMap((row) => row.cells);
    const nested = cells.some((cell) => [...elements(cell.children)].some((inner) => inner.name === 'table'));
    const wide = rows.filter((row) => row.cells.length > 1).length;
    const long = cells.some((cell) => tidyLine(this.page.textOf(cell)).length > 2000);
    if (nested || long || wide === 0) return layout();
    const grid = new Grid();
    for (const row of rows) {
      grid.row();
      for (const cell of row.cells) {
        const span = (name: string) => Math.max(1, Math.trunc(Number(cell.attribs[name])) || 1);
        const outer = outerOf(cell);
        const isGone = isStrike(cell) || (outer !== null && isStrike(outer));
        const text = this.whole(cell);
        grid.add({ text: isGone ? struck(text) : text }, span('colspan'), span('rowspan'));
      }
    }
    const body = rows.findIndex(({ header }) => !header);
    const caption = table.children.find(
      (child): child is Element => isElement(child) && child.name === 'caption' && !this.page.isHidden(child),
    );
    const named = caption ? tidyLine(this.page.textOf(caption)) : '';
    this.document.blocks.push(...grid.blocks(body > 0 ? body : null, named === '' ? {} : { caption: named }));
    return null;
  }

  private flush(): void {
    const { text, ...lead } = this.runs.take();
    if (text === '') return;
    if (this.marker !== null) {
      this.document.blocks.push({
        kind: 'item',
        marker: this.marker,
        depth: Math.max(0, this.lists.length - 1),
        text,
        ...lead,
      });
      this.marker = null;
    } else this.document.blocks.push({ kind: 'paragraph', text, ...lead });
  }
}

/** Table rows, excluding those of nested tables. */
function rowsOf(table: Element, page: Page): { cells: Element[]; header: boolean }[] {
  const rows: { cells: Element[]; header: boolean }[] = [];
  const visit = (parent: Element, inHead: boolean) => {
    for (const child of parent.children) {
      if (!isElement(child) || page.isHidden(child)) continue;
      if (/^(?:thead|tbody|tfoot)$/.test(child.name)) visit(child, child.name === 'thead');
      else if (child.name === 'tr') {
        const cells = child.children.filter(
          (cell): cell is Element => isElement(cell) && /^t[dh]$/.test(cell.name) && !page.isHidden(cell),
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
