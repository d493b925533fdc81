/**
 * Runs projections over the history: reads events once for all builds that stand at the same place, commits each
 * build's writes together with its checkpoint. Any number of runners may run the same projections: a commit that
 * lost the race writes nothing, and the checkpoint is read again.
 */
import { setImmediate } from 'node:timers/promises';
import type { EventType } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import type {
  Build,
  Clock,
  EventLog,
  PoisonedEvent,
  Position,
  ProjectionSchema,
  ReadModels,
  RecordedEvent,
  Write,
} from '../src/ports.ts';

export interface Projection extends ProjectionSchema {
  /** What an event changes, by its type; types that are not named change nothing. Pure. */
  on: { [T in EventType]?: (event: Extract<RecordedEvent, { type: T }>) => Write[] };
}

/** The half of the read models that a runner uses. */
export type WrittenModels = Pick<
  ReadModels,
  'builds' | 'startBuild' | 'goLive' | 'commit' | 'completed' | 'ahead' | 'gauge'
>;

export interface RunnerOptions {
  log: Pick<EventLog, 'readAll' | 'head'>;
  models: WrittenModels;
  projections: readonly Projection[];
  clock: Clock;
  /**
   * Told after every commit of a live build: which projection, how far (null: nowhere yet, its store was emptied), which
   * of its collections changed.
   */
  onCommit?: (projection: string, checkpoint: Position | null, collections: readonly string[]) => void;
  onPoison?: (poisoned: PoisonedEvent) => void;
}

/** Events read at once: few enough that a commit stays short, many enough that its cost is shared. */
const batchMax = 1000;
/** A batch ends early with the event that gives its chunks this many vectors: each is computed anew. */
const embeddedMax = 256;

/**
 * Events that change nothing for a projection move its checkpoint only when there are so many of them: a commit for
 * each would write for nothing, and make every reader of the store look at its pages again.
 */
const idleMax = 1000;

/** A build with how far this runner has got beyond its committed checkpoint. */
interface Running {
  build: Build;
  at: Position | null;
  /** Events passed since the last commit. */
  idle: number;
  /** It has been at the log's end, and its store was told. */
  complete: boolean;
}

/** Commits of a build that may be under way at once: a store on a server then always has the next one. */
const commitsUnderWay = 8;

/** What one commit takes of a batch. */
interface Portion {
  /** Position of its last event. */
  checkpoint: Position;
  writes: Write[];
  poisoned: PoisonedEvent[];
  /** Events it stands for. */
  passed: number;
}

