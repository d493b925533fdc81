/**
 * The command handler: loads the aggregate's state, decides, and appends at the revision on which the decision was
 * based. If there is a version conflict because the stream was changed concurrently, it reloads the state and decides
 * again.
 */
import { type AdminAccessCommand, type AdminAccessState, adminAccess } from '../domain/admin-access.ts';
import {
  type AdminSessionsCommand,
  type AdminSessionsState,
  adminSessions,
} from '../domain/admin-sessions.ts';
import { type ApiKeysCommand, type ApiKeysState, apiKeys } from '../domain/api-keys.ts';
import { type AskCommand, type AskState, ask } from '../domain/ask.ts';
import { type BackfillsCommand, type BackfillsState, backfills } from '../domain/backfill.ts';
import { type CatalogCommand, type CatalogState, catalog } from '../domain/catalog.ts';
import { type ChatCommand, type ChatState, chat } from '../domain/chat.ts';
import type { Decider } from '../domain/decider.ts';
import { type DocumentCommand, type DocumentState, document } from '../domain/document.ts';
import { type DomainEvent, eventSchemas } from '../domain/events.ts';
import { type FaqCommand, type FaqState, faq } from '../domain/faq.ts';
import { uuidv7 } from '../domain/ids.ts';
import { type ExpireWords, type RetentionState, retention, retentionStream } from '../domain/retention.ts';
import { type SealHistory, type SealingState, sealing, sealingStream } from '../domain/sealing.ts';
import { type SettingsCommand, type SettingsState, type SystemPrompt, settings } from '../domain/settings.ts';
import { type SpendingCommand, type SpendingState, spending } from '../domain/spending.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Appended, EventLog, NewEvent, Position } from '../ports/event-log.ts';

/** The actor that caused a change, and the request to which the change belongs. */
export interface Cause {
  actor: string;
  correlation_id: string;
  causation_id?: string | null;
}

export interface Done<State> {
  state: State;
  events: DomainEvent[];
  /** Position of the last event written; null if there was nothing to do. */
  position: Position | null;
}

/**
 * When several processes write to one stream continuously (such as the catalog, during concurrent ingestions), one
 * succeeds in each round, and any of them may lose many rounds in a row.
 */
const attempts = 100;
const promptMs = 1_000;

/** An aggregate's state and the revision that it includes. */
interface Folded<State> {
  state: State;
  revision: number;
}

/** The operations that commands need from the log. */
export type CommandLog = Pick<EventLog, 'append' | 'readStream'>;

export class Aggregate<State, Command> {
  readonly #log: CommandLog;
  readonly #clock: Clock;
  readonly #decider: Decider<State, Command>;
  readonly stream: string;
  #folded: Folded<State>;
  /** When `fresh` last read the stream, by performance.now(). */
  #readAt = Number.NEGATIVE_INFINITY;
  /** The read by `fresh` that is in progress. */
  #reading: Promise<State> | null = null;
  /** Serializes this process's commands on the aggregate, because concurrent ones would only conflict. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(log: CommandLog, clock: Clock, stream: string, decider: Decider<State, Command>) {
    this.#log = log;
    this.#clock = clock;
    this.stream = stream;
    this.#decider = decider;
    this.#folded = { state: decider.initial, revision: -1 };
  }

  /** Reads the stream's tail and returns the current state. */
  async load(): Promise<State> {
    const events = await this.#log.readStream(this.stream, this.#folded.revision + 1);
    for (const event of events) this.#foldNext(event, event.revision);
    return this.#folded.state;
  }

