/**
 * Several questions in one: the best sentence for each, in their order, with the second where it may be the answer as
 * well; those without an answer are named.
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

/** How far below the best sentence the leading layer's may stand and still be the one that is quoted. */
const layerMargin = 0.6;

/** How far below a sentence that was quoted another may stand and still be as good. */
const newMargin = 0.15;

/** So near to the best one a second sentence stands beside it: nearer than where one question alone is answered. */
const secondMargin = 0.3;

/** An answer to several questions; at least one of them has one. */
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
    // One sentence may answer two questions, but where another is as good, that one is the answer to the second.
    const isNew = (one: Chosen) => !quoted.has(keyOf(one));
    const other = sentences.find(
      (one) => isNew(one) && one.score >= best.score - newMargin && one.own >= best.own,
    );
    const answer = isNew(best) ? best : other;
    if (!answer) {
      // What was quoted answers this one too, unless it holds nothing of the kind it asks for.
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

/** The best sentence, of the leading layer where that has one nearly as good. */
function bestOf(sentences: readonly Chosen[], leading: string | undefined): Chosen | undefined {
  const [best] = sentences;
  if (!best) return undefined;
  const norm = sentences.find(({ hit }) => hit.facts.layer.name === leading);
  return norm && norm.score >= best.score - layerMargin && norm.own >= 0.6 * best.own ? norm : best;
}

const capital = (text: string) =>
  `${withoutEnd(text.slice(0, 1).toUpperCase() + text.slice(1), /[\s?.!,]/)}?`;
