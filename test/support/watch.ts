/** Waiting for what a double is told, without looking again and again. */
export class Watch {
  readonly #waiting = new Set<() => void>();

  /** Resolves once it is so; looks whenever something has changed. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo())
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
  }

  changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
