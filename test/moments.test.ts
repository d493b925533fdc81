/** Moments of the past let go of what was forgotten. */
import { expect, it, vi } from 'vitest';
import { Failure } from '../src/failures.ts';
import { createMoments, type MomentsDeps } from '../src/moments.ts';
import type { RecordedEvent } from '../src/ports/event-log.ts';

const position = '0000000000000007';

it('drops every moment when a subject is forgotten, whoever forgot it', async () => {
  const clear = vi.fn(async () => {});
  const forgotten = Promise.withResolvers<void>();
  const subscribed: unknown[] = [];
  const moments = createMoments({
    signal: AbortSignal.abort(),
    log: {
      head: async () => position,
      async *subscribe(after: string | null) {
        subscribed.push(after);
        yield [{ type: 'QuestionAsked' }] as RecordedEvent[];
        await forgotten.promise;
        yield [{ type: 'SubjectForgotten' }] as RecordedEvent[];
        await new Promise(() => {});
      },
    },
    kept: {
      at: async () => {
        throw new Failure('unavailable', 'It is being made.');
      },
      clear,
    },
  } as unknown as MomentsDeps);
  await expect(moments.at(position)).rejects.toThrow('It is being made.');
  await expect(moments.at(position)).rejects.toThrow('It is being made.');
  expect(subscribed).toEqual([position]);
  expect(clear).not.toHaveBeenCalled();
  forgotten.resolve();
  await vi.waitFor(() => expect(clear).toHaveBeenCalledTimes(1), 60_000);
});
