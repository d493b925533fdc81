/** The layers of a corpus in order of precedence. */
import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useTexts } from '../../app/language.ts';

export interface LayerValues {
  name: string;
  title: string;
  kind: 'text' | 'faq' | 'superseded';
  visibility: 'public' | 'restricted';
}

// biome-ignore lint/suspicious/noExplicitAny: the form's other fields do not matter here.
type Form = UseFormReturnType<any>;

const options = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export function LayerInputs({ form, mayChange }: { form: Form; mayChange: boolean }) {
  const { corpora } = useTexts();
  const layers = form.values.layers as LayerValues[];
  const empty: LayerValues = { name: '', title: '', kind: 'text', visibility: 'public' };
  return (
    <Stack gap="xs" component="section" aria-label={corpora.layers}>
      <Text size="sm" fw={500}>
        {corpora.layers}
      </Text>
      {layers.map((layer, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved layer is identified only by its rank.
        <Paper key={n} withBorder p="xs">
          <Group gap="xs" align="flex-end">
            <TextInput label={corpora.layerName} w={130} {...form.getInputProps(`layers.${n}.name`)} />
            <TextInput label={corpora.title} w={190} {...form.getInputProps(`layers.${n}.title`)} />
            <Select
              label={corpora.kind}
              data={options(corpora.kinds)}
              allowDeselect={false}
              w={176}
              {...form.getInputProps(`layers.${n}.kind`)}
            />
            <Select
              label={corpora.visibility}
              data={options(corpora.visibilities)}
              allowDeselect={false}
              w={130}
              {...form.getInputProps(`layers.${n}.visibility`)}
            />
            {mayChange && (
              <Group gap="xs" wrap="nowrap">
                <ActionIcon
                  variant="default"
                  size={30}
                  disabled={n === 0}
                  aria-label={`${corpora.raise}: ${layer.name}`}
                  onClick={() => form.reorderListItem('layers', { from: n, to: n - 1 })}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={`${corpora.remove}: ${layer.name}`}
                  onClick={() => form.removeListItem('layers', n)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            )}
          </Group>
        </Paper>
      ))}
      {mayChange && (
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem('layers', empty)}
          style={{ alignSelf: 'flex-start' }}
        >
          {corpora.addLayer}
        </Button>
      )}
    </Stack>
  );
}
