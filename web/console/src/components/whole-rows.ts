/** A short list that is loaded completely, as table rows. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Rows } from './use-pages.ts';

const nothing = () => {};

export function wholeRows<Row>({
  data,
  isPending,
  error,
  refetch,
}: UseQueryResult<{ items: Row[] }>): Rows<Row> {
  return {
    count: data?.items.length ?? 0,
    rowAt: (index) => data?.items[index],
    onRange: nothing,
    pending: isPending,
    error,
    refetch: () => void refetch(),
  };
}
