/** One making of each thing at a time within a process. */
export class SingleFlight {
  readonly #underWay = new Map<string, Promise<unknown>>();

  /**
   * Makes what is not being made already; `shared` when another caller's was waited for. When that fails, this caller
   * makes its own. Rejects only as its own `make` does.
   */
  async run<T>(key: string, make: () => Promise<T>): Promise<{ value: T; shared: boolean }> {
    const running = this.#underWay.get(key) as Promise<T> | undefined;
    if (running !== undefined) {
      const outcome = await running.then(
        (value) => ({ value }),
        () => null,
      );
      return outcome === null
        ? { value: await make(), shared: false }
        : { value: outcome.value, shared: true };
    }
    const making = make();
    this.#underWay.set(key, making);
    try {
      return { value: await making, shared: false };
    } finally {
      this.#underWay.delete(key);
    }
  }
}
