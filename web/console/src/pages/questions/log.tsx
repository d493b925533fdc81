/** The query log: filters in the URL, any number of rows, and the dossier of the opened question. */
import { Button } from '@mantine/core';
import { IconMessageOff, IconThumbDown, IconThumbUp, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { AsOfNotice } from '../../components/as-of-notice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import type { Column } from '../../components/log-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Section } from '../../components/section.tsx';
import { Tag } from '../../components/tag.tsx';
import { useCorpusOptions } from '../../components/use-corpora.ts';
import { useKeyName } from '../../components/use-keys.ts';
import { DossierDrawer } from './dossier-drawer.tsx';
import { useTabs } from './tabs.ts';

type Entry = Schema['QueryLogEntry'];
const route = getRouteApi('/shell/questions');
const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export function QuestionLog() {
  const texts = useTexts();
  const { ask, ...query } = route.useSearch();
  const change = useSearchChange();
  const corpora = useCorpusOptions();
  const columns = useColumns();
  const keyName = useKeyName(query.key_id ?? null);
  const { questions } = texts;
  return (
    <Section
      label={texts.nav.questions}
      tabs={useTabs()}
      actions={<ExportButton path="/admin/api/queries" search={query} />}
    >
      <AsOfNotice asOf={query.as_of} />
      <FilterBar
        search={query}
        onChange={change}
        filters={[
          { kind: 'search', name: 'search', label: questions.search },
          { kind: 'choice', name: 'corpus_id', label: texts.common.corpus, options: corpora },
          { kind: 'choice', name: 'mode', label: questions.mode, options: optionsOf(texts.modes) },
          {
            kind: 'choice',
            name: 'lang',
            label: questions.lang,
            options: optionsOf(texts.langs),
            width: 120,
          },
          { kind: 'choice', name: 'channel', label: questions.channel, options: optionsOf(texts.channels) },
          {
            kind: 'choice',
            name: 'rating',
            label: questions.rating,
            options: optionsOf(texts.ratings),
            width: 120,
          },
          {
            kind: 'choice',
            name: 'has_error',
            label: questions.error,
            options: [
              { value: 'true', label: questions.failed },
              { value: 'false', label: questions.notFailed },
            ],
          },
          { kind: 'days', label: texts.overview.days },
        ]}
      >
        {keyName !== null && (
          <Button
            variant="light"
            rightSection={<IconX size={12} aria-hidden />}
            onClick={() => change({ key_id: undefined })}
          >
            {questions.ofKey(keyName)}
          </Button>
        )}
      </FilterBar>
      <PagedTable<Entry>
        label={questions.log}
        columns={columns}
        queryKey={['queries', query]}
        read={(page, signal) =>
          taken(api.GET('/admin/api/queries', { params: { query: { ...query, ...page } }, signal }))
        }
        keyOf={({ request_id }) => request_id}
        open={ask}
        onOpen={({ request_id }) => change({ ask: request_id }, { adds: true })}
        empty={
          <EmptyState icon={IconMessageOff} title={questions.noneFound} hint={questions.noneFoundHint} />
        }
      />
      <DossierDrawer requestId={ask} onClose={() => change({ ask: undefined })} />
    </Section>
  );
}

function useColumns(): Column<Entry>[] {
  const texts = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'asked_at',
        label: texts.questions.askedAt,
        width: 130,
        cell: ({ asked_at }) => <span className="numbers">{format.short(asked_at)}</span>,
      },
      {
        id: 'query',
        label: texts.questions.question,
        phone: true,
        cell: ({ query, forgotten }) => (forgotten ? <em>{texts.questions.forgotten}</em> : query),
      },
      {
        id: 'mode',
        label: texts.questions.outcome,
        width: 130,
        phone: true,
        cell: ({ mode, error }) =>
          error !== null ? (
            <Tag color="red">{texts.questions.failed}</Tag>
          ) : mode === null ? (
            <Tag color="gray">{texts.questions.pending}</Tag>
          ) : (
            <Tag color={mode === 'no_answer' ? 'yellow' : 'blue'}>{texts.modes[mode]}</Tag>
          ),
      },
      {
        id: 'lang',
        label: texts.questions.lang,
        width: 95,
        cell: ({ lang }) => (lang ? texts.langs[lang] : '—'),
      },
      { id: 'corpus_id', label: texts.common.corpus, width: 110, cell: ({ corpus_id }) => corpus_id },
      {
        id: 'channel',
        label: texts.questions.channel,
        width: 100,
        cell: ({ channel }) => texts.channels[channel],
      },
      {
        id: 'latency_ms',
        label: texts.questions.latency,
        width: 100,
        numeric: true,
        cell: ({ latency_ms }) => format.duration(latency_ms),
      },
      {
        id: 'rating',
        label: texts.questions.rating,
        width: 70,
        cell: ({ rating }) =>
          rating === 'up' ? (
            <IconThumbUp size={16} role="img" aria-label={texts.ratings.up} />
          ) : rating === 'down' ? (
            <IconThumbDown size={16} role="img" aria-label={texts.ratings.down} />
          ) : null,
      },
    ],
    [texts, format],
  );
}
