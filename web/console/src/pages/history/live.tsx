/** The live history. */
import { Button, Group, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRadar2 } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Dot } from '../../app/health.tsx';
import { useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { LogTable } from '../../components/log-table.tsx';
import { Section } from '../../components/section.tsx';
import { type Event, useColumns } from './columns.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { useEventTypes } from './event-types.ts';
import { useTabs } from './tabs.ts';
import { type Connection, useFollowed } from './use-followed.ts';

const route = getRouteApi('/shell/history/live');
const dots: Record<Connection, string> = {
  open: 'ok',
  connecting: 'degraded',
  closed: 'down',
  paused: 'unknown',
};
const nothing = () => {};

export function Live() {
  const { nav, history } = useTexts();
  const filter = route.useSearch();
  const change = useSearchChange();
  const [paused, setPaused] = useState(false);
  const [event, open] = useState<Event>();
  const { events, connection } = useFollowed(filter, paused);
  return (
    <Section label={nav.history} tabs={useTabs()}>
      <FilterBar
        search={filter}
        onChange={change}
        filters={[
          { kind: 'text', name: 'stream', label: history.stream, width: 200 },
          { kind: 'choice', name: 'type', label: history.type, options: useEventTypes(), width: 190 },
          { kind: 'text', name: 'actor', label: history.actor },
        ]}
      >
        <Group gap={6} role="status">
          <Dot status={dots[connection]} />
          <Text size="xs">{history.connections[connection]}</Text>
        </Group>
        <Button
          variant="default"
          leftSection={
            paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => setPaused(!paused)}
        >
          {paused ? history.resume : history.pause}
        </Button>
      </FilterBar>
      <LogTable
        label={history.live}
        columns={useColumns()}
        rows={{
          count: events.length,
          rowAt: (index) => events[index],
          onRange: nothing,
          pending: false,
          error: null,
          refetch: nothing,
        }}
        of={JSON.stringify(filter)}
        keyOf={({ id }) => id}
        open={event?.id}
        onOpen={open}
        empty={<EmptyState icon={IconRadar2} title={history.waiting} hint={history.waitingHint} />}
      />
      <EventDrawer event={event} onClose={() => open(undefined)} />
    </Section>
  );
}
