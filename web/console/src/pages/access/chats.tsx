/** Channels and groups, and how each is answered. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import bar from '../../components/filter-bar.module.css';
import { type Column, LogTable } from '../../components/log-table.tsx';
import { Section } from '../../components/section.tsx';
import { Tag } from '../../components/tag.tsx';
import { wholeRows } from '../../components/whole-rows.ts';
import { ChatSettings } from './chat-settings.tsx';
import { useTabs } from './tabs.ts';

type Room = Schema['ChatRoom'];
const route = getRouteApi('/shell/access/chats');
const addressOf = ({ platform, place }: Pick<Room, 'platform' | 'place'>) => `${platform}/${place}`;

export function Chats() {
  const { nav, access, channels } = useTexts();
  const { chat } = route.useSearch();
  const change = useSearchChange();
  const query = useQuery({
    queryKey: ['chats'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/chats', { signal })),
  });
  const [, platform, place] = /^(slack|telegram)\/([A-Za-z0-9-]{1,40})$/.exec(chat ?? '') ?? [];
  return (
    <Section label={nav.access} tabs={useTabs()}>
      <OpenRoom onOpen={(room) => change({ chat: addressOf(room) }, { adds: true })} />
      <LogTable
        label={access.chats}
        columns={useColumns()}
        rows={wholeRows(query)}
        of=""
        keyOf={addressOf}
        open={chat}
        onOpen={(room) => change({ chat: addressOf(room) }, { adds: true })}
        empty={<EmptyState icon={IconMessages} title={access.noChats} hint={access.noChatsHint} />}
      />
      <DetailDrawer
        opened={place !== undefined}
        onClose={() => change({ chat: undefined })}
        title={`${channels[platform ?? '']} ${place}`}
      >
        {place !== undefined && <ChatSettings platform={platform as Room['platform']} place={place} />}
      </DetailDrawer>
    </Section>
  );
}

/** Opens a channel without settings by its id. */
function OpenRoom({ onOpen }: { onOpen: (room: Pick<Room, 'platform' | 'place'>) => void }) {
  const { access, channels } = useTexts();
  const form = useForm({
    initialValues: { platform: 'slack' as Room['platform'], place: '' },
    validate: { place: (place) => (/^[A-Za-z0-9-]{1,40}$/.test(place) ? null : access.placeForm) },
  });
  return (
    <form onSubmit={form.onSubmit(onOpen)} noValidate>
      <Group className={bar.bar} align="flex-start">
        <Select
          aria-label={access.platform}
          data={['slack', 'telegram'].map((value) => ({ value, label: channels[value] ?? value }))}
          allowDeselect={false}
          w={120}
          {...form.getInputProps('platform')}
        />
        <TextInput
          aria-label={access.place}
          placeholder={access.place}
          w={240}
          {...form.getInputProps('place')}
        />
        <Button type="submit" variant="light">
          {access.openChat}
        </Button>
      </Group>
    </form>
  );
}

function useColumns(): Column<Room>[] {
  const { access, channels } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'platform',
        label: access.platform,
        width: 110,
        phone: true,
        cell: ({ platform }) => channels[platform],
      },
      { id: 'place', label: access.place, phone: true, cell: ({ place }) => place },
      {
        id: 'corpora',
        label: access.mayAsk,
        width: 190,
        cell: ({ corpora }) => corpora?.join(', ') ?? access.asConfigured,
      },
      {
        id: 'answers',
        label: access.answers,
        width: 170,
        cell: ({ answers, muted }) =>
          muted ? <Tag color="gray">{access.muted}</Tag> : access.answering[answers],
      },
      {
        id: 'changed_at',
        label: access.changed,
        width: 130,
        cell: ({ changed_at }) => format.short(changed_at),
      },
      { id: 'changed_by', label: access.changedBy, width: 150, cell: ({ changed_by }) => changed_by ?? '—' },
    ],
    [access, channels, format],
  );
}
