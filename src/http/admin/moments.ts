/** Past moments: those that are cached, and the differences between two. */
import { DiffQuery, MomentChanges, MomentList } from '../../api/moments.ts';
import { actingIn } from '../auth.ts';
import { reply } from '../openapi.ts';
import { type AdminDoor, pastOf } from './door.ts';
import { basic, operation } from './operation.ts';

export function momentRoutes({ server, moments }: AdminDoor): void {
  server.route({
    method: 'GET',
    url: '/admin/api/moments',
    schema: {
      ...operation('admin_moments', 'Past moments that are cached or being built'),
      description:
        'The read models for `as_of` are built from the history, one moment at a time, and a few are cached while in ' +
        'use. The list is that of one process.',
      response: { 200: reply('The latest moment first.', MomentList) },
    },
    config: basic,
    handler: async () => moments?.list() ?? { items: [] },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/diff',
    schema: {
      ...operation('admin_diff', 'Differences between two past moments'),
      description:
        'Compares all read models at the two moments, entry by entry: what was added, removed and changed. Both are ' +
        'built first, as for `as_of`; until then, 503 with the progress.',
      querystring: DiffQuery,
      response: { 200: reply('Changes, in the order of the read models.', MomentChanges) },
    },
    config: { ...basic, errors: [404, 504] },
    handler: (request) => {
      const { offset = 0, limit = 50, ...pair } = request.query;
      return pastOf(moments).changes({ ...pair, offset, limit }, actingIn(request));
    },
  });
}
