/**
 * Parses the text of RTF documents. Unknown control words and destinations are skipped. Bytes (`\'xx`) are decoded in
 * the code page of the current font, and the fallback characters after `\u` are ignored. List numbers come from the
 * stored text (`listtext`, `pntext`).
 */
import { anyOf, wordsOfAll } from '../language/index.ts';
import { type ParsedDocument, Refusal, superscript, tidyLine } from './blocks.ts';
import { OpenDocument, Runs } from './runs.ts';
import { Grid } from './tables.ts';

const headingStyle = new RegExp(`^${anyOf(...wordsOfAll('documents.headingStyle'))}\\s*([1-9])`, 'i');

/** Maps RTF charset numbers and code pages to TextDecoder labels. */
const charsets: Record<number, string> = {
  0: 'windows-1252',
  77: 'macintosh',
  161: 'windows-1253',
  162: 'windows-1254',
  186: 'windows-1257',
  204: 'windows-1251',
  238: 'windows-1250',
};
const codePages: Record<number, string> = {
  866: 'ibm866',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1257: 'windows-1257',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
};

const skipped = new Set(
  'colortbl info pict object header headerl headerr headerf footer footerl footerr footerf listtable listoverridetable revtbl rsidtbl generator xmlnstbl themedata colorschememapping latentstyles datastore shpinst bkmkstart bkmkend mmathPr ftnsep ftnsepc'.split(
    ' ',
  ),
);
const signs = new Map(
  Object.entries({
    emdash: '—',
    endash: '–',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    bullet: '•',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
    tab: '\t',
    line: '\n',
    softline: '\n',
  }),
);

const plainLook = { raised: false, hidden: false, bold: false, struck: false };

interface Group {
  skip: boolean;
  /** The destination of text: the document, a list label, the font table, the style sheet or the title. */
  target: 'text' | 'label' | 'fonts' | 'styles' | 'title' | 'note' | 'instruction';
  font: number;
  raised: boolean;
  hidden: boolean;
  bold: boolean;
  struck: boolean;
  /** Target of the enclosing link. */
  address: string | null;
  /** Number of fallback characters after each `\u`. */
  fallback: number;
}

/** `right` is the right edge in twips; null if it is not stated. */
interface Merge {
  across: boolean;
  down: boolean;
  right: number | null;
}

const noMerge: Merge = { across: false, down: false, right: null };

/** Edges closer than this are treated as the same, in twips (a twentieth of a point each). */
const edgeSlack = 40;

/** The right edges of a table's columns, in order. */
function edgesOf(merges: readonly Merge[]): number[] {
  const edges: number[] = [];
  for (const right of merges.flatMap(({ right }) => (right === null ? [] : [right])).sort((a, b) => a - b))
    if (edges.length === 0 || right > edges.at(-1)! + edgeSlack) edges.push(right);
  return edges;
}

export function parseRtf(bytes: Uint8Array): ParsedDocument {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new Refusal('broken: not RTF');
  return new RtfReader().read(source);
}

class RtfReader {
  private readonly document = new OpenDocument();
  /** The note that was opened last. */
  private note = { text: '' };
  private readonly stack: Group[] = [];
  private group: Group = { skip: false, target: 'text', font: -1, ...plainLook, address: null, fallback: 1 };
  private readonly fontPages = new Map<number, string>();
  private readonly styleLevels = new Map<number, number>();
  private page = 'windows-1252';
  private bytes: number[] = [];
  private toSkip = 0;
  /** The first half of a character that is written as two `\\u`. */
  private half = '';
  private readonly runs = new Runs();
  /** The text of other destinations. */
  private readonly said = { label: '', title: '', styles: '', instruction: '' };
  private style: number | null = null;
  private outline: number | null = null;
  private inTable = false;
  private cells: string[] = [];
  /** Merging and right edge of the row's cells, from the definition that precedes them. */
  private merges: Merge[] = [];
  /** Merging and right edge of the cell being defined. */
  private merge = { ...noMerge };
  private isHeader = false;
  private rows: { cells: string[]; merges: Merge[]; header: boolean }[] = [];
  private hiddenText = '';

