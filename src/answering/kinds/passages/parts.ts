/**
 * Answers several questions in one message: the best sentence for each, in order, with a second one if it may also be
 * the answer. Unanswered questions are named.
 */

import { withoutEnd } from '../../../text/trimming.ts';
import { partsMax } from '../../understanding/question-parts.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { closed, paragraphs } from '../../writing/layout.ts';
import { phrases } from '../../writing/phrases.ts';
import { type Chosen, inOneLanguage } from '../../writing/sentences.ts';
import { layersOf } from '../../writing/sources.ts';
import type { Side } from '../kind.ts';
import { alternative } from './second-sentence.ts';

/** Maximum score distance at which the leading layer's sentence is preferred to the best one. */
const layerMargin = 0.6;

/** Maximum score distance at which another sentence replaces one that was already quoted. */
const newMargin = 0.15;

/** Maximum score distance of a second sentence; smaller than for a single question. */
const secondMargin = 0.3;

/** An answer to several questions, at least one of which was answered. */
export function fromParts(context: AnswerContext, sides: readonly Side[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const leading = layersOf(context.corpus, 'current')[0]?.name;
  const quoted = new Set<string>();
  const missing: string[] = [];
  let cut = false;
  for (const { label, found } of sides) {
    const { sentences } = found.answerable ? inOneLanguage(found, context.lang) : { sentences: [] };
    const best = bestOf(sentences, leading);
    if (!best) {
      missing.push(label ?? found.question);
      continue;
    }
    // One sentence may answer two questions, but an equally good other one is preferred for the second.
    const isNew = (one: Chosen) => !quoted.has(keyOf(one));
    const other = sentences.find(
      (one) => isNew(one) && one.score >= best.score - newMargin && one.own >= best.own,
    );
    const answer = isNew(best) ? best : other;
    if (!answer) {
      // The quoted sentence answers this question too, unless it lacks the kind of answer asked for.
      if (best.lacksKind) missing.push(label ?? found.question);
      continue;
    }
    const second = alternative(answer, sentences.filter(isNew), secondMargin);
    const both = second ? [answer, second] : [answer];
    cut = paragraphs(builder, context, both, '', 'chosen') || cut;
    for (const one of both) quoted.add(keyOf(one));
  }
  for (const question of missing)
    builder.paragraph().text(phrases[context.lang].partMissing(capital(question)));
  if (context.moreParts) builder.paragraph().text(phrases[context.lang].firstParts(partsMax));
  const answer = closed(context, 'ordinary', builder, cut);
  return context.moreParts ? { ...answer, finish: 'length' } : answer;
}

const keyOf = ({ hit, start }: Chosen) => `${hit.id} ${start}`;

/** The best sentence, from the leading layer if it has a nearly equal one. */
function bestOf(sentences: readonly Chosen[], leading: string | undefined): Chosen | undefined {
  const [best] = sentences;
  if (!best) return undefined;
  const norm = sentences.find(({ hit }) => hit.facts.layer.name === leading);
  return norm && norm.score >= best.score - layerMargin && norm.own >= 0.6 * best.own ? norm : best;
}

const capital = (text: string) =>
  `${withoutEnd(text.slice(0, 1).toUpperCase() + text.slice(1), /[\s?.!,]/)}?`;
