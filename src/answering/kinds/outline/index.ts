/** What a document is made of: its headings, or how many of them there are. */
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
