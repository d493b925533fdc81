/** Readiness, health and retention of the service. */
import { projections } from '../../projections/index.ts';
import type { Core } from '../event-sourcing/core.ts';
import { type HealthDeps, HealthMonitor } from './health.ts';
import { Readiness } from './readiness.ts';
import { openRetention } from './retention.ts';

export interface Operations {
  health: HealthMonitor;
  readiness: Readiness;
  stop(): void;
}

/**
 * Starts probing. If `retentionDays` is null, personal text is kept. Fails with `invalid` if personal text cannot be
 * forgotten here.
 */
export async function openOperations(
  core: Core,
  retentionDays: number | null,
  parts: Pick<HealthDeps, 'version' | 'threads' | 'modelsDown' | 'spent' | 'historyFault'>,
): Promise<Operations> {
  const { log, progress, onTrouble, poisoned } = core;
  const retention = openRetention(retentionDays, core);
  const readiness = new Readiness(progress, await log.head());
  await readiness.settle();
  const health = new HealthMonitor({
    ...{ log, progress, onTrouble, poisoned, ...parts },
    projections: projections.map(({ name }) => name),
    rebuilding: () => readiness.rebuilding,
  });
  await health.start();
  retention?.start();
  return {
    health,
    readiness,
    stop: () => {
      retention?.stop();
      health.stop();
    },
  };
}
