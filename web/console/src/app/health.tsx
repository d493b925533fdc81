/** The health of the service, loaded every few seconds and shown as a dot with a label. */
import { Group, Text, Tooltip } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from './api.ts';
import classes from './health.module.css';
import { useTexts } from './language.ts';

export type Health = Schema['Health'];
const everyMs = 10_000;

/** A service that is down replies 503 with the same body. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }): Promise<Health> => (await fetch('/health', { signal })).json(),
  refetchInterval: everyMs,
  staleTime: everyMs / 2,
});

export function Dot({ status }: { status: string }) {
  return <span className={classes.dot} data-status={status} aria-hidden />;
}

export function HealthDot() {
  const texts = useTexts();
  const { data, isError } = useQuery(healthQuery);
  const status = isError ? 'down' : (data?.status ?? 'unknown');
  const words = texts.health[status];
  return (
    <Tooltip label={data?.reasons.join(' ') || words} multiline maw={320}>
      <Group gap={6} wrap="nowrap" role="status">
        <Dot status={status} />
        <Text size="xs" className="cut">
          {words}
        </Text>
      </Group>
    </Tooltip>
  );
}
