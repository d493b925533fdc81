/** Data beyond its retention period is forgotten, in all stores. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import { type Config, keysOf, readConfig } from '../../src/config.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { adapterConfig } from '../../src/workers/adapter-config.ts';
import { openStores } from '../../src/workers/stores.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';
import { discrepancies } from './story.ts';

const acting = { name: 'olga', request_id: 'r' };

/** A question asked at a given time, without an answer. */
async function asked(config: Config, request_id: string, time: string): Promise<void> {
  const stores = await openStores(
    adapterConfig({
      folder: config.DOCENT_DATA,
      eventstoreUrl: config.EVENTSTOREDB_URL,
      namespace: config.DOCENT_NAMESPACE,
      provider: 'offline',
      ...keysOf(config),
    }),
    { searchesSoon: false },
  );
  const commands = new Commands(stores.log, { now: () => new Date(time) });
  const question = {
    request_id,
    query: `Who is ${request_id}?`,
    corpus_id: 'c',
    channel: 'http' as const,
    style: null,
    key_id: null,
    subject: 's',
    asked_at: time,
    history: [],
    deadline: time,
    body_hash: null,
  };
  await commands
    .ask(request_id)
    .execute({ type: 'Ask', question }, { actor: 'public', correlation_id: request_id });
  await stores.close();
}

export function retentionContract(wiring: string, servers: () => Partial<Config> = () => ({})): void {
  describe(`retention over ${wiring}`, () => {
    it('forgets old data, keeps the rest, and reports it in the history, dossier and audit log', async () => {
      const folder = newFolder('retention');
      const { EVENTSTOREDB_URL, REDIS_URL, DOCENT_NAMESPACE } = servers();
      const variables = {
        DOCENT_DATA: join(folder, 'data'),
        LOG_LEVEL: 'silent',
        DOCENT_RETENTION_DAYS: '30',
        ...(DOCENT_NAMESPACE && { DOCENT_NAMESPACE }),
        ...(EVENTSTOREDB_URL && { EVENTSTOREDB_URL }),
        ...(REDIS_URL ? { REDIS_URL } : EVENTSTOREDB_URL && { DOCENT_KEYS: join(folder, 'keys') }),
      };
      const config = readConfig(variables, join(folder, 'none'));
      await asked(config, 'Zanzibarov', '2020-01-01T10:00:00.000Z');
      await asked(config, 'Quillfeather', new Date().toISOString());
      const app = await openApp(config);
      try {
        await eventually(async () => {
          const { items } = await app.admin.queries({ limit: 10, offset: 0 }, acting);
          expect(items.map(({ query, forgotten }) => ({ query, forgotten }))).toEqual([
            { query: 'Who is Quillfeather?', forgotten: false },
            { query: '', forgotten: true },
          ]);
        });
        const dossier = await app.admin.dossier('Zanzibarov', acting);
        expect(dossier.asked).toMatchObject({ query: '', forgotten: true });
        const page = { direction: 'backwards' as const, limit: 10 };
        const { items } = await app.admin.events({ ...page, type: 'WordsExpired' }, acting);
        expect(items).toMatchObject([{ stream: 'retention', data: { keys_destroyed: 1 } }]);
        const before = (items[0]!.data as { before: string }).before;
        expect(await app.admin.auditLog({ action: 'retention.expire', limit: 5, offset: 0 })).toMatchObject({
          items: [{ target: before, detail: { keys_destroyed: 1 } }],
        });
        expect(await discrepancies(app)).toEqual({});
      } finally {
        await app.close();
      }
    });
  });
}
