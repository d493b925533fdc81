/** Code shared by the routes of the administration. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpServer, pastOf } from '../http/context.ts';
import type { Tag } from '../http/operation.ts';

/** Dependencies of a resource's routes: its use cases, and those that can read the past. */
export interface AdminDoor<UseCases, Past extends keyof UseCases = never> {
  server: HttpServer;
  admin: UseCases;
  moments?: PastOf<Pick<UseCases, Past>> | undefined;
}

interface PastOf<UseCases> {
  at(asOf: string): Promise<{ position: string; admin: UseCases }>;
}

/**
 * The administration that a request reads. With `as_of` this is a past state, whose position is returned in a header.
 * Fails like `Moments.at`.
 */
export async function adminAt<UseCases, Past extends keyof UseCases>(
  { admin, moments }: AdminDoor<UseCases, Past>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Pick<UseCases, Past>> {
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

export const basic = { security: 'basic' } as const;
/** For operations on a resource that may not exist. */
export const basicOrNone = { security: 'basic', errors: [404] } as const;
