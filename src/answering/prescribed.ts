/**
 * Answers that are the same whoever answers, since their words are prescribed: numbered provisions are quoted, those
 * that do not exist are said to be missing, who holds an office and what a document is made of is told as documents
 * have it.
 */
import type { AnswerContext } from './answerer.ts';
import type { PreparedAnswer } from './builder.ts';
import { fromReferences } from './cross-references.ts';
import { fromHolders } from './holders.ts';
import { fromOutline } from './outline.ts';
import { exact, fromEditions, fromLayers } from './provisions.ts';
import { refuse } from './refusal.ts';
import { type Findings, isReportable } from './retrieval.ts';
import { fromStatements } from './statements.ts';

/** null: an answerer has to find the words. */
export function prescribedAnswer(context: AnswerContext, findings: Findings): PreparedAnswer | null {
  const [{ found, edition }] = findings.sides;
  switch (findings.kind) {
    case 'editions':
      return fromEditions(context, findings.sides);
    case 'layers':
      return fromLayers(context, found, findings.beside);
    case 'provisions': {
      const style = context.style === 'brief' ? 'brief' : null;
      const answer = exact({ ...context, style }, found, edition);
      return answer.mode === 'exact' ? { ...answer, mode: 'comparison' } : answer;
    }
    case 'passages': {
      if (found.outline) return fromOutline(context, found.outline);
      if (found.statements) return fromStatements(context, found.statements);
      if (found.holders.length > 0) return fromHolders(context, found.holders);
      const numbered = found.exact.some(isReportable);
      const wasQuoted =
        context.more &&
        found.exact.every(({ provisions }) =>
          provisions.some(({ passage, start, end }) => context.seen.includes(passage.text.slice(start, end))),
        );
      if (numbered && !wasQuoted) return exact(context, found, edition);
      // A number that nothing has, not even beside it, is no question for a model.
      return found.exact.length > 0 && !numbered ? refuse(context, findings) : null;
    }
    case 'references':
      return fromReferences(context, findings.references);
    case 'sides':
    case 'parts':
      return null;
  }
}
