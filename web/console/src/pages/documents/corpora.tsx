/** The corpora with their layers: to create, change, and deactivate. */
import { Button } from '@mantine/core';
import { IconBooks, IconPlus } from '@tabler/icons-react';
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
import { useCorpora, useTitleOf } from '../../components/use-corpora.ts';
import { wholeRows } from '../../components/whole-rows.ts';
import { CorpusForm } from './corpus-form.tsx';
import { useTabs } from './tabs.ts';

type Corpus = Schema['AdminCorpus'];
const route = getRouteApi('/shell/documents/corpora');
/** Means a new corpus in the URL, because no corpus can have this name. */
const newOne = '+';

export function Corpora() {
  const { nav, corpora } = useTexts();
  const { corpus: open } = route.useSearch();
  const change = useSearchChange();
  const { can } = useSession();
  const query = useCorpora();
  const chosen = query.data?.items.find(({ corpus_id }) => corpus_id === open);
  const titleOf = useTitleOf();
  const close = () => change({ corpus: undefined });
  return (
    <Section
      label={nav.documents}
      tabs={useTabs()}
      actions={
        can('write') && (
          <Button
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change({ corpus: newOne }, { adds: true })}
          >
            {corpora.create}
          </Button>
        )
      }
    >
      <LogTable
        label={corpora.list}
        columns={useColumns()}
        rows={wholeRows(query)}
        of=""
        keyOf={({ corpus_id }) => corpus_id}
        open={open}
        onOpen={({ corpus_id }) => change({ corpus: corpus_id }, { adds: true })}
        empty={<EmptyState icon={IconBooks} title={corpora.none} hint={corpora.noneHint} />}
      />
      <DetailDrawer
        opened={(open === newOne && can('write')) || chosen !== undefined}
        onClose={close}
        title={chosen ? titleOf(chosen.title) || chosen.corpus_id : corpora.create}
        size={800}
      >
        {open !== undefined && <CorpusForm key={open} corpus={chosen} onDone={close} />}
      </DetailDrawer>
    </Section>
  );
}

function useColumns(): Column<Corpus>[] {
  const { corpora } = useTexts();
  const format = useFormat();
  const titleOf = useTitleOf();
  return useMemo(
    () => [
      { id: 'corpus_id', label: corpora.id, width: 120, cell: ({ corpus_id }) => corpus_id },
      {
        id: 'title',
        label: corpora.title,
        phone: true,
        cell: ({ title, corpus_id }) => titleOf(title) || corpus_id,
      },
      {
        id: 'state',
        label: corpora.state,
        width: 175,
        phone: true,
        cell: ({ is_active, is_default }) => (
          <>
            <Tag color={is_active ? 'teal' : 'gray'}>{is_active ? corpora.active : corpora.inactive}</Tag>{' '}
            {is_default && <Tag color="blue">{corpora.default}</Tag>}
          </>
        ),
      },
      { id: 'languages', label: corpora.languages, width: 75, cell: ({ languages }) => languages.join(', ') },
      ...(['layers', 'document_count', 'chunk_count', 'question_count'] as const).map((field) => ({
        id: field,
        label: corpora.counts[field],
        width: 75,
        numeric: true,
        cell: (corpus: Corpus) => {
          const value = corpus[field];
          return format.number(typeof value === 'number' ? value : value.length);
        },
      })),
      {
        id: 'coverage',
        label: corpora.coverage,
        width: 75,
        numeric: true,
        cell: ({ embedding_coverage }) => format.percent(embedding_coverage),
      },
    ],
    [corpora, format, titleOf],
  );
}
