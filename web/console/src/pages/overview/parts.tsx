/** The state of the service's components, and the lag of each read model. */
import { Group, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Dot, healthQuery } from '../../app/health.tsx';
import { useFormat, useTexts } from '../../app/language.ts';
import { Card } from './card.tsx';
import classes from './overview.module.css';

export function Parts() {
  const texts = useTexts();
  const format = useFormat();
  const { data } = useQuery(healthQuery);
  if (data === undefined)
    return (
      <Card title={texts.overview.health}>
        <Skeleton h={320} />
      </Card>
    );
  return (
    <Card title={texts.overview.health}>
      <Group gap="lg" mb="sm">
        {Object.entries(data.components).map(([name, status]) => (
          <Group key={name} gap={6}>
            <Dot status={status} />
            <Text size="sm">
              {texts.overview.parts[name as keyof typeof data.components]}: {texts.health[status]}
            </Text>
          </Group>
        ))}
        <Text size="xs" c="dimmed">
          {texts.overview.version(data.version, format.number(Math.round(data.uptime_s / 60)))}
        </Text>
      </Group>
      {data.reasons.map((reason) => (
        <Text key={reason} size="sm">
          {reason}
        </Text>
      ))}
      <div className={classes.parts}>
        <Table fz="xs" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.overview.readModel}</Table.Th>
              <Table.Th ta="end">{texts.overview.lag}</Table.Th>
              <Table.Th ta="end">{texts.overview.lagEvents}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(data.projections).map(([name, { lag_ms, lag_events }]) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="end" className="numbers">
                  {format.duration(lag_ms)}
                </Table.Td>
                <Table.Td ta="end" className="numbers">
                  {lag_events === null ? '—' : format.number(lag_events)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Card>
  );
}
