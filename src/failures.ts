/**
 * The closed list of expected failures, and which of them can be retried. The code that raises a failure chooses its
 * code. Each door has a single table that maps codes to its own statuses and texts.
 */
export const failureCodes = {
  /** The request is wrong; repeating it unchanged does not help. */
  invalid: { retryable: false },
  unauthorized: { retryable: false },
  forbidden: { retryable: false },
  not_found: { retryable: false },
  /** It existed but is no longer shown. */
  gone: { retryable: false },
  /** The same object was changed concurrently. */
  conflict: { retryable: true },
  /** A data folder or event has a newer format than this program supports. */
  newer_format: { retryable: false },
  too_large: { retryable: false },
  rate_limited: { retryable: true },
  cancelled: { retryable: false },
  timeout: { retryable: true },
  /** A store or model cannot be reached, or the read models lag. */
  unavailable: { retryable: true },
  /** The disk is full, or the system refused a write. */
  storage_full: { retryable: true },
  internal: { retryable: false },
} as const;

export type FailureCode = keyof typeof failureCodes;

/**
 * An expected failure. `detail` is a sentence that can be shown to users; it never contains a secret, question or
 * prompt.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly detail: string;
  /** Seconds to wait before a retry, if known. */
  readonly retryAfterS: number | undefined;
  /** The field of the request that is wrong, if a field is to blame. */
  readonly field: string | undefined;
  constructor(
    code: FailureCode,
    detail: string,
    options: { retryAfterS?: number; field?: string; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.detail = detail;
    this.retryAfterS = options.retryAfterS;
    this.field = options.field;
  }
  get retryable(): boolean {
    return failureCodes[this.code].retryable;
  }
}

/** The failure of a call whose signal is aborted. */
export const cancelled = (): Failure => new Failure('cancelled', 'The operation was cancelled.');

/** Number of stack frames reported. */
const framesMax = 6;

/**
 * The type and location of an error and of its cause, for a log. The message is omitted because it may contain a
 * question.
 */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const { name, message, stack = '' } = error;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const frames = stack
    .replace(message, '')
    .split('\n')
    .flatMap((line) => /^\s+at (.*)/.exec(line)?.slice(1) ?? [])
    .slice(0, framesMax);
  const place = frames.length === 0 ? '' : ` at ${frames.join(' < ')}`;
  const cause = error.cause === undefined ? '' : `, caused by ${traceOf(error.cause)}`;
  return `${name}${code}${place}${cause}`;
}
