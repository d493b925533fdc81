/** Reads the marks of a chunk for a section of its text. Offsets are UTF-16 units in the chunk's text. */
import type { Chunk, Mark } from './events.ts';
import type { Span } from './span.ts';

type Marked = Pick<Chunk, 'marks'>;

const overlaps = (mark: Span, { start, end }: Span): boolean => mark.start < end && start < mark.end;

/** The page on which a position is printed; null if the document has no pages. */
export function pageAt({ marks = [] }: Marked, at: number): number | null {
  const pages = marks.filter((mark) => mark.kind === 'page');
  return (pages.findLast(({ start }) => start <= at) ?? pages[0])?.page ?? null;
}

/** The links of a chunk that are in force, which means that they are not struck out. */
export function linksIn({ marks = [] }: Marked): (Span & { url: string })[] {
  const struck = marks.filter(({ kind }) => kind === 'struck');
  return marks.flatMap((mark) =>
    mark.kind === 'link' && !struck.some(({ start, end }) => start <= mark.start && end >= mark.end)
      ? [mark]
      : [],
  );
}

/** The addresses linked from a section, in order and without repetitions. */
export function addressesIn(chunk: Marked, section: Span): string[] {
  return [...new Set(linksIn(chunk).flatMap((link) => (overlaps(link, section) ? [link.url] : [])))];
}

/** The struck-out parts of a section, in order. */
export function struckIn({ marks = [] }: Marked, section: Span): Span[] {
  return marks
    .filter((mark) => mark.kind === 'struck' && overlaps(mark, section))
    .map(({ start, end }) => ({ start: Math.max(start, section.start), end: Math.min(end, section.end) }));
}

/** The text in force. Struck-out text is replaced with blanks, so that all offsets stay valid. */
export function textInForce(text: string, marks: readonly Mark[] = []): string {
  let out = text;
  for (const { kind, start, end } of marks)
    if (kind === 'struck')
      out = out.slice(0, start) + out.slice(start, end).replace(/\S/g, ' ') + out.slice(end);
  return out;
}

/** Adds the page at which to open the file. An address that already contains a location is not changed. */
export function atPage(url: string, page: number | null | undefined): string {
  return page == null || url.includes('#') ? url : `${url}#page=${page}`;
}
