/** Events in consecutive pages, loaded as the user scrolls. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, taken } from '../../app/api.ts';
import type { Rows } from '../../components/use-pages.ts';
import type { Event } from './columns.tsx';

const size = 100;
/** Distance from the end, in rows, at which the next page is loaded. */
const ahead = 20;

export type EventQuery = Record<string, string | undefined>;

export function useEvents(query: EventQuery): Rows<Event> {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['events', query],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam, signal }) =>
        taken(
          api.GET('/admin/api/events', {
            params: { query: { ...query, limit: size, position: pageParam } as never },
            signal,
          }),
        ),
      getNextPageParam: ({ next }) => next ?? undefined,
    });
  const events = data?.pages.flatMap(({ items }) => items) ?? [];
  const { length } = events;
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (hasNextPage && !isFetchingNextPage && error === null && last >= length - ahead)
        void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, error, length, fetchNextPage],
  );
  return {
    hasMore: hasNextPage,
    count: length + (hasNextPage ? 1 : 0),
    rowAt: (index) => events[index],
    onRange,
    pending: isPending,
    error,
    refetch: () => void refetch(),
  };
}
