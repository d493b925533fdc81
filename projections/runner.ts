/**
 * Runs projections over the history: reads events once for all builds at the same position, commits each
 * build's writes together with its checkpoint. Any number of runners may run the same projections: a commit that
 * lost the race writes nothing, and the checkpoint is read again.
 */
import { setImmediate } from 'node:timers/promises';
import { type EventType, eventSchemas, forgettingEvents } from '../src/domain/events.ts';
import { Failure } from '../src/failures.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { EventLog, Position, RecordedEvent } from '../src/ports/event-log.ts';
import type {
  Build,
  Passed,
  PoisonedEvent,
  ProjectionSchema,
  ReadModels,
  Write,
} from '../src/ports/read-models.ts';

export interface Projection extends ProjectionSchema {
  /**
   * Its writes take long to compute, and nothing waits for them: it processes events after the other projections, in small
   * batches, and takes a small share of the time while they are behind. Default false.
   */
  late?: boolean;
  /** What an event changes, by its type; types that are not named change nothing. Pure. */
  on: { [T in EventType]?: (event: Extract<RecordedEvent, { type: T }>) => Write[] };
}

/** The half of the read models that a runner uses. */
export type WrittenModels = Pick<
  ReadModels,
  'builds' | 'startBuild' | 'goLive' | 'commit' | 'markComplete' | 'prefetch' | 'commitBudget'
>;

export interface RunnerOptions {
  log: Pick<EventLog, 'readAll' | 'head'>;
  models: WrittenModels;
  projections: readonly Projection[];
  clock: Clock;
  /** Which projections this runner runs, asked again whenever it reads the builds; default all. */
  holds?: (projection: string) => boolean;
  /**
   * Called after every commit of a live build: with the projection, its position (null: none yet, its store was emptied),
   * and the collections that changed.
   */
  onCommit?: (projection: string, checkpoint: Position | null, collections: readonly string[]) => void;
  onPoison?: (poisoned: PoisonedEvent) => void;
  /**
   * When somebody was forgotten, live builds that hold personal data are rebuilt: the history no longer has that data.
   * However many are forgotten, a projection has one such build at a time, and the next begins `renewalPauseMs` after it
   * went live, for all who were forgotten meanwhile. Default false.
   */
  renews?: boolean;
  /** Called when words that were read before were forgotten, and caches of them should be cleared; possibly twice. */
  onForgotten?: () => void;
  /** Monotonic time, in ms. Default: that of the process. */
  elapsedMs?: () => number;
}

/** Events read at once: few enough that a commit stays short, many enough that its cost is shared. */
const batchMax = 1000;
/** A batch ends early with the event that gives its chunks this many vectors: each has to be computed. */
const embeddedMax = 256;
/** One of late projections ends with the event that brings it to so many chunks: whoever else waits, waits that long. */
const lateChunksMax = 32;
/** While the others have more to read, late ones rest so many times as long as they have worked. */
const lateRest = 9;

/**
 * Events that change nothing for a projection move its checkpoint only when there are so many of them: a commit for
 * each would write for nothing, and make every reader of the store look at its pages again.
 */
const idleMax = 1000;

/** A build (its checkpoint: the last commit that is done) and how far this runner has got beyond. */
interface Running {
  build: Build;
  /** Events up to there were passed; their commits may be under way. */
  at: Position | null;
  /** Checkpoint of the last commit that was begun. */
  begun: Position | null;
  /** Up to there nothing is in flight, and that was reported. */
  settled: Position | null;
  /** In order; each settles after those before it, with false when another runner was faster. */
  underWay: Promise<boolean>[];
  /** Events passed since the last commit. */
  sinceCommit: number;
  /** It has reached the end of the log, and its store knows. */
  complete: boolean;
  /** Where the log ended when it began to read: who was forgotten up to there is not in it; null: not known. */
  begunAt: Position | null;
  /** It begins to read no sooner, in elapsed ms; null: it has begun. */
  due: number | null;
}

/** After a renewal: so much time serving and answering have to themselves, in ms. */
export const renewalPauseMs = 2_000;

