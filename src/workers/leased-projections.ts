/**
 * Projections over a store that other processes write to as well: one of them runs each, the others are told how far it
 * has got, and do nothing until then. Leases are renewed beside whatever the projector is doing; when the holder of one is
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
  /** What was last told of the own builds. */
  #told = '';
  #telling: Promise<void> | null = null;

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
    // While the server is away nobody can write, and who may afterwards is told by the next renewal.
    await this.#options.leases.hold().catch(() => {});
    if (this.held !== before) this.#options.onChange();
  }

  /** Takes over what the store tells of its builds. */
  check(builds: readonly Build[]): void {
    this.#follower.check(builds);
  }

  /** Tells the others of the own progress. `settled`: nothing more will come of it at once, so it is waited for. */
  async tell(own: readonly Passed[], settled: boolean): Promise<void> {
    this.#begin(own);
    if (!settled) return;
    await this.#telling;
    this.#begin(own);
    await this.#telling;
  }

  /** One telling at a time: the next one tells what has come meanwhile. */
  #begin(own: readonly Passed[]): void {
    const now = JSON.stringify(own);
    if (this.#telling !== null || now === this.#told) return;
    const telling = this.#options.leases.tell(own).then(
      () => {
        this.#told = now;
        this.#telling = null;
      },
      () => {
        this.#telling = null;
      },
    );
    this.#telling = telling;
  }

  /** Gives the leases up. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#telling;
    await this.#options.leases.release().catch(() => {});
  }
}
