import type { EventCodec } from '../../src/log/encoding.ts';
import { EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { threadLog } from '../../src/workers/open-log.ts';
import { Thread } from '../../src/workers/rpc.ts';

/** The embedded history at `path`, through the thread that writes it. */
export function openLogThread(path: string, codec?: EventCodec): EmbeddedLog {
  const thread = new Thread(new URL('../../src/workers/log-worker.ts', import.meta.url), { log: path });
  return new EmbeddedLog(threadLog(thread), codec);
}
