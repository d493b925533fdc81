/**
 * Seals the history periodically: appends a signed checkpoint over all events and publishes it. Every instance with the
 * key may run a sealer. A history that does not match its checkpoints is not sealed any further.
 */

import { uuidv7 } from '../domain/ids.ts';
import type { Cause, Commands } from '../event-sourcing/commands.ts';
import { Failure } from '../failures.ts';
import { readCheckpoint, signCheckpoint } from './checkpoint.ts';
import { type CheckpointTarget, checkpointTarget } from './publish.ts';
import type { TreeHead } from './sealed-log.ts';
import { keyChange } from './sealing-events.ts';
import { readSigningKey, type SigningKey } from './signed-note.ts';

export interface SealerDeps {
  key: SigningKey;
  /** The previous sealing key; null if it is the same or there was none. */
  before: SigningKey | null;
  /** The current head of the history's tree. */
  head(signal: AbortSignal): Promise<TreeHead>;
  commands: Pick<Commands, 'sealing'>;
  /** Where checkpoints are published; null if they are not. A failure is retried with the next seal. */
  target: CheckpointTarget | null;
  onTrouble(sentence: string): void;
  everyMs: number;
}

export interface SealingSettings {
  /** The sealing key and the previous one, as printed by `seal-key`. */
  key: string;
  before: string | null;
  /** The same as for `checkpointTarget`; null if checkpoints are not published. */
  to: string | null;
  everyMs: number;
}

/** Fails with `invalid` if a key is invalid. */
export const openSealer = (
  { key, before, to, everyMs }: SealingSettings,
  deps: Pick<SealerDeps, 'head' | 'commands' | 'onTrouble'>,
): Sealer =>
  new Sealer({
    ...deps,
    key: readSigningKey(key),
    before: before === null ? null : readSigningKey(before),
    target: to === null ? null : checkpointTarget(to),
    everyMs,
  });

export class Sealer {
  readonly #deps: SealerDeps;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sealing: Promise<void> | null = null;
  #checkpoint: string | null = null;
  #published = -1;
  #fault: string | null = null;
  /**
   * Whether the history was found to be shorter than before during the previous seal; the node that was read may be
   * lagging.
   */
  #short = false;
  #reported = '';

  constructor(deps: SealerDeps) {
    this.#deps = deps;
  }

  /** Starts periodic sealing. The timer does not keep the process alive. */
  start(): void {
    this.#timer = setInterval(() => void this.#sealQuietly(), this.#deps.everyMs).unref();
    void this.#sealQuietly();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#sealing?.catch(() => {});
  }

  get key(): string {
    return this.#deps.key.verifying.text;
  }

  /** The last checkpoint; null if there is none yet. */
  get checkpoint(): string | null {
    return this.#checkpoint;
  }

  /** Why the history cannot be trusted; null if no fault was found. */
  get fault(): string | null {
    return this.#fault;
  }

  async #sealQuietly(): Promise<void> {
    try {
      await this.seal();
      this.#reported = '';
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const why = error instanceof Failure ? error.detail : 'an unexpected error';
      if (this.#reported !== why) this.#deps.onTrouble(`Sealing is paused: ${why}`);
      this.#reported = why;
    }
  }

  /**
   * Seals the unsealed events and publishes the last checkpoint. Rejects if the history fails, or with `invalid` from
   * domain/sealing.ts.
   */
  seal(): Promise<void> {
    this.#sealing ??= this.#seal().finally(() => {
      this.#sealing = null;
    });
    return this.#sealing;
  }

  async #seal(): Promise<void> {
    const { key, before, commands, target, head } = this.#deps;
    // Read this before the history, which must then contain all events of a published checkpoint.
    const kept = (await target?.kept()) ?? 0;
    const found = await head(this.#stopping.signal);
    this.#checkpoint = found.checkpoint;
    this.#refuseOther(found, kept);
    if (found.unsealed) {
      const { name, text } = key.verifying;
      const origin = (found.checkpoint && readCheckpoint(found.checkpoint)?.origin) || name;
      const { size } = found;
      const checkpoint = signCheckpoint({ origin, size, root: Buffer.from(found.root, 'base64') }, key);
      const change = before && keyChange(before, key);
      const cause: Cause = { actor: 'system', correlation_id: uuidv7() };
      const { state } = await commands.sealing.execute(
        { type: 'SealHistory', size, checkpoint, key: text, change },
        cause,
      );
      this.#checkpoint = state.last!.checkpoint;
    }
    const last = this.#checkpoint && readCheckpoint(this.#checkpoint);
    if (!last || last.size === this.#published) return;
    await target?.publish(last.size, this.#checkpoint!);
    this.#published = last.size;
  }

  /** Fails with `internal` if the history does not match its checkpoints, or is shorter than before. */
  #refuseOther({ size, broken, cut }: TreeHead, kept: number): void {
    const other =
      broken === null
        ? null
        : `The history differs from the sealed one: the first ${broken} events do not match their checkpoint.`;
    const shorter = cut
      ? `The history was truncated: it no longer contains all of its ${size} events.`
      : size < kept
        ? `The history was truncated: it has ${size} events, and the last published checkpoint covers ${kept}.`
        : null;
    this.#fault = other ?? (this.#short ? shorter : null);
    this.#short = shorter !== null;
    const why = other ?? shorter;
    if (why !== null) throw new Failure('internal', why);
  }
}
