import { Stats, StatsQuery } from '../../api/statistics.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type AdminDoor, adminAt } from './door.ts';
import { basicOrNone, operation } from './operation.ts';
import { daysOf } from './range.ts';

export function statisticsRoutes(door: AdminDoor): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/stats',
    schema: {
      ...operation('admin_stats', 'Dashboard statistics'),
      querystring: StatsQuery,
      response: { 200: reply('The figures.', Stats) },
    },
    config: basicOrNone,
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).stats(daysOf(request.query), actingIn(request)),
  });
}
