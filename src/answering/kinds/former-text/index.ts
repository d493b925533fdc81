/** Questions about text that is no longer in force. */
import type { Question } from '../../../question/question.ts';
import { bothEditions } from '../comparison/editions.ts';
import { exists, sideOf } from '../findings.ts';
import type { Kind, LookUp, Tools } from '../kind.ts';
import { findingsOf } from '../provisions/index.ts';

export const formerText: Kind = {
  name: 'former text',
  recognise(question) {
    const { past, pastByTense } = question.editions;
    const byTense = !past && pastByTense && question.references.length === 0;
    return past || byTense ? (tools) => inFormerText(question, tools, byTense) : null;
  },
};

/** `byTense`: only the tense of the question indicates the past, so the current text may also contain the answer. */
async function inFormerText(question: Question, tools: Tools, byTense: boolean) {
  const { references, editions } = question;
  if (editions.bySubject) {
    const { current, former } = await bothEditions(question, tools);
    if (current.exact.some(exists)) return findingsOf({ edition: 'superseded', label: null, found: former });
  }
  const lookUp: LookUp = { question: editions.subject, edition: 'superseded', references };
  const found = await tools.lookUp(lookUp);
  return byTense && !found.answerable ? null : findingsOf(sideOf(lookUp, found));
}
