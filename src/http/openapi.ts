/**
 * The OpenAPI 3.1.0 document, written from the very schemas requests are checked with: a route that carries
 * `config.docs` is an operation, a schema with an `$id` a component.
 */
import type { RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { ErrorResponse, HTTPValidationError } from './schemas.ts';

export type Tag = 'Questions' | 'Service' | 'Administration';

/** What a route says of itself beyond its schemas. */
export interface Docs {
  /** operationId; of the HEAD twin with `_head` behind. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  /** `key`: open, or with an x-api-key; `basic`: an administrator's. Absent: open to all. */
  security?: 'key' | 'optional-key' | 'basic';
  /** Statuses of errors beyond those of credentials and those any operation may have (413, 415, 422, 500, 503). */
  errors?: number[];
  /** Request headers that mean something here. */
  headers?: Record<string, string>;
  request?: unknown;
  /** The body where it is a form (multipart/form-data) instead of JSON. */
  form?: TSchema;
  /** Success, by status; JSON of the response schema unless another media type is named. */
  replies: Record<
    number,
    { description: string; example?: unknown; media?: string; headers?: Record<string, string> }
  >;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    docs?: Docs;
  }
}

const errorTexts: Record<number, string> = {
  401: 'The credentials are missing where they are needed, malformed, unknown or revoked.',
  403: 'The credentials do not reach this far.',
  404: 'What the request names is not there.',
  409: 'Something else is in the way, or the ask was cancelled.',
  413: 'The body is larger than 2 MiB.',
  415: 'The body is not application/json.',
  422: 'The request does not fit its schema; all its faults are told.',
  426: 'This path speaks WebSocket only.',
  429: 'A limit is used up; Retry-After says for how many seconds.',
  500: 'Something went wrong in the service.',
  503: 'The service is overloaded, shutting down, or its documents are being read in; try again after Retry-After.',
  504: 'The answer took too long.',
  507: 'The disk of the service is full; nothing was recorded.',
};

/** Where the body is a form. */
const formErrorTexts: Record<number, string> = {
  413: 'The file is larger than 64 MiB, or the form has too many parts.',
  415: 'The body is not multipart/form-data.',
};

const errorHeaders: Record<number, string[]> = {
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
};

const headerTexts: Record<string, string> = {
  'x-request-id': 'Identifies the request, and the ask where there is one.',
  'Retry-After': 'Seconds after which another try makes sense.',
  'RateLimit-Limit': 'Requests in the tighter window.',
  'RateLimit-Remaining': 'Requests left in it.',
  'RateLimit-Reset': 'Seconds until one is free again.',
  'WWW-Authenticate': 'The scheme to use.',
};

type Json = Record<string, unknown>;

/** A JSON Schema of the document, as far as anyone here looks into it. */
export interface DocumentSchema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: DocumentSchema[];
  items?: DocumentSchema;
  properties?: Record<string, DocumentSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: Tag[];
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: DocumentSchema;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: DocumentSchema; example?: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      headers: Json;
      content?: Record<string, { schema: DocumentSchema; example?: unknown }>;
    }
  >;
}

export interface Document {
  openapi: '3.1.0';
  info: { title: string; version: string; summary: string; description: string; license: Json };
  servers: Json[];
  tags: Json[];
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, DocumentSchema>; headers: Json; securitySchemes: Json };
}

interface Parameters extends TSchema {
  properties?: Record<string, TSchema>;
  required?: string[];
}

/** Collects the routes while they are registered; the document is made of those that carry docs. */
export class OpenApi {
  readonly #routes: RouteOptions[] = [];
  readonly #components: Record<string, DocumentSchema> = {};

  add(route: RouteOptions): void {
    if (route.config?.docs) this.#routes.push(route);
  }

