/**
 * Checks an answer against its passages while it is being sent. Invalid citations are dropped, and a `replace` part at
 * the end removes the paragraphs that contain them.
 */
import type { Citation, Mode } from '../../domain/events.ts';
import type { Found } from '../reading/passages.ts';
import type { AnswerPart } from './parts.ts';
import { refOf } from './sources.ts';

export interface VerifyOptions {
  /** The only passages that the answer may use. */
  passages: readonly Found[];
  /** The text to use if no part of the answer can be kept. */
  nothingLeft: string;
}

/** The reason for a replacement, for the record and the reader. */
export const replacedReason = 'A quotation is not in its source.';

/** Yields the parts of an answer, with a correction before the closing if one is needed. */
export async function* verified(
  parts: Iterable<AnswerPart> | AsyncIterable<AnswerPart>,
  { passages, nothingLeft }: VerifyOptions,
): AsyncGenerator<AnswerPart, void, undefined> {
  const byRef = new Map(passages.map((one) => [`${refOf(one)} ${one.facts.revision}`, one]));
  let opening: Extract<AnswerPart, { type: 'opening' }> | null = null;
  let answer = '';
  let sound: Citation[] = [];
  let faulty: Citation[] = [];
  for await (const part of parts) {
    switch (part.type) {
      case 'opening':
        opening = part;
        break;
      case 'text':
        answer += part.text;
        break;
      case 'replace':
        answer = part.answer;
        sound = [];
        faulty = [];
        break;
      case 'citation':
        if (!holds(part.citation, answer, byRef, opening?.paraphrases === true)) {
          faulty.push(part.citation);
          continue;
        }
        sound.push(part.citation);
        break;
      case 'closing':
        if (faulty.length > 0 && opening) yield* corrected(opening.mode, answer, sound, faulty, nothingLeft);
    }
    yield part;
  }
}

/**
 * Whether a citation is valid. Its quotation must be in the cited passage of that revision. The cited range of the
 * answer must equal the quotation, unless the answer paraphrases; then the stated position in the passage must be
 * correct.
 */
function holds(
  { start, end, quote, ref, revision, content_hash, source_start }: Citation,
  answer: string,
  passages: ReadonlyMap<string, Found>,
  paraphrases: boolean,
): boolean {
  const passage = passages.get(`${ref} ${revision}`);
  if (quote === '' || passage?.facts.content_hash !== content_hash) return false;
  if (!paraphrases) return answer.slice(start, end) === quote && passage.text.includes(quote);
  return (
    start >= 0 &&
    start < end &&
    end <= answer.length &&
    source_start !== undefined &&
    passage.text.startsWith(quote, source_start - passage.chunk.start)
  );
}

/**
 * Yields the answer without the paragraphs of invalid citations. Valid citations that overlap a removed paragraph are
 * also dropped.
 */
function* corrected(
  mode: Mode,
  answer: string,
  sound: readonly Citation[],
  faulty: readonly Citation[],
  nothingLeft: string,
): Generator<AnswerPart, void> {
  let from = 0;
  let shift = 0;
  const paragraphs = answer.split('\n\n').map((text) => {
    const to = from + text.length;
    const kept = !faulty.some(({ start, end }) => start < to && end > from);
    const paragraph = { text, from, to, kept, shift };
    if (!kept) shift -= text.length + 2;
    from = to + 2;
    return paragraph;
  });
  const citations = sound.flatMap((citation) => {
    const within = paragraphs.filter(({ from, to }) => citation.start < to && citation.end > from);
    if (within.some(({ kept }) => !kept)) return [];
    const by = within[0]?.shift ?? 0;
    return [{ ...citation, start: citation.start + by, end: citation.end + by }];
  });
  if (citations.length === 0) {
    yield { type: 'replace', mode: 'no_answer', answer: nothingLeft, reason: replacedReason };
    return;
  }
  const kept = paragraphs.filter((one) => one.kept).map(({ text }) => text);
  yield { type: 'replace', mode, answer: kept.join('\n\n'), reason: replacedReason };
  for (const citation of citations) yield { type: 'citation', citation };
}
