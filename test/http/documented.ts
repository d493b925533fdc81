/** Checks replies against the OpenAPI document. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Operation } from '../../src/http/openapi.ts';

export interface DocumentedOperation {
  name: string;
  path: string;
  method: string;
  operation: Operation;
}

interface Reply {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

export function documented(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const checks = new Map<string, ValidateFunction>();
  const operations: DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      method,
      operation,
    })),
  );

  /** Why a value does not match an operation's schema for a location and a media type; null if it matches. */
  function faults(
    { path, method }: Pick<DocumentedOperation, 'path' | 'method'>,
    place: string,
    media: string,
    value: unknown,
  ): ErrorObject[] | null {
    const pointer = `/paths/${escaped(path)}/${method}/${place}/content/${escaped(media)}/schema`;
    const check = checks.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    checks.set(pointer, check);
    return check(value) ? null : (check.errors ?? []);
  }

  return {
    operations,
    faults,
    /** The operation that serves a request, ignoring its query; null if there is none. */
    operationOf: (url: string, method: string) =>
      operations.find(
        (one) =>
          one.method === method && new RegExp(`^${one.path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`).test(url),
      ) ?? null,
    /** Why a reply does not match its documentation; null if it matches. */
    misfit(of: Pick<DocumentedOperation, 'path' | 'method'>, reply: Reply): unknown {
      const said = document.paths[of.path]?.[of.method]?.responses[reply.statusCode];
      if (said === undefined) return 'undocumented';
      if (reply.headers['x-request-id'] === undefined) return 'no x-request-id';
      for (const name of Object.keys(said.headers))
        if (!/RateLimit/.test(name) && reply.headers[name.toLowerCase()] === undefined) return `no ${name}`;
      const [media] = Object.keys(said.content ?? {});
      if (media === undefined) return reply.body === '' || of.method === 'head' ? null : 'a body';
      if (String(reply.headers['content-type']).split(';')[0] !== media) return reply.headers['content-type'];
      const value: unknown = media === 'application/json' ? JSON.parse(reply.body) : reply.body;
      return faults(of, `responses/${reply.statusCode}`, media, value);
    },
  };
}
