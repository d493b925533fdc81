import { Stats, StatsQuery } from '../../api/statistics.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import type { AdminDoor } from './door.ts';
import { basic, operation } from './operation.ts';
import { daysOf } from './range.ts';

export function statisticsRoutes({ server, admin }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/stats',
    schema: {
      ...operation('admin_stats', 'Figures of the dashboard'),
      querystring: StatsQuery,
      response: { 200: reply('The figures.', Stats) },
    },
    config: basic,
    handler: (request) => admin.stats(daysOf(request.query), actingIn(request)),
  });
}
