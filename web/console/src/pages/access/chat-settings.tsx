/** The settings of one channel or group. Only changes are sent. */
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Select,
  Skeleton,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCorpusOptions } from '../../components/use-corpora.ts';

type Room = Schema['ChatRoom'];
type Address = Pick<Room, 'platform' | 'place'>;
const flags = ['silent', 'ephemeral', 'bots', 'muted'] as const;
const options = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export function ChatSettings(address: Address) {
  const { data, error, refetch } = useQuery({
    queryKey: ['chats', address],
    queryFn: ({ signal }) =>
      taken(api.GET('/admin/api/chats/{platform}/{place}', { params: { path: address }, signal })),
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton h={360} />;
  return <RoomForm key={data.changed_at} room={data} />;
}

function RoomForm({ room }: { room: Room }) {
  const { access, common, compare, langs, styles } = useTexts();
  const format = useFormat();
  const corpora = useCorpusOptions();
  const mayChange = useSession().can('write');
  const { platform, place, changed_at, changed_by, ...settings } = room;
  const form = useForm({ initialValues: { ...settings, corpora: settings.corpora ?? [] } });
  const save = useAction({
    run: (values: typeof form.values) => {
      const change = { ...values, corpora: values.corpora.length === 0 ? null : values.corpora };
      const changed = Object.entries(change).filter(([name]) => form.isDirty(name));
      return taken(
        api.PATCH('/admin/api/chats/{platform}/{place}', {
          params: { path: { platform, place } },
          body: Object.fromEntries(changed),
        }),
      );
    },
    done: common.saved,
    touches: [['chats']],
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <fieldset disabled={!mayChange} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack>
          <Select
            label={access.language}
            placeholder={access.ofAsker}
            data={options(langs)}
            clearable
            {...form.getInputProps('language')}
          />
          <Select
            label={access.style}
            placeholder={compare.styleFree}
            data={options(styles)}
            clearable
            {...form.getInputProps('style')}
          />
          <Select
            label={common.corpus}
            placeholder={access.firstCorpus}
            data={corpora}
            clearable
            {...form.getInputProps('corpus_id')}
          />
          <MultiSelect
            label={access.mayAsk}
            placeholder={form.values.corpora.length === 0 ? access.asConfigured : undefined}
            data={corpora}
            {...form.getInputProps('corpora')}
          />
          <Select
            label={access.answers}
            data={options(access.answering)}
            allowDeselect={false}
            {...form.getInputProps('answers')}
          />
          <Select
            label={access.threads}
            data={options({ mentions: access.answering.mentions, questions: access.answering.questions })}
            allowDeselect={false}
            {...form.getInputProps('threads')}
          />
          <TagsInput
            label={access.helpers}
            description={access.helpersHint}
            {...form.getInputProps('helpers')}
          />
          {flags.map((flag) => (
            <Checkbox
              key={flag}
              label={access.flags[flag]}
              {...form.getInputProps(flag, { type: 'checkbox' })}
            />
          ))}
          {changed_at && (
            <Text size="xs" c="dimmed">
              {`${access.changed}: ${format.moment(changed_at)} · ${changed_by}`}
            </Text>
          )}
          {mayChange && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!form.isDirty()} loading={save.isPending}>
                {common.save}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
