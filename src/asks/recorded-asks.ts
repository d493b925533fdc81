/** Finds, awaits and cancels recorded asks on all instances. */
import type { SourcePages } from '../answering/parts.ts';
import { orAborted } from '../async/until-aborted.ts';
import type { AskState } from '../domain/ask.ts';
import type { Forgettable, RecordedSource } from '../domain/events.ts';
import type { Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Asker } from './ask-port.ts';
import { type AnswerReader, mayReadAnswer } from './may-read-answer.ts';
import { type RecordedAsk, recordedAsk } from './replay-parts.ts';

/** Notifies that a process has recorded an event about asks. */
export interface AsksRecorded {
  /** Increases with each recorded event. */
  stamp(): number;
  /** Resolves when the current stamp exceeds `stamp` or the signal aborts. */
  after(stamp: number, signal: AbortSignal): Promise<void>;
}

/** How often a waiting caller checks again, in ms, in case a notification is lost. */
const lookMs = 5_000;

export class RecordedAsks {
  readonly #commands: Commands;
  readonly #clock: Clock;
  readonly #pages: SourcePages;
  readonly #recorded: AsksRecorded;
  readonly #rated: () => Promise<void>;
  readonly #refuseHidden: (corpusId: string, sources: readonly RecordedSource[]) => Promise<void>;
  /** Asks whose end is being awaited. All callers that wait for the same ask share one wait. */
  readonly #ending = new Map<
    string,
    { ended: Promise<RecordedAsk>; leave: AbortController; waiting: number }
  >();

  /**
   * `rated` resolves when a recorded rating takes effect for later asks. `refuseHidden` rejects if an answer relies on
   * content that is no longer shown.
   */
  constructor(
    commands: Commands,
    clock: Clock,
    pages: SourcePages,
    recorded: AsksRecorded,
    rated: () => Promise<void> = async () => {},
    refuseHidden: (corpusId: string, sources: readonly RecordedSource[]) => Promise<void> = async () => {},
  ) {
    this.#commands = commands;
    this.#clock = clock;
    this.#pages = pages;
    this.#recorded = recorded;
    this.#rated = rated;
    this.#refuseHidden = refuseHidden;
  }

  /**
   * Returns null if no question was asked under this id. Fails with `gone` if the content quoted in the answer is no
   * longer shown, and with `unavailable` if the history cannot be read.
   */
  async find(requestId: string): Promise<RecordedAsk | null> {
    return this.#shown(await this.#commands.ask(requestId).load());
  }

  async #shown(state: AskState): Promise<RecordedAsk | null> {
    const { asked, ending } = state;
    if (asked?.forgotten || (ending?.data as Forgettable | undefined)?.forgotten)
      throw new Failure('gone', 'This question and its answer were erased.');
    if (ending?.type === 'AnswerGiven' || ending?.type === 'AnswerWithheld')
      await this.#refuseHidden(ending.data.corpus_id, ending.data.sources);
    return recordedAsk(state, this.#pages);
  }

  /**
   * Returns the ask once it has ended. An ask whose deadline has passed is declared abandoned. Fails with `not_found`
   * if no question was asked under this id, with `gone` like `find`, and with `cancelled` if the signal ended the wait.
   */
  async ended(requestId: string, signal: AbortSignal): Promise<RecordedAsk> {
    const shared = this.#ending.get(requestId) ?? this.#awaitEnd(requestId);
    shared.waiting++;
    try {
      return await orAborted(shared.ended, signal);
    } finally {
      if (--shared.waiting === 0) shared.leave.abort();
    }
  }

  #awaitEnd(requestId: string) {
    const leave = new AbortController();
    const ended = this.#lookUntilEnded(requestId, leave.signal);
    const shared = { ended, leave, waiting: 0 };
    this.#ending.set(requestId, shared);
    const forget = () => {
      if (this.#ending.get(requestId) === shared) this.#ending.delete(requestId);
    };
    leave.signal.addEventListener('abort', forget, { once: true });
    ended.then(forget, forget);
    return shared;
  }

  async #lookUntilEnded(requestId: string, signal: AbortSignal): Promise<RecordedAsk> {
    const ask = this.#commands.ask(requestId);
    for (;;) {
      const stamp = this.#recorded.stamp();
      const found = await this.#shown(await ask.load());
      if (found === null) throw new Failure('not_found', 'No question was asked under this request id.');
      if (found.parts !== null) return found;
      const now = this.#clock.now();
      if (now >= new Date(found.deadline)) {
        await ask.execute({ type: 'Abandon', now }, { actor: 'system', correlation_id: requestId });
        continue;
      }
      const waitMs = Math.min(lookMs, Date.parse(found.deadline) - now.getTime());
      await this.#recorded.after(stamp, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
      if (signal.aborted) throw new Failure('cancelled', 'The caller has disconnected.');
    }
  }

  /**
   * Records the asker's rating of an answer. Repeating a rating changes nothing. Fails with `not_found` if there is no
   * answer under this id that the caller may read.
   */
  async rate(
    requestId: string,
    { rating, comment }: { rating: 'up' | 'down'; comment: string | null },
    caller: Asker & AnswerReader,
  ): Promise<void> {
    const ask = this.#commands.ask(requestId);
    const { asked } = await ask.load();
    const read = asked && { keyId: asked.key_id, corpusId: asked.corpus_id };
    if (asked === null || !read || !mayReadAnswer(read, caller))
      throw new Failure('not_found', 'There is no answer to rate under this request id.');
    const subject = caller.subject ?? asked.subject;
    await ask.execute(
      { type: 'Rate', rating: { request_id: requestId, subject, rating, comment } },
      { actor: caller.actor, correlation_id: requestId },
    );
    await this.#rated();
  }

  /** Ends a running ask immediately; the instance working on it will notice. Does nothing if it has already ended. */
  async cancel(requestId: string, actor: string): Promise<void> {
    const now = this.#clock.now();
    await this.#commands
      .ask(requestId)
      .execute({ type: 'Cancel', now }, { actor, correlation_id: requestId });
  }
}
