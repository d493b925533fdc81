/** One document: its metadata and chunks, and withdrawing or restoring it. */
import { Anchor, Badge, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { IconArchiveOff, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Fields } from '../../components/fields.tsx';
import { useAction } from '../../components/use-action.ts';
import { useConfirm } from '../../components/use-confirm.tsx';
import { Chunks } from './chunks.tsx';
import { readDocument } from './read-document.ts';
import { Revisions } from './revisions.tsx';
import { statusColors } from './statuses.ts';

type Document = Schema['Document'];

interface Props {
  docId: number | undefined;
  asOf: string | undefined;
  onClose: () => void;
}

export function DocumentDrawer({ docId, asOf, onClose }: Props) {
  const { documents } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['documents', 'one', docId, asOf],
    queryFn: ({ signal }) => readDocument(docId!, asOf, signal),
    enabled: docId !== undefined,
  });
  return (
    <DetailDrawer
      opened={docId !== undefined}
      onClose={onClose}
      title={data ? data.title || data.doc_key : documents.document}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton h={240} />
      ) : (
        <Contents document={data} asOf={asOf} />
      )}
    </DetailDrawer>
  );
}

/** Only a web address becomes a link. */
function Address({ of: address }: { of: string }) {
  if (!/^https?:\/\//i.test(address)) return address;
  return (
    <Anchor href={address} target="_blank" rel="noreferrer noopener" underline="always" fz="inherit">
      {address}
    </Anchor>
  );
}

function Contents({ document, asOf }: { document: Document; asOf: string | undefined }) {
  const { documents, common, langs } = useTexts();
  const format = useFormat();
  const { can } = useSession();
  const { doc_id, doc_key, corpus_id, status } = document;
  return (
    <Stack>
      <Group justify="space-between">
        <Badge color={statusColors[status]}>{documents.statuses[status]}</Badge>
        {can('write') && asOf === undefined && <Change document={document} />}
      </Group>
      <Fields
        of={[
          [documents.key, doc_key],
          [common.corpus, corpus_id],
          [documents.layer, document.layer],
          [documents.lang, langs[document.lang ?? '']],
          [documents.revision, document.revision],
          [documents.date, document.event_date],
          [documents.chunks, format.number(document.chunk_count)],
          [documents.embedded, format.number(document.embedded_count)],
          [documents.updated, format.moment(document.updated_at)],
          [documents.hash, document.content_hash],
          [documents.address, document.url && <Address key="address" of={document.url} />],
          [documents.original, document.source_url && <Address key="original" of={document.source_url} />],
        ]}
      />
      <Text size="sm">
        <Link to="/history" search={{ stream: `document-${doc_id}` }}>
          {documents.events}
        </Link>
      </Text>
      <Tabs defaultValue="chunks" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="chunks">{documents.chunks}</Tabs.Tab>
          <Tabs.Tab value="revisions">{documents.revisions}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="chunks" pt="sm">
          <Chunks docId={doc_id} asOf={asOf} />
        </Tabs.Panel>
        <Tabs.Panel value="revisions" pt="sm">
          <Revisions docId={doc_id} asOf={asOf} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Change({ document: { doc_id, title, doc_key, status } }: { document: Document }) {
  const { documents } = useTexts();
  const confirm = useConfirm();
  const touches = [['documents'], ['corpora']];
  const path = { params: { path: { doc_id } } };
  const withdraw = useAction({
    run: () => taken(api.DELETE('/admin/api/documents/{doc_id}', path)),
    done: documents.withdrawn,
    touches,
  });
  const restore = useAction({
    run: () => taken(api.POST('/admin/api/documents/{doc_id}/restore', path)),
    done: documents.restored,
    touches,
  });
  if (status === 'withdrawn')
    return (
      <Button
        leftSection={<IconRestore size={14} aria-hidden />}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {documents.restore}
      </Button>
    );
  return (
    <Button
      variant="default"
      leftSection={<IconArchiveOff size={14} aria-hidden />}
      loading={withdraw.isPending}
      onClick={() =>
        confirm({
          title: documents.withdrawTitle(title || doc_key),
          text: documents.withdrawText,
          act: documents.withdraw,
          onConfirm: () => withdraw.mutate(),
        })
      }
    >
      {documents.withdraw}
    </Button>
  );
}
