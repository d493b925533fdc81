/** Warns if the read models lag behind the history for more than a moment. */
import { Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useLagMs } from '../app/lag.ts';
import { useFormat, useTexts } from '../app/language.ts';

const noticedMs = 2000;

export function LagNotice() {
  const lagMs = useLagMs();
  const texts = useTexts();
  const format = useFormat();
  if (lagMs < noticedMs) return null;
  return (
    <Text size="xs" role="status" className="cut">
      <IconClockExclamation size={14} aria-hidden /> {texts.shell.behind(format.duration(lagMs))}
    </Text>
  );
}