/** Commits of a build that may be under way at once: a store on a server then always has the next one. */
const commitsUnderWay = 8;

/** Events after a position, and what they change in the builds at it. */
interface Batch {
  after: Position | null;
  group: readonly Running[];
  events: readonly RecordedEvent[];
  /** As commits, build by build in the group's order. */
  portions: Portion[][];
  /** Resolves when the store knows the records that will be changed. */
  known: Promise<unknown>;
}

/** What one commit takes of a batch. */
interface Portion {
  /** Position of its last event. */
  checkpoint: Position;
  writes: Write[];
  poisoned: PoisonedEvent[];
  /** Events it stands for. */
  passed: number;
}

interface ReadAhead {
  after: Position | null;
  events: Promise<RecordedEvent[]>;
  arrived: RecordedEvent[] | null;
}

/** What is read ahead for one kind of projections. */
interface Flow {
  late: boolean;
  /** Where the last batch ended; null when it was empty. */
  end: Position | null;
  /** What lies behind the next batch, being read; `arrived` once it has been. */
  readAhead: ReadAhead | null;
  /** The batch after the one whose commits are begun. */
  next: Batch | null;
}

export class ProjectionRunner {
  readonly #options: RunnerOptions;
  readonly #projections: ReadonlyMap<string, Projection>;
  #running: Running[] = [];
  /** Up to where somebody was forgotten for whom another build was begun, by projection. */
  readonly #renewed = new Map<string, Position>();
  /** Projections whose build under way may hold what was forgotten since it began: it is followed by another. */
  readonly #owed = new Set<string>();
  /** When the next renewal of a projection may begin to read, in elapsed ms. */
  readonly #restsUntil = new Map<string, number>();
  /** The projections that were run here when the builds were last read. */
  #ran: ReadonlySet<string> = new Set();
  readonly #elapsedMs: () => number;
  readonly #flows: readonly Flow[] = [false, true].map((late) => ({
    late,
    end: null,
    readAhead: null,
    next: null,
  }));
  /** Where the ordinary ones have just met the log's end; undefined: nowhere. */
  #endAt: Position | null | undefined;
  /** While others have more to read: when it is the turn of the late ones again, in elapsed ms. */
  #lateDue = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#projections = new Map(options.projections.map((p) => [p.name, p]));
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
  }

  /** Reads the existing builds, starts those that a raised version calls for, and returns all of them. */
  async prepare(): Promise<Build[]> {
    const { models, projections } = this.#options;
    await this.#drain();
    for (const build of await models.builds()) {
      const projection = this.#projections.get(build.name);
      if (projection !== undefined && build.live && build.version < projection.version && this.#holds(build))
        await models.startBuild(build.name);
    }
    const builds = await this.#reload();
    for (const { name } of projections) {
      if (!builds.some((build) => build.name === name && (!this.#holds(build) || this.#writes(build))))
        throw new Failure('internal', `There is no build of ${name}.`);
    }
    return builds;
  }

  #holds({ name }: Build): boolean {
    return this.#options.holds?.(name) ?? true;
  }

  /** Whether this program can write the build: it is of its own version. */
  #writes({ name, version }: Build): boolean {
    return this.#projections.get(name)?.version === version;
  }

  /**
   * Takes up the builds that are its own to write, and hands out all. A serving build that is new here, or stands before
   * a place it had passed, is told of too: what a store lost is being made again.
   */
  async #reload(): Promise<Build[]> {
    const keyOf = ({ name, build }: Build) => `${name} ${build}`;
    const before = new Map(this.#running.map((running) => [keyOf(running.build), running]));
    const served = new Set(this.#running.filter(({ build }) => build.live).map(({ build }) => build.name));
    await this.#drain();
    const builds = await this.#withFollowers(await this.#options.models.builds());
    const head = builds.some(({ checkpoint }) => checkpoint === null) ? await this.#options.log.head() : null;
    this.#running = builds
      .filter((build) => this.#holds(build) && this.#writes(build))
      .map((build): Running => {
        const old = before.get(keyOf(build));
        const { checkpoint } = build;
        const fresh = {
          ...{ build, begun: checkpoint, underWay: [], complete: old?.complete ?? false },
          begunAt: checkpoint === null ? head : (old?.begunAt ?? null),
          due: old || build.live || checkpoint !== null ? (old?.due ?? null) : this.#restOf(build.name),
        };
        // What lies between the committed place and ours changes nothing: it need not be read again.
        return old?.build.checkpoint === checkpoint
          ? { ...fresh, at: old.settled, settled: old.settled, sinceCommit: old.sinceCommit }
          : { ...fresh, at: build.passed ?? checkpoint, settled: build.passed ?? checkpoint, sinceCommit: 0 };
      });
    this.#ran = new Set(this.#running.map(({ build }) => build.name));
    for (const { build, at } of this.#running) {
      if (!build.live) continue;
      const old = before.get(keyOf(build));
      const moved = old
        ? order(at, old.settled) > 0 || order(at, old.build.checkpoint) < 0
        : at !== null || served.has(build.name);
      // Another runner may have met what this one did not: why it was made anew is not known.
      if (!old && served.has(build.name) && holdsWords(this.#projections.get(build.name)!))
        this.#options.onForgotten?.();
      if (moved) this.#report(build, at, null);
    }
    return builds;
  }

  /** Begins those that follow a build which has been made to serve, by whichever runner; hands out all there are. */
  async #withFollowers(builds: Build[]): Promise<Build[]> {
    const { models, renews } = this.#options;
    if (!renews) return builds;
    const underWay = builds.filter((build) => !build.live && this.#holds(build) && this.#writes(build));
    for (const { name, checkpoint } of underWay) {
      // Another began it: what it has read is not known here.
      if (checkpoint !== null && !this.#ran.has(name) && holdsWords(this.#projections.get(name)!))
        this.#owed.add(name);
    }
    const due = [...this.#owed].filter((name) => !underWay.some((build) => build.name === name));
    for (const name of due) {
      if (builds.some((build) => build.name === name && this.#holds(build))) await models.startBuild(name);
      this.#owed.delete(name);
    }
    return due.length > 0 ? models.builds() : builds;
  }

  /** Waits until nothing is in flight, whatever the outcome: the store is then read for it. */
  async #drain(): Promise<void> {
    for (const flow of this.#flows) Object.assign(flow, { next: null, readAhead: null });
    await Promise.all(this.#running.map(({ underWay }) => Promise.allSettled(underWay)));
  }

  #report(build: Build, checkpoint: Position | null, writes: readonly Write[] | null): void {
    const all = this.#projections.get(build.name)!.collections.map((c) => c.name);
    const touched =
      writes === null ? all : [...new Set(writes.map((w) => ('collection' in w ? w.collection : 'chunks')))];
    this.#options.onCommit?.(build.name, checkpoint, touched);
  }

  /**
   * One step: the next events for every position at which there are builds, the furthest ahead first, so that one which is
   * being rebuilt never holds up those that serve, and late ones last, in their share of the time. Builds at the same place share what is read; one that comes
   * up to another joins it. Their last commits may still be under way afterwards: what becomes of them is met by the
   * next step. False when all are at the log's end and nothing is in flight. A build that has caught up becomes the
   * live one. After a rejection the next step begins at the last successful commit.
   */
  async step(): Promise<boolean> {
    try {
      await this.#beginDue();
      const [ordinary, late] = this.#flows as [Flow, Flow];
      const moved = await this.#stepAll(ordinary);
      const from = this.#elapsedMs();
      if (moved && from < this.#lateDue) return true;
      const lateMoved = await this.#stepAll(late);
      const to = this.#elapsedMs();
      if (lateMoved) this.#lateDue = to + lateRest * (to - from);
      return moved || lateMoved;
    } catch (error) {
      await this.#drain();
      for (const running of this.#running) {
        const { settled, build } = running;
        Object.assign(running, { at: settled, begun: build.checkpoint, underWay: [] });
      }
      throw error;
    }
  }

  async #stepAll(flow: Flow): Promise<boolean> {
    const all = this.#begun.filter((running) => this.#isLate(running) === flow.late);
    const positions = [...new Set(all.map(({ at }) => at))].sort(order).reverse();
    let moved = false;
    for (const [i, position] of positions.entries()) {
      // What comes there next is read for the ordinary ones, and passed together where it changes nothing.
      if (flow.late && position !== this.#endAt && this.#at(position, false).length > 0) continue;
      moved = (await this.#stepFrom(flow, position, positions[i - 1])) || moved;
    }
    return moved;
  }

  /** Those that read. */
  get #begun(): Running[] {
    return this.#running.filter(({ due }) => due === null);
  }

  #isLate({ build }: Running): boolean {
    return this.#projections.get(build.name)?.late ?? false;
  }

  #at(place: Position | null, late: boolean): Running[] {
    return this.#begun.filter((running) => running.at === place && this.#isLate(running) === late);
  }

  #restOf(name: string): number | null {
    return this.#restsUntil.get(name) ?? null;
  }

  async #beginDue(): Promise<void> {
    const now = this.#elapsedMs();
    const ready = this.#running.filter(({ due }) => due !== null && due <= now);
    if (ready.length === 0) return;
    const begunAt = await this.#options.log.head();
    for (const running of ready) Object.assign(running, { due: null, begunAt });
  }

  /** Advances the builds of a flow at `place`, not beyond `ahead`. */
  async #stepFrom(flow: Flow, place: Position | null, ahead: Position | null | undefined): Promise<boolean> {
    const group = this.#at(place, flow.late);
    const batch = await this.#take(flow, place, group, ahead);
    const end = batch.events.at(-1)?.position ?? null;
    const flowing = place !== null && flow.end === place;
    flow.end = end;
    if (!flow.late) this.#endAt = end === null ? place : undefined;
    if (end === null) {
      for (const running of group) {
        if (!(await this.#settle(running, 0))) {
          await this.#reload();
          return true;
        }
      }
      for (const running of group) {
        if (!running.build.live) await this.#goLive(running);
        else if (!running.complete) {
          await this.#options.models.markComplete?.(running.build);
          running.complete = true;
        }
      }
      return false;
    }
    if (await this.#renew(batch)) return true;
    await batch.known;
    if (flowing && !ahead) await this.#prepareNext(flow, end, group);
    const along = flow.late ? [] : this.#alongWith(batch);
    const advanced = await Promise.all([
      ...group.map((running, i) => this.#advance(running, batch.portions[i]!)),
      ...along.map((running) => this.#advance(running, this.#portions(running.build, batch.events))),
    ]);
    if (!advanced.every(Boolean)) await this.#reload();
    return true;
  }

  /** Late ones that a batch costs nothing: it changes nothing for them. */
  #alongWith({ after, events }: Batch): Running[] {
    return this.#at(after, true).filter(({ build }) => {
      const { on } = this.#projections.get(build.name)!;
      return events.every(({ type }) => on[type] === undefined);
    });
  }

  /** The batch that was prepared for this place and these builds, or one of what is read now. */
  async #take(
    flow: Flow,
    place: Position | null,
    group: readonly Running[],
    ahead: Position | null | undefined,
  ): Promise<Batch> {
    const { next } = flow;
    flow.next = null;
    if (!ahead && next?.after === place && sameMembers(next.group, group)) return next;
    const readAhead = flow.readAhead?.after === place ? flow.readAhead : null;
    let events = readAhead ? await readAhead.events : [];
    if (flow.late && events.length === 0 && this.#endAt === place) return this.#batch(place, group, []);
    // An end that was met a while ago need not be one any more.
    if (events.length === 0) events = await this.#options.log.readAll(place, batchMax);
    const taken = cut(events, ahead, flow.late);
    this.#keep(flow, events, taken);
    return this.#batch(place, group, taken);
  }

  /** What was read beyond a batch is the next one's. */
  #keep(flow: Flow, events: readonly RecordedEvent[], taken: readonly RecordedEvent[]): void {
    const rest = events.slice(taken.length);
    const after = taken.at(-1)?.position;
    if (after !== undefined && rest.length > 0)
      flow.readAhead = { after, events: Promise.resolve(rest), arrived: rest };
  }

  /**
   * While events flow: prepares the batch behind `after` before the commits of the one up to there are begun, so that
   * a store on a server is asked for its records ahead of them, and has the log read what follows.
   */
  async #prepareNext(flow: Flow, after: Position, group: readonly Running[]): Promise<void> {
    const readAhead = flow.readAhead?.after === after ? flow.readAhead : this.#read(after);
    flow.readAhead = null;
    await Promise.race([readAhead.events, setImmediate()]);
    const { arrived } = readAhead;
    if (arrived === null) flow.readAhead = readAhead;
    else if (arrived.length > 0) {
      const taken = cut(arrived, undefined, flow.late);
      flow.next = this.#batch(after, group, taken);
      if (taken.length < arrived.length) this.#keep(flow, arrived, taken);
      else flow.readAhead = this.#read(taken.at(-1)!.position);
    }
  }

  #read(after: Position): ReadAhead {
    const readAhead: ReadAhead = { after, events: this.#options.log.readAll(after, batchMax), arrived: null };
    readAhead.events.then(
      (events) => {
        readAhead.arrived = events;
      },
      () => {},
    );
    return readAhead;
  }

  #batch(after: Position | null, group: readonly Running[], events: readonly RecordedEvent[]): Batch {
    const { models } = this.#options;
    const portions = group.map(({ build }) => this.#portions(build, events));
    const known = Promise.all(
      group.map(({ build, begun }, i) =>
        models.prefetch?.(
          { ...build, checkpoint: begun },
          portions[i]!.flatMap(({ writes }) => writes),
        ),
      ),
    );
    known.catch(() => {});
    return { after, group, events, portions, known };
  }

  /**
   * Begins the builds that those of a batch have to make way for, before they pass the event that says so. True: there are
   * other builds now.
   */
  async #renew({ group, events }: Batch): Promise<boolean> {
    const { renews, models } = this.#options;
    const forgotten = renews
      ? events.findLast(({ type }) => forgettingEvents.has(type))?.position
      : undefined;
    if (forgotten === undefined) return false;
    let begun = false;
    for (const { build, begunAt } of group) {
      const { name, live } = build;
      const done = [begunAt, this.#renewed.get(name)].some((at) => (at ?? '') >= forgotten);
      if (!live || done || !holdsWords(this.#projections.get(name)!)) continue;
      this.#renewed.set(name, forgotten);
      this.#options.onForgotten?.();
      const underWay = this.#running.find((one) => one.build.name === name && !one.build.live);
      if (underWay === undefined) {
        const { checkpoint } = await models.startBuild(name);
        if (checkpoint !== null) this.#owed.add(name);
        begun = true;
      } else if (underWay.due === null && (underWay.begunAt ?? '') < forgotten) this.#owed.add(name);
    }
    if (begun) await this.#reload();
    return begun;
  }

  async #goLive({ build, at }: Running): Promise<void> {
    const { models } = this.#options;
    if (at !== null && at !== build.checkpoint && !(await models.commit(build, at, []))) {
      await this.#reload();
      return;
    }
    await models.goLive(build);
    if (this.#options.renews) this.#restsUntil.set(build.name, this.#elapsedMs() + renewalPauseMs);
    await this.#reload();
    if (at !== null) this.#report(build, at, null);
  }

  /**
   * Begins the commits of a batch. Each is begun before the store has answered the one before: it builds on that one's
   * checkpoint, so when that fails, it does too. False: another runner was faster.
   */
  async #advance(running: Running, portions: readonly Portion[]): Promise<boolean> {
    const { models } = this.#options;
    const { build, underWay } = running;
    for (const portion of portions) {
      const { checkpoint, writes, poisoned } = portion;
      running.sinceCommit += portion.passed;
      let commit: Promise<boolean> | null = null;
      if (writes.length > 0 || poisoned.length > 0 || running.sinceCommit > idleMax) {
        commit = models.commit({ ...build, checkpoint: running.begun }, checkpoint, writes, poisoned);
        running.begun = checkpoint;
        running.sinceCommit = 0;
      }
      running.at = checkpoint;
      const settled = this.#settled(running, portion, commit, underWay.at(-1));
      settled.catch(() => {});
      underWay.push(settled);
      // So that it goes out while the next is prepared.
      if (commit !== null && portions.length > 1) await setImmediate();
      if (!(await this.#settle(running, commitsUnderWay))) return false;
    }
    return true;
  }

  /** Waits until no more than `most` commits are under way. False: another runner was faster. */
  async #settle({ underWay }: Running, most: number): Promise<boolean> {
    while (underWay.length > most) if (!(await underWay.shift())) return false;
    return true;
  }

  /** What the events change, as commits. */
  #portions(build: Build, events: readonly RecordedEvent[]): Portion[] {
    const { models } = this.#options;
    const portions: Portion[] = [];
    let portion: Portion | null = null;
    let full = models.commitBudget?.();
    for (const event of events) {
      const { writes, poisoned } = this.#changes(build, event);
      if (portion !== null && full && full(writes) > 1 && portion.writes.length > 0) {
        portion = null;
        full = models.commitBudget!();
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

  /** Takes over what a commit (null: nothing had to be written) has done, after the one before it. */
  async #settled(
    running: Running,
    { checkpoint, writes, poisoned }: Portion,
    commit: Promise<boolean> | null,
    before: Promise<boolean> | undefined,
  ): Promise<boolean> {
    const [earlier, done] = await Promise.allSettled([before, commit]);
    if (earlier.status === 'rejected') throw earlier.reason;
    if (done.status === 'rejected') throw done.reason;
    if (earlier.value === false || done.value === false) return false;
    const { build } = running;
    if (done.value !== null) build.checkpoint = checkpoint;
    running.settled = checkpoint;
    if (build.live) this.#report(build, checkpoint, writes);
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

  /** Steps until every build is at the log's end. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.step()));
  }

  /** How far the serving builds have got that this runner runs. */
  passed(): Passed[] {
    return this.#running
      .filter(({ build }) => build.live)
      .map(({ build: { name, build, checkpoint }, settled }) => ({
        projection: name,
        build,
        checkpoint,
        at: settled,
      }));
  }

  /** Whether a build of the projection will follow the one under way. */
  owes(projection: string): boolean {
    return this.#owed.has(projection);
  }

  /** True while this runner has a build beside a live one. */
  get building(): boolean {
    return this.#running.some(({ build }) => !build.live);
  }
}

const order = (a: Position | null, b: Position | null): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;

const sameMembers = (a: readonly Running[], b: readonly Running[]): boolean =>
  a.length === b.length && a.every((running, i) => running === b[i]);

/** Without the error's message: it might repeat what the event holds. */
const nameOf = (error: unknown): string =>
  error instanceof Failure ? error.detail : error instanceof Error ? error.name : 'error';

function changesOf(projection: Projection, event: RecordedEvent): Write[] {
  const handler = projection.on[event.type] as ((event: RecordedEvent) => Write[]) | undefined;
  return handler === undefined ? [] : handler(event);
}

/** Whether what people said goes into it. */
export const holdsWords = ({ on }: Projection): boolean =>
  Object.keys(on).some((type) => eventSchemas[type as EventType].personal.length > 0);

/** Not beyond the position of another build, and no more than one batch should compute: vectors, or chunks of late ones. */
function cut(events: RecordedEvent[], until: Position | null | undefined, late: boolean): RecordedEvent[] {
  let embedded = 0;
  let chunks = 0;
  for (const [i, event] of events.entries()) {
    if (until && event.position > until) return events.slice(0, i);
    if (event.type === 'ChunksEmbedded') embedded += event.data.count;
    if (event.type === 'ChunksAdded') chunks += event.data.chunks.length;
    if (embedded >= embeddedMax || (late && chunks >= lateChunksMax)) return events.slice(0, i + 1);
  }
  return events;
}
