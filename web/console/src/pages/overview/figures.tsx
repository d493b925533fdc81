/** The individual figures of a range. */
import { Paper, SimpleGrid, Skeleton } from '@mantine/core';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import classes from './overview.module.css';

type Stats = Schema['Stats'];
type Format = ReturnType<typeof useFormat>;
type Name = keyof ReturnType<typeof useTexts>['overview']['figures'];

const figures: [Name, (stats: Stats, format: Format) => string][] = [
  ['questions', (stats, { number }) => number(stats.range?.questions ?? stats.questions.all)],
  ['p50', ({ latency_ms }, { duration }) => duration(latency_ms.p50)],
  ['p95', ({ latency_ms }, { duration }) => duration(latency_ms.p95)],
  ['p99', ({ latency_ms }, { duration }) => duration(latency_ms.p99)],
  ['abstention', ({ abstention_rate }, { percent }) => percent(abstention_rate)],
  ['cache', ({ cache_hit_rate }, { percent }) => percent(cache_hit_rate)],
  ['errors', ({ error_rate }, { percent }) => percent(error_rate)],
  ['ratings', ({ ratings }, { number }) => `${number(ratings.up)} / ${number(ratings.down)}`],
  ['help', ({ help }, { number }) => `${number(help.requested)} / ${number(help.resolved)}`],
  ['cost', ({ models }, { money }) => money(models.cost_usd)],
  ['tokens', ({ models }, { number }) => number(models.input_tokens + models.output_tokens)],
  ['documents', ({ documents }, { number }) => number(documents)],
];

export function Figures({ stats }: { stats: Stats | undefined }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="sm">
      {figures.map(([name, read]) => (
        <Paper key={name} className={classes.figure}>
          <dt className={classes.name}>{texts.overview.figures[name]}</dt>
          <dd className={classes.value} style={{ margin: 0 }}>
            {stats ? read(stats, format) : <Skeleton h={29} w={70} />}
          </dd>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
