/** Time ranges, pages and filters given as request parameters. */
import type { TSchema } from 'typebox';
import { type Fault, ValidationFailure } from '../http/validation.ts';
import { type Page, pageOf, type Static } from '../schema.ts';
import type { TimeRange } from './context.ts';

type Given = { from?: string; to?: string };

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const rangeDaysMax = 366;
const dayMs = 86_400_000;

/** UTC days, both inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const dayAfter = (day: string): string => dayOf(Date.parse(day) + dayMs);

export function* daysOf({ from, to }: DayRange): Generator<string> {
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) yield dayOf(ms);
}

const usualDays = 30;

/** The last days up to and including the day of a moment. */
export const lastDays = (now = Date.now(), count = usualDays): DayRange => ({
  from: dayOf(now - (count - 1) * dayMs),
  to: dayOf(now),
});

const faultAt = (name: string, msg: string, input: string): Fault => ({
  type: 'value_error',
  loc: ['query', name],
  msg: `Value error, ${msg}`,
  input,
});

/** A nonexistent day (2026-02-30) is invalid. */
const isDay = (text: string): boolean =>
  dayPattern.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;

const isMoment = (text: string): boolean => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));

/**
 * Converts `from` and `to` of a query, both inclusive, to times for comparison. Throws ValidationFailure for invalid
 * days.
 */
export function timesOf({ from, to }: Given): { from?: string; before?: string } {
  const faults = Object.entries({ from, to }).flatMap(([name, text]) =>
    text === undefined || isMoment(text) ? [] : [faultAt(name, 'there is no such day or time', text)],
  );
  if (faults.length > 0) throw new ValidationFailure(faults);
  const end = to === undefined ? null : isDay(to) ? dayAfter(to) : new Date(Date.parse(to) + 1).toISOString();
  return {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(end !== null && { before: new Date(end).toISOString() }),
  };
}

/** The days of a query; null if it does not specify any. Throws ValidationFailure for invalid days, or too many. */
export function rangeOf({ from, to }: Given, now = Date.now()): DayRange | null {
  if (from === undefined && to === undefined) return null;
  const faults = Object.entries({ from, to }).flatMap(([name, text]) =>
    text === undefined || isDay(text) ? [] : [faultAt(name, 'there is no such day', text)],
  );
  if (faults.length > 0) throw new ValidationFailure(faults);
  const last = to ?? dayOf(Math.max(now, from === undefined ? now : Date.parse(from)));
  const first = from ?? lastDays(Date.parse(last)).from;
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1 || days > rangeDaysMax)
    throw new ValidationFailure([
      faultAt('from', `a range must have 1 to ${rangeDaysMax} days`, `${first}/${last}`),
    ]);
  return { from: first, to: last };
}

interface LogQuery {
  limit?: number;
  offset?: number;
  from?: string;
  to?: string;
  format?: string;
  as_of?: string;
}

/** The filters of a log, from the schema of its query. */
export type LogFilters<Query extends TSchema> = Omit<Static<Query>, keyof LogQuery> &
  Page &
  TimeRange & {
    /** Excludes later entries. It is set internally, so it is not recorded as a filter. */
    asOf?: string;
  };

/** A query's page and filters, with times for comparison. Throws ValidationFailure for invalid days. */
export function readLogQuery<Query extends LogQuery>({
  limit,
  offset,
  from,
  to,
  format: _,
  as_of: __,
  ...filters
}: Query) {
  return { asked: pageOf({ limit, offset }), filters: { ...filters, ...timesOf({ from, to }) } };
}
