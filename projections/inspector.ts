/**
 * Checks the invariants of live builds, a little at a time, and has a build that violates one rebuilt. It takes some
 * percent of a thread's time at most, however large the builds are.
 */
import type { Build, BuildChecks, ReadModels } from '../src/ports/read-models.ts';

export interface InspectedModels extends BuildChecks, Pick<ReadModels, 'builds' | 'startBuild'> {
  /** Records what does not hold within a build, for all to see. False: another is live in its place by now. */
  markBroken(build: Build, fault: string): Promise<boolean>;
}

export interface InspectorOptions {
  models: InspectedModels;
  /** Which builds are this process' to look after. */
  isOwn: (build: Build) => boolean;
  /** Of a clock that never goes back, in ms. */
  now: () => number;
}

/** A turn ends with the portion that has it take so long, in ms; then others have theirs for a while. */
const turnMs = 5;
const betweenTurnsMs = 100;
/** After a round of all builds, in ms; at least as long as two such rounds. */
const restMs = 5_000;
const restRounds = 2;
/** A projection whose new build is broken too is not rebuilt again at once: it would never end. */
const replaceAgainMs = 600_000;

export class BuildInspector {
  readonly #options: InspectorOptions;
  #round: AsyncGenerator<void> | null = null;
  #roundBegan = 0;
  #next = Number.NEGATIVE_INFINITY;
  /** By projection. */
  readonly #replacedAt = new Map<string, number>();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** Whether a round is under way: the next turn is wanted soon. */
  get busy(): boolean {
    return this.#round !== null;
  }

  /** Looks at some portions when it is time. Rejects as the store does. */
  async turn(): Promise<void> {
    const { now } = this.#options;
    const began = now();
    if (began < this.#next) return;
    if (this.#round === null) {
      this.#round = this.#look();
      this.#roundBegan = began;
    }
    let over = false;
    try {
      do {
        over = true;
        over = (await this.#round.next()).done === true;
      } while (!over && now() - began < turnMs);
    } finally {
      this.#next = now() + betweenTurnsMs;
      if (over) {
        this.#round = null;
        this.#next = now() + Math.max(restMs, restRounds * (now() - this.#roundBegan));
      }
    }
  }

  async *#look(): AsyncGenerator<void> {
    const { models, isOwn, now } = this.#options;
    for (const build of await models.builds()) {
      if (!build.live || !isOwn(build)) continue;
      // What was found broken before is made anew, though it may look well now.
      const fault = (yield* this.#faultOf(build)) ?? build.fault;
      if (fault === undefined || !(await models.markBroken(build, fault))) continue;
      const replacedAt = this.#replacedAt.get(build.name);
      if (replacedAt !== undefined && now() - replacedAt < replaceAgainMs) continue;
      this.#replacedAt.set(build.name, now());
      await models.startBuild(build.name);
    }
  }

  /** The first thing that does not hold, seen twice: what is seen once may have come of a look at the wrong moment. */
  async *#faultOf(build: Build): AsyncGenerator<void, string | null> {
    for (let looks = 1; ; looks++) {
      const fault = yield* this.#firstFault(build);
      if (fault === null || looks === 2) return fault;
    }
  }

  async *#firstFault(build: Build): AsyncGenerator<void, string | null> {
    for await (const [fault] of this.#options.models.faults(build)) {
      if (fault !== undefined) return fault;
      yield;
    }
    return null;
  }
}
