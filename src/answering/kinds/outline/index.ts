/** Questions about the headings of a document or the number of headings. */
import type { AnswerContext } from '../../writing/context.ts';
import type { Kind } from '../kind.ts';
import { fromOutline } from './compose.ts';

export const outline: Kind = {
  name: 'outline',
  asks: () => async (tools) => {
    const side = await tools.found();
    const { outline: headings } = side.found;
    if (!headings) return null;
    const compose = (context: AnswerContext) => fromOutline(context, headings);
    return { sides: [side], mode: 'ordinary', prescribed: compose, compose };
  },
};
