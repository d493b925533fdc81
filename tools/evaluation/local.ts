/** The service in this process, called through its use cases. */
import type { App } from '../../src/app-port.ts';
import { uuidv7 } from '../../src/domain/ids.ts';
import { recordOf } from './remote.ts';
import type { EvaluatedService } from './running.ts';

/** Always the same asker, because answers given to several askers enter the FAQ cache. */
const caller = { actor: 'system', key_id: null, subject: 'evaluation' };

/** Reads the record of an ask. */
interface Records {
  dossier(
    requestId: string,
    acting: { name: string; request_id: string },
  ): Promise<Parameters<typeof recordOf>[0]>;
}

/** `sources`: the number to request. */
export function localService(app: App & { admin: Records }, sources: number): EvaluatedService {
  return {
    ask: ({ query, history, style }, corpus_id, signal) =>
      app.ask({ query, history, style, corpus_id, channel: 'cli', caller }, signal),
    async documents({ query }, corpus_id, signal) {
      const found = await app.sourceRefs({ query, corpus_id, limit: sources, caller }, signal);
      return found.sources.map(({ doc_key }) => doc_key);
    },
    record: async (requestId) =>
      recordOf(await app.admin.dossier(requestId, { name: 'cli', request_id: uuidv7() })),
  };
}
