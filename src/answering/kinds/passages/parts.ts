/**
 * Answers several questions in one message, in order. For each question, the best sentence is quoted, and a second one
 * if it may also be the answer. Questions without an answer are listed.
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

/** Maximum score difference at which a sentence of the leading layer is preferred to the best sentence. */
const layerMargin = 0.6;

/** Maximum score difference at which another sentence replaces one that is already quoted. */
const newMargin = 0.15;

/** Maximum score difference between the first sentence and a second one; smaller than for a single question. */
const secondMargin = 0.3;

/** Composes the answer to several questions. At least one of the sides must be answerable. */
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
    // A sentence may answer two questions, but for the second question an equally good new sentence is preferred.
    const isNew = (one: Chosen) => !quoted.has(keyOf(one));
    const other = sentences.find(
      (one) => isNew(one) && one.score >= best.score - newMargin && one.own >= best.own,
    );
    const answer = isNew(best) ? best : other;
    if (!answer) {
      // The quoted sentence also answers this question, unless it lacks the kind of answer asked for.
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

/** Returns the best sentence, or a nearly equal one from the leading layer. */
function bestOf(sentences: readonly Chosen[], leading: string | undefined): Chosen | undefined {
  const [best] = sentences;
  if (!best) return undefined;
  const norm = sentences.find(({ hit }) => hit.facts.layer.name === leading);
  return norm && norm.score >= best.score - layerMargin && norm.own >= 0.6 * best.own ? norm : best;
}

const capital = (text: string) =>
  `${withoutEnd(text.slice(0, 1).toUpperCase() + text.slice(1), /[\s?.!,]/)}?`;
