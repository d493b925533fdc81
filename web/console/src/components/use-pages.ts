/** A long list that loads only the visible pages. */
import { useDebouncedValue } from '@mantine/hooks';
import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

/** Rows per request. */
const size = 100;
/** A page that is only scrolled past is not loaded. */
const restMs = 80;

export interface Listed<Row> {
  items: Row[];
  total: number;
}

export interface Rows<Row> {
  count: number;
  /** undefined: not loaded yet. */
  rowAt(index: number): Row | undefined;
  onRange(first: number, last: number): void;
  /** The last row represents those still to be loaded. */
  hasMore?: boolean;
  pending: boolean;
  error: unknown;
  refetch(): void;
}

export type ReadPage<Row> = (
  page: { limit: number; offset: number },
  signal: AbortSignal,
) => Promise<Listed<Row>>;

export function usePages<Row>(key: QueryKey, read: ReadPage<Row>): Rows<Row> {
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [[first, last]] = useDebouncedValue(range, restMs);
  // The first page says how many rows there are.
  const pages = [...new Set([0, ...Array.from({ length: last - first + 1 }, (_, n) => first + n)])];
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => read({ limit: size, offset: page * size }, signal),
    })),
  });
  const byPage = new Map(pages.map((page, n) => [page, results[n]!]));
  const onRange = useCallback(
    (from: number, to: number) =>
      setRange((known) => {
        const next = [Math.floor(from / size), Math.floor(to / size)] as const;
        return known[0] === next[0] && known[1] === next[1] ? known : next;
      }),
    [],
  );
  return {
    count: results[0]!.data?.total ?? 0,
    rowAt: (index) => byPage.get(Math.floor(index / size))?.data?.items[index % size],
    onRange,
    pending: results[0]!.isPending,
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch();
    },
  };
}
