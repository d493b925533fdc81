/** The revisions of a document: one with its text and chunks, or its differences from another. */
import { Badge, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { Delta } from '../../components/delta.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ChunkedText } from './chunked-text.tsx';

interface Props {
  docId: number;
  asOf: string | undefined;
}

export function Revisions({ docId, asOf }: Props) {
  const { documents } = useTexts();
  const format = useFormat();
  const [shown, show] = useState<string | null>(null);
  const [other, compare] = useState<string | null>(null);
  const query = asOf === undefined ? {} : { as_of: asOf };
  const { data, error, refetch } = useQuery({
    queryKey: ['documents', 'revisions', docId, asOf],
    queryFn: ({ signal }) =>
      taken(
        api.GET('/admin/api/documents/{doc_id}/revisions', {
          params: { path: { doc_id: docId }, query },
          signal,
        }),
      ),
  });
  const latest = data?.items[0]?.revision;
  const first = useRevision({ docId, asOf }, shown === null ? latest : Number(shown));
  const second = useRevision({ docId, asOf }, other === null ? undefined : Number(other));
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton h={240} />;
  const options = data.items.map(({ revision, ingested_at, ingested_by }) => ({
    value: String(revision),
    label: `${documents.revision} ${revision} · ${format.short(ingested_at)} · ${ingested_by ?? '—'}`,
  }));
  const failed = first.error ?? second.error;
  return (
    <Stack>
      <Select
        label={documents.shownRevision}
        data={options}
        value={shown ?? String(latest ?? '')}
        onChange={show}
        allowDeselect={false}
      />
      <Select label={documents.comparedWith} data={options} value={other} onChange={compare} clearable />
      {failed ? (
        <ErrorState error={failed} />
      ) : first.data === undefined || (other !== null && second.data === undefined) ? (
        <Skeleton h={240} />
      ) : second.data ? (
        <Delta before={second.data.text} after={first.data.text} />
      ) : (
        <>
          <Text size="xs" c="dimmed">
            {first.data.content_hash} {first.data.visible && <Badge color="teal">{documents.visible}</Badge>}
          </Text>
          <ChunkedText text={first.data.text} chunks={first.data.chunks} />
        </>
      )}
    </Stack>
  );
}

function useRevision({ docId, asOf }: Props, revision: number | undefined) {
  return useQuery({
    queryKey: ['documents', 'revision', docId, revision, asOf],
    queryFn: ({ signal }) =>
      taken(
        api.GET('/admin/api/documents/{doc_id}/revisions/{revision}', {
          params: {
            path: { doc_id: docId, revision: revision! },
            query: asOf === undefined ? {} : { as_of: asOf },
          },
          signal,
        }),
      ),
    enabled: revision !== undefined,
  });
}
