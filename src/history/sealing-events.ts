/** The stored events of sealing: a checkpoint over everything before it, and a change of key. */
import type { EventTypes } from '../domain/events.ts';
import { sealingStream } from '../domain/sealing.ts';
import type { StoredEvent } from '../ports/event-log.ts';
import { isSignedBy, readNote, readVerifyingKey, type SigningKey, signNote } from './signed-note.ts';

const statement = (from: string, to: string): string => `docent sealing key\n${from}\n${to}\n`;

/** A change of key, signed by both keys. Without the old key's signature, anyone could substitute another key. */
export const keyChange = (from: SigningKey, to: SigningKey): EventTypes['SealingKeyChanged'] => ({
  from: from.verifying.text,
  to: to.verifying.text,
  note: signNote(statement(from.verifying.text, to.verifying.text), from, to),
});

/** Whether both keys have signed the change. */
export function isAgreedOn({ from, to, note }: EventTypes['SealingKeyChanged']): boolean {
  try {
    const signed = readNote(note);
    return (
      signed?.text === statement(from, to) &&
      [from, to].every((key) => isSignedBy(signed, readVerifyingKey(key)))
    );
  } catch {
    return false;
  }
}

/** The content of an event in the sealing stream; null for any other event or for malformed data. */
export function sealingEvent({
  stream,
  type,
  data,
}: Pick<StoredEvent, 'stream' | 'type' | 'data'>):
  | { type: 'HistorySealed'; data: EventTypes['HistorySealed'] }
  | { type: 'SealingKeyChanged'; data: EventTypes['SealingKeyChanged'] }
  | null {
  if (stream !== sealingStream) return null;
  if (type !== 'HistorySealed' && type !== 'SealingKeyChanged') return null;
  try {
    const value = JSON.parse(Buffer.from(data).toString('utf8')) as Record<string, unknown>;
    const texts = type === 'HistorySealed' ? ['checkpoint', 'key'] : ['from', 'to', 'note'];
    if (!texts.every((name) => typeof value[name] === 'string')) return null;
    return { type, data: value } as ReturnType<typeof sealingEvent>;
  } catch {
    return null;
  }
}
