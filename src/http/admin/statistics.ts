import { Stats } from '../../api/statistics.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';

export function statisticsRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/stats',
    schema: {
      ...operation('admin_stats', 'Figures of the dashboard'),
      response: { 200: reply('The figures.', Stats) },
    },
    config: basic,
    handler: (request) => admin.stats(actingIn(request)),
  });
}
