/**
 * The OpenAPI 3.1.0 document, made by @fastify/swagger from the very schemas requests are checked with. A route that has
 * an `operationId` is an operation, a schema with an `$id` a component; what every operation may answer besides
 * (errors, headers) is added here.
 */
import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { HttpServer } from './context.ts';
import { ErrorResponse, HTTPValidationError } from './error-responses.ts';
import type { Tag } from './operation.ts';

const errorTexts: Record<number, string> = {
  401: 'Credentials are required but missing, malformed, unknown or revoked.',
  403: 'The credentials do not permit this, or the change was sent from a page of another site.',
  404: 'There is no such resource.',
  409: 'The request conflicts with the current state, or the ask was cancelled.',
  413: 'The body is larger than this path accepts.',
  415: 'The body is not application/json.',
  422: 'The request does not match its schema; all errors are listed.',
  426: 'This path speaks WebSocket only.',
  429: 'A limit is exhausted; Retry-After gives the seconds to wait.',
  500: 'Something went wrong in the service.',
  503: 'The service is overloaded, shutting down, or still loading its documents; retry after Retry-After.',
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
  examples?: unknown[];
  [keyword: string]: unknown;
}

interface Media {
  schema: DocumentSchema;
  example?: unknown;
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
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<
    string,
    { description: string; headers: Record<string, unknown>; content?: Record<string, Media> }
  >;
}

export interface Document {
  openapi: '3.1.0';
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: Tag; description: string }[];
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, DocumentSchema>; securitySchemes: Record<string, unknown> };
}

const tags = [
  { name: 'Questions', description: 'Answers, sources and corpora.' },
  { name: 'Service', description: 'Health and metrics.' },
  { name: 'Administration', description: 'For administrators and auditors.' },
] as const;

/** Has the routes that are registered from now on documented; those already there are not seen. */
export function documentRoutes(server: HttpServer): void {
  server.addHook('onRoute', ({ schema, config }) => {
    for (const part of [schema, config?.form, ErrorResponse, HTTPValidationError]) share(server, part);
  });
  void server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent',
        version: '2.0.0',
        summary: 'Answers questions over collections of documents and shows its sources.',
        description:
          'Every answer carries its sources; open them before an answer is used elsewhere. Each error but 422 is ' +
          '`{"detail": "<sentence>"}`. Unknown fields of a request are ignored. Times are RFC 3339 in UTC.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      } as { title: string; version: string },
      servers: [{ url: '/' }],
      tags: [...tags],
      components: {
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
    },
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transform: ({ schema, url, route }) => ({ schema: operationOf(schema ?? {}, route), url }),
    transformObject: (made) => finished('openapiObject' in made ? made.openapiObject : {}),
  });
}

/** The document. Failure of any kind before the server is ready. */
export const documentOf = (server: HttpServer): Document => server.swagger() as unknown as Document;

/** Keywords whose values are data, not schemas. */
const data = new Set(['example', 'examples', 'default', 'enum']);

/** A copy in which schemas with an `$id`, but for the outermost, are references to shared ones. */
function referring(value: unknown, outermost = true): unknown {
  if (Array.isArray(value)) return value.map((item) => referring(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const { $id } = value as { $id?: string };
  if ($id !== undefined && !outermost) return { $ref: `${$id}#` };
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, data.has(key) ? item : referring(item, false)]),
  );
  // For readers that look at the type alone.
  if (Array.isArray(copy.enum) && copy.enum.every((one) => typeof one === 'string')) copy.type ??= 'string';
  return copy;
}

/** Makes every schema with an `$id` in a value a component of the document. */
function share(server: HttpServer, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { $id } = value as { $id?: unknown };
  if (typeof $id === 'string') {
    if (server.getSchema($id) !== undefined) return;
    server.addSchema({ title: $id, ...(referring(value) as object) });
  }
  for (const [key, item] of Object.entries(value)) if (!data.has(key)) share(server, item);
}

const headersOf = (names: string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { type: /Rate|Retry/.test(name) ? 'integer' : 'string', description: headerTexts[name] },
    ]),
  );

/** A route's schema with everything that goes without saying; hidden where the route is no operation. */
function operationOf(schema: FastifySchema, { config = {}, method }: RouteOptions): FastifySchema {
  if (schema.operationId === undefined) return { hide: true };
  const { security, errors = [], form, headers } = config;
  const responses: Record<string, unknown> = {};
  for (const [status, success] of Object.entries((schema.response ?? {}) as Record<string, object>))
    responses[status] = {
      ...(referring(success) as object),
      headers: headersOf(['x-request-id']),
    };
  const [only] = [method].flat();
  const reads = only === 'GET';
  // An auditor may read everything.
  const guarded = security !== 'basic' ? [] : reads ? [401, 429] : [401, 403, 429];
  const faulty = schema.params || schema.querystring || schema.body ? [422] : [];
  const sized = reads ? [] : [413, 415];
  for (const status of [...errors, ...guarded, ...faulty, ...sized, 500, 503]) {
    const names = [
      'x-request-id',
      ...(errorHeaders[status] ?? []),
      ...(status === 401 && security === 'basic' ? ['WWW-Authenticate'] : []),
    ];
    responses[status] ??= {
      description: (form && formErrorTexts[status]) ?? errorTexts[status] ?? 'An error.',
      headers: headersOf(names),
      content: {
        'application/json': {
          schema: referring(status === 422 ? HTTPValidationError : ErrorResponse, false),
        },
      },
    };
  }
  const { params, querystring, body, ...rest } = schema;
  return {
    ...rest,
    security: security === 'basic' ? [{ Basic: [] }] : security === undefined ? [] : [{}, { ApiKey: [] }],
    ...(params !== undefined && { params: referring(params) }),
    ...(querystring !== undefined && { querystring: referring(querystring) }),
    ...(headers !== undefined && { headers: headerParameters(headers) }),
    ...((body ?? form) !== undefined && { body: referring(body ?? form, false) }),
    ...(form !== undefined && { consumes: ['multipart/form-data'] }),
    response: responses,
  };
}

const headerParameters = (headers: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
  ),
});

/** The document as it is told: in a fixed order, each HEAD an operation of its own, examples where readers look. */
function finished(made: object): Document {
  const document = made as Document;
  const { components, paths } = document;
  const sorted = <T>(of: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
  components.schemas = sorted(components.schemas);
  document.paths = sorted(paths);
  for (const methods of Object.values(document.paths)) {
    if (methods.head) methods.head = bodiless(methods.head);
    for (const { requestBody, responses } of Object.values(methods))
      for (const { content } of [requestBody ?? {}, ...Object.values(responses)] as {
        content?: Operation['responses'][string]['content'];
      }[])
        for (const media of Object.values(content ?? {})) showExample(media, components.schemas);
  }
  document.tags = document.tags.filter(({ name }) =>
    Object.values(paths).some((methods) => Object.values(methods).some((one) => one.tags.includes(name))),
  );
  return document;
}

function bodiless(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, { content: _, ...rest }]) => [
    status,
    rest,
  ]);
  return {
    ...operation,
    operationId: `${operation.operationId}_head`,
    responses: Object.fromEntries(responses),
  };
}

/** The example of a schema is that of the body it describes, unless the body has one of its own. */
function showExample(media: Media, components: Document['components']['schemas']): void {
  const { schema } = media;
  const component = schema.$ref === undefined ? schema : components[schema.$ref.split('/').at(-1) ?? ''];
  const example = component?.examples?.[0];
  if (media.example === undefined && example !== undefined) media.example = example;
}
