/** A new key; its text is shown once, to be copied. */
import {
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { api, taken } from '../../app/api.ts';
import { useTexts } from '../../app/language.ts';
import { useAction } from '../../components/use-action.ts';
import { useCorpusOptions } from '../../components/use-corpora.ts';

export function KeyForm({ onDone }: { onDone: () => void }) {
  const { access, common } = useTexts();
  const corpora = useCorpusOptions();
  const form = useForm({
    initialValues: {
      name: '',
      owner_email: '',
      corpus_ids: [] as string[],
      rate_limit_rpm: 60,
      rate_limit_rph: 1000,
    },
    validate: {
      name: (name) => (name.trim() === '' ? common.required : null),
      owner_email: (email) => (email === '' || /^\S+@\S+$/.test(email) ? null : access.emailForm),
    },
  });
  const create = useAction({
    run: ({ owner_email, ...values }: typeof form.values) =>
      taken(
        api.POST('/admin/api/api-keys', {
          body: { ...values, owner_email: owner_email === '' ? null : owner_email },
        }),
      ),
    touches: [['keys']],
  });
  if (create.data)
    return (
      <Stack>
        <Alert color="yellow" title={access.once} role="status">
          {access.onceHint}
        </Alert>
        <Group wrap="nowrap" gap="xs">
          <Code block className="words" style={{ flex: 1 }}>
            {create.data.key}
          </Code>
          <CopyButton value={create.data.key}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={copy}
                leftSection={
                  copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
                }
              >
                {copied ? common.copied : common.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onDone}>{common.close}</Button>
        </Group>
      </Stack>
    );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={access.name}
          description={access.nameHint}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput label={access.owner} type="email" {...form.getInputProps('owner_email')} />
        <MultiSelect
          label={access.corpora}
          placeholder={form.values.corpus_ids.length === 0 ? access.allCorpora : undefined}
          data={corpora}
          {...form.getInputProps('corpus_ids')}
        />
        <Group grow>
          <NumberInput
            label={access.perMinute}
            min={1}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('rate_limit_rpm')}
          />
          <NumberInput
            label={access.perHour}
            min={1}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('rate_limit_rph')}
          />
        </Group>
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {common.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