  read(source: string): ParsedDocument {
    const token = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}]+)/g;
    for (let found = token.exec(source); found; found = token.exec(source)) {
      const [, word, parameter, hex, symbol, brace, text] = found;
      if (hex !== undefined) this.byte(Number.parseInt(hex, 16));
      else if (text !== undefined) this.plain(text);
      else {
        this.flushBytes();
        if (brace === '{') {
          this.stack.push(this.group);
          this.group = { ...this.group };
        } else if (brace === '}') this.leave();
        else if (symbol !== undefined) this.symbol(symbol);
        else if (word !== undefined) {
          const n = parameter === undefined ? null : Number(parameter);
          if (word === 'bin' && n !== null) token.lastIndex += Math.max(0, n);
          else this.word(word, n);
        }
      }
    }
    this.paragraph();
    this.table();
    return this.document.finish(tidyLine(this.said.title) || null);
  }

  private byte(code: number): void {
    if (this.toSkip > 0) this.toSkip--;
    else this.bytes.push(code);
  }

  private plain(text: string): void {
    let rest = text.replace(/[\r\n]/g, '');
    if (this.toSkip > 0) {
      const cut = Math.min(this.toSkip, rest.length);
      this.toSkip -= cut;
      rest = rest.slice(cut);
    }
    // Some programs write code-page bytes unescaped.
    for (const [piece] of rest.matchAll(/[\u0080-\u00ff]+|[^\u0080-\u00ff]+/g))
      if (piece.charCodeAt(0) > 127) for (const byte of Buffer.from(piece, 'latin1')) this.bytes.push(byte);
      else {
        this.flushBytes();
        this.write(piece);
      }
  }

  private flushBytes(): void {
    if (this.bytes.length === 0) return;
    const page = this.fontPages.get(this.group.font) ?? this.page;
    const text = new TextDecoder(page).decode(Uint8Array.from(this.bytes));
    this.bytes = [];
    this.write(text);
  }

  private write(text: string): void {
    const { group } = this;
    this.half = '';
    if (group.skip) return;
    if (group.hidden) {
      if (group.target === 'text') this.hiddenText += text;
      return;
    }
    if (group.target === 'text') {
      const piece = group.raised ? superscript(this.runs.text, text) : text;
      this.runs.add(piece, group, group.address);
    } else if (group.target === 'note') this.note.text += text;
    else if (group.target !== 'fonts') this.said[group.target] += text;
  }

  private leave(): void {
    const left = this.group;
    this.group = this.stack.pop() ?? left;
    this.toSkip = 0;
    // The result of a field is in the group after its instruction, within the field's group.
    if (left.target === 'instruction' && this.group.target !== 'instruction') {
      this.group.address = /HYPERLINK\s+"([^"]+)"/i.exec(this.said.instruction)?.[1] ?? null;
      this.said.instruction = '';
    }
    if (left.target === 'styles' && this.said.styles !== '') {
      const named = headingStyle.exec(this.said.styles.trim());
      if (named && this.style !== null) this.styleLevels.set(this.style, Number(named[1]) - 1);
      if (!named && this.style !== null && this.outline !== null)
        this.styleLevels.set(this.style, this.outline);
      this.said.styles = '';
      this.style = null;
      this.outline = null;
    }
  }

  private symbol(symbol: string): void {
    if (symbol === '*') this.group.skip = true;
    else if (symbol === '~') this.write(' ');
    else if (symbol === '_') this.write('-');
    else if (symbol === '\n' || symbol === '\r') this.word('par', null);
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.plain(symbol);
  }

  private word(word: string, n: number | null): void {
    const { group } = this;
    if (word !== 'u') this.half = '';
    if (word === 'ansicpg' && n !== null) this.page = codePages[n] ?? this.page;
    else if (word === 'mac') this.page = 'macintosh';
    else if (word === 'uc') group.fallback = n ?? 1;
    else if (word === 'u' && n !== null) {
      const unit = this.half + String.fromCharCode(n < 0 ? n + 65_536 : n);
      this.half = /^[\ud800-\udbff]$/.test(unit) ? unit : '';
      if (this.half === '') this.write(unit);
      this.toSkip = group.fallback;
    } else if (word === 'fonttbl') group.target = 'fonts';
    else if (word === 'f' && n !== null) group.font = n;
    else if (word === 'fcharset' && n !== null && group.target === 'fonts') {
      const page = charsets[n];
      // Charset 0 means "Western", but programs also use it for Russian text, so the document's code page applies.
      if (page && n !== 0) this.fontPages.set(group.font, page);
    } else if (word === 'stylesheet') group.target = 'styles';
    else if (word === 'title' && this.stack.length > 1) {
      group.target = 'title';
      group.skip = false;
    } else if (word === 'listtext' || word === 'pntext') group.target = 'label';
    else if (word === 'footnote') {
      group.target = 'note';
      group.skip = false;
      const note = this.document.note();
      this.note = note;
      this.runs.text += ` [${note.mark}]`;
    } else if (skipped.has(word)) group.skip = true;
    else if (word === 'plain') Object.assign(group, plainLook);
    else if (word === 'fldinst') {
      group.target = 'instruction';
      group.skip = false;
    } else if (word === 'strike' || word === 'striked') group.struck = n !== 0;
    else if (word === 'deleted') group.skip = n !== 0;
    else if (word === 'b') group.bold = n !== 0;
    else if (word === 'super') group.raised = n !== 0;
    else if (word === 'nosupersub') group.raised = false;
    else if (word === 'v') group.hidden = n !== 0;
    else if (word === 'outlinelevel') this.outline = n;
    else if (word === 's' && n !== null) this.style = n;
    else if (group.skip) return;
    else if (word === 'pard') {
      this.inTable = false;
      this.style = null;
      this.outline = null;
    } else if (word === 'intbl') this.inTable = true;
    else if (word === 'trowd') {
      this.merges = [];
      this.merge = { ...noMerge };
      this.isHeader = false;
    } else if (word === 'trhdr') this.isHeader = n !== 0;
    else if (word === 'clmrg') this.merge.across = true;
    else if (word === 'clvmrg') this.merge.down = true;
    else if (word === 'cellx') {
      this.merges.push({ ...this.merge, right: n });
      this.merge = { ...noMerge };
    } else if (word === 'par' || word === 'sect' || word === 'page') {
      if (group.target === 'note' || this.inTable) this.write(' ');
      else this.paragraph();
    } else if (word === 'cell') {
      this.cells.push(tidyLine(this.runs.take().text));
      this.said.label = '';
    } else if (word === 'row') this.row();
    else {
      const sign = signs.get(word);
      if (sign !== undefined) this.write(sign);
    }
  }

  private paragraph(): void {
    const { text, ...lead } = this.runs.take();
    const label = tidyLine(this.said.label);
    this.said.label = '';
    this.leaveOut();
    if (text === '') return;
    this.table();
    const numbered = /[\p{L}\p{N}]/u.test(label);
    const level = this.outline ?? (this.style === null ? null : (this.styleLevels.get(this.style) ?? null));
    if (level !== null && level >= 0 && level < 9 && text.length < 300)
      this.document.blocks.push({
        kind: 'heading',
        level: level + 1,
        text: tidyLine(numbered ? `${label} ${text}` : text),
      });
    else if (label !== '')
      this.document.blocks.push({ kind: 'item', marker: numbered ? label : '–', depth: 0, text, ...lead });
    else this.document.blocks.push({ kind: 'paragraph', text, ...lead });
  }

  private leaveOut(): void {
    this.document.leaveOut(this.hiddenText);
    this.hiddenText = '';
  }

  private row(): void {
    const { cells, merges, isHeader } = this;
    this.cells = [];
    this.inTable = false;
    this.leaveOut();
    if (cells.some((cell) => cell !== '')) this.rows.push({ cells, merges, header: isHeader });
  }

  /** Ends the open table. */
  private table(): void {
    const rows = this.rows.splice(0);
    if (rows.length === 0) return;
    if (rows.every(({ cells }) => cells.length === 1))
      for (const { cells } of rows) this.document.blocks.push({ kind: 'paragraph', text: cells[0]! });
    else {
      const grid = new Grid();
      const edges = edgesOf(rows.flatMap(({ merges }) => merges));
      for (const { cells, merges } of rows) {
        grid.row();
        let left = 0;
        for (let n = 0; n < cells.length; ) {
          let count = 1;
          while (merges[n + count]?.across && n + count < cells.length) count++;
          // A cell may be as wide as several others without spanning them.
          const right = merges[n + count - 1]?.right;
          const edge = right == null ? left + count : edges.findIndex((one) => right <= one + edgeSlack) + 1;
          grid.add(merges[n]?.down ? null : { text: cells[n]! }, Math.max(1, edge - left));
          left = Math.max(left + 1, edge);
          n += count;
        }
      }
      const first = rows.findIndex(({ header }) => !header);
      this.document.blocks.push(...grid.blocks(first < 0 ? null : first));
    }
  }
}
