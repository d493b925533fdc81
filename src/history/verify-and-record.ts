/** Verifies the read models and records the outcome in the history. */
import { uuidv7 } from '../domain/ids.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import { recordedReport } from './recorded-report.ts';
import type { VerificationProgress, VerificationReport } from './report.ts';

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
