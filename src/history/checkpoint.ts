/** Checkpoints (c2sp.org/tlog-checkpoint): the size and root of a history's tree at a moment, as a signed note. */
import type { Hash } from './merkle.ts';
import { readNote, type SignedNote, type SigningKey, signNote } from './signed-note.ts';

export interface Checkpoint {
  /** Which history: the name of the key it began with. */
  origin: string;
  /** Events it stands for: so many first ones. */
  size: number;
  root: Hash;
}

export interface SignedCheckpoint extends Checkpoint {
  note: SignedNote;
}

export function signCheckpoint({ origin, size, root }: Checkpoint, key: SigningKey): string {
  return signNote(`${origin}\n${size}\n${root.toString('base64')}\n`, key);
}

/** null: this is no checkpoint. Its signatures are not looked at. */
export function readCheckpoint(text: string): SignedCheckpoint | null {
  const note = readNote(text);
  const [origin, size, base64] = note?.text.split('\n') ?? [];
  const root = Buffer.from(base64 ?? '', 'base64');
  if (note === null || !origin || !/^(?:0|[1-9]\d{0,14})$/.test(size ?? '') || root.length !== 32)
    return null;
  return { origin, size: Number(size), root, note };
}
