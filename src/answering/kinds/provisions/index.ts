/** Provisions asked for by number: quoted verbatim, missing ones reported. */
import type { AnswerContext } from '../../writing/context.ts';
import { refuse } from '../../writing/refusal.ts';
import { isReportable } from '../findings.ts';
import type { Findings, Kind, Side } from '../kind.ts';
import { composed, modeOf } from '../passages/index.ts';
import { exact } from './compose.ts';

export const provisions: Kind = {
  name: 'provisions',
  asks: ({ references }) =>
    references.length === 0 ? null : async (tools) => findingsOf(await tools.found()),
};

/** The findings of a look-up that may name provisions. */
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
      // A number that does not exist, even nearby, is not a question for a model.
      return found.exact.length > 0 && !numbered ? refuse(context, found) : null;
    },
    compose: (context) => composed(context, side),
  };
}

/** Whether the question asks for more than the provisions, which were already quoted. */
const wasQuoted = ({ more, seen }: AnswerContext, { found }: Side): boolean =>
  more &&
  found.exact.every(({ provisions: own }) =>
    own.some(({ passage, start, end }) => seen.includes(passage.text.slice(start, end))),
  );
