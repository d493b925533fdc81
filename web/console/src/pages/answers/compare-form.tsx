/** The question of a comparison, and the settings of each of its columns. */
import {
  ActionIcon,
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useTexts } from '../../app/language.ts';
import { useCorpusOptions, useFirstCorpus } from '../../components/use-corpora.ts';
import { MomentInput } from '../history/moment-input.tsx';
import { type ComparedColumn, type CompareSearch, columnsMax } from './search.ts';
import { type Asked, promptsKey, readPrompts } from './use-trials.ts';

interface Settings {
  kind: 'answer' | 'past';
  corpus: string | null;
  style: string | null;
  model: string;
  /** 'current', 'own' or a version. */
  prompt: string;
  text: string;
  as_of: string;
}
interface Values {
  question: string;
  columns: Settings[];
}

const settingsOf = ({ corpus, style, model, prompt, text, as_of }: ComparedColumn): Settings => ({
  kind: as_of === undefined ? 'answer' : 'past',
  corpus: corpus ?? null,
  style: style ?? null,
  model: model === 'configured' ? model : 'none',
  prompt: text === undefined ? `${prompt ?? 'current'}` : 'own',
  text: text ?? '',
  as_of: as_of ?? '',
});

/** The search parameters of a column, without those that do not apply to it. */
function columnOf({ kind, corpus, style, model, prompt, text, as_of }: Settings): ComparedColumn {
  const read = { corpus: corpus ?? '' };
  if (kind === 'past') return { ...read, as_of };
  const answer = { ...read, ...(style !== null && { style }), model };
  if (model === 'none' || prompt === 'current') return answer;
  return { ...answer, ...(prompt === 'own' ? { text } : { prompt: Number(prompt) }) };
}

const valuesOf = ({ question = '', columns = [{}, { model: 'configured' }] }: CompareSearch): Values => ({
  question,
  columns: columns.map(settingsOf),
});

interface Props {
  given: CompareSearch;
  isRunning: boolean;
  onSubmit: (asked: Asked) => void;
}

export function CompareForm({ given, isRunning, onSubmit }: Props) {
  const { compare, common, moments } = useTexts();
  const corpora = useCorpusOptions();
  const form = useForm<Values>({
    initialValues: valuesOf(given),
    validate: {
      question: (question) => (question.trim() === '' ? common.required : null),
      columns: {
        corpus: (corpus) => (corpus === null ? common.required : null),
        as_of: (moment, values, path) =>
          values.columns[Number(path.split('.')[1])]?.kind === 'past' && moment === ''
            ? moments.needed
            : null,
        text: (text, values, path) =>
          values.columns[Number(path.split('.')[1])]?.prompt === 'own' && text.trim() === ''
            ? common.required
            : null,
      },
    },
  });
  const { setValues } = form;
  useEffect(() => setValues(valuesOf(given)), [setValues, given]);
  const first = useFirstCorpus();
  useEffect(() => {
    setValues(({ columns = [] }) => ({
      columns: columns.map((column) => ({ ...column, corpus: column.corpus ?? first })),
    }));
  }, [setValues, first]);
  const { columns } = form.values;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) =>
        onSubmit({ question: values.question.trim(), columns: values.columns.map(columnOf) }),
      )}
    >
      <Stack>
        <TextInput label={compare.question} {...form.getInputProps('question')} />
        <SimpleGrid cols={{ base: 1, md: columns.length }}>
          {columns.map((_, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position.
            <ColumnForm key={n} n={n} form={form} corpora={corpora} />
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={columns.length === columnsMax}
            onClick={() => form.insertListItem('columns', { ...columns.at(-1)! })}
          >
            {compare.add}
          </Button>
          <Button type="submit" loading={isRunning} disabled={first === null}>
            {compare.run}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ColumnProps {
  n: number;
  form: UseFormReturnType<Values>;
  corpora: { value: string; label: string }[];
}

function ColumnForm({ n, form, corpora }: ColumnProps) {
  const { compare, common, styles, answers } = useTexts();
  const { data } = useQuery({ queryKey: promptsKey, queryFn: readPrompts });
  const { kind, model, prompt } = form.values.columns[n]!;
  const named = (name: keyof Settings) => form.getInputProps(`columns.${n}.${name}`);
  const optionsOf = (names: Record<string, string>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  const prompts = useMemo(() => {
    const [current, ...earlier] = data?.items ?? [];
    return {
      current,
      earlier,
      options: [
        { value: 'current', label: compare.promptInForce },
        ...earlier.map(({ version }) => ({ value: `${version}`, label: answers.version(version) })),
        { value: 'own', label: compare.promptOwn },
      ],
    };
  }, [data, compare, answers]);

  function choosePrompt(value: string | null): void {
    const from = prompts.earlier.find(({ version }) => `${version}` === prompt) ?? prompts.current;
    if (value === 'own') form.setFieldValue(`columns.${n}.text`, from?.content ?? '');
    form.setFieldValue(`columns.${n}.prompt`, value ?? 'current');
  }

  return (
    <Paper withBorder p="md" component="fieldset" aria-labelledby={`column-${n}`} m={0} miw={0}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h3" id={`column-${n}`}>
            {compare.column(n + 1)}
          </Title>
          {form.values.columns.length > 2 && (
            <ActionIcon
              variant="subtle"
              aria-label={compare.remove(n + 1)}
              onClick={() => form.removeListItem('columns', n)}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          )}
        </Group>
        <Select
          label={compare.kind}
          data={optionsOf(compare.kinds)}
          allowDeselect={false}
          {...named('kind')}
        />
        <Select label={common.corpus} data={corpora} allowDeselect={false} {...named('corpus')} />
        {kind === 'past' ? (
          <MomentInput label={compare.moment} {...named('as_of')} />
        ) : (
          <>
            <Select
              label={compare.style}
              placeholder={compare.styleFree}
              data={optionsOf(styles)}
              clearable
              {...named('style')}
            />
            <Select
              label={compare.model}
              data={optionsOf(compare.models)}
              allowDeselect={false}
              {...named('model')}
            />
            {model === 'configured' && (
              <Select
                label={compare.prompt}
                data={prompts.options}
                allowDeselect={false}
                {...named('prompt')}
                onChange={choosePrompt}
              />
            )}
            {model === 'configured' && prompt === 'own' && (
              <Textarea label={compare.promptText} maxRows={12} {...named('text')} />
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}
