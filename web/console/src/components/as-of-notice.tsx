/** Says that a list shows a past moment, with a link back to the present. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useFormat, useTexts } from '../app/language.ts';
import { useSearchChange } from '../app/use-filters.ts';

export function AsOfNotice({ asOf }: { asOf: string | undefined }) {
  const { moments } = useTexts();
  const format = useFormat();
  const change = useSearchChange();
  if (asOf === undefined) return null;
  const moment = /^\d{4}-\d\d-\d\d$/.test(asOf)
    ? moments.endOf(format.date(asOf))
    : asOf.includes('T')
      ? format.moment(asOf)
      : asOf;
  return (
    <Alert color="yellow" radius={0} p="xs" icon={<IconHistory size={16} aria-hidden />}>
      <Group gap="sm">
        <Text size="sm">{moments.shown(moment)}</Text>
        <Button size="compact-xs" variant="default" onClick={() => change({ as_of: undefined })}>
          {moments.present}
        </Button>
      </Group>
    </Alert>
  );
}
