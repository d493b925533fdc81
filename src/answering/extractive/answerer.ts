/** Answers without a model: sentences chosen from the passages, word for word. */
import type { RetrievalResult } from '../../retrieval/pipeline.ts';
import type { AnswerContext, Answerer } from '../answerer.ts';
import { AnswerBuilder, type PreparedAnswer, partsOf } from '../builder.ts';
import { refuse } from '../refusal.ts';
import { inEveryLanguage, nothingSaid, saidBefore } from '../sentences.ts';
import { fromSides } from './comparison.ts';
import { fromParts } from './parts.ts';
import { fromPassages } from './passages.ts';
import { inTime } from './styles.ts';

export const extractiveAnswerer: Answerer = {
  async *answer(context, findings) {
    const { kind, sides } = findings;
    const [{ found, edition }] = sides;
    const refusal = kind === 'parts' ? null : refuse(context, findings);
    if (refusal) return yield* partsOf(refusal);
    if (kind === 'sides') return yield* partsOf(fromSides(context, sides));
    if (kind === 'parts') return yield* partsOf(fromParts(context, sides));
    const changed = found.changes && context.style === null ? fromTimes(context, found) : null;
    yield* partsOf(changed ?? fromPassages(context, found, edition));
  },
};

/** What was said of a subject in the course of time; null where only one document speaks of it, of whatever speaker. */
function fromTimes(context: AnswerContext, found: RetrievalResult): PreparedAnswer | null {
  const sentences = inEveryLanguage(found, context.more ? saidBefore(context) : nothingSaid);
  const builder = new AnswerBuilder();
  const named = sentences.some((one) => one.named) ? sentences.filter((one) => one.named) : sentences;
  const least = found.speakers.length > 0 ? 1 : 2;
  return inTime(builder, context, named, least) ? { mode: 'comparison', builder, finish: 'stop' } : null;
}
