/** Lists the headings of a document in order. If only their number was asked for, lists only the first and the last. */

import type { Outline } from '../../reading/passages.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { phrases } from '../../writing/phrases.ts';

/** Maximum number of headings to list. */
const headingsMax = 30;

export function fromOutline({ lang }: AnswerContext, { counts, parts }: Outline): PreparedAnswer {
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
