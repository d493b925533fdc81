import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Administration } from '../../administration/administration.ts';
import type { App } from '../../app-port.ts';
import { Failure } from '../../failures.ts';
import type { HttpServer } from '../context.ts';

/** What can be read of the administration, of now or of a moment of the past. */
export type ReadAdministration = Awaited<ReturnType<App['moments']['at']>>['admin'];

/** What the routes of the administration need. */
export interface AdminDoor {
  server: HttpServer;
  admin: Administration;
  moments?: App['moments'] | undefined;
}

/**
 * The administration a request reads: as it was where it says `as_of`, and then the reply says of which position in its
 * header. Failure as `Moments.at`.
 */
export async function adminAt(
  { admin, moments }: AdminDoor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReadAdministration> {
  const { as_of } = request.query as { as_of?: string };
  if (as_of === undefined) return admin;
  const moment = await momentAt(moments, as_of);
  reply.header('x-as-of', moment.position);
  return moment.admin;
}

/** Failure as `Moments.at`. */
export const momentAt = (moments: App['moments'] | undefined, asOf: string) => pastOf(moments).at(asOf);

/** Failure `not_found` where none is shown. */
export function pastOf(moments: App['moments'] | undefined): App['moments'] {
  if (moments === undefined) throw new Failure('not_found', 'as_of is not available here.');
  return moments;
}
