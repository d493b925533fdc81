/** How long each stage took, in order. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Text } from '@mantine/core';
import { useFormat, useTexts } from '../../app/language.ts';

/** The order of the pipeline; unknown stages follow. */
const order = ['record', 'understand', 'cache', 'retrieve', 'answer', 'end'];
const rank = (stage: string) => (order.indexOf(stage) === -1 ? order.length : order.indexOf(stage));

export default function Waterfall({ timings }: { timings: Record<string, number> }) {
  const { dossier } = useTexts();
  const format = useFormat();
  const nameOf = (stage: string) => dossier.stages[stage as keyof typeof dossier.stages] ?? stage;
  const stages = Object.entries(timings)
    .map(([name, ms]) => ({ stage: name.replace(/_ms$/, ''), ms }))
    .filter(({ stage }) => stage !== 'total')
    .sort((a, b) => rank(a.stage) - rank(b.stage));
  const total = timings.total_ms ?? stages.reduce((sum, { ms }) => sum + ms, 0);
  const data = [
    ...stages.map(({ stage, ms }) => ({ stage: nameOf(stage), ms })),
    { stage: dossier.stages.total, ms: total, standalone: true, color: 'gray.6' },
  ];
  return (
    <figure style={{ margin: 0 }}>
      <BarChart
        h={200}
        data={data}
        dataKey="stage"
        type="waterfall"
        series={[{ name: 'ms', color: 'blue.6', label: dossier.milliseconds }]}
        xAxisProps={{ interval: 0 }}
        yAxisProps={{ width: 50 }}
        barChartProps={{ accessibilityLayer: false }}
        tooltipAnimationDuration={0}
      />
      <Text component="figcaption" size="xs" c="dimmed">
        {data.map(({ stage, ms }) => `${stage} ${format.number(ms)}`).join(' · ')}
      </Text>
    </figure>
  );
}
