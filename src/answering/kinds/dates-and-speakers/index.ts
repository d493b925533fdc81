/**
 * Questions that are answered from document metadata: who holds an office, when something was said, or how many
 * documents there are.
 */
import type { AnswerContext } from '../../writing/context.ts';
import type { Kind } from '../kind.ts';
import { fromHolders } from './holders.ts';
import { fromStatements } from './statements.ts';

export const datesAndSpeakers: Kind = {
  name: 'dates and speakers',
  asks: () => async (tools) => {
    const side = await tools.found();
    const { statements, holders } = side.found;
    if (!statements && holders.length === 0) return null;
    const compose = (context: AnswerContext) =>
      statements ? fromStatements(context, statements) : fromHolders(context, holders);
    return { sides: [side], mode: 'ordinary', prescribed: compose, compose };
  },
};
