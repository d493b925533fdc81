import type { Tag } from '../openapi.ts';

/** What an operation of the administration says of itself. */
export const operation = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['Administration'] satisfies Tag[],
});

export const basic = { security: 'basic' } as const;
/** For operations that name a thing which may not be there. */
export const basicOrNone = { security: 'basic', errors: [404] } as const;
