/** Replays a history into a separate store and advances each projection to its requested position. */
import { setImmediate } from 'node:timers/promises';
import { type Projection, ProjectionRunner } from '../../projections/runner.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import type { Build, BuildContents, BuildStore } from '../ports/read-models.ts';

export interface ReplayOptions {
  log: Pick<EventLog, 'readAll'>;
  projections: readonly Projection[];
  /** An empty store, and read access to its contents. */
  models: BuildStore;
  contents: BuildContents;
  signal: AbortSignal;
  /** Called with the number of events replayed so far. */
  onEvents?: (events: number) => void;
}

export class Replay {
  readonly #options: ReplayOptions;
  /** The target position of the current replay. */
  #until: Position = '';
  /** The position that each projection has reached. */
  readonly #reached = new Map<string, Position>();
  #furthest: Position = '';
  events = 0;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  get contents(): BuildContents {
    return this.#options.contents;
  }

  async #read(after: Position | null, limit: number) {
    if ((after ?? '') >= this.#until) return [];
    const events = (await this.#options.log.readAll(after, limit)).filter(
      ({ position }) => position <= this.#until,
    );
    const fresh = events.filter(({ position }) => position > this.#furthest);
    if (fresh.length > 0) {
      this.#furthest = fresh.at(-1)!.position;
      this.events += fresh.length;
      this.#options.onEvents?.(this.events);
    }
    return events;
  }

  /**
   * Advances each projection to its checkpoint, reading the history once for all of them. Returns false if one is
   * already past its checkpoint.
   */
  async reach(checkpoints: ReadonlyMap<string, Position | null>): Promise<boolean> {
    const ahead = [...checkpoints].filter(
      (entry): entry is [string, Position] => (entry[1] ?? '') > (this.#reached.get(entry[0]) ?? ''),
    );
    const { signal } = this.#options;
    for (const until of [...new Set(ahead.map(([, position]) => position))].sort()) {
      const wanted = ahead.filter(([, position]) => position >= until).map(([name]) => name);
      this.#until = until;
      const runner = this.#runnerOf(wanted);
      await runner.prepare();
      while (await runner.step()) {
        // A file store never yields to the event loop, so yield here to let an abort signal arrive.
        await setImmediate();
        signal.throwIfAborted();
      }
      for (const name of wanted) this.#reached.set(name, until);
    }
    return [...checkpoints].every(([name, position]) => (position ?? '') === (this.#reached.get(name) ?? ''));
  }

  #runnerOf(names: readonly string[]): ProjectionRunner {
    const { models, projections } = this.#options;
    return new ProjectionRunner({
      log: { readAll: (after, limit) => this.#read(after, limit), head: async () => this.#until },
      store: models,
      projections: projections.filter(({ name }) => names.includes(name)),
      clock: { now: () => new Date() },
    });
  }

  /** The build of a projection. */
  async build(projection: string): Promise<Build> {
    const builds = await this.#options.contents.builds();
    return builds.find(({ name, live }) => name === projection && live)!;
  }
}
