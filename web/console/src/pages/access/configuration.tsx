/** The configuration with which the service started, without secrets. */
import { Skeleton, Table, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useTabs } from './tabs.ts';

/** A list as it is set in the environment, separated by commas. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(', ') || '—';
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value ?? '—');
}

export function Configuration() {
  const { nav, access } = useTexts();
  const [words, setWords] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => taken(api.GET('/admin/api/config', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const settings = Object.entries((data ?? {}) as Record<string, unknown>).filter(([name]) =>
    name.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <Section label={nav.access} tabs={useTabs()}>
      <PageBody label={access.configuration}>
        <TextInput
          type="search"
          aria-label={access.findSetting}
          placeholder={access.findSetting}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
          w={280}
        />
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton h={420} />
        ) : (
          <Table fz="xs" verticalSpacing={5} layout="fixed" maw={900}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{access.setting}</Table.Th>
                <Table.Th>{access.value}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {settings.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Td className="words" ff="monospace">
                    {name}
                  </Table.Td>
                  <Table.Td className="words" ff="monospace">
                    {written(value)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PageBody>
    </Section>
  );
}
