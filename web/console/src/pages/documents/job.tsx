/** A backfill with its id in the URL, so that its progress is shown even after a reload. */
import { Paper, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { Fields } from '../../components/fields.tsx';

const everyMs = 1000;

export function Job({ jobId }: { jobId: string }) {
  const { embeddings } = useTexts();
  const format = useFormat();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['backfill', jobId],
    queryFn: ({ signal }) =>
      taken(api.GET('/admin/api/backfills/{job_id}', { params: { path: { job_id: jobId } }, signal })),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? everyMs : false),
  });
  const finished = data?.finished_at;
  useEffect(() => {
    if (finished) void client.invalidateQueries({ queryKey: ['embeddings'] });
  }, [client, finished]);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton h={130} />;
  const { status, embedded_chunks, total_chunks } = data;
  const share = total_chunks === 0 ? (finished ? 1 : 0) : embedded_chunks / total_chunks;
  return (
    <Paper withBorder p="md" component="section" aria-live="polite">
      <Title order={2} size="h3" mb="xs">
        {`${embeddings.job}: ${embeddings.statuses[status]}`}
      </Title>
      <Progress
        value={100 * share}
        animated={!finished}
        color={status === 'failed' ? 'red' : 'blue'}
        mb="xs"
        aria-label={embeddings.job}
      />
      <Text size="sm" mb="xs">
        {`${format.number(embedded_chunks)} / ${format.number(total_chunks)}`}
      </Text>
      {data.error && (
        <Text size="sm" c="var(--mantine-color-error)" className="words">
          {data.error}
        </Text>
      )}
      <Fields
        of={[
          [embeddings.requested, `${format.moment(data.requested_at)} · ${data.requested_by}`],
          [embeddings.finished, finished ? format.moment(finished) : null],
          [embeddings.docKey, data.doc_key],
        ]}
      />
    </Paper>
  );
}
