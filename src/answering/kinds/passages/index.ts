/** The general kind, which is always last: passages found by words, and their sentences that answer the question. */

import type { Mode } from '../../../domain/events.ts';
import type { RetrievalResult } from '../../../reading/passages.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { refuse } from '../../writing/refusal.ts';
import { inEveryLanguage, saidBefore } from '../../writing/sentences.ts';
import { inTime } from '../../writing/styles.ts';
import type { Kind, Side } from '../kind.ts';
import { fromPassages } from './compose.ts';

export const passages: Kind = {
  name: 'passages',
  recognise: () => async (tools) => {
    const side = await tools.found();
    return { sides: [side], mode: modeOf(side), compose: (context) => composed(context, side) };
  },
};

/** The mode of an answer from passages. */
export const modeOf = ({ edition, found }: Side): Mode =>
  !found.answerable ? 'no_answer' : edition === 'superseded' ? 'historical' : 'ordinary';

/** Presents the sentences that answer the question, or a refusal if there are none. */
export function composed(context: AnswerContext, { found, edition }: Side): PreparedAnswer {
  const refusal = refuse(context, found);
  if (refusal) return refusal;
  const changed = found.changes && context.style === null ? fromTimes(context, found) : null;
  return changed ?? fromPassages(context, found, edition);
}

/** Presents statements about a subject over time; null if only one document covers the subject. */
function fromTimes(context: AnswerContext, found: RetrievalResult): PreparedAnswer | null {
  const sentences = inEveryLanguage(found, saidBefore(context));
  const builder = new AnswerBuilder();
  const named = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const least = found.speakers.length > 0 ? 1 : 2;
  return inTime(builder, context, named, least) ? { mode: 'comparison', builder, finish: 'stop' } : null;
}
