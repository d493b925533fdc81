/** Shown instead of an empty list: what that means, and what to do about it. */
import { Stack, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  icon: Icon;
  title: string;
  hint?: string | undefined;
  children?: ReactNode;
}

export function EmptyState({ icon: Picture, title, hint, children }: Props) {
  return (
    <Stack align="center" justify="center" gap="xs" p="xl" ta="center" mih={180}>
      <Picture size={32} stroke={1.3} aria-hidden opacity={0.6} />
      <Text fw={600}>{title}</Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={420}>
          {hint}
        </Text>
      )}
      {children}
    </Stack>
  );
}
