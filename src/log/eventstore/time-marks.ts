/** Maps times to positions in the part of a history that was read backwards, with one mark per page. */
import { type EventLog, type Position, recordedAt, surelyAfter } from '../../ports/event-log.ts';

interface Mark {
  position: Position;
  time: string;
}

/** Number of events per read. */
const pageSize = 500;
/** Beyond this number, every second mark is dropped. */
const marksMax = 10_000;

export class TimeMarks {
  /** Latest first. */
  #marks: Mark[] = [];

  /**
   * Implements EventLog.lastBefore. Reads backwards from the earliest known position after which all events are
   * certainly later.
   */
  async lastBefore(log: Pick<EventLog, 'readStoredBefore'>, time: string): Promise<Position | null> {
    const later = surelyAfter(time);
    let before = this.#marks.findLast((mark) => mark.time >= later)?.position ?? null;
    for (;;) {
      const page = await log.readStoredBefore(before, pageSize);
      const found = page.find((event) => recordedAt(event) < time);
      if (found !== undefined || page.length === 0) return found?.position ?? null;
      const last = page.at(-1)!;
      before = last.position;
      this.#add({ position: before, time: recordedAt(last) });
    }
  }

  #add(mark: Mark): void {
    const at = this.#marks.findIndex(({ position }) => position <= mark.position);
    if (this.#marks[at]?.position === mark.position) return;
    this.#marks.splice(at === -1 ? this.#marks.length : at, 0, mark);
    if (this.#marks.length > marksMax) this.#marks = this.#marks.filter((_, n) => n % 2 === 0);
  }
}
