import type { Listed, Page } from '../api/schema.ts';
import type { SystemPrompt } from '../api/settings.ts';
import { shownConfig } from '../config.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';

export interface Settings {
  systemPrompt(): Promise<SystemPrompt>;
  /** The prompt then in force: a new version, or the one there is where the content is the same. */
  changeSystemPrompt(content: string, acting: Acting): Promise<SystemPrompt>;
  /** All versions there were, the one in force first. */
  systemPrompts(page: Page): Promise<Listed<SystemPrompt>>;
  /** The prompt then in force: the content of that version as a new one. Failure `not_found` for an unknown version. */
  restoreSystemPrompt(version: number, acting: Acting): Promise<SystemPrompt>;
  /** What the service was started with, without secrets. */
  config(): Record<string, unknown>;
}

type PromptChange =
  | { type: 'ChangeSystemPrompt'; content: string }
  | { type: 'RestoreSystemPrompt'; version: number };

export function settings(
  deps: Pick<AdministrationDeps, 'commands' | 'progress' | 'clock' | 'config'>,
): Settings {
  const { commands, clock, config } = deps;

  async function change(command: PromptChange, acting: Acting): Promise<SystemPrompt> {
    const changed_at = clock.now().toISOString();
    const { state, position } = await commands.settings.execute(
      { ...command, changed_at, changed_by: acting.name },
      causeOf(acting),
    );
    await shown(deps, position);
    return state.prompt;
  }

  return {
    async systemPrompt() {
      return (await commands.settings.load()).prompt;
    },

    changeSystemPrompt: (content, acting) => change({ type: 'ChangeSystemPrompt', content }, acting),
    restoreSystemPrompt: (version, acting) => change({ type: 'RestoreSystemPrompt', version }, acting),

    async systemPrompts({ limit, offset }) {
      const { prompts } = await commands.settings.load();
      const items = prompts.toReversed().slice(offset, offset + limit);
      return { items, total: prompts.length, limit, offset };
    },

    config: () => shownConfig(config),
  };
}
