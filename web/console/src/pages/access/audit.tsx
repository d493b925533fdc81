/** The audit log: who changed what, and who read people's questions. */
import { Stack } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { AsOfNotice } from '../../components/as-of-notice.tsx';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { Fields } from '../../components/fields.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { JsonView } from '../../components/json-view.tsx';
import type { Column } from '../../components/log-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Section } from '../../components/section.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { useTabs } from './tabs.ts';

type Entry = Schema['AuditLogEntry'];
const route = getRouteApi('/shell/access/audit');

export function Audit() {
  const { nav, access, overview } = useTexts();
  const format = useFormat();
  const { entry: open, ...query } = route.useSearch();
  const change = useSearchChange();
  const [entry, keep] = useOpened(open, ({ entry_id }: Entry) => entry_id);
  return (
    <Section
      label={nav.access}
      tabs={useTabs()}
      actions={<ExportButton path="/admin/api/audit-log" search={query} />}
    >
      <AsOfNotice asOf={query.as_of} />
      <FilterBar
        search={query}
        onChange={change}
        filters={[
          { kind: 'text', name: 'actor', label: access.actor },
          { kind: 'text', name: 'action', label: access.action },
          { kind: 'text', name: 'target', label: access.target },
          { kind: 'days', label: overview.days },
        ]}
      />
      <PagedTable<Entry>
        label={access.audit}
        columns={useColumns()}
        queryKey={['audit', query]}
        read={(page, signal) =>
          taken(api.GET('/admin/api/audit-log', { params: { query: { ...query, ...page } }, signal }))
        }
        keyOf={({ entry_id }) => entry_id}
        open={open}
        onOpen={(entry) => {
          keep(entry);
          void change({ entry: entry.entry_id }, { adds: true });
        }}
        empty={<EmptyState icon={IconShieldOff} title={access.noAudit} hint={access.noAuditHint} />}
      />
      <DetailDrawer
        opened={entry !== undefined}
        onClose={() => change({ entry: undefined })}
        title={entry?.action ?? ''}
        size={560}
      >
        {entry && (
          <Stack>
            <Fields
              of={[
                [access.when, format.moment(entry.occurred_at)],
                [access.actor, entry.actor],
                [access.target, entry.target],
                [access.request, entry.request_id],
                [access.position, entry.position],
              ]}
            />
            <JsonView value={entry.detail} />
            <Link to="/history" search={{ correlation_id: entry.request_id }}>
              {access.itsEvents}
            </Link>
          </Stack>
        )}
      </DetailDrawer>
    </Section>
  );
}

/** The values in a detail, without the structure around them. */
function leavesOf(detail: object): string[] {
  return Object.entries(detail).flatMap(([name, value]) =>
    Array.isArray(value)
      ? `${name}: ${value.join(', ')}`
      : typeof value === 'object' && value !== null
        ? leavesOf(value)
        : `${name}: ${value ?? '—'}`,
  );
}

function useColumns(): Column<Entry>[] {
  const { access } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'occurred_at',
        label: access.when,
        width: 140,
        cell: ({ occurred_at }) => format.short(occurred_at),
      },
      { id: 'actor', label: access.actor, width: 150, phone: true, cell: ({ actor }) => actor },
      { id: 'action', label: access.action, width: 190, phone: true, cell: ({ action }) => action },
      { id: 'target', label: access.target, width: 220, cell: ({ target }) => target },
      { id: 'detail', label: access.detail, cell: ({ detail }) => leavesOf(detail).join(' · ') },
    ],
    [access, format],
  );
}
