/** Extracts footnotes: small text at the foot of a page that begins with a mark referenced above. */
import { superscript } from '../formats/blocks.ts';
import { type Line, raisedEnds, raisedOpens } from './lines.ts';

export interface Footnote {
  mark: string;
  lines: Line[];
}

/** Relative to the font size of the text. */
const smallMax = 0.93;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = new RegExp(`${raisedOpens}([^${raisedEnds}]*)${raisedEnds}`, 'g');
const raisedStart = new RegExp(`^${raisedOpens}([^${raisedEnds}]*)${raisedEnds}\\s*`);
const superscriptRun = new RegExp(`(?<=\\S)[${superscripts}]{1,3}`, 'g');
const superscriptStart = new RegExp(`^([${superscripts}]{1,3})\\s*`);
const plainStart = /^(\d{1,3}|[*†‡]{1,4})[.)]?\s+/;
const stars = /(?<=[^\s*†‡])[*†‡]{1,4}(?=[\s.,;:)»”]|$)/g;

/** The lines of a sheet without its footnotes. References to footnotes become marks in brackets. */
export function takeNotes(lines: readonly Line[], body: number): { lines: Line[]; notes: Footnote[] } {
  const foot: Line[] = [];
  for (const line of lines.toSorted((a, b) => a.y - b.y)) {
    if (line.pitch !== null || line.size > body * smallMax) break;
    foot.unshift(line);
  }
  const below = new Set(foot);
  const text = lines.filter((line) => !below.has(line));
  const notes: Footnote[] = [];
  if (text.length > 0 && foot.length > 0) {
    const wanted = new Set(text.flatMap(marksIn));
    for (const line of foot) {
      const start = noteStart(line, wanted);
      if (start !== null) notes.push({ mark: start, lines: [line] });
      else notes.at(-1)?.lines.push(line);
    }
  }
  const noted = new Set(notes.flatMap((note) => note.lines));
  const kept = lines.filter((line) => !noted.has(line));
  const marks = new Set(notes.map(({ mark }) => mark));
  for (const line of lines) refer(line, noted.has(line) ? new Set() : marks);
  return { lines: kept, notes };
}

function plainMark(mark: string): string {
  return mark
    .replace(')', '')
    .replace(/[⁰¹²³⁴-⁹]/g, (digit) => String(superscripts.indexOf(digit)))
    .trim();
}

/** Possible footnote references in a line. */
function marksIn({ segments }: Line): string[] {
  return segments.flatMap(({ text }) =>
    [
      ...Array.from(text.matchAll(raised), ([, mark]) => mark!),
      ...Array.from(text.matchAll(superscriptRun), ([mark]) => mark),
      ...Array.from(text.matchAll(stars), ([mark]) => mark),
    ].map(plainMark),
  );
}

/** Removes and returns the mark if a line begins a footnote; otherwise returns null. */
function noteStart(line: Line, wanted: ReadonlySet<string>): string | null {
  const first = line.segments[0]!;
  const text = first.text.trimStart();
  const sure = raisedStart.exec(text);
  const found = sure ?? superscriptStart.exec(text) ?? plainStart.exec(text);
  // The mark may be a separate segment, with the text in the next one.
  const alone =
    found === null && /^(?:\d{1,3}|[*†‡]{1,4})[.)]?$/.test(text.trim()) && line.segments.length > 1;
  const mark = found ? plainMark(found[1]!) : alone ? plainMark(text.trim().replace('.', '')) : null;
  if (mark === null || (sure === null && !wanted.has(mark))) return null;
  if (alone || (found && text.length === found[0].length && line.segments.length > 1)) line.segments.shift();
  else first.text = text.slice(found![0].length);
  return mark;
}

/** Converts raised marks to references, and other raised numbers to plain text. */
function refer(line: Line, marks: ReadonlySet<string>): void {
  for (const segment of line.segments) {
    let { text } = segment;
    if (marks.size > 0) {
      const reference = (mark: string) => (marks.has(plainMark(mark)) ? ` [${plainMark(mark)}]` : mark);
      text = text.replace(superscriptRun, reference).replace(stars, reference);
    }
    segment.text = text.replace(raised, (_, mark: string, at: number, whole: string) =>
      marks.has(plainMark(mark))
        ? `${/(?:^|\s)$/.test(whole.slice(0, at)) ? '' : ' '}[${plainMark(mark)}]`
        : superscript(whole.slice(0, at), mark),
    );
  }
}
