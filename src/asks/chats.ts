/**
 * Conversations in chats. A message is recorded as unanswered before it is acknowledged to the platform, and as
 * answered once the answer is in the chat. If a process stops in between, another one continues. The data that a
 * connector needs for this (the chat, the message and its text) is sealed with the deployment's secret. Chats, messages
 * and people have opaque names.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { Lru } from '../async/lru.ts';
import type { AskCommand, AskState } from '../domain/ask.ts';
import type { ChatFacts, ChatSettings, FaqProposal } from '../domain/events.ts';
import { uuidv8 } from '../domain/ids.ts';
import { decrypt, encrypt } from '../encryption.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import type { Clock } from '../ports/clock.ts';
import { type Leases, leaseMs, renewMs } from '../ports/leases.ts';
import type { Records } from '../ports/read-models.ts';
import { Chat, type ChatDeps, type ChatReply } from './chat.ts';
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
        where: { channel },
        orderBy: { field: 'started_at' },
        limit: takenAtOnce,
        offset,
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

const workerLease = (worker: string) => `chat worker ${worker}`;

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
