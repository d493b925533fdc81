/** Code shared by the routes of the administration. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpServer, pastOf } from '../http/context.ts';
import type { Tag } from '../http/operation.ts';

/** Dependencies of a resource's routes: its use cases, now and in the past. */
export interface AdminDoor<UseCases> {
  server: HttpServer;
  admin: UseCases;
  /** If absent, the past is not available. */
  moments?: { at(asOf: string): Promise<{ position: string; admin: UseCases }> } | undefined;
}

/**
 * The administration that a request reads. With `as_of` this is a past state, whose position is returned in a header.
 * Fails like `Moments.at`.
 */
export async function adminAt<UseCases>(
  { admin, moments }: AdminDoor<UseCases>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UseCases> {
  const { as_of } = request.query as { as_of?: string };
  if (as_of === undefined) return admin;
  const moment = await pastOf(moments).at(as_of);
  reply.header('x-as-of', moment.position);
  return moment.admin;
}

/** Metadata common to the operations of the administration. */
export const operation = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['Administration'] satisfies Tag[],
});
