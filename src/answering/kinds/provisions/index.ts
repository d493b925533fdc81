/** Questions that ask for provisions by number. Provisions are quoted verbatim, and missing ones are reported. */
import type { AnswerContext } from '../../writing/context.ts';
import { refuse } from '../../writing/refusal.ts';
import { isReportable } from '../findings.ts';
import type { Findings, Kind, Side } from '../kind.ts';
import { composed, modeOf } from '../passages/index.ts';
import { exact } from './compose.ts';

export const provisions: Kind = {
  name: 'provisions',
  recognise: ({ references }) =>
    references.length === 0 ? null : async (tools) => findingsOf(await tools.found()),
};

/** Builds the findings of a lookup that may contain provisions. */
export function findingsOf(side: Side): Findings {
  const { found, edition } = side;
  const numbered = found.exact.some(isReportable);
  const isThere = found.exact.some(({ provisions: own }) => own.length > 0);
  const ofNumber = edition === 'superseded' ? 'historical' : 'exact';
  return {
    sides: [side],
    mode: !numbered ? modeOf(side) : isThere ? ofNumber : 'no_answer',
    prescribed(context) {
      if (numbered && !wasQuoted(context, side)) return exact(context, found, edition);
      // A model is not called for a number that does not exist and has no near match.
      return found.exact.length > 0 && !numbered ? refuse(context, found) : null;
    },
    compose: (context) => composed(context, side),
  };
}

/** Whether the question asks for more than provisions that have already been quoted. */
const wasQuoted = ({ more, seen }: AnswerContext, { found }: Side): boolean =>
  more &&
  found.exact.every(({ provisions: own }) =>
    own.some(({ passage, start, end }) => seen.includes(passage.text.slice(start, end))),
  );
