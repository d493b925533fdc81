/** Concurrent work of a run: its total weight is limited, and one step of it takes place in order. */
export class WorkInFlight {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #weight = 0;
  #failed: { error: unknown } | null = null;

  /** `most` is the maximum total weight of running work. Heavier work waits until nothing else is running. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves once the work has begun. Rejects without beginning it if earlier work has failed. */
  async begin(weight: number, work: () => Promise<void>): Promise<void> {
    const counted = Math.min(weight, this.#most);
    while (this.#failed === null && this.#weight + counted > this.#most)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#failed !== null) throw this.#failed.error;
    this.#weight += counted;
    const running = work()
      .catch((error: unknown) => {
        this.#failed ??= { error };
      })
      .finally(() => {
        this.#weight -= counted;
        this.#running.delete(running);
        for (const resolve of this.#waiting.splice(0)) resolve();
      });
    this.#running.add(running);
  }

  /** Resolves when no work is running. Rejects with the first failure of the work. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#failed !== null) throw this.#failed.error;
  }
}

/** The step of concurrent work that takes place in the order in which the work was started. */
export interface Turn {
  /** Resolves when all earlier turns have ended. */
  comes: Promise<void>;
  /** Starts the next turn. Must be called even if the work fails. */
  pass(): void;
}

export class Turns {
  #last: Promise<void> = Promise.resolve();

  take(): Turn {
    const comes = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = comes.then(() => promise);
    return { comes, pass: resolve };
  }
}
