/** The system prompt in force, as of a moment ago: every question needs it, and it hardly ever changes. */
import type { SettingsState, SystemPrompt } from '../domain/settings.ts';

/** How long it is taken for current, in ms. */
const currentMs = 1000;

export class CurrentPrompt {
  readonly #settings: { load(): Promise<SettingsState>; readonly state: SettingsState };
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(settings: { load(): Promise<SettingsState>; readonly state: SettingsState }) {
    this.#settings = settings;
  }

  /** Rejects as the history does. */
  async current(): Promise<SystemPrompt> {
    if (performance.now() - this.#readAt > currentMs) {
      this.#readAt = performance.now();
      await this.#settings.load();
    }
    return this.#settings.state.prompt;
  }
}
