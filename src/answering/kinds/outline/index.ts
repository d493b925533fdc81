/** Questions about the headings of a document or the number of headings. */
import type { Outline } from '../../../reading/passages.ts';
import { phrases } from '../../../text/phrases.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import type { Kind } from '../kind.ts';

export const outline: Kind = {
  name: 'outline',
  recognise: () => async (tools) => {
    const side = await tools.found();
    const { outline: headings } = side.found;
    if (!headings) return null;
    const compose = (context: AnswerContext) => fromOutline(context, headings);
    return { sides: [side], mode: 'ordinary', prescribed: compose, compose };
  },
};

/** Maximum number of headings to list. */
const headingsMax = 30;

/** Lists the headings in order. If only their number was asked for, lists only the first and the last. */
function fromOutline({ lang }: AnswerContext, { counts, parts }: Outline): PreparedAnswer {
  const words = phrases[lang];
  const builder = new AnswerBuilder();
  const [first] = parts;
  const title = first!.passage.facts.title || first!.passage.facts.doc_key;
  builder.text(words.outline(title, parts.length));
  const listed = counts && parts.length > 2 ? [first!, parts.at(-1)!] : parts.slice(0, headingsMax);
  for (const [n, { heading, passage }] of listed.entries()) {
    if (counts && n > 0 && parts.length > 2) builder.label('\n…');
    builder.label(`\n– ${heading}`).list(passage);
  }
  const cut = !counts && parts.length > headingsMax;
  if (cut) builder.paragraph().text(words.listCut);
  return { mode: 'ordinary', builder, finish: cut ? 'length' : 'stop' };
}
