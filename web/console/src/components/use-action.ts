/** A change: reports success and reloads what it affects, or shows the service's error. */
import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useAdvice, wordsOf } from './error-state.tsx';

interface Action<Given, Result> {
  run(given: Given): Promise<Result>;
  /** The message shown afterwards; absent: none. */
  done?: string | undefined;
  touches?: readonly QueryKey[];
  onDone?: ((result: Result, given: Given) => void) | undefined;
}

export function useAction<Given = void, Result = unknown>({
  run,
  done,
  touches = [],
  onDone,
}: Action<Given, Result>) {
  const client = useQueryClient();
  const advice = useAdvice();
  return useMutation({
    mutationFn: run,
    onSuccess: async (result, given) => {
      await Promise.all(touches.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (done !== undefined) notifications.show({ message: done, color: 'teal' });
      onDone?.(result, given);
    },
    onError: (error) =>
      notifications.show({ title: wordsOf(error), message: advice(error), color: 'red', autoClose: 10_000 }),
  });
}
