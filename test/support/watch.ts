/** Waits for events of a double without polling. */
export class Watch {
  readonly #waiting = new Set<() => void>();

  /** Resolves when the condition is true; checks after every change. */
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
