/** Computes each value at most once at a time within a process, for as long as a caller is waiting for it. */
import { orAborted } from '../async/until-aborted.ts';

interface Flight {
  making: Promise<unknown>;
  waiting: number;
  /** Aborted when all waiting callers have left. */
  deserted: AbortController;
}

export class SingleFlight {
  readonly #underWay = new Map<string, Flight>();

  /**
   * Runs `make` unless the same key is already being computed. `shared` is true if the result came from another
   * caller's computation. If that computation fails, this caller runs its own `make`. Rejects with the error of its own
   * `make`, or with `cancelled` as soon as the caller's signal aborts. The signal passed to `make` aborts when all
   * waiting callers have left in this way.
   */
  async run<T>(
    key: string,
    make: (deserted: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T; shared: boolean }> {
    const running = this.#underWay.get(key);
    if (running === undefined || running.deserted.signal.aborted)
      return { value: (await waited(this.#start(key, make), signal)) as T, shared: false };
    const outcome = await waited(running, signal).then(
      (value) => ({ value: value as T }),
      (error: unknown) => {
        if (signal.aborted) throw error;
        return null;
      },
    );
    return outcome === null
      ? { value: await orAborted(make(signal), signal), shared: false }
      : { value: outcome.value, shared: true };
  }

  #start(key: string, make: (deserted: AbortSignal) => Promise<unknown>): Flight {
    const deserted = new AbortController();
    const flight: Flight = { making: make(deserted.signal), waiting: 0, deserted };
    this.#underWay.set(key, flight);
    const landed = () => {
      if (this.#underWay.get(key) === flight) this.#underWay.delete(key);
    };
    flight.making.then(landed, landed);
    return flight;
  }
}

async function waited(flight: Flight, signal: AbortSignal): Promise<unknown> {
  flight.waiting++;
  try {
    return await orAborted(flight.making, signal);
  } finally {
    if (--flight.waiting === 0 && signal.aborted) flight.deserted.abort();
  }
}
