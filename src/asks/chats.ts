/**
 * Conversations in chats. A message is recorded as unanswered before it is acknowledged to the platform, and as
 * answered once the answer is in the chat. If a process stops in between, another one continues. The data that a
 * connector needs for this (the chat, the message and its text) is sealed with the deployment's secret. Chats, messages
 * and people have opaque names.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lru } from '../async/lru.ts';
import type { AskCommand, AskState } from '../domain/ask.ts';
import { type ChatCommand, type ChatState, earlier, filesAt, holds } from '../domain/chat.ts';
import type { ChatFacts, ChatSettings, FaqProposal, HistoryMessage } from '../domain/events.ts';
import { uuidv8 } from '../domain/ids.ts';
import { decrypt, encrypt } from '../encryption.ts';
import type { Aggregate, Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import { type Leases, leaseMs, renewMs } from '../ports/leases.ts';
import type { Records } from '../ports/read-models.ts';
import type { RecordedAsks } from './recorded-asks.ts';

export type ChatChannel = ChatFacts['channel'];

export interface ChatsDeps {
  commands: Pick<Commands, 'chat' | 'ask' | 'faq'>;
  reads: Pick<Records, 'find'>;
  leases: Leases;
  recordedAsks: Pick<RecordedAsks, 'find' | 'cancel'>;
  secret(): Buffer;
  clock: Clock;
}

/** Maximum number of conversations whose state is kept in memory. */
const chatsKept = 2_000;
/** Number of questions examined for each recent question listed, because some were asked more than once. */
const recentFactor = 3;
/** Maximum number of replies taken over at a time. */
const takenAtOnce = 100;
/**
 * How long after a renewal a worker can be certain that it holds its lease, in ms. Other processes see the lease expire
 * later.
 */
const certainMs = leaseMs - 2 * renewMs;
/** How often, and for how long at most, to check whether another process has answered a message, in ms. */
const turnLookMs = 400;
const turnMs = 60_000;

/** Thrown when another process has taken over the reply, so that this process must no longer write it. */
export class ReplyLost extends Error {
  constructor() {
    super('Another process is answering this message.');
    this.name = 'ReplyLost';
  }
}

