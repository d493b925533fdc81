import type { SystemPrompt } from '../api/settings.ts';
import { shownConfig } from '../config.ts';
import { type Acting, type AdministrationDeps, causeOf, shown } from './context.ts';

export interface Settings {
  systemPrompt(): Promise<SystemPrompt>;
  /** The prompt then in force: a new version, or the one there is where the content is the same. */
  changeSystemPrompt(content: string, acting: Acting): Promise<SystemPrompt>;
  /** What the service was started with, without secrets. */
  config(): Record<string, unknown>;
}

export function settings(
  deps: Pick<AdministrationDeps, 'commands' | 'progress' | 'clock' | 'config'>,
): Settings {
  const { commands, clock, config } = deps;
  return {
    async systemPrompt() {
      return (await commands.settings.load()).prompt;
    },

    async changeSystemPrompt(content, acting) {
      const changed_at = clock.now().toISOString();
      const { state, position } = await commands.settings.execute(
        { type: 'ChangeSystemPrompt', content, changed_at, changed_by: acting.name },
        causeOf(acting),
      );
      await shown(deps, position);
      return state.prompt;
    },

    config: () => shownConfig(config),
  };
}
