/** Moments of the past drop forgotten data. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createMoments, type MomentsDeps } from '../../src/admin/moments.ts';
import { Failure } from '../../src/failures.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import { adapterConfig } from '../../src/workers/adapter-config.ts';
import { PastMoments } from '../../src/workers/past-moments.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';

const position = '0000000000000007';

it('a starting service deletes past moments left by a killed process', async () => {
  const folder = newFolder('moments');
  const place = (name: string) => join(folder, 'past', name);
  for (const name of ['left', 'alive']) {
    mkdirSync(place(name), { recursive: true });
    writeFileSync(join(place(name), 'alive'), '');
  }
  utimesSync(join(place('left'), 'alive'), 1, 1);
  const kept = new PastMoments(adapterConfig({ folder }));
  await eventually(() => expect(existsSync(place('left'))).toBe(false));
  expect(existsSync(place('alive'))).toBe(true);
  await kept.close();
});

it('forgetting a subject, by anyone, drops every moment', async () => {
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
  await eventually(() => expect(clear).toHaveBeenCalledTimes(1));
});
