/** The keys of programs: created once, copied, revoked; each links to its questions. */
import { Button } from '@mantine/core';
import { IconKeyOff, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schema } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, LogTable } from '../../components/log-table.tsx';
import { Section } from '../../components/section.tsx';
import { Tag } from '../../components/tag.tsx';
import { useKeys } from '../../components/use-keys.ts';
import { wholeRows } from '../../components/whole-rows.ts';
import { KeyDetails } from './key-details.tsx';
import { KeyForm } from './key-form.tsx';
import { useTabs } from './tabs.ts';

type Key = Schema['ApiKey'];
const route = getRouteApi('/shell/access');
/** Means a new key in the URL, because keys are numbered from 1. */
const newOne = 0;

export function Keys() {
  const { nav, access } = useTexts();
  const { key: open } = route.useSearch();
  const change = useSearchChange();
  const { can } = useSession();
  const query = useKeys();
  const chosen = query.data?.items.find(({ key_id }) => key_id === open);
  const close = () => change({ key: undefined });
  return (
    <Section
      label={nav.access}
      tabs={useTabs()}
      actions={
        can('write') && (
          <Button
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change({ key: newOne }, { adds: true })}
          >
            {access.createKey}
          </Button>
        )
      }
    >
      <LogTable
        label={access.keys}
        columns={useColumns()}
        rows={wholeRows(query)}
        of=""
        keyOf={({ key_id }) => key_id}
        open={open}
        onOpen={({ key_id }) => change({ key: key_id }, { adds: true })}
        empty={<EmptyState icon={IconKeyOff} title={access.noKeys} hint={access.noKeysHint} />}
      />
      <DetailDrawer
        opened={(open === newOne && can('write')) || chosen !== undefined}
        onClose={close}
        title={chosen ? chosen.name : access.createKey}
      >
        {open === newOne && <KeyForm onDone={close} />}
        {chosen && <KeyDetails apiKey={chosen} />}
      </DetailDrawer>
    </Section>
  );
}

function useColumns(): Column<Key>[] {
  const { access } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'name', label: access.name, phone: true, cell: ({ name }) => name },
      { id: 'prefix', label: access.prefix, width: 120, cell: ({ prefix }) => `${prefix}…` },
      {
        id: 'state',
        label: access.state,
        width: 130,
        phone: true,
        cell: ({ revoked_at }) => (
          <Tag color={revoked_at === null ? 'teal' : 'gray'}>
            {revoked_at === null ? access.active : access.revoked}
          </Tag>
        ),
      },
      {
        id: 'corpora',
        label: access.corpora,
        width: 160,
        cell: ({ corpus_ids }) => (corpus_ids.length === 0 ? access.allCorpora : corpus_ids.join(', ')),
      },
      {
        id: 'limits',
        label: access.limits,
        width: 150,
        cell: ({ rate_limit_rpm, rate_limit_rph }) =>
          `${format.number(rate_limit_rpm)} / ${format.number(rate_limit_rph)}`,
      },
      {
        id: 'request_count',
        label: access.requests,
        width: 90,
        numeric: true,
        cell: ({ request_count }) => format.number(request_count),
      },
      {
        id: 'last_used_at',
        label: access.lastUsed,
        width: 130,
        cell: ({ last_used_at }) => format.short(last_used_at),
      },
    ],
    [access, format],
  );
}
