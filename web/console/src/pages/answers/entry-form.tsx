/** A new curated answer. */
import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { useAction } from '../../components/use-action.ts';
import { useCorpusOptions } from '../../components/use-corpora.ts';

interface Props {
  question: string;
  corpusId: string | undefined;
  onDone: () => void;
}

export function EntryForm({ question, corpusId, onDone }: Props) {
  const { answers, common } = useTexts();
  const corpora = useCorpusOptions();
  const filled = (value: string) => (value.trim() === '' ? common.required : null);
  const form = useForm({
    initialValues: { corpus_id: corpusId ?? '', question, answer: '' },
    validate: { corpus_id: filled, question: filled, answer: filled },
  });
  const add = useAction({
    run: (body: typeof form.values) => taken(api.POST('/admin/api/faq-cache', { body })),
    done: answers.added,
    touches: [['faq'], ['unanswered'], ['stats']],
    onDone,
  });
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))} noValidate>
      <Stack>
        <Select
          label={common.corpus}
          data={corpora}
          allowDeselect={false}
          {...form.getInputProps('corpus_id')}
        />
        <Textarea label={answers.question} minRows={2} {...form.getInputProps('question')} />
        <Textarea
          label={answers.answer}
          description={answers.answerHint}
          minRows={6}
          data-autofocus={question !== '' || undefined}
          {...form.getInputProps('answer')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            {answers.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
