/**
 * Checks an answer against its passages while it is being sent. Answers are composed so that every citation is valid; if
 * one is not, a `replace` part at the end withdraws the answer.
 */
import type { Citation } from '../../domain/events.ts';
import type { Found } from '../../reading/passages.ts';
import type { AnswerPart } from './parts.ts';
import { refOf } from './sources.ts';

export interface VerifyOptions {
  /** The only passages that the answer may use. */
  passages: readonly Found[];
  /** The text that replaces an answer with an invalid citation. */
  nothingLeft: string;
}

/** The reason for a replacement, for the record and the reader. */
export const replacedReason = 'A quotation is not in its source.';

/** Yields the parts of an answer without its invalid citations, and withdraws it before the closing if there are any. */
export async function* verified(
  parts: Iterable<AnswerPart> | AsyncIterable<AnswerPart>,
  { passages, nothingLeft }: VerifyOptions,
): AsyncGenerator<AnswerPart, void, undefined> {
  const byRef = new Map(passages.map((one) => [`${refOf(one)} ${one.facts.revision}`, one]));
  let opening: Extract<AnswerPart, { type: 'opening' }> | null = null;
  let answer = '';
  let isSound = true;
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
        isSound = true;
        break;
      case 'citation':
        if (holds(part.citation, answer, byRef, opening?.paraphrases === true)) break;
        isSound = false;
        continue;
      case 'closing':
        if (!isSound)
          yield { type: 'replace', mode: 'no_answer', answer: nothingLeft, reason: replacedReason };
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
