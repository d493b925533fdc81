/** Questions by day: answered, without an answer, failed. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { VisuallyHidden } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';

const series = [
  { name: 'answered', color: 'blue.6' },
  { name: 'unanswered', color: 'yellow.6' },
  { name: 'errors', color: 'red.7' },
] as const;

export default function DayChart({ days, height }: { days: Schema['Stats']['by_day']; height: number }) {
  const texts = useTexts();
  const format = useFormat();
  const data = days.map(({ date, questions, errors, unanswered }) => ({
    date,
    answered: questions - errors - unanswered,
    unanswered,
    errors,
  }));
  const sum = (name: 'questions' | 'unanswered' | 'errors') =>
    format.number(days.reduce((n, day) => n + day[name], 0));
  const words = texts.overview.chart(sum('questions'), sum('unanswered'), sum('errors'));
  return (
    <figure style={{ margin: 0 }}>
      <BarChart
        h={height}
        data={data}
        dataKey="date"
        type="stacked"
        withLegend
        legendProps={{ verticalAlign: 'top' }}
        series={series.map((one) => ({ ...one, label: texts.overview.series[one.name] }))}
        xAxisProps={{ tickFormatter: format.day, minTickGap: 24 }}
        yAxisProps={{ allowDecimals: false, width: 44 }}
        valueFormatter={format.number}
        barChartProps={{ accessibilityLayer: false }}
        tooltipAnimationDuration={0}
      />
      <VisuallyHidden component="figcaption">{words}</VisuallyHidden>
    </figure>
  );
}
