/** Verifies the read models and records the outcome in the history. */
import type { EventTypes } from '../domain/events.ts';
import { uuidv7 } from '../domain/ids.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import type { Difference, VerificationProgress, VerificationReport } from './report.ts';

export interface VerifyAndRecordDeps {
  commands: Pick<Commands, 'record'>;
  /** Resolves when the read models include everything that is currently in the history. */
  caughtUp(): Promise<void>;
  verify(
    onProgress?: (progress: VerificationProgress) => void,
    signal?: AbortSignal,
  ): Promise<VerificationReport>;
}

/** See App.verifyProjections. */
export const verifyAndRecord =
  ({ commands, caughtUp, verify }: VerifyAndRecordDeps): VerifyAndRecordDeps['verify'] =>
  async (onProgress, signal) => {
    await caughtUp();
    const report = await verify(onProgress, signal);
    const verified = { type: 'ReadModelsVerified' as const, data: recordedReport(report) };
    const correlation_id = uuidv7();
    const cause = { actor: 'system', correlation_id };
    await commands.record(`verification-${correlation_id}`, -1, [verified], cause);
    return report;
  };

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

/** The part of a report that is recorded: without the names of entries, which may identify an asker. */
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
