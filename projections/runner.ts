/**
 * Runs projections over the history: reads each event once for all builds at the same position, and commits each
 * build's writes together with its checkpoint. Any number of runners may run the same projections. If a commit loses
 * the race against another runner, it writes nothing, and the builds are read again.
 */
import { type EventType, eventSchemas, forgettingEvents } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { EventLog, Position, RecordedEvent } from '../src/ports/event-log.ts';
import type { Build, BuildStore, PoisonedEvent, ProjectionSchema, Write } from '../src/ports/read-models.ts';

export interface Projection extends ProjectionSchema {
  /**
   * Set this if the projection's writes are expensive and nothing waits for them. A separate runner then processes it
   * in small batches, using a small share of the time while others are behind. Default: false.
   */
  late?: boolean;
  /** Pure functions that return the writes for an event, by event type. Other types change nothing. */
  on: { [T in EventType]?: (event: Extract<RecordedEvent, { type: T }>) => Write[] };
}

export interface RunnerOptions {
  log: Pick<EventLog, 'readAll' | 'head'>;
  store: BuildStore;
  projections: readonly Projection[];
  clock: Clock;
  /**
   * Called when a live build has moved, with the projection, its position (null if there is none yet because its store
   * was emptied) and the changed collections.
   */
  onCommit?: (projection: string, position: Position | null, collections: readonly string[]) => void;
  onPoison?: (poisoned: PoisonedEvent) => void;
  /**
   * Whether live builds with personal data are rebuilt after a subject was forgotten, because the history no longer
   * contains that data. A projection has at most one such build at a time. The next one begins `renewalPauseMs` after
   * the previous one went live, and covers all subjects forgotten in the meantime. Default: false.
   */
  renews?: boolean;
  /** Called, possibly twice, when text that could previously be read was forgotten, so that caches are cleared. */
  onForgotten?: () => void;
  /** A monotonic clock in ms. Default: the process's clock. */
  elapsedMs?: () => number;
  /** A batch ends with the event that reaches this number of chunks. Default: 500. */
  chunksMax?: number;
}

/** Number of events read at a time: small enough for short commits, and large enough to spread their cost. */
const batchMax = 1000;
const chunksMaxDefault = 500;
/** A batch ends early with the event that reaches this number of vectors, because each vector must be computed. */
const embeddedMax = 256;

/**
 * Number of irrelevant events after which a projection's checkpoint is committed anyway. Committing after each one
 * would cause a useless write, and every reader of the store would reload its pages.
 */
const idleMax = 1000;

/** Pause after a renewal, in ms, to leave time for answering questions. */
export const renewalPauseMs = 2_000;

/** A build that this runner writes, with the checkpoint of its last commit. */
interface Running {
  build: Build;
  /** Events up to here were processed; those after the checkpoint changed nothing. */
  at: Position | null;
  /** Number of events processed since the last commit. */
  sinceCommit: number;
  /** The end of the log that was last reported to the store as reached. */
  settledAt: Position | null | undefined;
  /**
   * The end of the log when the build began to read; null if unknown. The build contains no data of subjects forgotten
   * up to that point.
   */
  begunAt: Position | null;
  /** When the build may begin to read, in elapsed ms; null if it has begun. */
  due: number | null;
}

