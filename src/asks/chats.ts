/**
 * Conversations in chats. A message is recorded as to be answered before its platform is told that it arrived, and as
 * answered when the answer stands in the chat: whichever process dies between, another goes on. What a connector needs
 * for that (whose chat, which message, its text) is sealed with the deployment's secret; chats, messages and people go
 * by opaque names.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskCommand, AskState } from '../domain/ask.ts';
import { type ChatCommand, type ChatState, earlier, filesAt, holds } from '../domain/chat.ts';
import type { ChatFacts, ChatSettings, FaqProposal, HistoryMessage } from '../domain/events.ts';
import { uuidv8 } from '../domain/ids.ts';
import type { Aggregate, Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Position } from '../ports/event-log.ts';
import { type Leases, leaseMs, renewMs } from '../ports/leases.ts';
import type { Records } from '../ports/read-models.ts';
import type { AskHistory } from './history.ts';
import { Lru } from './lru.ts';

export type ChatChannel = ChatFacts['channel'];

export interface ChatsDeps {
  commands: Pick<Commands, 'chat' | 'ask' | 'faq'>;
  reads: Pick<Records, 'find'>;
  leases: Leases;
  history: Pick<AskHistory, 'find' | 'cancel'>;
  secret(): Buffer;
  clock: Clock;
}

/** Conversations whose state is kept in memory. */
const chatsKept = 2_000;
/** Questions examined for each one listed as asked last: some were asked again. */
const recentFactor = 3;
/** Replies taken over at a time. */
const takenAtOnce = 100;
/** For so long after it was renewed, a worker's lease is held for certain: others see it expire later. */
const certainMs = leaseMs - 2 * renewMs;
/** How often a message looks whether another process has answered the one before it, in ms, and how long at most. */
const turnLookMs = 400;
const turnMs = 60_000;

/** Another process has gone on with a reply: this one must write nothing more of it. */
export class ReplyLost extends Error {
  constructor() {
    super('Another process answers this message.');
    this.name = 'ReplyLost';
  }
}

export class Chats {
  readonly #deps: ChatsDeps;
  readonly #worker: string = randomUUID();
  readonly #aggregates = new Lru<string, ChatDeps['aggregate']>(chatsKept);
  #renewal: NodeJS.Timeout | null = null;
  /** When the last renewal of the lease that succeeded was begun, by the monotonic clock. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** The first of the renewals between which the lease cannot have run out. */
  #unbrokenSince = Number.POSITIVE_INFINITY;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  /** Makes this process one that answers; what it leaves behind when it dies is taken over by others. */
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
   * Since when nobody can have taken over a reply of this process; Infinity where it may have been paused or starved
   * for so long that somebody has.
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

  /** Who writes, as the history knows it: the same always, and nothing a person could be found by. */
  subject(channel: ChatChannel, ...names: readonly string[]): string {
    return `${channel}:${this.#opaque('subject', channel, ...names).slice(0, 22)}`;
  }

