/** Concurrent work with one step that runs in the order in which the work was started. */
export interface Turn {
  /** Resolves when all turns taken before have passed. */
  comes: Promise<void>;
  /** Lets the next one come; to be called whatever becomes of the work. */
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