  document(): Document {
    const paths: Document['paths'] = {};
    for (const route of this.#routes) {
      const path = route.url.replace(/:([a-z_]+)/g, '{$1}');
      const operations = paths[path] ?? {};
      paths[path] = operations;
      for (const method of [route.method].flat())
        operations[method.toLowerCase()] = this.#operation(route, method);
    }
    const headers = Object.entries(headerTexts).map(([name, description]) => [
      name,
      { description, schema: { type: /Rate|Retry/.test(name) ? 'integer' : 'string' } },
    ]);
    return {
      openapi: '3.1.0',
      info: {
        title: 'Docent',
        version: '2.0.0',
        summary: 'Answers questions over collections of documents and shows its sources.',
        description:
          'Every answer carries its sources; open them before an answer is used elsewhere. Each error but 422 is ' +
          '`{"detail": "<sentence>"}`. Unknown fields of a request are ignored. Times are RFC 3339 in UTC.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Questions', description: 'Answers, their sources, and the corpora there are.' },
        { name: 'Service', description: 'How the service is.' },
        { name: 'Administration', description: 'For administrators and auditors.' },
      ].filter((tag) => this.#routes.some((route) => route.config?.docs?.tag === tag.name)),
      paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
      components: {
        schemas: Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1))),
        headers: Object.fromEntries(headers),
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'A scoped key, where one was issued.',
          },
          Basic: { type: 'http', scheme: 'basic', description: 'An administrator or auditor.' },
        },
      },
    };
  }

  #operation(route: RouteOptions, method: string): Operation {
    const docs = route.config?.docs;
    if (!docs) throw new TypeError('Only routes with docs are operations.');
    const { params, querystring, body, response } = (route.schema ?? {}) as Record<
      string,
      TSchema | undefined
    >;
    const bodiless = method === 'HEAD';
    const parameters = [
      ...this.#parameters('path', params as Parameters | undefined),
      ...this.#parameters('query', querystring as Parameters | undefined),
      ...Object.entries(docs.headers ?? {}).map(([name, description]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      })),
    ];
    const responses: Operation['responses'] = {};
    for (const [status, reply] of Object.entries(docs.replies)) {
      const schema = (response as Record<string, TSchema> | undefined)?.[status];
      const media = reply.media ?? (schema ? 'application/json' : undefined);
      responses[status] = {
        description: reply.description,
        headers: { ...references(['x-request-id']), ...described(reply.headers) },
        ...(media &&
          !bodiless && {
            content: {
              [media]: {
                schema: schema ? this.#schema(schema) : { type: 'string' },
                ...(reply.example !== undefined && { example: reply.example }),
              },
            },
          }),
      };
    }
    // An auditor may read everything.
    const guarded = docs.security !== 'basic' ? [] : method === 'GET' ? [401, 429] : [401, 403, 429];
    const faulty = params || querystring || body ? [422] : [];
    const sized = method === 'GET' || bodiless ? [] : [413, 415];
    for (const status of [
      ...new Set([...(docs.errors ?? []), ...guarded, ...faulty, ...sized, 500, 503]),
    ].sort((a, b) => a - b)) {
      if (responses[status]) continue;
      const names = [
        ...(errorHeaders[status] ?? []),
        ...(status === 401 && docs.security === 'basic' ? ['WWW-Authenticate'] : []),
      ];
      const schema = this.#schema(status === 422 ? HTTPValidationError : ErrorResponse);
      responses[status] = {
        description: (docs.form && formErrorTexts[status]) ?? errorTexts[status] ?? 'An error.',
        headers: references(['x-request-id', ...names]),
        ...(!bodiless && { content: { 'application/json': { schema } } }),
      };
    }
    return {
      operationId: bodiless ? `${docs.id}_head` : docs.id,
      tags: [docs.tag],
      summary: docs.summary,
      ...(docs.description && { description: docs.description }),
      security:
        docs.security === 'basic' ? [{ Basic: [] }] : docs.security === undefined ? [] : [{}, { ApiKey: [] }],
      ...(parameters.length > 0 && { parameters }),
      ...((body ?? docs.form) && {
        requestBody: {
          required: true,
          content: {
            [body ? 'application/json' : 'multipart/form-data']: {
              schema: this.#schema((body ?? docs.form)!),
              ...(docs.request !== undefined && { example: docs.request }),
            },
          },
        },
      }),
      responses,
    };
  }

  #parameters(place: 'path' | 'query', schema: Parameters | undefined): NonNullable<Operation['parameters']> {
    return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
      const { description, ...rest } = this.#schema(field);
      return {
        name,
        in: place,
        required: place === 'path' || (schema?.required?.includes(name) ?? false),
        ...(description !== undefined && { description }),
        schema: rest,
      };
    });
  }

  /** A copy of the schema in which those with an `$id` are references to components. */
  #schema(schema: TSchema): DocumentSchema {
    return this.#copy(schema) as DocumentSchema;
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as { $id?: string };
    if ($id !== undefined && this.#components[$id] !== undefined)
      return { $ref: `#/components/schemas/${$id}` };
    const copy = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, this.#copy(item)]));
    // For readers that look at the type alone.
    if (Array.isArray(copy.enum) && copy.enum.every((one) => typeof one === 'string')) copy.type ??= 'string';
    if ($id === undefined) return copy;
    this.#components[$id] = { title: $id, ...copy };
    return { $ref: `#/components/schemas/${$id}` };
  }
}

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function described(headers: Record<string, string> | undefined): Json {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}
