/** Concurrent work with one step that runs in the order in which the work was started. */
export interface Turn {
  /** Resolves when all earlier turns have passed. */
  comes: Promise<void>;
  /** Starts the next turn; must be called even if the work fails. */
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
