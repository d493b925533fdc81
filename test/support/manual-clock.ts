import type { Clock } from '../../src/ports/clock.ts';

/** A clock that only a test advances. */
export class ManualClock implements Clock {
  ms: number;

  constructor(start: string | number = Date.UTC(2026, 0, 1, 10)) {
    this.ms = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.ms);
  }
}
