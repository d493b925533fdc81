/**
 * The closed list of what can go wrong, and whether it may be tried again. Decided where the failure is made;
 * each door has one table from these codes to its own numbers and words.
 */
export const failureCodes = {
  /** The request itself is at fault; trying it again unchanged is of no use. */
  invalid: { retryable: false },
  unauthorized: { retryable: false },
  forbidden: { retryable: false },
  not_found: { retryable: false },
  /** It was there, and is not shown any more. */
  gone: { retryable: false },
  /** Somebody else changed the same thing first. */
  conflict: { retryable: true },
  /** A data folder or event of a newer format than this program knows. */
  newer_format: { retryable: false },
  too_large: { retryable: false },
  rate_limited: { retryable: true },
  cancelled: { retryable: false },
  timeout: { retryable: true },
  /** A store or model cannot be reached, or read models are behind. */
  unavailable: { retryable: true },
  /** The disk is full, or a write was refused by the system. */
  storage_full: { retryable: true },
  internal: { retryable: false },
} as const;

export type FailureCode = keyof typeof failureCodes;

/** An expected failure. `detail` is one sentence for people: no secret, no question, no prompt ever stands in it. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly detail: string;
  /** Seconds after which another try makes sense, where that is known. */
  readonly retryAfterS: number | undefined;
  /** The field of the request that is at fault, where it is one. */
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

/** Places told of an error's stack. */
const framesMax = 6;

/** An error's kind and place for a log, and those of its cause; without its text, in which a question may stand. */
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
