/** The overview: figures for a range of days, the most asked questions, and the state of the service. */
import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue } from 'react';
import { api, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { AskedOften } from './asked-often.tsx';
import { Breakdown } from './breakdown.tsx';
import { Card } from './card.tsx';
import { Figures } from './figures.tsx';
import { Parts } from './parts.tsx';
import { type Preset, presetOf, presets, rangeOf } from './ranges.ts';
import type { overviewSearch } from './search.ts';

const DayChart = lazy(() => import('./day-chart.tsx'));
const Days = lazy(async () => ({ default: (await import('../../components/days.tsx')).Days }));
const route = getRouteApi('/shell/');
/** The service records each reading of the statistics, at most once a minute. */
const everyMs = 10_000;
const chartHeight = 240;

export const statsQuery = (range: ReturnType<typeof overviewSearch>) =>
  queryOptions({
    queryKey: ['stats', range],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/stats', { params: { query: range }, signal })),
  });

export function Overview() {
  const texts = useTexts();
  const range = route.useSearch();
  const change = useSearchChange();
  const stats = useQuery({
    ...statsQuery(range),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
  const { data } = stats;
  // The figures are rendered first; the chart and its library follow.
  const days = useDeferredValue(data?.by_day);
  return (
    <Stack p="md" gap="md" maw={1280} w="100%" mx="auto">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={texts.overview.range}
          value={presetOf(range) ?? ''}
          onChange={(preset) => change(rangeOf(preset as Preset))}
          data={presets.map((value) => ({ value, label: texts.overview.presets[value] }))}
        />
        <Suspense fallback={<Skeleton h={30} w={190} />}>
          <Days label={texts.overview.days} search={range} onChange={change} />
        </Suspense>
      </Group>
      {stats.isError && data === undefined ? (
        <ErrorState error={stats.error} onRetry={() => stats.refetch()} />
      ) : (
        <>
          <Figures stats={data} />
          <Card title={texts.overview.byDay}>
            <Suspense fallback={<Skeleton h={chartHeight} />}>
              {days ? <DayChart days={days} height={chartHeight} /> : <Skeleton h={chartHeight} />}
            </Suspense>
          </Card>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
            {(['channel', 'corpus', 'mode', 'lang'] as const).map((kind) => (
              <Breakdown key={kind} kind={kind} counts={data?.[`by_${kind}`]} range={range} />
            ))}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <AskedOften title={texts.overview.mostAsked} asked={data?.most_asked} range={range} />
            <AskedOften title={texts.overview.unanswered} asked={data?.unanswered} range={range} unanswered />
          </SimpleGrid>
          <Parts />
        </>
      )}
    </Stack>
  );
}
