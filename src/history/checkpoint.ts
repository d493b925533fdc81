/**
 * Checkpoints (c2sp.org/tlog-checkpoint): the size and root of a history's tree at a given moment, as a signed note.
 */
import type { Hash } from './merkle.ts';
import { readNote, type SignedNote, type SigningKey, signNote } from './signed-note.ts';

export interface Checkpoint {
  /** Identifies the history by the name of its first key. */
  origin: string;
  /** The number of events covered, counted from the first event. */
  size: number;
  root: Hash;
}

export interface SignedCheckpoint extends Checkpoint {
  note: SignedNote;
}

export function signCheckpoint({ origin, size, root }: Checkpoint, key: SigningKey): string {
  return signNote(`${origin}\n${size}\n${root.toString('base64')}\n`, key);
}

/** Returns null if the text is not a checkpoint. Signatures are not verified. */
export function readCheckpoint(text: string): SignedCheckpoint | null {
  const note = readNote(text);
  const [origin, size, base64] = note?.text.split('\n') ?? [];
  const root = Buffer.from(base64 ?? '', 'base64');
  if (note === null || !origin || !/^(?:0|[1-9]\d{0,14})$/.test(size ?? '') || root.length !== 32)
    return null;
  return { origin, size: Number(size), root, note };
}
