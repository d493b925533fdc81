/** Finds the most recently used sealing key among the newest events of a history. */
import type { EventType } from '../domain/events.ts';
import type { EventLog, Position } from '../ports/event-log.ts';
import { keyIdOf } from './personal-cipher.ts';

/** Maximum number of events to read, so that a long history does not slow down startup. */
const lookedAtMax = 1_000;
const pageSize = 250;

/** The id of the key; null if none of the newest events is sealed. May fail with `unavailable`. */
export async function sealedLastWith(log: Pick<EventLog, 'readStoredBefore'>): Promise<string | null> {
  let before: Position | null = null;
  for (let looked = 0; looked < lookedAtMax; ) {
    const page = await log.readStoredBefore(before, pageSize);
    for (const { type, data } of page) {
      const id = keyIdOf(type as EventType, JSON.parse(Buffer.from(data).toString('utf8')));
      if (id !== null) return id;
    }
    looked += page.length;
    before = page.at(-1)?.position ?? null;
    if (before === null) break;
  }
  return null;
}