export class ProjectionRunner {
  readonly #options: RunnerOptions;
  readonly #projections: ReadonlyMap<string, Projection>;
  #running: Running[] = [];
  /** Events that were read before they were asked for. */
  #next: { after: Position; events: Promise<RecordedEvent[]> } | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#projections = new Map(options.projections.map((p) => [p.name, p]));
  }

  /** Reads the builds there are and starts those that a raised version asks for. */
  async prepare(): Promise<void> {
    const { models, projections } = this.#options;
    for (const build of await models.builds()) {
      const projection = this.#projections.get(build.name);
      if (projection !== undefined && build.live && build.version < projection.version)
        await models.startBuild(build.name);
    }
    await this.#reload();
    for (const { name } of projections) {
      if (!this.#running.some(({ build }) => build.name === name))
        throw new Failure('internal', `There is no build of ${name}.`);
    }
  }

  /**
   * Builds this program can write: of its own version. A serving build that is new here, or stands before a place it
   * had passed, is told of too: what a store lost is being made again.
   */
  async #reload(): Promise<void> {
    const keyOf = ({ name, build }: Build) => `${name} ${build}`;
    const before = new Map(this.#running.map((running) => [keyOf(running.build), running]));
    const served = new Set(this.#running.filter(({ build }) => build.live).map(({ build }) => build.name));
    this.#running = (await this.#options.models.builds())
      .filter((b) => this.#projections.get(b.name)?.version === b.version)
      .map((build) => {
        const old = before.get(keyOf(build));
        // What lies between the committed place and ours changes nothing: it need not be read again.
        return old?.build.checkpoint === build.checkpoint
          ? { ...old, build }
          : { build, at: build.checkpoint, idle: 0, complete: old?.complete ?? false };
      });
    for (const { build, at } of this.#running) {
      if (!build.live) continue;
      const old = before.get(keyOf(build));
      const moved = old
        ? order(at, old.at) > 0 || order(at, old.build.checkpoint) < 0
        : at !== null || served.has(build.name);
      if (moved) this.#tell(build, at, null);
    }
  }

  #tell(build: Build, checkpoint: Position | null, writes: readonly Write[] | null): void {
    const all = this.#projections.get(build.name)!.collections.map((c) => c.name);
    const touched =
      writes === null ? all : [...new Set(writes.map((w) => ('collection' in w ? w.collection : 'chunks')))];
    this.#options.onCommit?.(build.name, checkpoint, touched);
  }

  /**
   * One step: the next events for every place where builds stand, the furthest ahead first, so that one which is
   * being built anew never holds up those that serve. Builds at the same place share what is read; one that comes
   * up to another joins it. False when all stand at the log's end. A build that has caught up becomes the live one.
   */
  async step(): Promise<boolean> {
    const places = [...new Set(this.#running.map(({ at }) => at))].sort(order).reverse();
    let moved = false;
    for (const [i, place] of places.entries()) moved = (await this.#stepFrom(place, places[i - 1])) || moved;
    return moved;
  }

  #readNext(after: Position): void {
    const events = this.#options.log.readAll(after, batchMax);
    events.catch(() => {});
    this.#next = { after, events };
  }

  #readAfter(place: Position | null): Promise<RecordedEvent[]> {
    const next = this.#next;
    if (next === null || next.after !== place) return this.#options.log.readAll(place, batchMax);
    this.#next = null;
    return next.events;
  }

  /** Advances the builds that stand at `place`, not beyond `ahead`. */
  async #stepFrom(place: Position | null, ahead: Position | null | undefined): Promise<boolean> {
    const group = this.#running.filter(({ at }) => at === place);
    const read = await this.#readAfter(place);
    const events = cut(read, ahead);
    if (events.length === 0) {
      for (const running of group) {
        if (!running.build.live) await this.#goLive(running);
        else if (!running.complete) {
          await this.#options.models.completed?.(running.build);
          running.complete = true;
        }
      }
      return false;
    }
    const advancing = Promise.all(group.map((running) => this.#advance(running, events)));
    // While the store works: what comes next, where there is more.
    if (read.length === batchMax && events.length === batchMax)
      this.#readNext(events[batchMax - 1]!.position);
    const advanced = await advancing;
    if (!advanced.every(Boolean)) await this.#reload();
    return true;
  }

  async #goLive({ build, at }: Running): Promise<void> {
    const { models } = this.#options;
    if (at !== null && at !== build.checkpoint && !(await models.commit(build, at, [])))
      return this.#reload();
    await models.goLive(build);
    await this.#reload();
    if (at !== null) this.#tell(build, at, null);
  }

  /**
   * Passes events, in commits as large as the store likes them. The next one is begun before the store has answered:
   * it builds on the checkpoint of the one before, so when that fails, it does too. False: another runner was faster.
   */
  async #advance(running: Running, events: readonly RecordedEvent[]): Promise<boolean> {
    const { models } = this.#options;
    const { build } = running;
    const portions = this.#portions(build, events);
    await models.ahead?.(
      build,
      portions.flatMap(({ writes }) => writes),
    );
    let begun = build.checkpoint;
    let last: Promise<boolean> = Promise.resolve(true);
    const underWay: Promise<boolean>[] = [];
    for (const portion of portions) {
      const { checkpoint, writes, poisoned } = portion;
      running.idle += portion.passed;
      let commit: Promise<boolean> | null = null;
      if (writes.length > 0 || poisoned.length > 0 || running.idle > idleMax) {
        commit = models.commit({ ...build, checkpoint: begun }, checkpoint, writes, poisoned);
        begun = checkpoint;
        running.idle = 0;
      }
      last = this.#settled(running, portion, commit, last);
      underWay.push(last);
      last.catch(() => {});
      // So that it goes out while the next is prepared.
      if (commit !== null && portions.length > 1) await setImmediate();
      if (underWay.length > commitsUnderWay && !(await underWay.shift())) break;
    }
    return last;
  }

  /** What the events change, as commits. */
  #portions(build: Build, events: readonly RecordedEvent[]): Portion[] {
    const { models } = this.#options;
    const portions: Portion[] = [];
    let portion: Portion | null = null;
    let full = models.gauge?.();
    for (const event of events) {
      const { writes, poisoned } = this.#changes(build, event);
      if (portion !== null && full && full(writes) > 1 && portion.writes.length > 0) {
        portion = null;
        full = models.gauge!();
        full(writes);
      }
      if (portion === null) {
        portion = { checkpoint: event.position, writes: [], poisoned: [], passed: 0 };
        portions.push(portion);
      }
      portion.checkpoint = event.position;
      portion.passed++;
      portion.writes.push(...writes);
      portion.poisoned.push(...poisoned);
    }
    return portions;
  }

  /** Takes over what a commit (null: nothing had to be written) has done, after the ones before it. */
  async #settled(
    running: Running,
    { checkpoint, writes, poisoned }: Portion,
    commit: Promise<boolean> | null,
    before: Promise<boolean>,
  ): Promise<boolean> {
    const [earlier, done] = await Promise.allSettled([before, commit]);
    if (earlier.status === 'rejected') throw earlier.reason;
    if (done.status === 'rejected') throw done.reason;
    if (!earlier.value || done.value === false) return false;
    const { build } = running;
    if (done.value !== null) build.checkpoint = checkpoint;
    running.at = checkpoint;
    if (build.live) this.#tell(build, checkpoint, writes);
    for (const p of poisoned) this.#options.onPoison?.(p);
    return true;
  }

  #changes(build: Build, event: RecordedEvent): { writes: Write[]; poisoned: PoisonedEvent[] } {
    try {
      return { writes: changesOf(this.#projections.get(build.name)!, event), poisoned: [] };
    } catch (error) {
      // A build beside a live one must be whole before it serves; a serving one sets the event aside and goes on.
      if (!build.live)
        throw new Failure(
          'internal',
          `${build.name} cannot be rebuilt: ${event.type} at ${event.position} fails (${nameOf(error)}).`,
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

  /** Steps until every build stands at the log's end. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.step()));
  }

  /** True while a build stands beside a live one. */
  get building(): boolean {
    return this.#running.some(({ build }) => !build.live);
  }
}

const order = (a: Position | null, b: Position | null): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;

/** Without the error's message: it might repeat what the event holds. */
const nameOf = (error: unknown): string =>
  error instanceof Failure ? error.detail : error instanceof Error ? error.name : 'error';

function changesOf(projection: Projection, event: RecordedEvent): Write[] {
  const handler = projection.on[event.type] as ((event: RecordedEvent) => Write[]) | undefined;
  return handler === undefined ? [] : handler(event);
}

/** Not beyond the place where another build stands, and not more vectors than one commit should compute. */
function cut(events: RecordedEvent[], until: Position | null | undefined): RecordedEvent[] {
  let embedded = 0;
  for (const [i, event] of events.entries()) {
    if (until && event.position > until) return events.slice(0, i);
    if (event.type === 'ChunksEmbedded') embedded += event.data.count;
    if (embedded >= embeddedMax) return events.slice(0, i + 1);
  }
  return events;
}