  /** What a person asked last, wherever it was, the latest first; each question once. Failure `unavailable`. */
  async recent(channel: ChatChannel, subject: string, max: number): Promise<string[]> {
    const { items } = await this.#deps.reads.find('queries', {
      where: { channel, subject },
      orderBy: { field: 'asked_at', descending: true },
      limit: max * recentFactor,
    });
    return [...new Set(items.map(({ query }) => String(query)))].slice(0, max);
  }

  /** The channels and groups that have settings of their own, the latest changed first. Failure `unavailable`. */
  async rooms(channel: ChatChannel, max: number): Promise<(ChatSettings & { place: string })[]> {
    const { items } = await this.#deps.reads.find('chat_settings', {
      where: { platform: channel },
      orderBy: { field: 'changed_at', descending: true },
      limit: max,
    });
    return items as unknown as (ChatSettings & { place: string })[];
  }

  /** The conversation of this name, identified by any of the platform's ids. */
  chat(channel: ChatChannel, ...names: readonly string[]): Chat {
    return this.#chat({ channel, chat_id: uuidv8(this.#opaque('chat', channel, ...names)) }, null);
  }

  /** The conversation of an id that `Chat.id` gave. */
  known(channel: ChatChannel, chat_id: string): Chat {
    return this.#chat({ channel, chat_id }, null);
  }

  /** A channel or group, whose settings hold for all in it. `place`: the platform's id of it. */
  place(channel: ChatChannel, place: string): Chat {
    return this.#chat({ channel, chat_id: uuidv8(this.#opaque('place', channel, place)) }, place);
  }

  /**
   * Whether an answer is more likely right than not, by the score of its evidence, a log-odds. True where none was
   * needed, and false for an answer that was only given before. For what was asked of nobody, the service answers only
   * then. Failure `unavailable`.
   */
  async isConfident(requestId: string): Promise<boolean> {
    const { ending } = await this.#deps.commands.ask(requestId).load();
    if (ending?.type !== 'AnswerGiven') return false;
    const { evidence, faq } = ending.data;
    return faq?.answer_key ? false : (evidence?.score ?? 1) > 0;
  }

  /** What was asked under a request id, by whom, and whether people were called for help; null for nothing. */
  async asked(requestId: string): Promise<{ query: string; subject: string; help: AskState['help'] } | null> {
    const { asked, help } = await this.#deps.commands.ask(requestId).load();
    return asked && { query: asked.query, subject: asked.subject, help };
  }

  /** Asks people for help with a question; false where that was done before. Failure `not_found`, `unavailable`. */
  async requestHelp(request_id: string, subject: string): Promise<boolean> {
    const requested_at = this.#deps.clock.now().toISOString();
    return this.#toAsk(request_id, { type: 'RequestHelp', request: { request_id, subject, requested_at } });
  }

  /** Says that the help was given; false where none is open. Failure `unavailable`. */
  async resolveHelp(request_id: string, subject: string): Promise<boolean> {
    const resolved_at = this.#deps.clock.now().toISOString();
    return this.#toAsk(request_id, { type: 'ResolveHelp', resolution: { request_id, subject, resolved_at } });
  }

  async #toAsk(requestId: string, command: AskCommand): Promise<boolean> {
    const cause = { actor: 'public', correlation_id: requestId };
    const { events } = await this.#deps.commands.ask(requestId).execute(command, cause);
    return events.length > 0;
  }

  /**
   * Proposes a question with its answer as a curated entry, which an administrator accepts or rejects. Failure
   * `rate_limited`: too many wait; `unavailable`.
   */
  async propose(pair: Pick<FaqProposal, 'corpus_id' | 'question' | 'answer' | 'subject'>): Promise<void> {
    const proposal = { ...pair, proposed_at: this.#deps.clock.now().toISOString() };
    const cause = { actor: 'public', correlation_id: randomUUID() };
    await this.#deps.commands.faq.execute({ type: 'Propose', proposal }, cause);
  }

  /**
   * Replies of this channel that a process which has gone did not end, taken over by this one. Some may be missing
   * where many wait: ask again. Failure `unavailable`.
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
    const { commands, history, clock } = this.#deps;
    const aggregate = this.#aggregates.get(facts.chat_id) ?? commands.chat(facts.chat_id);
    this.#aggregates.set(facts.chat_id, aggregate, 1);
    return new Chat({
      facts,
      place,
      aggregate,
      commands,
      history,
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

interface ChatDeps extends Pick<ChatsDeps, 'commands' | 'history' | 'clock'> {
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

/** A message that is to be answered by this process. */
export interface ChatReply {
  /** Opaque; the same whoever answers it. */
  id: string;
  /** Of the ask it is answered with. */
  request_id: string;
  subject: string;
  chat: Chat;
  /** What the connector gave to `start`; null where it can no longer be read. */
  task: unknown;
  /** What it last gave to `posted`, in whichever process; null for nothing. */
  messages: unknown;
  /** Another process had begun it. */
  isTaken: boolean;
  /**
   * Resolves when no message of the conversation that came before this one is being answered, by whichever process;
   * after a minute at the latest. Failure `unavailable`.
   */
  turn(signal: AbortSignal): Promise<void>;
  /**
   * Resolves while this process has the reply: to be awaited before anything of it is written to the platform. Costs
   * nothing while the worker's lease is certain. Rejects with ReplyLost; Failure `unavailable`. `surely`: looks whatever
   * the lease says.
   */
  held(surely?: boolean): Promise<void>;
  /** Resolves when whoever has the reply has ended it; after a minute at the latest. Failure `unavailable`. */
  over(): Promise<void>;
  /** Records what stands in the chat by now. Rejects with ReplyLost; Failure `unavailable`. */
  posted(messages: unknown): Promise<void>;
  /** Ends it; `answered`: its ask belongs to what was said. Rejects with ReplyLost; Failure `unavailable`. */
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

  /** How it is to be answered. Failure `unavailable`. */
  async settings(): Promise<ChatSettings> {
    return (await this.#deps.aggregate.load()).settings;
  }

  /** Whether anything was asked in it that it remembers, or is being answered. Failure `unavailable`. */
  async isKnown(): Promise<boolean> {
    const { turns, open } = await this.#deps.aggregate.load();
    return turns.length > 0 || open.size > 0;
  }

  /**
   * Changes what is given and keeps the rest; the position of that in the history, null where it changes nothing. `by`: the subject of whoever
   * changes it in the chat, or the name of an administrator.
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

  /** Remembers for a day how the platform finds a file, as JSON. `id`: what tells it from others. Failure as `start`. */
  async share(id: string, subject: string, file: unknown): Promise<void> {
    const { facts, clock, seal, opaque } = this.#deps;
    const shared = { ...facts, subject, file_id: opaque(`file ${id}`), file: seal(file) };
    await this.#execute({
      type: 'ShareFile',
      file: { ...shared, shared_at: clock.now().toISOString() },
    });
  }

  /** The files that were given to `share` within a day, the latest at the end. Failure `unavailable`. */
  async files(): Promise<{ subject: string; file: unknown }[]> {
    const { aggregate, commands, clock, unseal } = this.#deps;
    const now = clock.now().toISOString();
    if (filesAt(await aggregate.load(), now).length === 0) return [];
    // Read anew: whoever sent one may have been forgotten since it was read.
    const shared = filesAt(await commands.chat(this.id).load(), now);
    return shared.flatMap(({ subject, file: sealed }) => {
      const file = unseal(sealed);
      return file === null ? [] : [{ subject, file }];
    });
  }

  /** What was said before and the files sent before are not read for the questions that follow. */
  async forget(): Promise<void> {
    const { facts, clock } = this.#deps;
    await this.#execute({ type: 'Forget', chat: facts, now: clock.now().toISOString() });
  }

  /**
   * Records that a message is to be answered by this process; null where it came before. `delivery`: what tells it from
   * others of the chat; `task`: what is needed to answer it, as JSON. Failure `unavailable`, `storage_full`: nothing
   * was recorded, and the platform had better deliver it again.
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

  /** Goes on with a reply of a process that has gone; null where another does. */
  async take(delivery: string, from: string): Promise<ChatReply | null> {
    const { aggregate, worker, history, clock, unseal, facts } = this.#deps;
    const left = (await aggregate.load()).open.get(delivery);
    if (left?.worker !== from) return null;
    const ended = await history.find(left.request_id).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'gone') return null;
      throw error;
    });
    // A finished ask is shown; one that is not is asked again under another id.
    const isAnswered = ended?.parts?.at(-1)?.type === 'done';
    const request_id = isAnswered ? left.request_id : requestId(facts, delivery, worker);
    const now = clock.now().toISOString();
    const { events } = await this.#execute(
      { type: 'Take', delivery, from, worker, request_id, now },
      request_id,
    );
    if (events.length === 0) return null;
    // Only who has won ends the other's ask: before that, the other may still be the one to answer.
    if (!isAnswered) await history.cancel(left.request_id, 'system');
    const { subject, task, messages } = left;
    const facts_ = { request_id, subject, task: unseal(task), messages: messages ? unseal(messages) : null };
    return { ...this.#reply(delivery, facts_), isTaken: true };
  }

  /** What was said, oldest first, as a question is asked with. Failure `unavailable`. */
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
    const { worker, clock, seal } = this.#deps;
    const looked = { at: performance.now() };
    return {
      id: `${this.id} ${delivery}`,
      ...{ request_id, subject, task, messages },
      chat: this,
      isTaken: false,
      turn: (signal) => this.#turn(delivery, signal),
      over: () => this.#over(delivery),
      held: (surely = false) => this.#held(delivery, looked, surely),
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

  async #turn(delivery: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + turnMs;
    while (earlier(await this.#deps.aggregate.load(), delivery).length > 0) {
      if (signal.aborted || performance.now() > until) return;
      await sleep(turnLookMs, null, { signal }).catch(() => {});
    }
  }

  async #over(delivery: string): Promise<void> {
    const until = performance.now() + turnMs;
    while ((await this.#deps.aggregate.load()).open.has(delivery) && performance.now() < until)
      await sleep(turnLookMs);
  }

  async #held(delivery: string, looked: { at: number }, surely: boolean): Promise<void> {
    const { aggregate, worker, heldSince, renew } = this.#deps;
    if (!surely && looked.at >= heldSince()) return;
    // Renewed first: whoever looks from now on sees that this process lives.
    await renew();
    const now = performance.now();
    if (!holds(await aggregate.load(), delivery, worker)) throw new ReplyLost();
    looked.at = now;
  }

  #execute(command: ChatCommand, correlation_id = this.id) {
    return this.#deps.aggregate.execute(command, { actor: 'public', correlation_id });
  }
}

/** Questions and answers that are read for a question: with them eight turns. */
const turnsRead = 4;
const turnUnitsMax = 4_000;

const workerLease = (worker: string) => `chat worker ${worker}`;

/** Of a message as one worker answers it: the same message never has two asks of one worker. */
const requestId = ({ chat_id }: ChatFacts, delivery: string, worker: string) =>
  uuidv8('chat', chat_id, delivery, worker);

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: IV, tag and text in base64url. */
function seal(key: Buffer, value: unknown): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** null for what was sealed with another secret. */
function unseal(key: Buffer, sealed: string): unknown {
  try {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(text.toString('utf8'));
  } catch {
    return null;
  }
}
