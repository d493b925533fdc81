/** Forgetting a person: their questions and answers are permanently erased after their name was typed twice. */
import { Alert, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUserOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { api, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useTabs } from './tabs.ts';

const route = getRouteApi('/shell/access/forgetting');

export function Forgetting() {
  const { nav, access, common, states } = useTexts();
  const format = useFormat();
  const { can } = useSession();
  const { subject } = route.useSearch();
  const form = useForm({
    initialValues: { subject: subject ?? '', again: '' },
    validate: {
      subject: (value) => (value.trim() === '' ? common.required : null),
      again: (again, values) => (again === values.subject ? null : access.notSame),
    },
  });
  const forget = useAction({
    run: (values: typeof form.values) =>
      taken(
        api.DELETE('/admin/api/subjects/{subject}', { params: { path: { subject: values.subject.trim() } } }),
      ),
    touches: [['queries'], ['unanswered'], ['dossier'], ['stats']],
    onDone: () => form.setValues({ subject: '', again: '' }),
  });
  return (
    <Section label={nav.access} tabs={useTabs()}>
      <PageBody label={access.forgetting} width={620}>
        <Text size="sm">{access.forgetText}</Text>
        {forget.data && (
          <Alert color="teal" role="status">
            {access.forgotten(forget.data.subject, format.number(forget.data.keys_destroyed))}
          </Alert>
        )}
        {can('write') ? (
          <Paper
            withBorder
            p="md"
            component="form"
            noValidate
            onSubmit={form.onSubmit((values) => forget.mutate(values))}
          >
            <Stack>
              <TextInput
                label={access.subject}
                description={access.subjectHint}
                autoComplete="off"
                {...form.getInputProps('subject')}
              />
              <TextInput label={access.again} autoComplete="off" {...form.getInputProps('again')} />
              <Group justify="flex-end">
                <Button
                  type="submit"
                  color="red"
                  leftSection={<IconUserOff size={14} aria-hidden />}
                  loading={forget.isPending}
                >
                  {access.forget}
                </Button>
              </Group>
            </Stack>
          </Paper>
        ) : (
          <Alert color="gray">{states.notAllowed}</Alert>
        )}
      </PageBody>
    </Section>
  );
}
