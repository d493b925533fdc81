/** How many of the documents have vectors, and the backfills that complete them. */
import { Paper, Progress, Skeleton, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { BackfillForm } from './backfill-form.tsx';
import { Job } from './job.tsx';
import { useTabs } from './tabs.ts';

const route = getRouteApi('/shell/documents/embeddings');
type Coverage = Pick<Schema['Coverage'], 'total_chunks' | 'embedded_chunks' | 'coverage'>;

export function Embeddings() {
  const { nav, embeddings } = useTexts();
  const { can } = useSession();
  const { job } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: ['embeddings'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/embeddings/status', { signal })),
  });
  return (
    <Section label={nav.documents} tabs={useTabs()}>
      <PageBody label={embeddings.all}>
        {job !== undefined && <Job key={job} jobId={job} />}
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton h={360} />
        ) : (
          <>
            <Paper withBorder p="md">
              <Text size="xs" c="dimmed" mb="xs">
                {data.embedder
                  ? embeddings.by(data.embedder.name, data.embedder.dimension)
                  : embeddings.noEmbedder}
              </Text>
              <CoverageBar name={embeddings.all} of={data} />
              {data.corpora.map((corpus) => (
                <CoverageBar key={corpus.corpus_id} name={corpus.corpus_id} of={corpus} />
              ))}
            </Paper>
            {data.generations.length > 0 && (
              <Paper withBorder p="md">
                <Title order={2} size="h3" mb="xs">
                  {embeddings.generations}
                </Title>
                {data.generations.map((generation) => (
                  <CoverageBar
                    key={generation.embedder}
                    name={`${generation.embedder}${generation.serves ? ` · ${embeddings.serves}` : ''}`}
                    of={generation}
                  />
                ))}
              </Paper>
            )}
            {can('write') && data.embedder && <BackfillForm />}
            <Jobs jobs={data.jobs} />
          </>
        )}
      </PageBody>
    </Section>
  );
}

function CoverageBar({
  name,
  of: { total_chunks, embedded_chunks, coverage },
}: {
  name: string;
  of: Coverage;
}) {
  const format = useFormat();
  return (
    <div style={{ marginBottom: 10 }}>
      <Text size="sm" className="words">
        {`${name}: ${format.percent(coverage)} (${format.number(embedded_chunks)} / ${format.number(total_chunks)})`}
      </Text>
      <Progress value={100 * coverage} size="sm" aria-label={name} />
    </div>
  );
}

function Jobs({ jobs }: { jobs: Schema['Backfill'][] }) {
  const { embeddings } = useTexts();
  const format = useFormat();
  if (jobs.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="xs">
        {embeddings.jobs}
      </Title>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{embeddings.requested}</Table.Th>
              <Table.Th>{embeddings.state}</Table.Th>
              <Table.Th ta="end">{embeddings.chunks}</Table.Th>
              <Table.Th>{embeddings.requestedBy}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {jobs.map(({ job_id, requested_at, status, embedded_chunks, total_chunks, requested_by }) => (
              <Table.Tr key={job_id}>
                <Table.Td>
                  <Link to="/documents/embeddings" search={{ job: job_id }}>
                    {format.short(requested_at)}
                  </Link>
                </Table.Td>
                <Table.Td>{embeddings.statuses[status]}</Table.Td>
                <Table.Td ta="end">{`${format.number(embedded_chunks)} / ${format.number(total_chunks)}`}</Table.Td>
                <Table.Td>{requested_by}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
