/**
 * Refusals, for cases in which the evidence is insufficient or a model finds no answer. They state this and show the
 * nearest passages.
 */
import type { Language } from '../../domain/events.ts';
import type { Found, RetrievalResult } from '../../reading/passages.ts';
import { phrases } from '../../text/phrases.ts';
import type { Side } from '../kinds/kind.ts';
import { AnswerBuilder, type PreparedAnswer } from './builder.ts';
import type { AnswerContext } from './context.ts';
import { list, paragraphs } from './layout.ts';
import { type ChosenSentence, inOneLanguage, saidBefore, withContext } from './sentences.ts';
import { localized } from './sources.ts';

const nearestSources = 3;

/** The refusal for a lookup with insufficient evidence; null if the evidence is sufficient. */
export function refuse(context: AnswerContext, found: RetrievalResult): PreparedAnswer | null {
  if (found.answerable) return null;
  return context.more ? nothingMore(context, found.hits) : withholdWithHelp(context, found);
}

/** The refusal of a comparison if no side has content; null otherwise. */
export function refuseSides(context: AnswerContext, sides: readonly Side[]): PreparedAnswer | null {
  if (sides.some(speaks)) return null;
  return withhold(
    context,
    sides.flatMap((side) => side.found.hits.slice(0, 2)),
  );
}

/** Whether a side of a comparison has content. */
export const speaks = ({ found }: Side): boolean =>
  found.answerable || found.exact.some(({ provisions }) => provisions.length > 0);

/** States in the asker's language that no answer was found, and lists the nearest passages. */
export function withhold(context: AnswerContext, found: readonly Found[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const words = phrases[context.lang];
  builder.text(words.noAnswer(localized(context.corpus.title, context.lang)));
  list(builder, context, nearest(found, context.lang), words.nearest);
  return { mode: 'no_answer', builder, finish: 'stop' };
}

/**
 * States that the evidence is insufficient, and quotes a sentence that may help. If no passage is near enough, none is
 * shown: a question about soup must not show an article about property.
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
 * States that a model read the passages and found no answer. Lists the passage that the model cited, or otherwise the
 * best passage if it is near enough. No sentence is quoted, because the model rejected all of them.
 */
export const withholdNear = (
  context: AnswerContext,
  found: RetrievalResult,
  nearest: Found | undefined,
): PreparedAnswer => withhold(context, nearest ? [nearest] : isNear(found) ? found.hits.slice(0, 1) : []);

/** Whether the findings are near enough to the question to be helpful. */
const isNear = ({ evidence: { score, features }, threshold }: RetrievalResult): boolean =>
  score >= threshold - near.odds && features.sentence >= near.share;

/** Whether a sentence is short when quoted with its context. Longer text that may not help is not worth quoting. */
const isShort = (one: ChosenSentence): boolean =>
  withContext(one).reduce((sum, { start, end }) => sum + end - start, 0) <= helpMax;
const helpMax = 350;

/**
 * Limits for findings that may help: how far the log odds may be below the threshold, and the minimum share of terms.
 */
const near = { odds: 2, share: 0.2 };

/** The best few passages, in the asker's language if there are any in it. */
export function nearest(found: readonly Found[], lang: Language): Found[] {
  const own = found.filter((hit) => hit.chunk.lang === lang);
  return (own.length > 0 ? own : found).slice(0, nearestSources);
}

/** States that there is nothing to add to the previous answer. */
export function nothingMore(context: AnswerContext, found: readonly Found[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const words = phrases[context.lang];
  builder.text(words.nothingMore);
  list(builder, context, nearest(found, context.lang), words.nearest);
  return { mode: 'no_answer', builder, finish: 'stop' };
}