export class Chats {
  readonly #deps: ChatsDeps;
  readonly #worker: string = randomUUID();
  readonly #aggregates = new Lru<string, ChatDeps['aggregate']>(chatsKept);
  #renewal: NodeJS.Timeout | null = null;
  /** When the last successful renewal of the lease began, by the monotonic clock. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** When the first renewal of the current series began. The lease cannot have expired since then. */
  #unbrokenSince = Number.POSITIVE_INFINITY;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  /**
   * Registers this process as one that answers messages. If it stops, other processes take over its unfinished replies.
   */
  async open(): Promise<void> {
    if (this.#renewal !== null) return;
    await this.#renew();
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), renewMs).unref();
  }

  async #renew(): Promise<void> {
    const begun = performance.now();
    if (!(await this.#deps.leases.take(workerLease(this.#worker)))) return;
    if (performance.now() - this.#renewedAt >= certainMs) this.#unbrokenSince = begun;
    this.#renewedAt = begun;
  }

  /**
   * The time since which no other process can have taken over a reply of this process. Infinity if this process may
   * have been paused or starved of CPU for long enough.
   */
  #heldSince(): number {
    return performance.now() - this.#renewedAt < certainMs ? this.#unbrokenSince : Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    if (this.#renewal === null) return;
    clearInterval(this.#renewal);
    this.#renewal = null;
    await this.#deps.leases.release(workerLease(this.#worker)).catch(() => {});
  }

  /** The author's opaque name in the history. It is always the same and does not identify the person. */
  subject(channel: ChatChannel, ...names: readonly string[]): string {
    return `${channel}:${this.#opaque('subject', channel, ...names).slice(0, 22)}`;
  }

  /**
   * A person's latest questions in all chats, most recent first and without repetitions. May fail with `unavailable`.
   */
  async recent(channel: ChatChannel, subject: string, max: number): Promise<string[]> {
    const { items } = await this.#deps.reads.find('queries', {
      where: { channel, subject },
      orderBy: { field: 'asked_at', descending: true },
      limit: max * recentFactor,
    });
    return [...new Set(items.map(({ query }) => String(query)))].slice(0, max);
  }

  /** The channels and groups that have their own settings, most recently changed first. May fail with `unavailable`. */
  async rooms(channel: ChatChannel, max: number): Promise<(ChatSettings & { place: string })[]> {
    const { items } = await this.#deps.reads.find('chat_settings', {
      where: { platform: channel },
      orderBy: { field: 'changed_at', descending: true },
      limit: max,
    });
    return items as unknown as (ChatSettings & { place: string })[];
  }

  /** The conversation identified by a combination of platform ids. */
  chat(channel: ChatChannel, ...names: readonly string[]): Chat {
    return this.#chat({ channel, chat_id: uuidv8(this.#opaque('chat', channel, ...names)) }, null);
  }

  /** The conversation with an id returned by `Chat.id`. */
  known(channel: ChatChannel, chat_id: string): Chat {
    return this.#chat({ channel, chat_id }, null);
  }

  /** A channel or group whose settings apply to all its conversations. `place` is its id on the platform. */
  place(channel: ChatChannel, place: string): Chat {
    return this.#chat({ channel, chat_id: uuidv8(this.#opaque('place', channel, place)) }, place);
  }

  /**
   * Whether an answer is more likely right than wrong, according to its evidence score (log-odds). True if no evidence
   * was needed, and false for an answer that was only repeated. Questions that are not addressed to the service are
   * answered only if this is true. May fail with `unavailable`.
   */
  async isConfident(requestId: string): Promise<boolean> {
    const { ending } = await this.#deps.commands.ask(requestId).load();
    if (ending?.type !== 'AnswerGiven') return false;
    const { evidence, faq } = ending.data;
    return faq?.answer_key ? false : (evidence?.score ?? 1) > 0;
  }

  /**
   * The question with a request id, its author, and whether help was requested or given; null if there is no such
   * question.
   */
  async asked(requestId: string): Promise<{ query: string; subject: string; help: AskState['help'] } | null> {
    const { asked, help } = await this.#deps.commands.ask(requestId).load();
    return asked && { query: asked.query, subject: asked.subject, help };
  }

  /** Records a request for help with a question. May fail with `not_found` or `unavailable`. */
  async requestHelp(request_id: string, subject: string): Promise<void> {
    const requested_at = this.#deps.clock.now().toISOString();
    await this.#toAsk(request_id, { type: 'RequestHelp', request: { request_id, subject, requested_at } });
  }

  /** Records that help was given, if a request for help is open. May fail with `unavailable`. */
  async resolveHelp(request_id: string, subject: string): Promise<void> {
    const resolved_at = this.#deps.clock.now().toISOString();
    await this.#toAsk(request_id, { type: 'ResolveHelp', resolution: { request_id, subject, resolved_at } });
  }

  async #toAsk(requestId: string, command: AskCommand): Promise<void> {
    const cause = { actor: 'public', correlation_id: requestId };
    await this.#deps.commands.ask(requestId).execute(command, cause);
  }

  /**
   * Proposes a question and its answer as a curated entry, which an administrator accepts or rejects. Fails with
   * `rate_limited` if too many proposals are waiting. May also fail with `unavailable`.
   */
  async propose(pair: Pick<FaqProposal, 'corpus_id' | 'question' | 'answer' | 'subject'>): Promise<void> {
    const proposal = { ...pair, proposed_at: this.#deps.clock.now().toISOString() };
    const cause = { actor: 'public', correlation_id: randomUUID() };
    await this.#deps.commands.faq.execute({ type: 'Propose', proposal }, cause);
  }

  /**
   * Takes over replies in this channel that a stopped process left unfinished. If there are many, it may return only
   * some of them, so call it again. May fail with `unavailable`.
   */
  async takeOver(channel: ChatChannel): Promise<ChatReply[]> {
    const { reads, leases } = this.#deps;
    const alive = new Map([[this.#worker, true]]);
    const taken: ChatReply[] = [];
    for (let offset = 0; taken.length === 0; offset += takenAtOnce) {
      const { items } = await reads.find('open_replies', {
        ...{ where: { channel }, orderBy: { field: 'started_at' } },
        ...{ limit: takenAtOnce, offset },
      });
      for (const { chat_id, delivery, worker } of items as unknown as Record<string, string>[]) {
        if (!alive.has(worker!)) alive.set(worker!, await leases.isHeld(workerLease(worker!)));
        if (alive.get(worker!)) continue;
        const reply = await this.#chat({ channel, chat_id: chat_id! }, null).take(delivery!, worker!);
        if (reply) taken.push(reply);
      }
      if (items.length < takenAtOnce) break;
    }
    return taken;
  }

  #chat(facts: ChatFacts, place: string | null): Chat {
    const { commands, recordedAsks, clock } = this.#deps;
    const aggregate = this.#aggregates.get(facts.chat_id) ?? commands.chat(facts.chat_id);
    this.#aggregates.set(facts.chat_id, aggregate);
    return new Chat({
      facts,
      place,
      aggregate,
      commands,
      recordedAsks,
      clock,
      worker: this.#worker,
      heldSince: () => this.#heldSince(),
      renew: () => this.#renew(),
      seal: (value) => seal(this.#key('task'), value),
      unseal: (sealed) => unseal(this.#key('task'), sealed),
      opaque: (name) => this.#opaque('delivery', facts.chat_id, name),
    });
  }

  #key(purpose: string): Buffer {
    return createHmac('sha256', this.#deps.secret()).update(`chats: ${purpose}`).digest();
  }

  #opaque(purpose: string, ...names: readonly string[]): string {
    return createHmac('sha256', this.#key(purpose)).update(JSON.stringify(names)).digest('base64url');
  }
}

interface ChatDeps extends Pick<ChatsDeps, 'commands' | 'recordedAsks' | 'clock'> {
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
    await this.#execute({
      type: 'ShareFile',
      file: { ...shared, shared_at: clock.now().toISOString() },
    });
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
      ...{ ...facts, delivery: name, request_id, subject, worker },
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
      ...{ request_id, subject, task, messages },
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

/** The number of question-answer pairs used as context. Each counts as two turns, so there are eight turns in total. */
const turnsRead = 4;
const turnUnitsMax = 4_000;

const workerLease = (worker: string) => `chat worker ${worker}`;

/** The request id of a message for a worker: a worker never has two asks for the same message. */
const requestId = ({ chat_id }: ChatFacts, delivery: string, worker: string) =>
  uuidv8('chat', chat_id, delivery, worker);

const seal = (key: Buffer, value: unknown): string =>
  encrypt(key, JSON.stringify(value)).toString('base64url');

/** Returns null if the value was sealed with another secret. */
function unseal(key: Buffer, sealed: string): unknown {
  try {
    return JSON.parse(decrypt(key, Buffer.from(sealed, 'base64url')).toString('utf8'));
  } catch {
    return null;
  }
}
