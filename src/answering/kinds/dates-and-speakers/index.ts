/**
 * Questions that are answered from document metadata: who holds an office, when something was said, or how many
 * documents there are.
 */
import type { RetrievalResult, StatedHolder } from '../../../reading/passages.ts';
import { phrases } from '../../../text/phrases.ts';
import { AnswerBuilder, type PreparedAnswer } from '../../writing/builder.ts';
import type { AnswerContext } from '../../writing/context.ts';
import { addressOf } from '../../writing/sources.ts';
import type { Kind } from '../kind.ts';

export const datesAndSpeakers: Kind = {
  name: 'dates and speakers',
  recognise: () => async (tools) => {
    const side = await tools.found();
    const { statements, holders } = side.found;
    if (!statements && holders.length === 0) return null;
    const compose = (context: AnswerContext) =>
      statements ? fromStatements(context, statements) : fromHolders(context, holders);
    return { sides: [side], mode: 'ordinary', prescribed: compose, compose };
  },
};

/**
 * States who holds an office, with the name of the document. If the text of the document also says so, the sentence is
 * quoted.
 */
function fromHolders(context: AnswerContext, holders: readonly StatedHolder[]): PreparedAnswer {
  const builder = new AnswerBuilder();
  for (const { person, office, passage, quote } of holders) {
    builder.line().text(`${person} — ${office}`);
    if (quote) builder.text(': ').quote(passage, quote.start, quote.end);
    const address = addressOf(passage, context) || passage.facts.doc_key;
    builder.label(` (${address})`).list(passage);
  }
  return { mode: 'ordinary', builder, finish: 'stop' };
}

/** Maximum number of documents to name. Only one is named if the question asks for the latest or earliest. */
const namedMost = 5;

/** States the dates or the number of documents, in fixed phrases that name the documents. */
function fromStatements(
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
