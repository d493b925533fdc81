/**
 * Projections over a store that several processes share: one process runs each projection and reports its progress to
 * the others, which stay idle. Leases are renewed beside whatever the projector is doing; when the holder of one is
 * silent, another has it within five seconds.
 */
import { ProjectionFollower } from '../../projections/follower.ts';
import type { Projection } from '../../projections/runner.ts';
import type { Position } from '../ports/event-log.ts';
import type { Build, Passed, ProjectionLeases } from '../ports/read-models.ts';

/** How often leases are renewed, and those of others tried for. */
export const renewMs = 1_000;

export interface LeasedProjectionsOptions {
  leases: ProjectionLeases;
  projections: readonly Projection[];
  /** Told of the progress of projections that others run. */
  onCommit: (projection: string, checkpoint: Position | null, collections: readonly string[]) => void;
  /** Which projections this process runs has changed. */
  onChange: () => void;
}

export class LeasedProjections {
  readonly #options: LeasedProjectionsOptions;
  readonly #follower: ProjectionFollower;
  readonly #timer: NodeJS.Timeout;
  /** What was last reported of this process's builds. */
  #reported = '';
  #reporting: Promise<void> | null = null;

  /** Takes the leases that are free. Failure `unavailable`. */
  static async open(options: LeasedProjectionsOptions): Promise<LeasedProjections> {
    await options.leases.hold();
    const leased = new LeasedProjections(options);
    try {
      await options.leases.watch((passed) => leased.#follower.look([passed]));
      return leased;
    } catch (error) {
      await leased.close();
      throw error;
    }
  }

  private constructor(options: LeasedProjectionsOptions) {
    this.#options = options;
    this.#follower = new ProjectionFollower({ ...options, holds: this.holds });
    this.#timer = setInterval(() => void this.#renew(), renewMs);
  }

  /** The projections that this process runs now, with commas between them. */
  get held(): string {
    return this.#options.projections
      .map(({ name }) => name)
      .filter(this.holds)
      .join();
  }

  readonly holds = (projection: string): boolean => this.#options.leases.holds(projection);

  async #renew(): Promise<void> {
    const before = this.held;
    // While the server is away no process can write; the next renewal says which one may afterwards.
    await this.#options.leases.hold().catch(() => {});
    if (this.held !== before) this.#options.onChange();
  }

  /** Takes over the state of the builds in the store. */
  check(builds: readonly Build[]): void {
    this.#follower.check(builds);
  }

  /** Reports this process's progress to the others. `settled`: nothing more follows at once, so the report is awaited. */
  async report(own: readonly Passed[], settled: boolean): Promise<void> {
    this.#begin(own);
    if (!settled) return;
    await this.#reporting;
    this.#begin(own);
    await this.#reporting;
  }

  /** One report at a time: the next one carries what came meanwhile. */
  #begin(own: readonly Passed[]): void {
    const now = JSON.stringify(own);
    if (this.#reporting !== null || now === this.#reported) return;
    const reporting = this.#options.leases.report(own).then(
      () => {
        this.#reported = now;
        this.#reporting = null;
      },
      () => {
        this.#reporting = null;
      },
    );
    this.#reporting = reporting;
  }

  /** Gives the leases up. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
    await this.#options.leases.release().catch(() => {});
  }
}
