/**
 * Converts sections to a revision's normalised text and its chunks. A chunk is an exact slice of the text,
 * `text.slice(start, end)`. Chunks are in order and never overlap; only blank lines and heading lines occur between
 * them.
 *
 * - A section of up to 350 words is a single chunk. A longer section is divided into parts of about 260 words, between
 *   paragraphs where possible and otherwise between sentences. A sentence or table row is split only if it is longer
 *   than 500 words.
 * - Headings are part of the text, and a chunk begins after its heading line. Only the chunk of a numbered provision
 *   includes its title line, so that quotations can contain it.
 * - An article is a single chunk that includes its points, each at the start of a line, where exact lookup finds them;
 *   as separate chunks they would be too short to rank well. A long article is divided between its points, and every
 *   part keeps the article number.
 * - `chunk_index` is the structural number if there is one ("42", "1.2"), with `~2`, `~3` for repetitions (parts of a
 *   long article, numbering that restarts in an annex). Otherwise it is a counter of three or more digits.
 * - A long unnumbered section whose paragraphs are numbered "1.", "2.", … is divided at these points, and each keeps
 *   its number.
 */
import type { Chunk, Language, Mark } from '../domain/events.ts';
import { type Block, countWords } from '../formats/blocks.ts';
import { sliceMarked } from '../formats/inline-marks.ts';
import { follows } from '../formats/provisions.ts';
import { splitSentences } from '../text/sentences.ts';
import { chunkLanguage } from './chunk-language.ts';
import { type Atom, findSections, type Section } from './structure.ts';

/** A section with at most this many words is not divided. */
const wholeWords = 350;
/** Target size of the parts of a longer section. */
const targetWords = 260;
/** A longer paragraph is divided between sentences. */
const longAtom = 300;
/** Maximum indentation level of items. */
const deepest = 5;
/** A longer "sentence" is really a table without lines, or a file without white space. */
const longSentence = 500;

export interface ChunkedText {
  text: string;
  chunks: Chunk[];
}

/**
 * `title` is the document's title, which is omitted from heading paths. `lang` is the document's language, used by
 * default for short chunks. `among` lists the corpus's languages.
 */
export function chunkBlocks(
  blocks: readonly Block[],
  title: string,
  lang: Language,
  among?: readonly Language[],
): ChunkedText {
  const writer = new Writer(lang, among);
  for (const section of findSections(blocks, title)) writer.write(section);
  return writer.finish();
}

/** An atom, or some of its sentences, with the separator that precedes it. */
interface ChunkPiece extends Atom {
  glue: string | null;
}

interface Group {
  pieces: ChunkPiece[];
  number: string | null;
  unit: string | null;
}

class Writer {
  private readonly parts: string[] = [];
  private length = 0;
  private readonly chunks: Chunk[] = [];
  /** Marks in the text written so far, sorted by position. */
  private marks: Mark[] = [];
  private readonly lang: Language;
  private readonly among: readonly Language[] | undefined;

  constructor(lang: Language, among: readonly Language[] | undefined) {
    this.lang = lang;
    this.among = among;
  }

  write(section: Section): void {
    const groups = divide(section);
    let start: number | null = null;
    if (section.line !== null) {
      const at = this.append(section.line, this.length === 0 ? '' : '\n\n', {
        marks: section.lineMarks,
        page: section.linePage,
        confidence: null,
      });
      if (section.lineInside) start = at;
      if (groups.length === 0 && section.lineInside)
        this.chunk(section, { pieces: [], number: section.number, unit: section.unit }, at, null);
    }
    for (const group of groups) {
      let from = start;
      start = null;
      for (const [n, piece] of group.pieces.entries()) {
        const before = group.pieces[n - 1];
        const at = this.append(
          piece.text,
          this.length === 0 ? '' : (piece.glue ?? (before ? between(before, piece) : '\n\n')),
          piece,
        );
        from ??= at;
      }
      this.chunk(section, group, from ?? this.length, groups.length === 1 ? section.question : null);
    }
  }

