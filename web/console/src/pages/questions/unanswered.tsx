/** Questions without an answer, grouped by their words; each links to a new curated answer or an upload. */
import { IconCircleCheck } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportButton } from '../../components/export-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import type { Column } from '../../components/log-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Section } from '../../components/section.tsx';
import { useCorpusOptions } from '../../components/use-corpora.ts';
import { DossierDrawer } from './dossier-drawer.tsx';
import { Remedies } from './remedies.tsx';
import { useTabs } from './tabs.ts';

type Group = Schema['Unanswered'];
const route = getRouteApi('/shell/questions/unanswered');

export function Unanswered() {
  const texts = useTexts();
  const { ask, ...query } = route.useSearch();
  const change = useSearchChange();
  const corpora = useCorpusOptions();
  return (
    <Section
      label={texts.nav.questions}
      tabs={useTabs()}
      actions={<ExportButton path="/admin/api/unanswered" search={query} />}
    >
      <FilterBar
        search={query}
        onChange={change}
        filters={[
          { kind: 'choice', name: 'corpus_id', label: texts.common.corpus, options: corpora },
          {
            kind: 'choice',
            name: 'lang',
            label: texts.questions.lang,
            options: Object.entries(texts.langs).map(([value, label]) => ({ value, label })),
          },
          { kind: 'days', label: texts.overview.days },
        ]}
      />
      <PagedTable<Group>
        label={texts.questions.unanswered}
        columns={useColumns()}
        queryKey={['unanswered', query]}
        read={(page, signal) =>
          taken(api.GET('/admin/api/unanswered', { params: { query: { ...query, ...page } }, signal }))
        }
        keyOf={({ last_request_id }) => last_request_id}
        open={ask}
        onOpen={({ last_request_id }) => change({ ask: last_request_id }, { adds: true })}
        empty={
          <EmptyState
            icon={IconCircleCheck}
            title={texts.questions.allAnswered}
            hint={texts.questions.allAnsweredHint}
          />
        }
      />
      <DossierDrawer requestId={ask} onClose={() => change({ ask: undefined })} />
    </Section>
  );
}

function useColumns(): Column<Group>[] {
  const texts = useTexts();
  const format = useFormat();
  const writes = useSession().can('write');
  return useMemo(() => {
    const columns: Column<Group>[] = [
      {
        id: 'count',
        label: texts.questions.count,
        width: 70,
        numeric: true,
        phone: true,
        cell: ({ count }) => format.number(count),
      },
      { id: 'query', label: texts.questions.question, phone: true, cell: ({ query }) => query },
      { id: 'corpus_id', label: texts.common.corpus, width: 120, cell: ({ corpus_id }) => corpus_id },
      {
        id: 'lang',
        label: texts.questions.lang,
        width: 95,
        cell: ({ lang }) => (lang ? texts.langs[lang] : '—'),
      },
      {
        id: 'last_asked_at',
        label: texts.questions.lastAsked,
        width: 130,
        cell: ({ last_asked_at }) => format.short(last_asked_at),
      },
    ];
    if (!writes) return columns;
    return [
      ...columns,
      {
        id: 'answer',
        label: texts.questions.answerIt,
        width: 260,
        cell: ({ query, corpus_id }) => <Remedies question={query} corpusId={corpus_id} />,
      },
    ];
  }, [texts, format, writes]);
}
