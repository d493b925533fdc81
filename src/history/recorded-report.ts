/** The part of a verification report that is recorded in the history. */
import type { EventTypes } from '../domain/events.ts';
import type { Difference, VerificationReport } from './report.ts';

/** Number of differing entries by kind, which is the collection or the kind of entry. */
function counted(differences: readonly Difference[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of differences) {
    const [kind, collection] = name.split(' ');
    const of = kind === 'record' ? `${kind} ${collection}` : kind!;
    counts[of] = (counts[of] ?? 0) + 1;
  }
  return counts;
}

export const recordedReport = ({
  same,
  events,
  projections,
}: VerificationReport): EventTypes['ReadModelsVerified'] => ({
  same,
  events,
  projections: projections.map(({ projection, version, checkpoint, entries, differences, more }) => ({
    projection,
    version,
    checkpoint,
    entries,
    differences: counted(differences),
    more,
  })),
});
