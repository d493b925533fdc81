/**
 * States who holds an office, from document metadata, with the name of the document. If the text of the document also
 * says so, the sentence is quoted.
 */

import type { StatedHolder } from '../../reading/passages.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { addressOf } from '../../writing/sources.ts';

/** Lists the holders. There must be at least one. */
export function fromHolders(context: AnswerContext, holders: readonly StatedHolder[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  for (const { person, office, passage, quote } of holders) {
    builder.line().text(`${person} — ${office}`);
    if (quote) builder.text(': ').quote(passage, quote.start, quote.end);
    const address = addressOf(passage, context) || passage.facts.doc_key;
    builder.label(` (${address})`).list(passage);
  }
  return { mode: 'ordinary', builder, finish: 'stop' };
}