export class ProjectionRunner {
  readonly #options: RunnerOptions;
  readonly #projections: ReadonlyMap<string, Projection>;
  readonly #elapsedMs: () => number;
  #running: Running[] = [];
  #prepared = false;
  /** The events after a position, which are read while the preceding ones are being committed. */
  #ahead: { after: Position; events: Promise<RecordedEvent[]> } | null = null;
  /** For each projection, the position up to which a newer build covers forgotten subjects. */
  readonly #renewed = new Map<string, Position>();
  /** Projections whose current build may contain data forgotten since it began, so that another build must follow. */
  readonly #owed = new Set<string>();
  /** When the next renewal of a projection may begin to read, in elapsed ms. */
  readonly #restsUntil = new Map<string, number>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#projections = new Map(options.projections.map((p) => [p.name, p]));
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
  }

  /** Reads the existing builds, starts new ones for raised versions, and returns all of them. */
  async prepare(): Promise<Build[]> {
    const { store, projections } = this.#options;
    for (const build of await this.#builds())
      if (build.live && build.version < this.#projections.get(build.name)!.version)
        await store.startBuild(build.name);
    const builds = await this.#reload();
    for (const { name } of projections)
      if (!builds.some((build) => build.name === name && this.#writes(build)))
        throw new Failure('internal', `There is no build of ${name}.`);
    return builds;
  }

  /** The builds of this runner's projections. */
  async #builds(): Promise<Build[]> {
    return (await this.#options.store.builds()).filter(({ name }) => this.#projections.has(name));
  }

  /** Whether this program can write the build, which requires the same version. */
  #writes({ name, version }: Build): boolean {
    return this.#projections.get(name)?.version === version;
  }

  /** Adopts the builds of the store and returns them all. Reports live builds that another runner has moved. */
  async #reload(): Promise<Build[]> {
    const before = new Map(this.#running.map((running) => [keyOf(running.build), running]));
    const served = new Set(this.#running.filter(({ build }) => build.live).map(({ build }) => build.name));
    const builds = await this.#withFollowers(await this.#builds());
    const head = builds.some(({ checkpoint }) => checkpoint === null) ? await this.#options.log.head() : null;
    this.#running = builds
      .filter((build) => this.#writes(build))
      .map((build): Running => {
        const old = before.get(keyOf(build));
        const { checkpoint } = build;
        const isNew = old === undefined && !build.live && checkpoint === null;
        // Events that this runner processed after the committed checkpoint change nothing and do not need to be read
        // again.
        const kept = old !== undefined && old.build.checkpoint === checkpoint;
        return {
          build,
          at: kept ? old.at : (build.unchangedUntil ?? checkpoint),
          sinceCommit: kept ? old.sinceCommit : 0,
          settledAt: kept ? old.settledAt : undefined,
          begunAt: checkpoint === null ? head : (old?.begunAt ?? null),
          due: isNew ? (this.#restsUntil.get(build.name) ?? null) : (old?.due ?? null),
        };
      });
    for (const { build, at } of this.#running) {
      if (!build.live) continue;
      const old = before.get(keyOf(build));
      const moved = old
        ? order(at, old.at) > 0 || order(at, old.build.checkpoint) < 0
        : at !== null || served.has(build.name);
      // Another runner made it live, and may have seen events that this one did not.
      if (!old && served.has(build.name) && holdsWords(this.#projections.get(build.name)!))
        this.#options.onForgotten?.();
      if (moved) this.#report(build, at, null);
    }
    return builds;
  }

  /** Starts the builds that must follow a build that some runner has made live in the meantime. Returns all builds. */
  async #withFollowers(builds: Build[]): Promise<Build[]> {
    const { store, renews } = this.#options;
    if (!renews) return builds;
    const underWay = builds.filter((build) => !build.live && this.#writes(build));
    // For a build that another process began, it is unknown which subjects were forgotten while it was reading.
    if (!this.#prepared)
      for (const { name, checkpoint } of underWay)
        if (checkpoint !== null && holdsWords(this.#projections.get(name)!)) this.#owed.add(name);
    this.#prepared = true;
    const due = [...this.#owed].filter((name) => !underWay.some((build) => build.name === name));
    for (const name of due) {
      await store.startBuild(name);
      this.#owed.delete(name);
    }
    return due.length > 0 ? this.#builds() : builds;
  }

  #report(build: Build, position: Position | null, writes: readonly Write[] | null): void {
    const all = this.#projections.get(build.name)!.collections.map((c) => c.name);
    const touched =
      writes === null ? all : [...new Set(writes.map((w) => ('collection' in w ? w.collection : 'chunks')))];
    this.#options.onCommit?.(build.name, position, touched);
  }

  /**
   * Performs a step: processes the next events for every position with builds, starting with the furthest ahead, so
   * that a rebuild never delays the live builds. Builds at the same position share reads; a build that catches up with
   * another one joins it. A build that has caught up becomes the live one. Returns false when all builds are at the end
   * of the log. After a rejection, the next step continues from the last commit.
   */
  async step(): Promise<boolean> {
    await this.#beginDue();
    const positions = [...new Set(this.#begun.map(({ at }) => at))].sort(order).reverse();
    let moved = false;
    for (const [i, position] of positions.entries())
      moved = (await this.#stepFrom(position, positions[i - 1])) || moved;
    return moved;
  }

  /** The builds that have begun to read. */
  get #begun(): Running[] {
    return this.#running.filter(({ due }) => due === null);
  }

  async #beginDue(): Promise<void> {
    const now = this.#elapsedMs();
    const ready = this.#running.filter(({ due }) => due !== null && due <= now);
    if (ready.length === 0) return;
    const begunAt = await this.#options.log.head();
    for (const running of ready) Object.assign(running, { due: null, begunAt });
  }

  /** Advances the builds at `place`, but not beyond `limit`. */
  async #stepFrom(place: Position | null, limit: Position | null | undefined): Promise<boolean> {
    const group = this.#begun.filter(({ at }) => at === place);
    const read = await this.#read(place);
    const events = this.#cut(read, limit);
    const end = events.at(-1)?.position;
    if (end === undefined) {
      for (const running of group) await this.#atEnd(running);
      return false;
    }
    if (await this.#renew(group, events)) return true;
    if (!limit) this.#readAhead(end, read.slice(events.length));
    for (const running of group) {
      if (await this.#advance(running, events)) continue;
      await this.#reload();
      break;
    }
    return true;
  }

  async #read(after: Position | null): Promise<RecordedEvent[]> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const events = ahead !== null && ahead.after === after ? await ahead.events : [];
    // The log may have grown since its end was read.
    return events.length > 0 ? events : this.#options.log.readAll(after, batchMax);
  }

  /** `rest` contains the events already read after `after`. */
  #readAhead(after: Position, rest: RecordedEvent[]): void {
    const events = rest.length > 0 ? Promise.resolve(rest) : this.#options.log.readAll(after, batchMax);
    events.catch(() => {});
    this.#ahead = { after, events };
  }

  /** Limits events to the position of another build, and to the size of a commit. */
  #cut(events: RecordedEvent[], until: Position | null | undefined): RecordedEvent[] {
    const chunksMax = this.#options.chunksMax ?? chunksMaxDefault;
    let [embedded, chunks] = [0, 0];
    for (const [i, event] of events.entries()) {
      if (until && event.position > until) return events.slice(0, i);
      if (event.type === 'ChunksEmbedded') embedded += event.data.count;
      if (event.type === 'ChunksAdded') chunks += event.data.chunks.length;
      if (embedded >= embeddedMax || chunks >= chunksMax) return events.slice(0, i + 1);
    }
    return events;
  }

  async #atEnd(running: Running): Promise<void> {
    const { build, at } = running;
    const { store, renews } = this.#options;
    if (build.live) {
      if (running.settledAt === at) return;
      await store.settled?.(build, at);
      running.settledAt = at;
      return;
    }
    if (at !== null && at !== build.checkpoint && !(await store.commit(build, at, []))) {
      await this.#reload();
      return;
    }
    await store.goLive(build);
    // Until now, forgotten text could be read from the replaced build and cached again.
    if (renews && holdsWords(this.#projections.get(build.name)!)) this.#options.onForgotten?.();
    if (renews) this.#restsUntil.set(build.name, this.#elapsedMs() + renewalPauseMs);
    await this.#reload();
    if (at !== null) this.#report(build, at, null);
  }

  /**
   * Starts the rebuilds for forgotten subjects before the corresponding event is processed. Returns true if there are
   * new builds.
   */
  async #renew(group: readonly Running[], events: readonly RecordedEvent[]): Promise<boolean> {
    const { renews, store } = this.#options;
    const forgotten = renews
      ? events.findLast(({ type }) => forgettingEvents.has(type))?.position
      : undefined;
    if (forgotten === undefined) return false;
    let begun = false;
    try {
      for (const { build, begunAt } of group) {
        const { name, live } = build;
        const done = [begunAt, this.#renewed.get(name)].some((at) => (at ?? '') >= forgotten);
        if (done || !holdsWords(this.#projections.get(name)!)) continue;
        // The live build triggers the renewal. If it has an older version, only the build in progress continues to
        // read.
        if (!live && this.#liveOf(name) !== undefined) continue;
        const underWay = this.#running.find((one) => one.build.name === name && !one.build.live);
        if (underWay === undefined) {
          const { checkpoint } = await store.startBuild(name);
          begun = true;
          if (checkpoint !== null) this.#owed.add(name);
        } else if (underWay.due === null && (underWay.begunAt ?? '') < forgotten) this.#owed.add(name);
        // Set last, so that a build that could not be started is retried.
        this.#renewed.set(name, forgotten);
        this.#options.onForgotten?.();
      }
    } finally {
      if (begun) await this.#reload();
    }
    return begun;
  }

  /** The live build of a projection, if this program writes it. */
  #liveOf(projection: string): Running | undefined {
    return this.#running.find(({ build }) => build.live && build.name === projection);
  }

  /** Commits the changes of the events. Returns false if another runner was faster or the build is gone. */
  async #advance(running: Running, events: readonly RecordedEvent[]): Promise<boolean> {
    const { build } = running;
    const changes = events.map((event) => this.#changes(build, event));
    const writes = changes.flatMap((one) => one.writes);
    const poisoned = changes.flatMap((one) => one.poisoned);
    const checkpoint = events.at(-1)!.position;
    running.sinceCommit += events.length;
    if (writes.length > 0 || poisoned.length > 0 || running.sinceCommit > idleMax) {
      if (!(await this.#options.store.commit(build, checkpoint, writes, poisoned))) return false;
      build.checkpoint = checkpoint;
      running.sinceCommit = 0;
    }
    running.at = checkpoint;
    if (build.live) this.#report(build, checkpoint, writes);
    for (const one of poisoned) this.#options.onPoison?.(one);
    return true;
  }

  #changes(build: Build, event: RecordedEvent): { writes: Write[]; poisoned: PoisonedEvent[] } {
    try {
      return { writes: changesOf(this.#projections.get(build.name)!, event), poisoned: [] };
    } catch (error) {
      // A build with a raised version must be complete before it becomes live. A live build skips the event, records it
      // as poisoned and continues. A rebuild with the same version does the same, because it fails on the same events.
      if (this.#liveOf(build.name) === undefined)
        throw new Failure(
          'internal',
          `${build.name} cannot be rebuilt: ${event.type} at ${event.position} failed (${nameOf(error)}).`,
          { cause: error },
        );
      const poisoned: PoisonedEvent = {
        projection: build.name,
        position: event.position,
        event_id: event.id,
        error: nameOf(error),
        at: this.#options.clock.now().toISOString(),
      };
      return { writes: [], poisoned: [poisoned] };
    }
  }

  /** Performs steps until every build is at the end of the log. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.step()));
  }

  /**
   * Commits the positions of the builds even without changes, so that the next runner does not need to read the events
   * again.
   */
  async park(): Promise<void> {
    for (const { build, at } of this.#running)
      if (at !== null && at !== build.checkpoint) await this.#options.store.commit(build, at, []);
    this.#running = [];
  }

  /** The position of a projection's live build; null if it has no position yet or there is no live build. */
  position(projection: string): Position | null {
    return this.#liveOf(projection)?.at ?? null;
  }

  /** Whether another build of the projection will follow the current one. */
  owes(projection: string): boolean {
    return this.#owed.has(projection);
  }

  /** True while this runner has a build in addition to a live one. */
  get building(): boolean {
    return this.#running.some(({ build }) => !build.live);
  }
}

/** Each file of a store numbers its builds independently. */
const keyOf = ({ name, build }: Build): string => `${name} ${build}`;

const order = (a: Position | null, b: Position | null): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;

/** Omits the error's message, which might contain text from the event. */
const nameOf = (error: unknown): string =>
  error instanceof Failure ? error.detail : error instanceof Error ? error.name : 'error';

function changesOf(projection: Projection, event: RecordedEvent): Write[] {
  const handler = projection.on[event.type] as ((event: RecordedEvent) => Write[]) | undefined;
  return handler === undefined ? [] : handler(event);
}

/** Whether a projection stores people's text. */
export const holdsWords = ({ on }: Projection): boolean =>
  Object.keys(on).some((type) => eventSchemas[type as EventType].personal.length > 0);
