/** Metadata of a route for the OpenAPI document and the request hooks. */
import type { TSchema } from 'typebox';

export type Tag = 'Questions' | 'Service' | 'Administration';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `key`: open, or with an x-api-key. `optional-key`: the same, but a key is never required, even if questions need
     * one. `basic`: an administrator's credentials. Absent: open to everyone.
     */
    security?: 'key' | 'optional-key' | 'basic';
    /** Whether the key may also be sent as a bearer token. */
    bearer?: true;
    /**
     * Requests to this route are counted separately from the client's other requests, under this name. The client's
     * rate is multiplied by `share`.
     */
    apart?: { name: string; share: number };
    /**
     * Error statuses in addition to those for credentials and those common to all operations (413, 415, 422, 500, 503).
     */
    errors?: readonly number[];
    /** Whether the body contains a password, in which case errors do not repeat it. */
    secretBody?: boolean;
    /** The body, if it is a form (multipart/form-data) rather than JSON. */
    form?: TSchema;
    /** Request headers used by this route. */
    headers?: Record<string, string>;
  }
}

/**
 * A successful reply. It is JSON unless another media type is given. `example` is needed only if it differs from the
 * schema's example.
 */
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
