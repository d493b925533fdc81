interface Sleeper {
  at: number;
  wake: () => void;
}

/** Virtual time that advances only when no other work is left: delays of seconds end immediately, in the same order. */
export class VirtualTime {
  ms = 0;
  readonly #sleepers: Sleeper[] = [];

  now = (): number => this.ms;

  sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      this.#sleepers.push({ at: this.ms + ms, wake });
    });

  /** Advances time until the work is done, and returns its outcome. */
  async until<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    work.then(done, done);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (settled) return work;
      if (this.#sleepers.length === 0) throw new Error('The work waits for something other than time.');
      const next = this.#sleepers.reduce((first, one) => (one.at < first.at ? one : first));
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.ms = Math.max(this.ms, next.at);
      next.wake();
    }
  }
}
