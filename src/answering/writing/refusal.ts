/**
 * Refusals, if the evidence is insufficient or a model finds no answer: a plain statement with the nearest passages.
 */
import type { Language } from '../../domain/events.ts';
import type { Side } from '../kinds/kind.ts';
import type { Found, RetrievalResult } from '../reading/passages.ts';
import { AnswerBuilder, type PreparedAnswer } from './builder.ts';
import type { AnswerContext } from './context.ts';
import { list, paragraphs } from './layout.ts';
import { phrases } from './phrases.ts';
import { type Chosen, inOneLanguage, saidBefore, withContext } from './sentences.ts';
import { localized } from './sources.ts';

const nearestSources = 3;

/** The refusal for a look-up without evidence; null if there is evidence. */
export function refuse(context: AnswerContext, found: RetrievalResult): PreparedAnswer | null {
  if (found.answerable) return null;
  return context.more ? nothingMore(context, found.hits) : withholdWithHelp(context, found);
}

/** The refusal of a comparison if no side has content; null if one has. */
export function refuseSides(context: AnswerContext, sides: readonly Side[]): PreparedAnswer | null {
  if (sides.some(speaks)) return null;
  return withhold(
    context,
    sides.flatMap((side) => side.found.hits.slice(0, 2)),
  );
}

/** Whether one side of a comparison has content. */
export const speaks = ({ found }: Side): boolean =>
  found.answerable || found.exact.some(({ provisions }) => provisions.length > 0);

/** No evidence: states this in the asker's language and shows the nearest passages. */
export function withhold(context: AnswerContext, found: readonly Found[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const words = phrases[context.lang];
  builder.text(words.noAnswer(localized(context.corpus.title, context.lang)));
  list(builder, context, nearest(found, context.lang), words.nearest);
  return { mode: 'no_answer', builder, finish: 'stop' };
}

/**
 * Too little evidence for an answer: states this and quotes the one sentence that may help. If no passage is near, none
 * is shown: a question about soup gets no article on property.
 */
export function withholdWithHelp(context: AnswerContext, found: RetrievalResult): PreparedAnswer {
  const { sentences } = inOneLanguage(found, context.lang, saidBefore(context));
  const best = sentences.find(isShort) ?? sentences[0];
  if (!isNear(found) || !best) return withhold(context, []);
  const builder = new AnswerBuilder();
  const corpus = localized(context.corpus.title, context.lang);
  builder.text(phrases[context.lang].mayHelp(corpus));
  paragraphs(builder, context, [best]);
  return { mode: 'no_answer', builder, finish: 'stop' };
}

/**
 * A model has read the passages and found no answer: states this and names the passage that the model considered
 * nearest, or else the best one if it is near. A sentence that only shares words with the question is not quoted,
 * because the model rejected it.
 */
export const withholdNear = (
  context: AnswerContext,
  found: RetrievalResult,
  nearest: Found | undefined,
): PreparedAnswer => withhold(context, nearest ? [nearest] : isNear(found) ? found.hits.slice(0, 1) : []);

/** Whether the findings may help. */
const isNear = ({ evidence: { score, features }, threshold }: RetrievalResult): boolean =>
  score >= threshold - near.odds && features.sentence >= near.share;

/** Whether a sentence is short enough to quote with its list: ten lines that may not help are too many. */
const isShort = (one: Chosen): boolean =>
  withContext(one).reduce((sum, { start, end }) => sum + end - start, 0) <= helpMax;
const helpMax = 350;

/** Limits for a sentence that may help: maximum log odds below an answer, and minimum share of the question. */
const near = { odds: 2, share: 0.2 };

/** The best few passages, in the asker's language if there are any. */
export function nearest(found: readonly Found[], lang: Language): Found[] {
  const own = found.filter((hit) => hit.chunk.lang === lang);
  return (own.length > 0 ? own : found).slice(0, nearestSources);
}

/** The question asks for more, but there is no more. */
export function nothingMore(context: AnswerContext, found: readonly Found[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const words = phrases[context.lang];
  builder.text(words.nothingMore);
  list(builder, context, nearest(found, context.lang), words.nearest);
  return { mode: 'no_answer', builder, finish: 'stop' };
}
