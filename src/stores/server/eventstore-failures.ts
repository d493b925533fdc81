/** What the errors of `@eventstore/db-client` mean to the service. */
import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { Failure } from '../../failures.ts';

/** A call that was given up because nothing came. */
export class Silence extends Error {}

// https://grpc.github.io/grpc/core/md_doc_statuscodes.html
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;

/**
 * What the client says, as the service understands it. Whatever leaves the outcome open (away, busy, no leader, silent,
 * an unknown error, a failed discovery) is `unavailable`: it may be tried again with the same ids.
 */
export function toFailure(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  if (cause instanceof WrongExpectedVersionError) {
    const { streamName, expectedVersion, actualVersion } = cause;
    return new Failure(
      'conflict',
      `Stream ${streamName} is at revision ${actualVersion}, expected ${expectedVersion}.`,
      { cause },
    );
  }
  if (cause instanceof StreamNotFoundError)
    return new Failure('not_found', 'There is no such stream.', { cause });
  if (cause instanceof StreamDeletedError)
    return new Failure('internal', `Stream ${cause.streamName} was deleted on the server.`, { cause });
  if (cause instanceof Silence)
    return new Failure('unavailable', 'EventStoreDB does not answer in time.', { cause });
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (cause instanceof MaxAppendSizeExceededError || code === RESOURCE_EXHAUSTED)
    return new Failure('too_large', 'EventStoreDB refuses an append of this size.', { cause });
  if (cause instanceof AccessDeniedError || code === PERMISSION_DENIED || code === UNAUTHENTICATED)
    return new Failure('internal', 'EventStoreDB refuses the credentials.', { cause });
  if (code === INVALID_ARGUMENT)
    return new Failure('internal', 'EventStoreDB does not accept the call.', { cause });
  return new Failure('unavailable', 'EventStoreDB cannot be reached or is busy.', { cause, retryAfterS: 1 });
}
