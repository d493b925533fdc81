/** What the routes of the administration share. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpServer, pastOf } from '../http/context.ts';
import type { Tag } from '../http/operation.ts';

/** What the routes of a resource need: its use cases, and those of them that have a past. */
export interface AdminDoor<UseCases, Past extends keyof UseCases = never> {
  server: HttpServer;
  admin: UseCases;
  moments?: PastOf<Pick<UseCases, Past>> | undefined;
}

interface PastOf<UseCases> {
  at(asOf: string): Promise<{ position: string; admin: UseCases }>;
}

/**
 * The administration a request reads: as it was where it says `as_of`, and then the reply says of which position in its
 * header. Failure as `Moments.at`.
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

/** What an operation of the administration says of itself. */
export const operation = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['Administration'] satisfies Tag[],
});

export const basic = { security: 'basic' } as const;
/** For operations that name a thing which may not be there. */
export const basicOrNone = { security: 'basic', errors: [404] } as const;
