/**
 * Progress of projections that another process runs, as reported through the store, so that waiting for one takes no
 * longer than if this process ran it.
 */
import type { Position } from '../src/ports/event-log.ts';
import type { Build, Passed } from '../src/ports/read-models.ts';
import type { Projection } from './runner.ts';

export interface FollowerOptions {
  projections: readonly Projection[];
  /** This process runs the projection itself: nothing is reported here. */
  holds: (projection: string) => boolean;
  /** As the runner's: which projection, how far (null: nowhere yet), and all of its collections. */
  onCommit: (projection: string, checkpoint: Position | null, collections: readonly string[]) => void;
}

/** Of the serving build of a projection. */
interface Reported {
  build: number;
  checkpoint: Position | null;
  at: Position | null;
}

const isBefore = (a: Position | null, b: Position | null): boolean => (a ?? '') < (b ?? '');

export class ProjectionFollower {
  readonly #options: FollowerOptions;
  readonly #reported = new Map<string, Reported>();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** What the store holds now. A serving build that was replaced or went back is reported too. */
  check(builds: readonly Build[]): void {
    for (const { name, build, checkpoint, passed, live } of builds)
      if (live) this.#report(name, { build, checkpoint, at: passed ?? checkpoint });
  }

  /** Reported since, of the builds that `check` saw. */
  look(passed: readonly Passed[]): void {
    for (const { projection, ...reported } of passed) {
      const before = this.#reported.get(projection);
      if (before?.build === reported.build && isBefore(before.at, reported.at))
        this.#report(projection, reported);
    }
  }

  #report(name: string, now: Reported): void {
    const { projections, holds, onCommit } = this.#options;
    const projection = projections.find((one) => one.name === name);
    if (projection === undefined) return;
    if (holds(name)) {
      this.#reported.delete(name);
      return;
    }
    const before = this.#reported.get(name);
    const goesOn = before?.build === now.build && !isBefore(now.checkpoint, before.checkpoint);
    // Its checkpoint may have come nearer to a place that it had passed already.
    const at = goesOn && isBefore(now.at, before.at) ? before.at : now.at;
    this.#reported.set(name, { ...now, at });
    if (goesOn && at === before.at) return;
    onCommit(
      name,
      at,
      projection.collections.map((collection) => collection.name),
    );
  }
}