  private append(
    text: string,
    separator: string,
    { marks, page, confidence }: Pick<Atom, 'marks' | 'page' | 'confidence'>,
  ): number {
    this.parts.push(separator, text);
    this.length += separator.length + text.length;
    const start = this.length - text.length;
    if (page !== null) this.mark({ kind: 'page', page, start, end: this.length });
    if (confidence !== null) this.mark({ kind: 'recognised', confidence, start, end: this.length });
    for (const mark of marks) this.marks.push({ ...mark, start: mark.start + start, end: mark.end + start });
    return start;
  }

  /** Merges a mark with the one it continues. */
  private mark(mark: Mark): void {
    const before = this.marks.findLast(({ kind }) => kind === mark.kind);
    const isSame =
      before !== undefined &&
      (before.kind === 'page' && mark.kind === 'page'
        ? before.page === mark.page
        : before.kind === 'recognised' &&
          mark.kind === 'recognised' &&
          before.confidence === mark.confidence);
    if (isSame) before.end = mark.end;
    else this.marks.push(mark);
  }

  /** Takes the marks of the chunk that ends at the current end of the text; positions become relative to its start. */
  private takeMarks(start: number): Mark[] {
    const own = this.marks.flatMap((mark) => {
      const from = Math.max(mark.start, start);
      return from < mark.end ? [{ ...mark, start: from - start, end: mark.end - start }] : [];
    });
    this.marks = [];
    return own.sort((a, b) => a.start - b.start);
  }

  private chunk(section: Section, group: Group, start: number, question: string | null): void {
    const prose = group.pieces
      .filter((piece) => piece.kind !== 'code')
      .map((piece) => piece.text.slice(0, 2000))
      .join(' ');
    const own = section.lineInside || prose === '' ? `${section.line ?? ''} ${prose}` : prose;
    const marks = this.takeMarks(start);
    this.chunks.push({
      chunk_index: '',
      heading: section.heading,
      path: section.path,
      number: group.number,
      unit: group.unit,
      question,
      lang: chunkLanguage(own, this.lang, this.among),
      start,
      end: this.length,
      ...(marks.length > 0 && { marks }),
    });
  }

  finish(): ChunkedText {
    const used = new Set<string>();
    const counters = this.chunks.filter((chunk) => chunk.number === null).length;
    const width = Math.max(3, String(counters).length);
    let counter = 0;
    for (const chunk of this.chunks) {
      const base = chunk.number ?? String(++counter).padStart(width, '0');
      let index = base;
      for (let n = 2; used.has(index); n++) index = `${base}~${n}`;
      used.add(index);
      chunk.chunk_index = index;
    }
    return { text: this.parts.join(''), chunks: this.chunks };
  }
}

/** Each item is on a separate line below the introduction; items in inner lists are indented. */
function between(before: ChunkPiece, piece: ChunkPiece): string {
  const listed = isListed(piece) && (isListed(before) || /:$/.test(before.text));
  return (listed ? '\n' : '\n\n') + '  '.repeat(Math.min(piece.depth, deepest));
}

function isListed({ kind, point, text }: ChunkPiece): boolean {
  return (
    kind === 'item' || point !== null || (kind === 'paragraph' && /^(?:[-–—]|\(?\p{Ll}\))\s/u.test(text))
  );
}

/** Divides a section into chunks, each of which is a group of pieces. */
function divide(section: Section): Group[] {
  const { atoms, number, unit } = section;
  if (atoms.length === 0) return [];
  const whole = (section.lineInside && section.line ? countWords(section.line) : 0) + sum(atoms);
  if (whole <= wholeWords) return [{ pieces: atoms.map((atom) => ({ ...atom, glue: null })), number, unit }];
  const runs = number === null ? pointRuns(atoms) : [{ atoms, number, unit }];
  return runs.flatMap((run) =>
    pack(run.atoms).map((pieces) => ({ pieces, number: run.number, unit: run.unit })),
  );
}

