/** The settings of a corpus. Only changes are sent, so that texts in other languages are kept. */
import { Button, Checkbox, Group, MultiSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, type Schema, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { useAction } from '../../components/use-action.ts';
import { corporaKey, useTitleOf } from '../../components/use-corpora.ts';
import { LayerInputs } from './layer-inputs.tsx';

type Corpus = Schema['AdminCorpus'];
type Change = Schema['ChangeCorpusRequest'];

interface Props {
  /** undefined: a new one. */
  corpus: Corpus | undefined;
  onDone: () => void;
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

export function CorpusForm({ corpus, onDone }: Props) {
  const { corpora, common, langs, styles } = useTexts();
  const titleOf = useTitleOf();
  const mayChange = useSession().can('write');
  const form = useForm({
    initialValues: {
      corpus_id: corpus?.corpus_id ?? '',
      title: titleOf(corpus?.title),
      description: titleOf(corpus?.description),
      languages: (corpus?.languages ?? []) as string[],
      styles: (corpus?.styles ?? []) as string[],
      layers: (corpus?.layers ?? []).map((layer) => ({ ...layer, title: titleOf(layer.title) })),
      is_active: corpus?.is_active ?? true,
    },
    validate: {
      corpus_id: (id) => (namePattern.test(id) ? null : corpora.idForm),
      title: (title) => (title.trim() === '' ? common.required : null),
      layers: { name: (name) => (name.trim() === '' ? common.required : null) },
    },
  });
  const save = useAction({
    run: (values: typeof form.values) => send(values),
    done: common.saved,
    touches: [corporaKey, ['documents']],
    onDone,
  });

  async function send({ corpus_id, is_active, ...values }: typeof form.values): Promise<unknown> {
    const body = { ...values, description: values.description === '' ? null : values.description } as Change;
    if (corpus === undefined)
      return taken(api.POST('/admin/api/corpora', { body: { ...body, corpus_id, title: values.title } }));
    const changed = Object.entries({ ...body, is_active }).filter(([name]) => form.isDirty(name));
    return taken(
      api.PATCH('/admin/api/corpora/{corpus_id}', {
        params: { path: { corpus_id } },
        body: Object.fromEntries(changed),
      }),
    );
  }

  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <fieldset disabled={!mayChange} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack>
          <TextInput
            label={corpora.id}
            description={corpora.idForm}
            disabled={corpus !== undefined}
            {...form.getInputProps('corpus_id')}
          />
          <TextInput label={corpora.title} required {...form.getInputProps('title')} />
          <Textarea label={corpora.description} {...form.getInputProps('description')} />
          <MultiSelect
            label={corpora.languages}
            data={Object.entries(langs).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('languages')}
          />
          <MultiSelect
            label={corpora.styles}
            data={Object.entries(styles).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('styles')}
          />
          <LayerInputs form={form} mayChange={mayChange} />
          {corpus && (
            <Checkbox
              label={corpora.isActive}
              description={corpora.isActiveHint}
              {...form.getInputProps('is_active', { type: 'checkbox' })}
            />
          )}
          {typeof corpus?.title === 'object' && (
            <Text size="xs" c="dimmed">
              {corpora.localized}
            </Text>
          )}
          {mayChange && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {corpus ? common.save : common.create}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
