/** What a route says of itself for the OpenAPI document, and for what every request goes through. */
import type { TSchema } from 'typebox';

export type Tag = 'Questions' | 'Service' | 'Administration';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `key`: open, or with an x-api-key; `optional-key`: the same, and without one where questions need a key;
     * `basic`: an administrator's. Absent: open to all.
     */
    security?: 'key' | 'optional-key' | 'basic';
    /**
     * Requests here count apart from the others of their client, under this name; `share`: as if the client were so
     * many.
     */
    apart?: { name: string; share: number };
    /** Statuses of errors beyond those of credentials and those any operation may have (413, 415, 422, 500, 503). */
    errors?: readonly number[];
    /** The body where it is a form (multipart/form-data) instead of JSON. */
    form?: TSchema;
    /** Request headers that mean something here. */
    headers?: Record<string, string>;
  }
}

/** What a success is answered with: JSON unless another media type is named. `example`: where the schema's is not it. */
export function reply<T extends TSchema, M extends string = 'application/json'>(
  description: string,
  schema: T,
  { media = 'application/json' as M, example }: { media?: M; example?: unknown } = {},
): { description: string; content: { [K in M]: { schema: T; example?: unknown } } } {
  const content = { [media]: { schema, ...(example !== undefined && { example }) } };
  return { description, content: content as { [K in M]: { schema: T; example?: unknown } } };
}

/** A success without a body. */
export const nothing = (description: string) => ({ type: 'null', description });
