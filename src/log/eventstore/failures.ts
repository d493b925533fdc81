/** Maps EventStoreDB protocol errors to Failures. */
import type { ServiceError } from '@grpc/grpc-js';
import { Failure } from '../../failures.ts';

/** A call was abandoned because nothing arrived. */
export class Silence extends Error {}

// Codes from https://grpc.github.io/grpc/core/md_doc_statuscodes.html.
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;

/**
 * Maps an error of the server or the connection. If the outcome is unknown (server unreachable or busy, no leader,
 * silence, an unknown error, a failed discovery), the code is `unavailable`, and the call may be retried with the same
 * ids.
 */
export function toFailure(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  if (cause instanceof Silence)
    return new Failure('unavailable', 'EventStoreDB did not answer in time.', { cause });
  const { code, metadata } = (cause instanceof Error ? cause : {}) as Partial<ServiceError>;
  // The server names its exceptions in a trailer.
  const exception = metadata?.get('exception')[0]?.toString();
  if (exception === 'stream-deleted')
    return new Failure('internal', `Stream ${metadata?.get('stream-name')[0]} was deleted on the server.`, {
      cause,
    });
  if (exception === 'maximum-append-size-exceeded' || code === RESOURCE_EXHAUSTED)
    return new Failure('too_large', 'EventStoreDB refused an append of this size.', { cause });
  if (exception === 'access-denied' || code === PERMISSION_DENIED || code === UNAUTHENTICATED)
    return new Failure('internal', 'EventStoreDB refused the credentials.', { cause });
  if (code === INVALID_ARGUMENT) return new Failure('internal', 'EventStoreDB rejected the call.', { cause });
  return new Failure('unavailable', 'EventStoreDB cannot be reached or is busy.', { cause, retryAfterS: 1 });
}
