/** Runs work concurrently, except for one step that takes place in the order in which the work was started. */
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
