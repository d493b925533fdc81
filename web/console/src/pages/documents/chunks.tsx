/** The chunks of a document in its text, each with its heading, its position and whether it has a vector. */
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { ErrorState } from '../../components/error-state.tsx';
import classes from './chunks.module.css';

const size = 50;

export function Chunks({ docId, asOf }: { docId: number; asOf: string | undefined }) {
  const { documents, common } = useTexts();
  const format = useFormat();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } =
    useInfiniteQuery({
      queryKey: ['documents', 'chunks', docId, asOf],
      initialPageParam: 0,
      queryFn: ({ pageParam, signal }) =>
        taken(
          api.GET('/admin/api/documents/{doc_id}/chunks', {
            params: {
              path: { doc_id: docId },
              query: { limit: size, offset: pageParam, ...(asOf !== undefined && { as_of: asOf }) },
            },
            signal,
          }),
        ),
      getNextPageParam: ({ offset, total }) => (offset + size < total ? offset + size : undefined),
    });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (isPending) return <Skeleton h={240} />;
  const chunks = data.pages.flatMap(({ items }) => items);
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed" mb="xs">
        {common.rows(data.pages[0]?.total ?? 0)}
      </Text>
      {chunks.map(({ chunk_index, heading, text, start, end, embedded }) => (
        <section key={chunk_index} className={classes.chunk}>
          <Group gap={6} mb={4}>
            <Text size="sm" fw={600} className="words">
              {heading || chunk_index}
            </Text>
            {heading && <Badge color="gray">{chunk_index}</Badge>}
            {!embedded && <Badge color="yellow">{documents.noVector}</Badge>}
            <Text size="xs" c="dimmed" className="numbers">
              {`${format.number(start)}–${format.number(end)}`}
            </Text>
          </Group>
          <p className={`words ${classes.text}`}>{text}</p>
        </section>
      ))}
      {hasNextPage && (
        <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {documents.more}
        </Button>
      )}
    </Stack>
  );
}
