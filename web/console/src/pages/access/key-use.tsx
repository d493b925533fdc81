/** Questions asked with a key, by day. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { ErrorState } from '../../components/error-state.tsx';

const height = 160;

export default function KeyUse({ keyId }: { keyId: number }) {
  const { access } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useQuery({
    queryKey: ['keys', 'use', keyId],
    queryFn: ({ signal }) =>
      taken(api.GET('/admin/api/api-keys/{key_id}/use', { params: { path: { key_id: keyId } }, signal })),
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton h={height} />;
  return (
    <figure style={{ margin: 0 }}>
      <BarChart
        h={height}
        data={data.by_day}
        dataKey="date"
        series={[{ name: 'questions', color: 'blue.6', label: access.requests }]}
        xAxisProps={{ tickFormatter: format.day, minTickGap: 24 }}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        valueFormatter={format.number}
        barChartProps={{ accessibilityLayer: false }}
        tooltipAnimationDuration={0}
      />
      <figcaption>{access.usedTimes(format.number(data.questions))}</figcaption>
    </figure>
  );
}
