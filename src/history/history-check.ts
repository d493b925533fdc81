/**
 * Verifies a history against its own checkpoints and against copies kept elsewhere, event by event, in the order of
 * the whole log. Of the leaves it keeps those since the last checkpoint, so a history of any length can be read
 * through.
 *
 * What is shown: every event up to the last checkpoint is the one that was sealed, none is missing and none was put
 * in. Events after it are counted and not vouched for.
 */
import type { StoredEvent } from '../ports/event-log.ts';
import { readCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { eventLeaf } from './event-leaf.ts';
import type { GrowingTree } from './merkle.ts';
import { isAgreedOn, sealingEvent } from './sealing-events.ts';
import { isSignedBy, readVerifyingKey, type VerifyingKey } from './signed-note.ts';
import { TreeSinceSeal } from './tree-since-seal.ts';

export type ProblemKind =
  /** A line of an export that is no event. */
  | 'unreadable'
  /** A stream's revisions do not follow each other: an event is missing, was put in or stands elsewhere. */
  | 'revision'
  /** An event of the sealing stream is none, or its checkpoint's size cannot be. */
  | 'checkpoint'
  /** A checkpoint or a change of key is not signed by whom it should be. */
  | 'signature'
  /** Events are not those that were sealed. */
  | 'root'
  /** A checkpoint kept elsewhere is of more events than there are. */
  | 'short'
  /** Events are not those of a checkpoint kept elsewhere. */
  | 'outside'
  /** No checkpoint is of a key that is trusted. */
  | 'unsealed';

export interface Problem {
  kind: ProblemKind;
  /** Which event it was seen at, counted from 1; null where it is of the whole. */
  event: number | null;
  detail: string;
}

export interface HistoryReport {
  intact: boolean;
  events: number;
  streams: number;
  /** Checkpoints in the history, and how many events the last sound one stands for. */
  checkpoints: number;
  sealed: number;
  /** Checkpoints that were kept elsewhere and hold. */
  outside: number;
  problems: Problem[];
  /** Of the problems only the first are told. */
  more: number;
}

export interface HistoryCheckOptions {
  /** Keys whose word is taken; checkpoints of earlier keys count where these say that they took over from them. */
  trusted: readonly VerifyingKey[];
  /** Checkpoints that were kept outside the history. */
  outside?: readonly SignedCheckpoint[];
}

const problemsMax = 100;

interface Seal {
  event: number;
  size: number;
  key: string;
}

export class HistoryCheck {
  readonly #trusted: readonly VerifyingKey[];
  readonly #tree = new TreeSinceSeal();
  readonly #revisions = new Map<string, number>();
  readonly #seals: Seal[] = [];
  /** Keys that took over from others: event, from, to. */
  readonly #changes: { event: number; from: string; to: string }[] = [];
  readonly #problems: Problem[] = [];
  #more = 0;
  /** Outside checkpoints not yet reached, the smallest last. */
  readonly #outside: SignedCheckpoint[];
  #outsideHeld = 0;
  #broken = false;

  constructor({ trusted, outside = [] }: HistoryCheckOptions) {
    this.#trusted = trusted;
    this.#outside = outside.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
  }

  /** Events seen. */
  get events(): number {
    return this.#tree.size;
  }

  readonly #compareOutside = (tree: GrowingTree): void => {
    for (let next = this.#outside.at(-1); next?.size === tree.size; next = this.#outside.at(-1)) {
      this.#outside.pop();
      if (!this.#trusted.some((key) => isSignedBy(next.note, key)))
        this.#found('signature', null, `The outside checkpoint of ${next.size} events is of no trusted key.`);
      else if (tree.root().equals(next.root)) this.#outsideHeld++;
      else
        this.#found(
          'outside',
          null,
          `The first ${next.size} events are not those of the outside checkpoint of that size.`,
        );
    }
  };

  #found(kind: ProblemKind, event: number | null, detail: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push({ kind, event, detail });
    else this.#more++;
  }

  /** The next entry is no event. */
  unreadable(detail: string): void {
    this.#found('unreadable', this.events + 1, detail);
  }

  add(event: StoredEvent): void {
    const number = this.events + 1;
    const { stream, revision } = event;
    const expected = this.#revisions.get(stream) ?? 0;
    if (revision !== expected)
      this.#found('revision', number, `${stream} goes on with revision ${revision}, expected ${expected}.`);
    this.#revisions.set(stream, revision + 1);
    this.#tree.add(eventLeaf(event));
    const sealing = sealingEvent(event);
    if (sealing?.type === 'HistorySealed') this.#sealed(number, sealing.data);
    else if (sealing?.type === 'SealingKeyChanged') {
      if (isAgreedOn(sealing.data)) this.#changes.push({ event: number, ...sealing.data });
      else this.#found('signature', number, 'A change of the sealing key is not signed by both keys.');
    }
  }

  #sealed(event: number, { checkpoint: text, key }: { checkpoint: string; key: string }): void {
    const checkpoint = readCheckpoint(text);
    const before = this.#tree.sealed;
    if (checkpoint === null || checkpoint.size < before || checkpoint.size >= event) {
      this.#found('checkpoint', event, `A checkpoint after ${before} and before ${event} was expected.`);
      return;
    }
    if (!signedBy(checkpoint, key)) {
      this.#found(
        'signature',
        event,
        `The checkpoint of ${checkpoint.size} events is not signed by its key.`,
      );
      return;
    }
    const same = this.#tree.seal(checkpoint.size, this.#compareOutside).equals(checkpoint.root);
    this.#seals.push({ event, size: checkpoint.size, key });
    if (same || this.#broken) return;
    // Every later checkpoint differs for the same cause, which is told once.
    this.#broken = true;
    this.#found(
      'root',
      event,
      `Events ${before + 1} to ${checkpoint.size} are not those that were sealed: one was changed, taken out, put in or moved.`,
    );
  }

  /** Keys by the event before which they count: the trusted ones always, others until a trusted one took over. */
  #chain(): Map<string, number> {
    const keys = new Map(this.#trusted.map(({ text }) => [text, Number.POSITIVE_INFINITY]));
    for (const { event, from, to } of this.#changes.toReversed()) {
      if (keys.has(to) && event < keys.get(to)! && !keys.has(from)) keys.set(from, event);
    }
    return keys;
  }

  /** The report on all that was added. */
  finish(): HistoryReport {
    this.#tree.seal(this.events, this.#compareOutside);
    for (const { size } of this.#outside.toReversed())
      this.#found(
        'short',
        null,
        `A checkpoint kept outside stands for ${size} events, ${this.events} are here.`,
      );
    const chain = this.#chain();
    let [sealed, vouched] = [0, false];
    for (const { event, size, key } of this.#seals) {
      const until = chain.get(key);
      if (until === undefined || event > until)
        this.#found(
          'signature',
          event,
          `The checkpoint of ${size} events is of a key that is not trusted there.`,
        );
      else {
        sealed = size;
        vouched ||= until === Number.POSITIVE_INFINITY;
      }
    }
    if (!vouched) this.#found('unsealed', null, 'No checkpoint in the history is of a key that is trusted.');
    return {
      intact: this.#problems.length === 0,
      events: this.events,
      streams: this.#revisions.size,
      checkpoints: this.#seals.length,
      sealed: vouched && !this.#broken ? sealed : 0,
      outside: this.#outsideHeld,
      problems: this.#problems,
      more: this.#more,
    };
  }
}

function signedBy({ note }: SignedCheckpoint, key: string): boolean {
  try {
    return isSignedBy(note, readVerifyingKey(key));
  } catch {
    return false;
  }
}
