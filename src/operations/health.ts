/**
 * The health of the service as of its last probes. Answering `/health` accesses no stores, so it is fast while they are
 * busy and works while they are unavailable.
 */
import { type Static, Type } from 'typebox';
import type { ProjectionProgress } from '../../projections/progress.ts';
import { Failure } from '../failures.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { type PoisonedEvent, poisonSentence } from '../ports/read-models.ts';
import { orNull, record } from '../schema.ts';

const ComponentState = Type.Enum(['ok', 'degraded', 'down']);
export type ComponentState = Static<typeof ComponentState>;

export const Health = record(
  'Health',
  {
    status: ComponentState,
    version: Type.String(),
    uptime_s: Type.Number(),
    reasons: Type.Array(Type.String(), { description: 'Why a part is degraded or down, if known.' }),
    components: Type.Object({
      event_log: ComponentState,
      read_models: ComponentState,
      models: ComponentState,
    }),
    projections: Type.Record(
      Type.String(),
      Type.Object({
        position: orNull(Type.String({ description: 'Opaque.' })),
        lag_ms: Type.Number(),
        lag_events: orNull(Type.Integer()),
      }),
    ),
  },
  {
    example: {
      status: 'ok',
      version: '2.0.0',
      uptime_s: 3600,
      reasons: [],
      components: { event_log: 'ok', read_models: 'ok', models: 'ok' },
      projections: { chunks: { position: '42', lag_ms: 0, lag_events: 0 } },
    },
  },
);
export type Health = Static<typeof Health>;

export interface HealthDeps {
  version: string;
  log: EventLog;
  /** The events on which projections failed. This is fast if the read models are available. */
  poisoned: () => Promise<PoisonedEvent[]>;
  /** The threads that read, search and project. */
  threads: { ping(): void; state: ComponentState };
  /** The language models that do not respond; the service continues without them. */
  modelsDown(): string[];
  /** A sentence about an exhausted model budget; null if none is exhausted. */
  spent(): string | null;
  progress: ProjectionProgress;
  projections: readonly string[];
  /** Called when the history begins or stops refusing writes. */
  onTrouble(sentence: string): void;
  /** Why the history cannot be trusted; null if no fault was found. */
  historyFault: () => string | null;
  /** Whether the read models used for answers lack events that existed at startup. */
  rebuilding: () => boolean;
}

const probeMs = 1000;
/** A component is down if it has not responded for this long. */
const silentMs = 5000;
/** Maximum number of events listed in the reasons. */
const poisonedMax = 10;

export class HealthMonitor {
  readonly #deps: HealthDeps;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #head: Position | null = null;
  #logAnswered = -Infinity;
  #logFault: string | null = null;
  #readsAnswered = -Infinity;
  #poisoned: readonly PoisonedEvent[] = [];
  /** When each projection was last at the head. */
  readonly #caughtUpAt = new Map<string, number>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** Probes once and then every second until stopped. The timer does not keep the process alive. */
  async start(): Promise<void> {
    await this.#probe();
    this.#timer = setInterval(() => void this.#probe(), probeMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #probe(): Promise<void> {
    const { log, poisoned, threads, progress, projections } = this.#deps;
    threads.ping();
    await Promise.all([
      this.#probeLog(log),
      poisoned().then(
        (events) => {
          this.#poisoned = events;
          this.#readsAnswered = performance.now();
        },
        () => {},
      ),
    ]);
    for (const name of projections) {
      if (progress.hasReached(name, this.#head)) this.#caughtUpAt.set(name, performance.now());
    }
  }

  async #probeLog(log: EventLog): Promise<void> {
    try {
      this.#head = await log.head();
      this.#noteFault(this.#deps.historyFault() ?? (await log.degraded?.()) ?? null);
      this.#logAnswered = performance.now();
    } catch (error) {
      if (error instanceof Failure) this.#noteFault(error.detail);
    }
  }

  #noteFault(fault: string | null): void {
    if (fault === this.#logFault) return;
    this.#logFault = fault;
    this.#deps.onTrouble(fault ?? 'The history accepts writes again.');
  }

  report(): Health {
    const { version, log, threads, progress, projections, rebuilding } = this.#deps;
    const down = this.#deps.modelsDown();
    const spent = this.#deps.spent();
    const now = performance.now();
    const stateSince = (answered: number): ComponentState => (now - answered < silentMs ? 'ok' : 'down');
    const log_state = stateSince(this.#logAnswered);
    const components = {
      event_log: log_state === 'ok' && this.#logFault !== null ? ('degraded' as const) : log_state,
      read_models:
        stateSince(this.#readsAnswered) === 'down' || threads.state === 'down'
          ? ('down' as const)
          : rebuilding() || threads.state === 'degraded' || this.#poisoned.length > 0
            ? ('degraded' as const)
            : ('ok' as const),
      models: down.length > 0 || spent !== null ? ('degraded' as const) : ('ok' as const),
    };
    const states: ComponentState[] = Object.values(components);
    return {
      status: states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok',
      version,
      uptime_s: Math.floor((now - this.#startedAt) / 1000),
      reasons: [
        ...(this.#logFault === null ? [] : [this.#logFault]),
        ...down.map((name) => `${name} does not respond; the service continues without it.`),
        ...(spent === null ? [] : [spent]),
        ...this.#poisoned.slice(0, poisonedMax).map(poisonSentence),
      ],
      components,
      projections: Object.fromEntries(
        projections.map((name) => {
          const position = progress.checkpoint(name);
          const reached = progress.hasReached(name, this.#head);
          const lag_ms = reached ? 0 : Math.round(now - (this.#caughtUpAt.get(name) ?? this.#startedAt));
          const lag_events = this.#head === null || reached ? 0 : log.distance(position, this.#head);
          return [name, { position, lag_ms, lag_events }];
        }),
      ),
    };
  }
}
