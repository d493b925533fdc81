/** Asks an ordinary question, to see whether a curated answer matches it. */
import { Alert, Button, Collapse, Group, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFlask } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { wordsOf } from '../../components/error-state.tsx';
import bar from '../../components/filter-bar.module.css';
import { useCorpusOptions } from '../../components/use-corpora.ts';

export function TryQuestion() {
  const { answers, common, modes } = useTexts();
  const format = useFormat();
  const corpora = useCorpusOptions();
  const form = useForm({
    initialValues: { query: '', corpus_id: null as string | null },
    validate: { query: (query) => (query.trim() === '' ? common.required : null) },
  });
  const ask = useMutation({
    mutationFn: (body: typeof form.values) => taken(api.POST('/api/ask', { body })),
  });
  const { data, error } = ask;
  return (
    <>
      <form onSubmit={form.onSubmit((values) => ask.mutate(values))} noValidate>
        <Group className={bar.bar} align="flex-start">
          <TextInput
            aria-label={answers.tryQuestion}
            placeholder={answers.tryQuestion}
            w={320}
            {...form.getInputProps('query')}
          />
          <Select
            aria-label={common.corpus}
            placeholder={common.corpus}
            data={corpora}
            clearable
            w={200}
            {...form.getInputProps('corpus_id')}
          />
          <Button
            type="submit"
            variant="light"
            loading={ask.isPending}
            leftSection={<IconFlask size={14} aria-hidden />}
          >
            {answers.try}
          </Button>
          <Text size="xs" c="dimmed" mt={7}>
            {answers.tryHint}
          </Text>
        </Group>
      </form>
      <Collapse expanded={data !== undefined || error !== null}>
        <Alert
          radius={0}
          color={error ? 'red' : data?.mode === 'faq' ? 'teal' : 'yellow'}
          title={
            error
              ? wordsOf(error)
              : data?.mode === 'faq'
                ? answers.met
                : answers.notMet(modes[data?.mode ?? ''] ?? '')
          }
          aria-live="polite"
        >
          {data && (
            <>
              <Text size="sm" className="words" lineClamp={6}>
                {data.answer}
              </Text>
              <Text size="xs" mt={4}>
                {`${format.duration(data.latency_ms)} · `}
                <Link to="/questions" search={{ ask: data.request_id }}>
                  {answers.dossier}
                </Link>
              </Text>
            </>
          )}
        </Alert>
      </Collapse>
    </>
  );
}