/** Divides a long section at its numbered paragraphs. Content before the first one has no number. */
function pointRuns(atoms: readonly Atom[]): { atoms: Atom[]; number: string | null; unit: string | null }[] {
  const starts: number[] = [];
  let last: number[] | null = null;
  let style: string | null = null;
  for (const [n, { point, kind }] of atoms.entries()) {
    if (
      !point ||
      kind !== 'paragraph' ||
      point.style === 'parts' ||
      (style !== null && point.style !== style)
    )
      continue;
    if (last === null ? point.parts[0]! > 1 && starts.length === 0 && n > 3 : !follows(last, point.parts))
      continue;
    last = point.parts;
    style = point.style;
    starts.push(n);
  }
  if (starts.length < 3 || sum(atoms) / starts.length < 15)
    return [{ atoms: [...atoms], number: null, unit: null }];
  const runs = starts.map((start, n) => ({
    atoms: atoms.slice(start, starts[n + 1]),
    number: atoms[start]!.point!.number,
    unit: 'point',
  }));
  return starts[0] === 0 ? runs : [{ atoms: atoms.slice(0, starts[0]), number: null, unit: null }, ...runs];
}

/** Packs atoms into groups of similar size, none larger than a chunk may be. */
function pack(atoms: readonly Atom[]): ChunkPiece[][] {
  const pieces = atoms.flatMap(sentencePieces);
  const total = sum(pieces);
  if (total <= wholeWords) return [pieces];
  const target = total / Math.ceil(total / targetWords);
  const groups: ChunkPiece[][] = [];
  let group: ChunkPiece[] = [];
  let words = 0;
  for (const piece of pieces) {
    // An introduction ("…:") stays with its list.
    const introduces = group.length > 0 && /:$/.test(group[group.length - 1]!.text);
    const full = words + piece.words > target * 1.15 && words >= target * 0.5;
    if (group.length > 0 && ((full && !introduces) || words + piece.words > wholeWords)) {
      groups.push(group);
      group = [];
      words = 0;
    }
    group.push(piece);
    words += piece.words;
  }
  const last = groups[groups.length - 1];
  if (last && words < 60 && sum(last) + words <= wholeWords) last.push(...group);
  else groups.push(group);
  return groups;
}

/** Splits a long paragraph into runs of sentences. Other atoms are unchanged. */
function sentencePieces(atom: Atom): ChunkPiece[] {
  if (atom.words <= longAtom) return [{ ...atom, glue: null }];
  const spans =
    atom.kind === 'paragraph' || atom.kind === 'item' ? splitSentences(atom.text) : lineSpans(atom.text);
  const small = spans.flatMap((span) =>
    countWords(atom.text.slice(span.start, span.end)) > longSentence ? cutSpan(atom.text, span) : [span],
  );
  const pieces: ChunkPiece[] = [];
  let from: number | null = null;
  let end = 0;
  for (const [n, span] of small.entries()) {
    from ??= span.start;
    const next = small[n + 1];
    if (next && countWords(atom.text.slice(from, next.end)) <= targetWords / 2) continue;
    const text = atom.text.slice(from, span.end);
    const { marks = [] } = sliceMarked({ text: atom.text, marks: [...atom.marks] }, from, span.end);
    pieces.push({
      ...atom,
      text,
      marks,
      words: countWords(text),
      glue: pieces.length === 0 ? null : atom.text.slice(end, from),
    });
    end = span.end;
    from = null;
  }
  return pieces;
}

/** Lines of code and tables. */
function lineSpans(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/[^\n]+/g)].map((line) => ({
    start: line.index,
    end: line.index + line[0].length,
  }));
}

/** Splits an overlong sentence at white space or, if there is none, at any point between characters. */
function cutSpan(text: string, span: { start: number; end: number }): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let start = span.start;
  while (start < span.end) {
    let end = Math.min(span.end, start + 1800);
    if (end < span.end) {
      const space = text.slice(start, end).search(/\s\S*$/);
      if (space > 900) end = start + space;
      else if (/[\ud800-\udbff]/.test(text[end - 1]!)) end--;
    }
    spans.push({ start, end });
    start = end;
    while (start < span.end && /\s/.test(text[start]!)) start++;
  }
  return spans;
}

function sum(atoms: readonly { words: number }[]): number {
  return atoms.reduce((total, atom) => total + atom.words, 0);
}
