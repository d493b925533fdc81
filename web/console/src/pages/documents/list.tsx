/** The documents of all corpora; an opened document shows its text, chunks and revisions. */
import { IconFileOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { AsOfNotice } from '../../components/as-of-notice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import type { Column } from '../../components/log-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Section } from '../../components/section.tsx';
import { Tag } from '../../components/tag.tsx';
import { useCorpusOptions } from '../../components/use-corpora.ts';
import { DocumentDrawer } from './document-drawer.tsx';
import { statusColors } from './statuses.ts';
import { useTabs } from './tabs.ts';

type Document = Schema['Document'];
const route = getRouteApi('/shell/documents');

export function DocumentList() {
  const texts = useTexts();
  const { doc, ...query } = route.useSearch();
  const change = useSearchChange();
  return (
    <Section label={texts.nav.documents} tabs={useTabs()}>
      <AsOfNotice asOf={query.as_of} />
      <FilterBar
        search={query}
        onChange={change}
        filters={[
          { kind: 'search', name: 'search', label: texts.documents.search },
          {
            kind: 'choice',
            name: 'corpus_id',
            label: texts.common.corpus,
            options: useCorpusOptions(),
            width: 220,
          },
        ]}
      />
      <PagedTable<Document>
        label={texts.documents.list}
        columns={useColumns()}
        queryKey={['documents', query]}
        read={(page, signal) =>
          taken(api.GET('/admin/api/documents', { params: { query: { ...query, ...page } }, signal }))
        }
        keyOf={({ doc_id }) => doc_id}
        open={doc}
        onOpen={({ doc_id }) => change({ doc: doc_id }, { adds: true })}
        empty={<EmptyState icon={IconFileOff} title={texts.documents.none} hint={texts.documents.noneHint} />}
      />
      <DocumentDrawer docId={doc} asOf={query.as_of} onClose={() => change({ doc: undefined })} />
    </Section>
  );
}

function useColumns(): Column<Document>[] {
  const { documents, common, langs } = useTexts();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'title', label: documents.title, phone: true, cell: ({ title, doc_key }) => title || doc_key },
      { id: 'doc_key', label: documents.key, width: 165, cell: ({ doc_key }) => doc_key },
      { id: 'corpus_id', label: common.corpus, width: 100, cell: ({ corpus_id }) => corpus_id },
      { id: 'layer', label: documents.layer, width: 100, cell: ({ layer }) => layer ?? '—' },
      { id: 'lang', label: documents.lang, width: 90, cell: ({ lang }) => langs[lang ?? ''] ?? '—' },
      {
        id: 'status',
        label: documents.status,
        width: 110,
        phone: true,
        cell: ({ status }) => <Tag color={statusColors[status]}>{documents.statuses[status]}</Tag>,
      },
      {
        id: 'chunks',
        label: documents.chunks,
        width: 80,
        numeric: true,
        cell: ({ chunk_count }) => format.number(chunk_count),
      },
      {
        id: 'updated_at',
        label: documents.updated,
        width: 120,
        cell: ({ updated_at }) => format.short(updated_at),
      },
    ],
    [documents, common, langs, format],
  );
}
