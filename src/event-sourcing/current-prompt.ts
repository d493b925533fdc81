/** The current system prompt, cached briefly, because every question needs it and it rarely changes. */
import type { SettingsState, SystemPrompt } from '../domain/settings.ts';

/** How long the cached prompt counts as current, in ms. */
const currentMs = 1000;

export class CurrentPrompt {
  readonly #settings: { load(): Promise<SettingsState>; readonly state: SettingsState };
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(settings: { load(): Promise<SettingsState>; readonly state: SettingsState }) {
    this.#settings = settings;
  }

  /** Rejects with the failures of the history. */
  async current(): Promise<SystemPrompt> {
    if (performance.now() - this.#readAt > currentMs) {
      this.#readAt = performance.now();
      await this.#settings.load();
    }
    return this.#settings.state.prompt;
  }
}
