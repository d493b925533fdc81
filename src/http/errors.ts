/** The format of all error bodies, and the HTTP statuses of failures. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Failure, type FailureCode, traceOf } from '../failures.ts';
import { record } from '../schema.ts';
import { type Fault, ValidationFailure } from './validation.ts';

const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    msg: Type.String(),
    type: Type.String(),
    input: Type.Optional(Type.Unknown()),
    ctx: Type.Optional(Type.Object({})),
  },
  { $id: 'ValidationError' },
);

export const HTTPValidationError = record(
  'HTTPValidationError',
  { detail: Type.Optional(Type.Array(ValidationError)) },
  { example: { detail: [{ type: 'missing', loc: ['body', 'query'], msg: 'Field required', input: {} }] } },
);

export const ErrorResponse = record(
  'ErrorResponse',
  { detail: Type.String({ description: 'A sentence that can be shown to users.' }) },
  { description: 'Every error except 422.', example: { detail: 'Not found.' } },
);

export const statusOf: Record<FailureCode, number> = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  gone: 410,
  conflict: 409,
  newer_format: 503,
  too_large: 413,
  rate_limited: 429,
  cancelled: 409,
  timeout: 504,
  unavailable: 503,
  storage_full: 507,
  internal: 500,
};

/** Custom messages for errors raised by the framework, by status. */
const frameworkDetails: Record<number, string> = {
  408: 'The request took too long to arrive.',
  413: 'The request body exceeds the limit for this path.',
  415: 'The request body must be application/json.',
  503: 'The service is overloaded; try again shortly.',
};

interface ErrorReply {
  status: number;
  body: { detail: string | Fault[] };
  retryAfterS: number | null;
}

/**
 * The reply for any thrown value. Only Failures and client errors are described; everything else is a 500. `part` is
 * the part of the request that contains a failure's field.
 */
function errorReply(error: unknown, part: 'body' | 'query' = 'body'): ErrorReply {
  if (error instanceof ValidationFailure)
    return { status: 422, body: { detail: error.faults }, retryAfterS: null };
  if (error instanceof Failure) {
    const status = statusOf[error.code];
    const fault: Fault = {
      type: 'value_error',
      loc: error.field === undefined ? [part] : [part, error.field],
      msg: `Value error, ${error.detail}`,
    };
    const mayRetry = status === 503 || status === 429;
    return {
      status,
      body: { detail: status === 422 ? [fault] : error.detail },
      retryAfterS:
        error.retryAfterS !== undefined || mayRetry ? Math.max(1, Math.ceil(error.retryAfterS ?? 1)) : null,
    };
  }
  const status = error instanceof Error ? (error as FastifyError).statusCode : undefined;
  if (status === undefined || (status >= 500 && status !== 503))
    return {
      status: 500,
      body: { detail: 'An internal error occurred; it has been logged.' },
      retryAfterS: null,
    };
  const detail = frameworkDetails[status] ?? 'The request is malformed.';
  return { status, body: { detail }, retryAfterS: status === 503 ? 1 : null };
}

const carriesBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Fastify's error handler. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterS } = errorReply(error, request.method === 'GET' ? 'query' : 'body');
  // A full disk is reported once, by the code that writes the history.
  if (status === 500) request.log.error({ fault: traceOf(error) }, 'request failed');
  if (retryAfterS !== null) reply.header('retry-after', String(retryAfterS));
  // Do not read a body that is still arriving.
  if (!request.raw.complete && carriesBody(request)) reply.header('connection', 'close');
  reply.code(status).type('application/json; charset=utf-8').send(body);
}