  /**
   * The state, at most `ms` old. Reads the stream's tail if the last attempt to read it is older than that. Concurrent
   * callers share the read, so that none of them sees the state from before it. Rejects if the log does; the next
   * attempt is then made `ms` later.
   */
  async fresh(ms: number): Promise<State> {
    const now = performance.now();
    if (this.#reading === null && now - this.#readAt >= ms) {
      this.#readAt = now;
      this.#reading = this.load().finally(() => {
        this.#reading = null;
      });
    }
    return this.#reading ?? this.state;
  }

  /** The state as of the last read. Does not read. */
  get state(): State {
    return this.#folded.state;
  }

  /** Applies an event unless another load or append has already done so. */
  #foldNext(event: DomainEvent, revision: number): void {
    if (revision !== this.#folded.revision + 1) return;
    this.#folded = { state: this.#decider.evolve(this.#folded.state, event), revision };
  }

  /**
   * Decides the commands in order and appends their events atomically. With `assumeCurrent`, the first attempt uses the
   * state as of the last read. If that state is stale, the append conflicts and the stream is then read.
   */
  execute(
    commands: Command | readonly Command[],
    cause: Cause,
    options: { assumeCurrent?: boolean } = {},
  ): Promise<Done<State>> {
    const list = Array.isArray(commands) ? (commands as readonly Command[]) : [commands as Command];
    const run = this.#turn.then(() => this.#execute(list, cause, options.assumeCurrent ?? false));
    this.#turn = run.catch(() => {});
    return run;
  }

  async #execute(commands: readonly Command[], cause: Cause, assumeCurrent: boolean): Promise<Done<State>> {
    for (let attempt = 1; ; attempt++) {
      if (!assumeCurrent || attempt > 1) await this.load();
      const { state, revision } = this.#folded;
      const events = this.#decide(commands, state);
      if (events.length === 0) return { state, events, position: null };
      try {
        const appended = await this.#log.append(
          this.stream,
          revision,
          events.map((e) => envelope(e, cause, this.#clock)),
        );
        for (const [i, event] of events.entries()) this.#foldNext(event, revision + 1 + i);
        return { state: this.#folded.state, events, position: appended.position };
      } catch (error) {
        if (!(error instanceof Failure && error.code === 'conflict') || attempt === attempts) throw error;
      }
    }
  }

  #decide(commands: readonly Command[], state: State): DomainEvent[] {
    const events: DomainEvent[] = [];
    let ahead = state;
    for (const [i, command] of commands.entries()) {
      const decided = this.#decider.decide(command, ahead);
      events.push(...decided);
      if (i < commands.length - 1) ahead = decided.reduce((s, e) => this.#decider.evolve(s, e), ahead);
    }
    return events;
  }
}

function envelope(event: DomainEvent, cause: Cause, clock: Clock): NewEvent {
  const now = clock.now();
  return {
    id: uuidv7(now.getTime()),
    type: event.type,
    version: eventSchemas[event.type].version,
    time: now.toISOString(),
    actor: cause.actor,
    correlation_id: cause.correlation_id,
    causation_id: cause.causation_id ?? null,
    data: event.data,
  };
}

/**
 * The aggregates by name. Singletons keep their state and read only the tail of their stream; documents and asks are
 * created as needed.
 */
export class Commands {
  readonly #log: CommandLog;
  readonly #clock: Clock;
  readonly catalog: Aggregate<CatalogState, CatalogCommand>;
  readonly apiKeys: Aggregate<ApiKeysState, ApiKeysCommand>;
  readonly settings: Aggregate<SettingsState, SettingsCommand>;
  readonly adminAccess: Aggregate<AdminAccessState, AdminAccessCommand>;
  readonly adminSessions: Aggregate<AdminSessionsState, AdminSessionsCommand>;
  readonly backfills: Aggregate<BackfillsState, BackfillsCommand>;
  readonly faq: Aggregate<FaqState, FaqCommand>;
  readonly sealing: Aggregate<SealingState, SealHistory>;
  readonly retention: Aggregate<RetentionState, ExpireWords>;

  constructor(log: CommandLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.catalog = new Aggregate(log, clock, 'catalog', catalog);
    this.apiKeys = new Aggregate(log, clock, 'api-keys', apiKeys);
    this.settings = new Aggregate(log, clock, 'settings', settings);
    this.adminAccess = new Aggregate(log, clock, 'admin-access', adminAccess);
    this.adminSessions = new Aggregate(log, clock, 'admin-sessions', adminSessions);
    this.backfills = new Aggregate(log, clock, 'backfills', backfills);
    this.faq = new Aggregate(log, clock, 'faq', faq);
    this.sealing = new Aggregate(log, clock, sealingStream, sealing);
    this.retention = new Aggregate(log, clock, retentionStream, retention);
  }

  document(docId: number): Aggregate<DocumentState, DocumentCommand> {
    return new Aggregate(this.#log, this.#clock, `document-${docId}`, document);
  }

  ask(requestId: string): Aggregate<AskState, AskCommand> {
    return new Aggregate(this.#log, this.#clock, `ask-${requestId}`, ask);
  }

  chat(chatId: string): Aggregate<ChatState, ChatCommand> {
    return new Aggregate(this.#log, this.#clock, `chat-${chatId}`, chat);
  }

  /** `month`: YYYY-MM. */
  spending(month: string): Aggregate<SpendingState, SpendingCommand> {
    return new Aggregate(this.#log, this.#clock, `spending-${month}`, spending);
  }

  /**
   * The system prompt in force. Every question needs it, so a change by another process may take a second to become
   * visible.
   */
  async prompt(): Promise<SystemPrompt> {
    return (await this.settings.fresh(promptMs)).prompt;
  }

  /** Appends events that require no decision. Fails with `conflict` if the stream is at a different revision. */
  record(
    stream: string,
    expectedRevision: number,
    events: readonly DomainEvent[],
    cause: Cause,
  ): Promise<Appended> {
    return this.#log.append(
      stream,
      expectedRevision,
      events.map((event) => envelope(event, cause, this.#clock)),
    );
  }
}
