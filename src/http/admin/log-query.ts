/** Query parameters of the logs: page and filters. */
import { pageOf } from '../../api/schema.ts';
import { timesOf } from './range.ts';

interface LogQuery {
  limit?: number;
  offset?: number;
  from?: string;
  to?: string;
  format?: string;
  as_of?: string;
}

/** A query's page and its filters, times as they are compared. ValidationFailure for days that are none. */
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
