/** An error: the service's message, and what to do next. */
import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../app/api.ts';
import { useTexts } from '../app/language.ts';

/** What to do about an error, by its status. */
export function useAdvice() {
  const { states } = useTexts();
  return (error: unknown): string => {
    if (!(error instanceof ApiError)) return states.unreachable;
    if (error.status === 403) return states.notAllowed;
    if (error.status === 404) return states.notThere;
    if (error.status === 422) return states.notValid;
    if (error.status === 429) return states.tooMany;
    return error.status >= 500 ? states.tryLater : states.tryAgain;
  };
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts();
  const advice = useAdvice();
  return (
    <Stack align="center" justify="center" gap="xs" p="xl" ta="center" mih={180} role="alert">
      <IconAlertTriangle size={32} stroke={1.3} aria-hidden />
      <Text fw={600}>{texts.states.failed}</Text>
      <Text size="sm" maw={520} className="words">
        {wordsOf(error)}
      </Text>
      <Text size="sm" c="dimmed" maw={420}>
        {advice(error)}
      </Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {texts.states.retry}
        </Button>
      )}
    </Stack>
  );
}
