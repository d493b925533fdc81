/**
 * Locates a Cohere citation in an answer. The unit of its offsets is undocumented; Cohere's own parser counts code
 * points of the generated text. The location is therefore determined by the quoted words: they are looked for at the
 * offsets as code points, then as UTF-16 units, and finally at their nearest occurrence.
 */
import type { Span } from '../../domain/span.ts';

export interface LocatedCitation {
  start?: number | undefined;
  end?: number | undefined;
  text?: string | undefined;
}

/** UTF-16 offsets in the answer; null if the words are not in it. */
export function locateCitation(answer: string, { start, end, text }: LocatedCitation): Span | null {
  if (typeof text !== 'string' || text.trim() === '') return null;
  const from = Number.isSafeInteger(start) && start! >= 0 ? start! : 0;
  if (Number.isSafeInteger(end) && end! > from) {
    const units = unitsOf(answer, from);
    for (const at of [units, from])
      if (answer.startsWith(text, at)) return { start: at, end: at + text.length };
  }
  const wanted = unitsOf(answer, from);
  let best = -1;
  for (let at = answer.indexOf(text); at >= 0; at = answer.indexOf(text, at + 1))
    if (best < 0 || Math.abs(at - wanted) < Math.abs(best - wanted)) best = at;
  return best < 0 ? null : { start: best, end: best + text.length };
}

/** The number of UTF-16 units in this many code points, counted from the start. */
function unitsOf(text: string, points: number): number {
  let at = 0;
  for (let n = 0; n < points && at < text.length; n++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
