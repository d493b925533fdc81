import { MomentList } from '../../api/moments.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';

export function momentRoute({ server, moments }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/moments',
    schema: {
      ...operation('admin_moments', 'Moments of the past that are kept or being made'),
      description:
        'What `as_of` asks for is made from the history in a separate place, one moment at a time; a few are kept ' +
        'while they are read. Of this process.',
      response: { 200: reply('The latest moment first.', MomentList) },
    },
    config: basic,
    handler: async () => moments?.list() ?? { items: [] },
  });
}
