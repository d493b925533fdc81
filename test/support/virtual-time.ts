interface Sleeper {
  at: number;
  wake: () => void;
}

/** Virtual time that advances only when no other work is left: delays of seconds end immediately, in the same order. */
export class VirtualTime {
  ms = 0;
  #sleepers: Sleeper[] = [];

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
      const [next] = this.#sleepers.toSorted((a, b) => a.at - b.at);
      if (next === undefined) throw new Error('The work waits for something other than time.');
      this.#sleepers = this.#sleepers.filter((one) => one !== next);
      this.ms = Math.max(this.ms, next.at);
      next.wake();
    }
  }
}
