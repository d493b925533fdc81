/** One conversation in a chat: its settings, files and turns, and the replies that processes hold in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatCommand, type ChatState, earlier, filesAt, holds } from '../domain/chat.ts';
import type { ChatFacts, ChatSettings, HistoryMessage } from '../domain/events.ts';
import { uuidv8 } from '../domain/ids.ts';
import type { Aggregate, Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import type { RecordedAsks } from './recorded-asks.ts';

/** How often, and for how long at most, to check whether another process has answered a message, in ms. */
const turnLookMs = 400;
const turnMs = 60_000;
/** The number of question-answer pairs used as context. Each counts as two turns, so there are eight turns in total. */
const turnsRead = 4;
const turnUnitsMax = 4_000;

/** Thrown when another process has taken over the reply, so that this process must no longer write it. */
export class ReplyLost extends Error {
  constructor() {
    super('Another process is answering this message.');
    this.name = 'ReplyLost';
  }
}

export interface ChatDeps {
  commands: Pick<Commands, 'chat' | 'ask'>;
  recordedAsks: Pick<RecordedAsks, 'find' | 'cancel'>;
  clock: Clock;
  facts: ChatFacts;
  place: string | null;
  aggregate: Aggregate<ChatState, ChatCommand>;
  worker: string;
  heldSince(): number;
  renew(): Promise<void>;
  seal(value: unknown): string;
  unseal(sealed: string): unknown;
  opaque(name: string): string;
}

/** A message that this process must answer. */
export interface ChatReply {
  /** An opaque id, the same for every process that works on the reply. */
  id: string;
  /** The request id of the ask that produces the answer. */
  request_id: string;
  subject: string;
  chat: Chat;
  /** The task that the connector passed to `start`; null if it can no longer be read. */
  task: unknown;
  /** The value that a connector in any process last passed to `posted`; null if there is none. */
  messages: unknown;
  /** Whether the reply was begun by another process. */
  isTaken: boolean;
  /**
   * Resolves when no earlier message of the conversation is being answered by any process, or after a minute at the
   * latest. May fail with `unavailable`.
   */
  turn(signal: AbortSignal): Promise<void>;
  /**
   * Resolves if this process holds the reply. Await it before sending any part of the reply to the platform. No request
   * is made while the worker is certain to hold its lease; `surely` forces a check even then. Rejects with ReplyLost,
   * or fails with `unavailable`.
   */
  held(surely?: boolean): Promise<void>;
  /**
   * Resolves when the holder of the reply has ended it, or after a minute at the latest. May fail with `unavailable`.
   */
  over(): Promise<void>;
  /** Records the messages that are now in the chat. Rejects with ReplyLost, or fails with `unavailable`. */
  posted(messages: unknown): Promise<void>;
  /**
   * Ends the reply. If `answered`, its ask becomes part of the conversation. Rejects with ReplyLost, or fails with
   * `unavailable`.
   */
  end(answered: boolean): Promise<void>;
}

