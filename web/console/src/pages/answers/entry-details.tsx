/** One entry, and its removal. */
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Fields } from '../../components/fields.tsx';
import { useAction } from '../../components/use-action.ts';
import { useConfirm } from '../../components/use-confirm.tsx';

type Entry = Schema['FaqEntry'];

interface Props {
  entryId: number | undefined;
  onClose: () => void;
}

export function EntryDetails({ entryId, onClose }: Props) {
  const { answers } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['faq', 'one', entryId],
    queryFn: ({ signal }) => readEntry(entryId!, signal),
    enabled: entryId !== undefined,
  });
  return (
    <DetailDrawer opened={entryId !== undefined} onClose={onClose} title={answers.entry}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton h={200} />
      ) : data === null ? (
        <EmptyState icon={IconListCheck} title={answers.gone} />
      ) : (
        <Contents entry={data} onRemoved={onClose} />
      )}
    </DetailDrawer>
  );
}

const size = 500;

/** The service returns entries only in pages. */
async function readEntry(entryId: number, signal: AbortSignal): Promise<Entry | null> {
  for (let offset = 0; ; offset += size) {
    const query = { limit: size, offset };
    const { items, total } = await taken(api.GET('/admin/api/faq-cache', { params: { query }, signal }));
    const found = items.find(({ entry_id }) => entry_id === entryId);
    if (found || offset + size >= total) return found ?? null;
  }
}

function Contents({ entry, onRemoved }: { entry: Entry; onRemoved: () => void }) {
  const { answers, common, langs } = useTexts();
  const format = useFormat();
  const { can } = useSession();
  const confirm = useConfirm();
  const remove = useAction({
    run: () =>
      taken(
        api.DELETE('/admin/api/faq-cache/{entry_id}', { params: { path: { entry_id: entry.entry_id } } }),
      ),
    done: answers.removed,
    touches: [['faq']],
    onDone: onRemoved,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Badge color={entry.origin === 'curated' ? 'blue' : 'gray'}>{answers.origins[entry.origin]}</Badge>
        {can('write') && (
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() =>
              confirm({
                title: answers.removeTitle,
                text: entry.question,
                act: answers.remove,
                onConfirm: () => remove.mutate(),
              })
            }
          >
            {answers.remove}
          </Button>
        )}
      </Group>
      <Text fw={600} className="words">
        {entry.question}
      </Text>
      <Text size="sm" className="words" lh={1.6}>
        {entry.answer}
      </Text>
      <Fields
        of={[
          [common.corpus, entry.corpus_id],
          [answers.lang, langs[entry.lang]],
          [answers.hits, format.number(entry.hits)],
          [answers.lastHit, format.moment(entry.last_hit_at)],
          [answers.created, format.moment(entry.created_at)],
          [answers.sources, entry.source_refs.join(', ')],
        ]}
      />
    </Stack>
  );
}
