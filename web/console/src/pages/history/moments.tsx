/** The service as of a moment, and the differences between two moments. */
import {
  Alert,
  Badge,
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconEqual } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, api, type Schema, taken } from '../../app/api.ts';
import { healthQuery } from '../../app/health.tsx';
import { useFormat, useTexts } from '../../app/language.ts';
import { isRetried } from '../../app/query-client.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { Delta } from '../../components/delta.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { MomentInput } from './moment-input.tsx';
import { useTabs } from './tabs.ts';

type Change = Schema['MomentChange'];
const route = getRouteApi('/shell/history/moments');
const size = 50;
const colors = { surplus: 'teal', missing: 'red', changed: 'yellow' } as const;

export function Moments() {
  const { nav, moments } = useTexts();
  const { from, to, projection } = route.useSearch();
  return (
    <Section label={nav.history} tabs={useTabs()}>
      <PageBody label={moments.title}>
        <Text size="sm" c="dimmed">
          {moments.hint}
        </Text>
        <Choice />
        {to !== undefined && <Then asOf={to} />}
        {from !== undefined && to !== undefined && (
          <Differences key={`${from} ${to} ${projection}`} from={from} to={to} projection={projection} />
        )}
      </PageBody>
    </Section>
  );
}

function Choice() {
  const { moments } = useTexts();
  const search = route.useSearch();
  const change = useSearchChange();
  const form = useForm({
    initialValues: { from: search.from ?? '', to: search.to ?? '', projection: search.projection ?? null },
    validate: { to: (to) => (to === '' ? moments.needed : null) },
  });
  const { data: health } = useQuery(healthQuery);
  const { setValues } = form;
  useEffect(
    () => setValues({ from: search.from ?? '', to: search.to ?? '', projection: search.projection ?? null }),
    [setValues, search.from, search.to, search.projection],
  );
  return (
    <Paper
      withBorder
      p="md"
      component="form"
      noValidate
      onSubmit={form.onSubmit(({ from, to, projection }) =>
        change({ from: from || undefined, to, projection: projection || undefined }, { adds: true }),
      )}
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <MomentInput label={moments.first} {...form.getInputProps('from')} />
        <MomentInput label={moments.second} {...form.getInputProps('to')} />
        <Select
          clearable
          label={moments.projection}
          data={Object.keys(health?.projections ?? {})}
          placeholder={moments.allProjections}
          {...form.getInputProps('projection')}
        />
      </SimpleGrid>
      <Group justify="flex-end" mt="sm">
        <Button type="submit">{moments.show}</Button>
      </Group>
    </Paper>
  );
}

/** The lists that can be read as of a moment. */
function Then({ asOf }: { asOf: string }) {
  const { moments, documents, questions, access } = useTexts();
  const search = { as_of: asOf };
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="xs">
        {moments.service}
      </Title>
      <Group gap="md" fz="sm">
        <Link to="/documents" search={search}>
          {documents.list}
        </Link>
        <Link to="/questions" search={search}>
          {questions.log}
        </Link>
        <Link to="/access/audit" search={search}>
          {access.audit}
        </Link>
      </Group>
    </Paper>
  );
}

interface Pair {
  from: string;
  to: string;
  projection: string | undefined;
}

/** The longest Retry-After of a moment that is still being built, in seconds; after a failed build it is longer. */
const buildingRetryS = 5;

/** Whether the service is still building the moments, which can take half an hour. */
const isBuilding = (error: Error): boolean =>
  error instanceof ApiError &&
  error.status === 503 &&
  (error.retryAfterS ?? buildingRetryS) <= buildingRetryS;

function Differences({ from, to, projection }: Pair) {
  const { moments } = useTexts();
  const format = useFormat();
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: ['diff', from, to, projection],
      retry: (failures, error) => isBuilding(error) || isRetried(failures, error),
      initialPageParam: 0,
      queryFn: ({ pageParam, signal }) =>
        taken(
          api.GET('/admin/api/diff', {
            params: {
              query: { from, to, ...(projection && { projection }), offset: pageParam, limit: size },
            },
            signal,
          }),
        ),
      getNextPageParam: ({ next }) => next ?? undefined,
      staleTime: Number.POSITIVE_INFINITY,
    });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (isPending)
    return (
      <Stack aria-busy>
        <Alert color="blue">{moments.building}</Alert>
        <Skeleton h={200} />
      </Stack>
    );
  const changes = data.pages.flatMap(({ items }) => items);
  const compared = data.pages.reduce((sum, page) => sum + page.compared, 0);
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed" role="status">
        {moments.compared(format.number(compared), format.number(changes.length))}
      </Text>
      {changes.length === 0 && !hasNextPage && <EmptyState icon={IconEqual} title={moments.same} />}
      {changes.map((change) => (
        <Difference key={`${change.projection} ${change.name}`} change={change} />
      ))}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {moments.more}
        </Button>
      )}
    </Stack>
  );
}

const written = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

function Difference({ change: { projection, name, kind, fields, before, after } }: { change: Change }) {
  const { moments } = useTexts();
  return (
    <Paper withBorder p="xs">
      <details>
        <summary style={{ cursor: 'pointer' }}>
          <Badge color={colors[kind]}>{moments.kinds[kind]}</Badge>{' '}
          <Text span size="sm" fw={600} className="words">
            {`${projection} · ${name}`}
          </Text>{' '}
          <Text span size="xs" c="dimmed" className="words">
            {fields.join(', ')}
          </Text>
        </summary>
        <Delta before={written(before)} after={written(after)} />
      </details>
    </Paper>
  );
}
