/** Several questions in one message. Each is looked up separately. */
import type { Question } from '../../understanding/question.ts';
import { sideOf } from '../findings.ts';
import type { Findings, Kind, LookUp, Side, Tools } from '../kind.ts';
import { composed } from './index.ts';
import { fromParts } from './parts.ts';

export const severalQuestions: Kind = {
  name: 'several questions',
  asks: (question) => question.parts && ((tools) => eachOf(question, tools)),
};

async function eachOf({ text, parts }: Question, tools: Tools): Promise<Findings | null> {
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
  const answered = sides.filter(({ found }) => found.answerable).length;
  // "Rights and freedoms" may be a single subject, so results for the parts come after results for the whole.
  if (parts!.subjects && answered < sides.length) {
    const lookUp: LookUp = { question: text, edition: 'current', references: [] };
    const side = sideOf(lookUp, await tools.lookUp(lookUp));
    if (side.found.answerable)
      return { sides: [side], mode: 'ordinary', compose: (context) => composed(context, side) };
  }
  if (answered === 0) return null;
  return {
    sides: sides as [Side, ...Side[]],
    mode: 'ordinary',
    compose: (context) => fromParts(context, sides),
  };
}
