/** Placeholders for a page: while it loads, if it fails, and if it does not exist. */
import { Skeleton, Stack } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useTexts } from '../app/language.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';

export function PagePending() {
  return (
    <Stack p="md" gap="md" aria-busy>
      <Skeleton h={28} w={260} />
      <Skeleton h={30} />
      <Skeleton h={320} />
    </Stack>
  );
}

export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  return <ErrorState error={error} onRetry={reset} />;
}

export function NotFound() {
  const texts = useTexts();
  return <EmptyState icon={IconMapOff} title={texts.states.noPage} hint={texts.states.noPageHint} />;
}
