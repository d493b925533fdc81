/**
 * Several questions in one message. Each is looked up separately, and they are answered in order. Questions without an
 * answer are listed.
 */

import type { Question } from '../../../question/question.ts';
import { partsMax } from '../../../question/question-parts.ts';
import { phrases } from '../../../text/phrases.ts';
import { withoutEnd } from '../../../text/trimming.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { closed } from '../../writing/layout.ts';
import { inOneLanguage } from '../../writing/sentences.ts';
import { layersOf } from '../../writing/sources.ts';
import { sideOf } from '../findings.ts';
import type { Findings, Kind, LookUp, Side, Tools } from '../kind.ts';
import { answerFrom } from './compose.ts';
import { textOf } from './second-sentence.ts';

export const severalQuestions: Kind = {
  name: 'several questions',
  recognise: (question) => question.parts && ((tools) => eachOf(question, tools)),
};

async function eachOf({ parts }: Question, tools: Tools): Promise<Findings | null> {
  const sides = await Promise.all(
    parts!.parts.map(async ({ label, question, focus }): Promise<Side> => {
      const lookUp: LookUp = {
        question,
        edition: 'current',
        references: [],
        ...(focus !== undefined && { focus }),
      };
      return { ...sideOf(lookUp, await tools.lookUp(lookUp)), label };
    }),
  );
  if (!sides.some(({ found }) => found.answerable)) return null;
  return {
    sides: sides as [Side, ...Side[]],
    mode: 'ordinary',
    compose: (context) => fromParts(context, sides),
  };
}

/** Maximum number of sentences per question. */
const sentencesMax = 2;
/** Maximum score difference at which another sentence replaces one that is already quoted. */
const newMargin = 0.15;

/** Composes the answer to several questions. At least one of the sides must be answerable. */
export function fromParts(context: AnswerContext, sides: readonly Side[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  const layers = layersOf(context.corpus, 'current');
  const missing: string[] = [];
  let cut = false;
  for (const { label, found } of sides) {
    const { sentences } = found.answerable ? inOneLanguage(found, context.lang) : { sentences: [] };
    const [best] = sentences;
    const isNew = (one: (typeof sentences)[number]) =>
      !builder.citations.some(({ quote }) => quote.includes(textOf(one)));
    const unquoted = sentences.filter(isNew);
    // A sentence may answer two questions, but for the second one an equally good new sentence is preferred.
    const isAnswered =
      best !== undefined && (isNew(best) || (unquoted[0]?.score ?? 0) >= best.score - newMargin);
    if (isAnswered)
      cut = answerFrom(builder.paragraph(), context, found, unquoted, layers, sentencesMax) || cut;
    // The quoted sentence also answers this question, unless it lacks the kind of answer asked for.
    else if (!best || best.lacksKind) missing.push(label ?? found.question);
  }
  for (const question of missing)
    builder.paragraph().text(phrases[context.lang].partMissing(capital(question)));
  if (context.moreParts) builder.paragraph().text(phrases[context.lang].firstParts(partsMax));
  const answer = closed(context, 'ordinary', builder, cut);
  return context.moreParts ? { ...answer, finish: 'length' } : answer;
}

const capital = (text: string) =>
  `${withoutEnd(text.slice(0, 1).toUpperCase() + text.slice(1), /[\s?.!,]/)}?`;
