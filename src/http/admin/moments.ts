/** Moments of the past: those that are kept, and what is otherwise at one than at another. */
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
        'What `as_of` asks for is made from the history in a separate place, one moment at a time; a few are kept ' +
        'while they are read. Of this process.',
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
        'Entry by entry of all read models, as the history makes them up to each of the two: what came, went and was ' +
        'changed from the first to the second. Both are made first, as for `as_of`, and 503 says how far they are.',
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
