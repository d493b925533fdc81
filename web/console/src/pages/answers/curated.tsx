/** Curated answers: written by hand, taken from FAQ layers, or from repeated questions; a question can be tried. */
import { Button } from '@mantine/core';
import { IconListCheck, IconPencilPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { Column } from '../../components/log-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Section } from '../../components/section.tsx';
import { Tag } from '../../components/tag.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntryForm } from './entry-form.tsx';
import { useTabs } from './tabs.ts';
import { TryQuestion } from './try-question.tsx';

type Entry = Schema['FaqEntry'];
const route = getRouteApi('/shell/answers');

export function Curated() {
  const { nav, answers } = useTexts();
  const { can } = useSession();
  const { entry, question, corpus_id } = route.useSearch();
  const change = useSearchChange();
  const writing = can('write') && question !== undefined;
  const close = () => change({ entry: undefined, question: undefined, corpus_id: undefined });
  return (
    <Section
      label={nav.answers}
      tabs={useTabs()}
      actions={
        can('write') && (
          <Button
            leftSection={<IconPencilPlus size={14} aria-hidden />}
            onClick={() => change({ question: ' ' }, { adds: true })}
          >
            {answers.write}
          </Button>
        )
      }
    >
      <TryQuestion />
      <PagedTable<Entry>
        label={answers.curated}
        columns={useColumns()}
        queryKey={['faq']}
        read={(page, signal) => taken(api.GET('/admin/api/faq-cache', { params: { query: page }, signal }))}
        keyOf={({ entry_id }) => entry_id}
        open={entry}
        onOpen={({ entry_id }) => change({ entry: entry_id }, { adds: true })}
        empty={<EmptyState icon={IconListCheck} title={answers.none} hint={answers.noneHint} />}
      />
      <DetailDrawer opened={writing} onClose={close} title={answers.write}>
        {writing && <EntryForm question={question.trim()} corpusId={corpus_id} onDone={close} />}
      </DetailDrawer>
      <EntryDetails entryId={entry} onClose={close} />
    </Section>
  );
}

function useColumns(): Column<Entry>[] {
  const { answers, common, langs } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'question', label: answers.question, phone: true, cell: ({ question }) => question },
      { id: 'answer', label: answers.answer, cell: ({ answer }) => answer },
      {
        id: 'origin',
        label: answers.origin,
        width: 130,
        phone: true,
        cell: ({ origin }) => (
          <Tag color={origin === 'curated' ? 'blue' : 'gray'}>{answers.origins[origin]}</Tag>
        ),
      },
      { id: 'corpus_id', label: common.corpus, width: 120, cell: ({ corpus_id }) => corpus_id },
      { id: 'lang', label: answers.lang, width: 95, cell: ({ lang }) => langs[lang] },
      { id: 'hits', label: answers.hits, width: 70, numeric: true, cell: ({ hits }) => format.number(hits) },
      {
        id: 'last_hit_at',
        label: answers.lastHit,
        width: 130,
        cell: ({ last_hit_at }) => format.short(last_hit_at),
      },
    ],
    [answers, common, langs, format],
  );
}
