/** Settings of the whole service: the versions of the system prompt, and the startup configuration. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { shownConfig } from '../config.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import {
  asOf,
  type Listed,
  listOf,
  NullableText,
  orNull,
  type Page,
  page,
  pageOf,
  record,
  Time,
} from '../schema.ts';
import { type AdministrationDeps, causeOf, shown } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

/** Maximum length of a prompt. */
export const promptCharactersMax = 20_000;

export const SystemPromptRequest = record('SystemPromptRequest', {
  content: Type.String({
    minLength: 1,
    maxLength: promptCharactersMax,
    'x-not-blank': true,
    description: 'The new text of the prompt; must not be blank.',
  }),
});

export const SystemPrompt = record('SystemPrompt', {
  version: Type.Integer({ description: '0: the built-in prompt.' }),
  content: Type.String(),
  changed_at: orNull(Time),
  changed_by: NullableText,
});
export type SystemPrompt = Static<typeof SystemPrompt>;
export const SystemPromptList = listOf(SystemPrompt);
export const PromptVersionsQuery = Type.Object({ ...page(500), ...asOf });
export const AsOfQuery = Type.Object(asOf);
export const PromptVersionPath = Type.Object({ version: Type.Integer() });

export const ShownConfig = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'ShownConfig',
  description: 'Values by variable, without secrets and without addresses that may contain one.',
  examples: [{ HOST: '127.0.0.1', PORT: 8080, DOCENT_DEFAULT_CORPUS: 'krk_2026', DOCENT_PUBLIC: 'open' }],
});

type PromptChange =
  | { type: 'ChangeSystemPrompt'; content: string }
  | { type: 'RestoreSystemPrompt'; version: number };

export function settings(deps: Pick<AdministrationDeps, 'commands' | 'progress' | 'clock' | 'config'>) {
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
    async systemPrompt(): Promise<SystemPrompt> {
      return (await commands.settings.load()).prompt;
    },

    /** Returns the prompt now in force: a new version, or the current one if the content is unchanged. */
    changeSystemPrompt: (content: string, acting: Acting) =>
      change({ type: 'ChangeSystemPrompt', content }, acting),
    /**
     * Publishes the content of an earlier version as a new version and returns it. Fails with `not_found` for an unknown
     * version.
     */
    restoreSystemPrompt: (version: number, acting: Acting) =>
      change({ type: 'RestoreSystemPrompt', version }, acting),

    /** All versions, starting with the one in force. */
    async systemPrompts({ limit, offset }: Page): Promise<Listed<SystemPrompt>> {
      const { prompts } = await commands.settings.load();
      const items = prompts.toReversed().slice(offset, offset + limit);
      return { items, total: prompts.length, limit, offset };
    },

    /** The startup configuration, without secrets. */
    config: () => shownConfig(config),
  };
}

export function settingsRoutes(door: AdminDoor<ReturnType<typeof settings>>): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/system-prompt',
    schema: {
      ...operation('admin_system_prompt', 'The system prompt'),
      querystring: AsOfQuery,
      response: { 200: reply('The prompt in force.', SystemPrompt) },
    },
    handler: async (request, reply) => (await adminAt(door, request, reply)).systemPrompt(),
  });

  server.route({
    method: 'PUT',
    url: '/admin/api/system-prompt',
    schema: {
      ...operation('admin_change_system_prompt', 'Change the system prompt'),
      body: SystemPromptRequest,
      response: { 200: reply('The prompt now in force.', SystemPrompt) },
    },
    config: { errors: [] },
    handler: (request) => admin.changeSystemPrompt(request.body.content, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/system-prompt/versions',
    schema: {
      ...operation('admin_system_prompts', 'All versions of the system prompt'),
      querystring: PromptVersionsQuery,
      response: { 200: reply('Versions, the current one first.', SystemPromptList) },
    },
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).systemPrompts(pageOf(request.query)),
  });

  server.route({
    method: 'POST',
    url: '/admin/api/system-prompt/versions/:version/restore',
    schema: {
      ...operation('admin_restore_system_prompt', 'Restore an earlier system prompt'),
      params: PromptVersionPath,
      response: {
        200: reply('The prompt now in force: a new version with the earlier content.', SystemPrompt),
      },
    },
    handler: (request) => admin.restoreSystemPrompt(request.params.version, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/config',
    schema: {
      ...operation('admin_config', 'Non-secret configuration'),
      response: { 200: reply('Values by variable.', ShownConfig) },
    },
    config: { errors: [] },
    handler: async () => admin.config(),
  });
}
