/** Readiness, health and retention of the service. */
import { projections } from '../../projections/index.ts';
import type { ProjectionProgress } from '../../projections/progress.ts';
import type { Core } from '../event-sourcing/core.ts';
import { Failure } from '../failures.ts';
import type { Position } from '../ports/event-log.ts';
import { type HealthDeps, HealthMonitor } from './health.ts';
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
    log,
    progress,
    onTrouble,
    poisoned,
    ...parts,
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

/** How long startup waits for the read models before questions are refused. */
const settleMs = 300;
const retryAfterS = 5;

/** The projections used for answers. */
const answeredFrom = ['chunks', 'corpora', 'documents', 'faq'];

/**
 * Whether questions can be answered. They cannot while the read models used for answers lack events that existed at
 * startup.
 */
class Readiness {
  readonly #progress: ProjectionProgress;
  readonly #headAtStart: Position | null;

  constructor(progress: ProjectionProgress, headAtStart: Position | null) {
    this.#progress = progress;
    this.#headAtStart = headAtStart;
  }

  /** Waits briefly, so that questions are not refused because of a few events since the last commit. */
  async settle(): Promise<void> {
    const waits = answeredFrom.map((name) => this.#progress.waitFor(name, this.#headAtStart, settleMs));
    await Promise.allSettled(waits);
  }

  get rebuilding(): boolean {
    return answeredFrom.some(
      (name) => !this.#progress.hasReached(name, this.#headAtStart) || this.#progress.isBehindItself(name),
    );
  }

  /** Fails with `unavailable` while they are being rebuilt. */
  check(): void {
    if (this.rebuilding)
      throw new Failure('unavailable', 'The read models are being built; try again shortly.', {
        retryAfterS,
      });
  }
}
