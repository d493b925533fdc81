import { EmbeddedLog } from '../../src/stores/embedded/log.ts';
import type { Lifting } from '../../src/stores/encoding.ts';
import { Thread } from '../../src/workers/rpc.ts';

/** The embedded history at `path` over the thread that writes it. */
export function openLogThread(path: string, lifting?: Lifting): EmbeddedLog {
  const thread = new Thread(new URL('../../src/workers/log-worker.ts', import.meta.url), { path });
  return new EmbeddedLog(
    {
      append: (request) => thread.call('append', request),
      readStream: (stream, from, limit) => thread.call('readStream', stream, from, limit),
      readAll: (after, limit) => thread.call('readAll', after, limit),
      head: () => thread.call('head'),
      close: () => thread.close(),
    },
    lifting,
  );
}
