import { pageOf } from '../../api/schema.ts';
import {
  AsOfQuery,
  PromptVersionPath,
  PromptVersionsQuery,
  ShownConfig,
  SystemPrompt,
  SystemPromptList,
  SystemPromptRequest,
} from '../../api/settings.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basic, basicOrNone, operation } from './operation.ts';

export function settingsRoutes(door: AdminDoor): void {
  const { server, admin } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/system-prompt',
    schema: {
      ...operation('admin_system_prompt', 'The system prompt'),
      querystring: AsOfQuery,
      response: { 200: reply('The prompt in force.', SystemPrompt) },
    },
    config: basicOrNone,
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
    config: basic,
    handler: (request) => admin.changeSystemPrompt(request.body.content, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/system-prompt/versions',
    schema: {
      ...operation('admin_system_prompts', 'All versions of the system prompt'),
      querystring: PromptVersionsQuery,
      response: { 200: reply('Versions, the one in force first.', SystemPromptList) },
    },
    config: basicOrNone,
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
        200: reply('The prompt now in force: a new version with the content of that one.', SystemPrompt),
      },
    },
    config: basicOrNone,
    handler: (request) => admin.restoreSystemPrompt(request.params.version, actingIn(request)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/config',
    schema: {
      ...operation('admin_config', 'Non-secret configuration'),
      response: { 200: reply('Values by variable.', ShownConfig) },
    },
    config: basic,
    handler: async () => admin.config(),
  });
}