export class Chat {
  readonly #deps: ChatDeps;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  get id(): string {
    return this.#deps.facts.chat_id;
  }

  /** The settings of the chat. May fail with `unavailable`. */
  async settings(): Promise<ChatSettings> {
    return (await this.#deps.aggregate.load()).settings;
  }

  /** Whether the conversation remembers any question, or one is being answered. May fail with `unavailable`. */
  async isKnown(): Promise<boolean> {
    const { turns, open } = await this.#deps.aggregate.load();
    return turns.length > 0 || open.size > 0;
  }

  /**
   * Changes the given settings and keeps the others. Returns the position of the change in the history; null if nothing
   * changed. `by` is the subject of the person who makes the change in the chat, or an administrator's name.
   */
  async change(
    settings: Partial<ChatSettings>,
    by: { subject: string } | { admin: Cause },
  ): Promise<Position | null> {
    const { facts, place, aggregate, clock } = this.#deps;
    const now = clock.now().toISOString();
    const [whose, cause] =
      'subject' in by ? [by.subject, { actor: 'public', correlation_id: this.id }] : [null, by.admin];
    const command = { type: 'Change', chat: facts, place, settings, by: whose, now } as const;
    return (await aggregate.execute(command, cause)).position;
  }

  /** Remembers for a day how the platform can find a file, as JSON. `id` identifies the file. Fails like `start`. */
  async share(id: string, subject: string, file: unknown): Promise<void> {
    const { facts, clock, seal, opaque } = this.#deps;
    const shared = { ...facts, subject, file_id: opaque(`file ${id}`), file: seal(file) };
    await this.#execute({ type: 'ShareFile', file: { ...shared, shared_at: clock.now().toISOString() } });
  }

  /** The files that were passed to `share` within the last day, latest last. May fail with `unavailable`. */
  async files(): Promise<{ subject: string; file: unknown }[]> {
    const { aggregate, commands, clock, unseal } = this.#deps;
    const now = clock.now().toISOString();
    if (filesAt(await aggregate.load(), now).length === 0) return [];
    // Load the state again, because the data of a file's sender may have been deleted since it was read.
    const shared = filesAt(await commands.chat(this.id).load(), now);
    return shared.flatMap(({ subject, file: sealed }) => {
      const file = unseal(sealed);
      return file === null ? [] : [{ subject, file }];
    });
  }

  /** Excludes earlier messages and files from the context of later questions. */
  async forget(): Promise<void> {
    const { facts, clock } = this.#deps;
    await this.#execute({ type: 'Forget', chat: facts, now: clock.now().toISOString() });
  }

  /**
   * Records that this process must answer a message. Returns null if the message has already been received. `delivery`
   * identifies the message within the chat; `task` is the data needed to answer it, as JSON. Fails with `unavailable`
   * or `storage_full` if nothing was recorded, in which case the platform should deliver the message again.
   */
  async start(delivery: string, subject: string, task: unknown): Promise<ChatReply | null> {
    const { facts, worker, clock, seal, opaque } = this.#deps;
    const name = opaque(delivery);
    const request_id = requestId(facts, name, worker);
    const reply = {
      ...facts,
      delivery: name,
      request_id,
      subject,
      worker,
      task: seal(task),
      started_at: clock.now().toISOString(),
    };
    const { events } = await this.#execute({ type: 'Start', reply }, request_id);
    return events.length === 0 ? null : this.#reply(name, { request_id, subject, task, messages: null });
  }

  /** Takes over a reply of a stopped process. Returns null if another process has taken it over. */
  async take(delivery: string, from: string): Promise<ChatReply | null> {
    const { aggregate, worker, recordedAsks, clock, unseal, facts } = this.#deps;
    const left = (await aggregate.load()).open.get(delivery);
    if (left?.worker !== from) return null;
    const ended = await recordedAsks.find(left.request_id).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'gone') return null;
      throw error;
    });
    // Show the answer of a finished ask. If the ask has not finished, ask again under another id.
    const isAnswered = ended?.parts?.at(-1)?.type === 'done';
    const request_id = isAnswered ? left.request_id : requestId(facts, delivery, worker);
    const now = clock.now().toISOString();
    const { state, events } = await this.#execute(
      { type: 'Take', delivery, from, worker, request_id, now },
      request_id,
    );
    if (events.length === 0) return null;
    // Cancel the previous ask only after taking over the reply, because until then its process may still be answering.
    if (!isAnswered) await recordedAsks.cancel(left.request_id, 'system');
    // Read the posted messages from the state after the takeover, because the process may have posted more since
    // `left`.
    const { subject, task, messages } = state.open.get(delivery)!;
    const facts_ = { request_id, subject, task: unseal(task), messages: messages ? unseal(messages) : null };
    return { ...this.#reply(delivery, facts_), isTaken: true };
  }

  /** The earlier turns of the conversation, oldest first, as context for a question. May fail with `unavailable`. */
  async turns(): Promise<HistoryMessage[]> {
    const { aggregate, commands } = this.#deps;
    const { turns } = await aggregate.load();
    const asks = await Promise.all(turns.slice(-turnsRead).map((id) => commands.ask(id).load()));
    return asks.flatMap(({ asked, ending }): HistoryMessage[] => {
      if (
        asked === null ||
        asked.forgotten ||
        (ending?.type !== 'AnswerGiven' && ending?.type !== 'AnswerWithheld')
      )
        return [];
      return [
        { role: 'user', content: asked.query },
        { role: 'assistant', content: ending.data.answer.slice(0, turnUnitsMax) },
      ];
    });
  }

  #reply(
    delivery: string,
    { request_id, subject, task, messages }: Pick<ChatReply, 'request_id' | 'subject' | 'task' | 'messages'>,
  ): ChatReply {
    const { aggregate, worker, clock, seal, heldSince, renew } = this.#deps;
    let looked = performance.now();
    return {
      id: `${this.id} ${delivery}`,
      request_id,
      subject,
      task,
      messages,
      chat: this,
      isTaken: false,
      turn: (signal) => this.#until((state) => earlier(state, delivery).length === 0, signal),
      over: () => this.#until(({ open }) => !open.has(delivery)),
      held: async (surely = false) => {
        if (!surely && looked >= heldSince()) return;
        // Renew the lease first, so that any process that checks from now on sees that this process is alive.
        await renew();
        const now = performance.now();
        if (!holds(await aggregate.load(), delivery, worker)) throw new ReplyLost();
        looked = now;
      },
      posted: async (now) => {
        const posted = { type: 'Post', delivery, worker, messages: seal(now) } as const;
        const { state } = await this.#execute(posted, request_id);
        if (!holds(state, delivery, worker)) throw new ReplyLost();
      },
      end: async (answered) => {
        const now = clock.now().toISOString();
        const { events } = await this.#execute({ type: 'End', delivery, worker, answered, now }, request_id);
        if (events.length === 0) throw new ReplyLost();
      },
    };
  }

  /** Resolves when other processes have reached a state, when the signal aborts, or after a minute at the latest. */
  async #until(isReached: (state: ChatState) => boolean, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + turnMs;
    while (!isReached(await this.#deps.aggregate.load())) {
      if (signal?.aborted || performance.now() > until) return;
      await sleep(turnLookMs, null, { signal }).catch(() => {});
    }
  }

  #execute(command: ChatCommand, correlation_id = this.id) {
    return this.#deps.aggregate.execute(command, { actor: 'public', correlation_id });
  }
}

/** The request id of a message for a worker: a worker never has two asks for the same message. */
const requestId = ({ chat_id }: ChatFacts, delivery: string, worker: string) =>
  uuidv8('chat', chat_id, delivery, worker);
