/**
 * States the dates or the number of documents from their metadata, in fixed phrases that name the documents.
 */

import type { RetrievalResult } from '../../reading/passages.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { phrases } from '../../writing/phrases.ts';

/** Maximum number of documents to name. Only one is named if the question asks for the latest or earliest. */
const namedMost = 5;

export function fromStatements(
  { lang }: AnswerContext,
  { asks, ordered, total, passages }: NonNullable<RetrievalResult['statements']>,
): PreparedAnswer {
  const words = phrases[lang];
  const builder = new AnswerBuilder();
  if (asks === 'number') builder.text(words.documents(total));
  const named = asks === 'dates' && ordered ? 1 : namedMost;
  for (const passage of passages.slice(0, named)) {
    const { event_date, title, doc_key } = passage.facts;
    builder.line().text([event_date && words.date(event_date), title || doc_key].filter(Boolean).join(' — '));
    builder.list(passage);
  }
  const isCut = total > named && !(asks === 'dates' && ordered);
  if (isCut) builder.line().text(words.listCut);
  return { mode: 'ordinary', builder, finish: 'stop' };
}
