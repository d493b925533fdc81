/** Several questions in one message. Each is looked up separately. */
import type { Question } from '../../understanding/question.ts';
import { sideOf } from '../findings.ts';
import type { Findings, Kind, LookUp, Side, Tools } from '../kind.ts';
import { fromParts } from './parts.ts';

export const severalQuestions: Kind = {
  name: 'several questions',
  asks: (question) => question.parts && ((tools) => eachOf(question, tools)),
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
