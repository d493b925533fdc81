/** Starts a backfill; if one is running over the same documents, opens that one. */
import { Button, Group, NumberInput, Paper, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, api, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { useSearchChange } from '../../app/use-filters.ts';
import { useAction } from '../../components/use-action.ts';

export function BackfillForm() {
  const { embeddings } = useTexts();
  const change = useSearchChange();
  const form = useForm({ initialValues: { doc_key: '', batch_size: 50 } });
  const start = useAction({
    run: async ({ doc_key, batch_size }: typeof form.values) => {
      const query = { batch_size, ...(doc_key.trim() !== '' && { doc_key: doc_key.trim() }) };
      const started = taken(api.POST('/admin/api/backfill-embeddings', { params: { query } }));
      return started.catch((error) => {
        const { job_id } = (error instanceof ApiError ? (error.body ?? {}) : {}) as { job_id?: string };
        if (job_id === undefined) throw error;
        return { job_id };
      });
    },
    touches: [['embeddings']],
    onDone: ({ job_id }) => void change({ job: job_id }, { adds: true }),
  });
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => start.mutate(values))}>
      <Title order={2} size="h3" mb="xs">
        {embeddings.backfill}
      </Title>
      <Group align="flex-end">
        <TextInput
          label={embeddings.docKey}
          placeholder={embeddings.allDocuments}
          w={260}
          {...form.getInputProps('doc_key')}
        />
        <NumberInput
          label={embeddings.batch}
          min={1}
          max={200}
          w={140}
          hideControls
          {...form.getInputProps('batch_size')}
        />
        <Button type="submit" size="sm" h={30} loading={start.isPending}>
          {embeddings.start}
        </Button>
      </Group>
    </Paper>
  );
}
