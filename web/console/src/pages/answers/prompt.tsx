/** The system prompt: the current one, its versions, their differences, and restoring an earlier one. */
import { Button, Grid, Group, NavLink, Paper, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { Delta } from '../../components/delta.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageBody } from '../../components/page-body.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useConfirm } from '../../components/use-confirm.tsx';
import { useTabs } from './tabs.ts';

type Version = Schema['SystemPrompt'];
const route = getRouteApi('/shell/answers/prompt');
const key = ['prompts'] as const;

export function Prompt() {
  const { nav, answers } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => taken(api.GET('/admin/api/system-prompt/versions', { signal })),
  });
  return (
    <Section label={nav.answers} tabs={useTabs()}>
      <PageBody label={answers.prompt} width={1200}>
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton h={360} />
        ) : (
          <Versions versions={data.items} />
        )}
      </PageBody>
    </Section>
  );
}

function Versions({ versions }: { versions: Version[] }) {
  const { answers } = useTexts();
  const format = useFormat();
  const { version: chosen } = route.useSearch();
  const current = versions[0]!;
  const at = versions.findIndex(({ version }) => version === chosen);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Paper withBorder p="xs" component="nav" aria-label={answers.versions}>
          {versions.map(({ version, changed_at, changed_by }) => (
            <NavLink
              key={version}
              renderRoot={(props) => (
                <Link
                  to="/answers/prompt"
                  search={version === current.version ? {} : { version }}
                  {...props}
                />
              )}
              active={version === (chosen ?? current.version)}
              label={version === current.version ? answers.inForce(version) : answers.version(version)}
              description={changed_at ? `${format.short(changed_at)} · ${changed_by}` : answers.builtIn}
            />
          ))}
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 9 }}>
        {at > 0 ? (
          <Former version={versions[at]!} current={current} />
        ) : (
          <Current key={current.version} current={current} before={versions[1]} />
        )}
      </Grid.Col>
    </Grid>
  );
}

function Current({ current, before }: { current: Version; before: Version | undefined }) {
  const { answers, common } = useTexts();
  const { can } = useSession();
  const form = useForm({
    initialValues: { content: current.content },
    validate: { content: (content) => (content.trim() === '' ? common.required : null) },
  });
  const save = useAction({
    run: (body: typeof form.values) => taken(api.PUT('/admin/api/system-prompt', { body })),
    done: answers.promptSaved,
    touches: [key],
  });
  return (
    <Stack>
      <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <Textarea
            label={answers.inForce(current.version)}
            description={answers.promptHint}
            minRows={10}
            maxRows={28}
            readOnly={!can('write')}
            {...form.getInputProps('content')}
          />
          {can('write') && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                {common.save}
              </Button>
            </Group>
          )}
        </Stack>
      </Paper>
      {form.isDirty() ? (
        <Difference title={answers.yourChange} before={current.content} after={form.values.content} />
      ) : (
        before && (
          <Difference title={answers.since(before.version)} before={before.content} after={current.content} />
        )
      )}
    </Stack>
  );
}

function Former({ version: former, current }: { version: Version; current: Version }) {
  const { answers } = useTexts();
  const { can } = useSession();
  const confirm = useConfirm();
  const { version, content } = former;
  const restore = useAction({
    run: () =>
      taken(
        api.POST('/admin/api/system-prompt/versions/{version}/restore', { params: { path: { version } } }),
      ),
    done: answers.promptSaved,
    touches: [key],
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>{answers.version(version)}</Title>
        {can('write') && (
          <Button
            loading={restore.isPending}
            onClick={() =>
              confirm({
                title: answers.restoreTitle(version),
                text: answers.restoreText,
                act: answers.restore,
                onConfirm: () => restore.mutate(),
              })
            }
          >
            {answers.restore}
          </Button>
        )}
      </Group>
      <Difference title={answers.until(current.version)} before={content} after={current.content} />
      <Paper withBorder p="md">
        <Text size="sm" className="words">
          {content}
        </Text>
      </Paper>
    </Stack>
  );
}

function Difference({ title, before, after }: { title: string; before: string; after: string }) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <Delta before={before} after={after} />
    </Paper>
  );
}
