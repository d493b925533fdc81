/** Splits the streamed text of a model into units: sentences with the documents that they cite. */
import type { Span } from '../domain/span.ts';
import type { GeneratedPart } from '../ports/models.ts';
import { listMark, splitSentences } from '../text/sentences.ts';

export interface WrittenUnit {
  text: string;
  /** The white space before this unit. */
  gap: string;
  /** The ids of the documents that it cites. */
  cites: string[];
  /** Whether it introduces what follows, like the head of a list. */
  isHead: boolean;
  isItem: boolean;
}

export type UnitsEnd = Extract<GeneratedPart, { type: 'end' }>;

/** A sentence of at most this many words ("Yes.") is joined with the next sentence. */
const openerWords = 3;

/**
 * Yields the units of the text in order, then its end. A unit is yielded when the next unit has begun and its own
 * citations are known. If the stream rejects, the complete units are yielded first. If the text was cut because of its
 * length, an incomplete last sentence is dropped.
 */
export async function* unitsOf(
  parts: AsyncIterable<GeneratedPart>,
): AsyncGenerator<WrittenUnit | UnitsEnd, void, undefined> {
  let text = '';
  /** Everything before this offset has been yielded. */
  let from = 0;
  let isDue = false;
  const cited: (Span & { documents: readonly string[] })[] = [];
  for await (const part of parts) {
    if (part.type === 'citation') cited.push(part);
    else if (part.type === 'text') text += part.text;
    // A unit can end only where text follows a punctuation mark, a line break or a citation.
    const follows = part.type !== 'text' || (isDue && /\S/u.test(part.text));
    if (follows) isDue = false;
    isDue ||= part.type === 'citation' || (part.type === 'text' && mark.test(part.text));
    if (!follows) continue;
    const isOver = part.type === 'end';
    const spans = spansFrom(text, from, cited);
    for (const [n, span] of spans.entries()) {
      if (!isOver && (n === spans.length - 1 || !isSettled(span, cited))) break;
      if (
        isOver &&
        part.finish === 'length' &&
        n === spans.length - 1 &&
        !ends.test(text.slice(span.start, span.end))
      )
        break;
      yield unitAt(text, from, span, cited);
      from = span.end;
    }
    if (isOver) yield part;
  }
}

const mark = /[.!?…:;\n]/u;
const ends = /[.!?…;][»”"')\]]*$/u;

const citing = <C extends Span>({ start, end }: Span, cited: readonly C[]): C[] =>
  cited.filter((one) => one.start < end && one.end > start);

const isSettled = (span: Span, cited: readonly Span[]): boolean =>
  citing(span, cited).length > 0 || cited.some(({ start }) => start >= span.end);

/** The sentences after an offset. Very short ones are joined with the next sentence. */
function spansFrom(text: string, from: number, cited: readonly Span[]): Span[] {
  const spans: Span[] = [];
  let start: number | null = null;
  for (const one of splitSentences(text.slice(from))) {
    const span: Span = { start: start ?? one.start + from, end: one.end + from };
    const said = text.slice(span.start, span.end);
    const isOpener: boolean =
      said.split(/\s+/u).length <= openerWords && !listMarkAt(said) && citing(span, cited).length === 0;
    start = isOpener ? span.start : null;
    if (!isOpener) spans.push(span);
  }
  if (start !== null) spans.push({ start, end: text.trimEnd().length });
  return spans;
}

function unitAt(
  text: string,
  from: number,
  span: Span,
  cited: readonly (Span & { documents: readonly string[] })[],
): WrittenUnit {
  const said = text.slice(span.start, span.end);
  return {
    text: said,
    gap: text.slice(from, span.start),
    cites: [...new Set(citing(span, cited).flatMap(({ documents }) => documents))],
    isHead: said.endsWith(':'),
    isItem: listMarkAt(said),
  };
}

function listMarkAt(text: string): boolean {
  listMark.lastIndex = 0;
  return listMark.test(text);
}
