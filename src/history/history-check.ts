/**
 * Verifies a history against its own checkpoints and against copies kept elsewhere, event by event in log order. Only
 * the leaves since the last checkpoint are kept, so a history of any length can be verified.
 *
 * This proves that the events up to the last checkpoint are exactly those that were sealed. Later events are counted
 * but not verified.
 */
import type { StoredEvent } from '../ports/event-log.ts';
import { readCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { eventLeaf } from './event-leaf.ts';
import type { GrowingTree } from './merkle.ts';
import { isAgreedOn, sealingEvent } from './sealing-events.ts';
import { isSignedBy, readVerifyingKey, type VerifyingKey } from './signed-note.ts';
import { TreeSinceSeal } from './tree-since-seal.ts';

export type ProblemKind =
  /** A line of an export that is not an event. */
  | 'unreadable'
  /** A gap in a stream's revisions: an event is missing, was inserted or is out of order. */
  | 'revision'
  /** An event in the sealing stream is invalid, or its checkpoint has an impossible size. */
  | 'checkpoint'
  /** A checkpoint or a change of key has no valid signature by the right key. */
  | 'signature'
  /** The events differ from those that were sealed. */
  | 'root'
  /** A checkpoint kept elsewhere covers more events than exist. */
  | 'short'
  /** The events differ from those of a checkpoint kept elsewhere. */
  | 'outside'
  /** No checkpoint is signed by a trusted key. */
  | 'unsealed';

export interface Problem {
  kind: ProblemKind;
  /** The number of the event at which it was found, counted from 1; null if it concerns the whole history. */
  event: number | null;
  detail: string;
}

export interface HistoryReport {
  intact: boolean;
  events: number;
  streams: number;
  /** Number of checkpoints in the history, and number of events covered by the last valid one. */
  checkpoints: number;
  sealed: number;
  /** Number of valid checkpoints kept elsewhere. */
  outside: number;
  problems: Problem[];
  /** Number of problems that are not listed; only the first ones are. */
  more: number;
}

export interface HistoryCheckOptions {
  /** Trusted keys. Checkpoints signed with earlier keys count if a trusted key has replaced those keys. */
  trusted: readonly VerifyingKey[];
  /** Checkpoints kept outside the history. */
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
  /** Key changes: event, from, to. */
  readonly #changes: { event: number; from: string; to: string }[] = [];
  readonly #problems: Problem[] = [];
  #more = 0;
  /** External checkpoints not reached yet, smallest last. */
  readonly #outside: SignedCheckpoint[];
  #outsideHeld = 0;
  #broken = false;

  constructor({ trusted, outside = [] }: HistoryCheckOptions) {
    this.#trusted = trusted;
    this.#outside = outside.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
  }

  /** Number of events so far. */
  get events(): number {
    return this.#tree.size;
  }

  readonly #compareOutside = (tree: GrowingTree): void => {
    for (let next = this.#outside.at(-1); next?.size === tree.size; next = this.#outside.at(-1)) {
      this.#outside.pop();
      if (!this.#trusted.some((key) => isSignedBy(next.note, key)))
        this.#found(
          'signature',
          null,
          `The external checkpoint of ${next.size} events is not signed by a trusted key.`,
        );
      else if (tree.root().equals(next.root)) this.#outsideHeld++;
      else
        this.#found(
          'outside',
          null,
          `The first ${next.size} events differ from those of the external checkpoint of that size.`,
        );
    }
  };

  #found(kind: ProblemKind, event: number | null, detail: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push({ kind, event, detail });
    else this.#more++;
  }

  /** Reports that the next entry is not an event. */
  unreadable(detail: string): void {
    this.#found('unreadable', this.events + 1, detail);
  }

  add(event: StoredEvent): void {
    const number = this.events + 1;
    const { stream, revision } = event;
    const expected = this.#revisions.get(stream) ?? 0;
    if (revision !== expected)
      this.#found('revision', number, `${stream} continues with revision ${revision}, expected ${expected}.`);
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
      this.#found('checkpoint', event, `A checkpoint of ${before} to ${event - 1} events was expected.`);
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
    // Every later checkpoint fails for the same reason, so report it only once.
    this.#broken = true;
    this.#found(
      'root',
      event,
      `Events ${before + 1} to ${checkpoint.size} differ from the sealed ones: an event was changed, removed, inserted or moved.`,
    );
  }

  /**
   * Keys, each with the event before which it is valid. Trusted keys are always valid; others are valid until they were
   * replaced by a trusted key.
   */
  #chain(): Map<string, number> {
    const keys = new Map(this.#trusted.map(({ text }) => [text, Number.POSITIVE_INFINITY]));
    for (const { event, from, to } of this.#changes.toReversed()) {
      if (keys.has(to) && event < keys.get(to)! && !keys.has(from)) keys.set(from, event);
    }
    return keys;
  }

  /** The report on all entries added. */
  finish(): HistoryReport {
    this.#tree.seal(this.events, this.#compareOutside);
    for (const { size } of this.#outside.toReversed())
      this.#found(
        'short',
        null,
        `An external checkpoint covers ${size} events, but there are only ${this.events}.`,
      );
    const chain = this.#chain();
    let [sealed, vouched] = [0, false];
    for (const { event, size, key } of this.#seals) {
      const until = chain.get(key);
      if (until === undefined || event > until)
        this.#found(
          'signature',
          event,
          `The checkpoint of ${size} events is signed by a key that is not trusted at that point.`,
        );
      else {
        sealed = size;
        vouched ||= until === Number.POSITIVE_INFINITY;
      }
    }
    if (!vouched) this.#found('unsealed', null, 'No checkpoint in the history is signed by a trusted key.');
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
