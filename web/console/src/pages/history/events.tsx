/** The events of the history, newest first, filtered by stream, type, actor, request and time. */
import { IconHistoryOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { LogTable, type TableProps } from '../../components/log-table.tsx';
import { Section } from '../../components/section.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { type Event, useColumns } from './columns.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { useEventTypes } from './event-types.ts';
import { useTabs } from './tabs.ts';
import { type EventQuery, useEvents } from './use-events.ts';

const route = getRouteApi('/shell/history');

export function Events() {
  const { nav, history, overview } = useTexts();
  const { event: open, ...query } = route.useSearch();
  const change = useSearchChange();
  const [event, keep] = useOpened(open, ({ id }: Event) => id);
  return (
    <Section label={nav.history} tabs={useTabs()}>
      <FilterBar
        search={query}
        onChange={change}
        filters={[
          { kind: 'text', name: 'stream', label: history.stream, width: 200 },
          { kind: 'choice', name: 'type', label: history.type, options: useEventTypes(), width: 190 },
          { kind: 'text', name: 'actor', label: history.actor },
          { kind: 'text', name: 'correlation_id', label: history.correlation, width: 200 },
          { kind: 'days', label: overview.days },
        ]}
      />
      <EventTable
        query={query}
        label={history.events}
        columns={useColumns()}
        keyOf={({ id }) => id}
        open={open}
        onOpen={(event) => {
          keep(event);
          void change({ event: event.id }, { adds: true });
        }}
        empty={<EmptyState icon={IconHistoryOff} title={history.none} hint={history.noneHint} />}
      />
      <EventDrawer event={event} onClose={() => change({ event: undefined })} />
    </Section>
  );
}

/** A loaded page of events renders only the list again, not the filters above it. */
function EventTable({ query, ...table }: { query: EventQuery } & Omit<TableProps<Event>, 'rows' | 'of'>) {
  return <LogTable {...table} rows={useEvents(query)} of={JSON.stringify(query)} />;
}
