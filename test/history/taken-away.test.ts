/** A real EventStoreDB that has lost events: through its administrator, or because another server replaced it. */
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, expect, it } from 'vitest';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { storedPages } from '../../src/event-sourcing/stored-pages.ts';
import { readCheckpoint } from '../../src/history/checkpoint.ts';
import { HistoryCheck, type HistoryReport } from '../../src/history/history-check.ts';
import { SealedLog } from '../../src/history/sealed-log.ts';
import { Sealer } from '../../src/history/sealer.ts';
import { newSigningKey, readSigningKey } from '../../src/history/signed-note.ts';
import { EventStoreLog } from '../../src/log/eventstore/log.ts';
import { note, notes } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnServer, startEventStore } from '../support/own-server.ts';
import { withOwnEventStore } from '../support/servers.ts';

const timeout = 200_000;
const key = readSigningKey(newSigningKey('docent.example'));
const refused = (words: RegExp) =>
  expect.objectContaining({ name: 'Failure', code: 'internal', detail: expect.stringMatching(words) });

withOwnEventStore('a separate real EventStoreDB', () => {
  let server: OwnServer;
  const logs: EventStoreLog[] = [];
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
    await server.stop();
  });

  function open(): EventStoreLog {
    const log = EventStoreLog.open({ url: server.url, namespace: 'live' });
    logs.push(log);
    return log;
  }

  function sealerOf(log: EventStoreLog): { sealer: Sealer; published: string[] } {
    const published: string[] = [];
    const sealed = new SealedLog(log);
    const sealer = new Sealer({
      key,
      before: null,
      onTrouble: () => {},
      everyMs: 60_000,
      head: (signal) => sealed.head(signal),
      commands: new Commands(log, { now: () => new Date() }),
      target: { publish: async (_, checkpoint) => void published.push(checkpoint), kept: async () => 0 },
    });
    return { sealer, published };
  }

  async function verified(outside: readonly string[]): Promise<HistoryReport> {
    const check = new HistoryCheck({
      trusted: [key.verifying],
      outside: outside.map((text) => readCheckpoint(text)!),
    });
    for await (const page of storedPages(open())) for (const event of page) check.add(event);
    return check.finish();
  }

  it(
    'a history does not return partial streams after truncation, deletion or scavenging, and is reported as incomplete',
    async () => {
      server = await startEventStore({ disk: true, chunkBytes: 1_000_000 });
      const log = open();
      const { sealer, published } = sealerOf(log);
      const large = 'x'.repeat(20_000);
      for (const stream of ['counted', 'truncated', 'deleted', 'filler'])
        for (let n = 0; n < (stream === 'filler' ? 100 : 10); n++)
          await log.append(stream, n - 1, [note(large)]);
      await sealer.seal();
      const client = EventStoreDBClient.connectionString(server.url);
      await client.setStreamMetadata('live.counted', { maxCount: 3 });
      await client.setStreamMetadata('live.truncated', { truncateBefore: 4 });
      await client.deleteStream('live.deleted');
      await expect(log.readStream('counted')).rejects.toEqual(
        refused(/deleted events of stream .*counted.* from 0 on/),
      );
      await expect(log.readStream('truncated', 2)).rejects.toEqual(refused(/from 2 on/));
      expect(await log.readStream('truncated', 4)).toHaveLength(6);
      // The log of all streams shows events that their streams hide, until it is scavenged.
      expect(await verified(published)).toMatchObject({ intact: true, outside: 1 });
      const { port } = new URL(server.url);
      await fetch(`http://127.0.0.1:${port}/admin/scavenge`, { method: 'POST' });
      await eventually(async () => {
        const { intact, problems } = await verified(published);
        expect(intact).toBe(false);
        const details = problems.map(({ detail }) => detail);
        for (const [stream, first] of [
          ['counted', 7],
          ['truncated', 4],
        ])
          expect(details).toContain(`${stream} continues with revision ${first}, expected 0.`);
        expect(problems.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['short', 'unsealed']));
      });
      const { sealer: fresh } = sealerOf(open());
      await expect(fresh.seal()).rejects.toEqual(refused(/differs from the sealed one/));
      expect(fresh.fault).toContain('differs from the sealed one');
    },
    timeout,
  );

  it(
    'a service whose server was replaced with an empty one stops sealing and says why',
    async () => {
      server = await startEventStore();
      const log = open();
      const { sealer, published } = sealerOf(log);
      await log.append('catalog', -1, notes(300));
      await sealer.seal();
      const end = await log.head();
      await server.kill();
      await server.start();
      expect(await log.readStored(end, 10)).toEqual([]);
      await expect(sealer.seal()).rejects.toEqual(refused(/was truncated/));
      await log.append('catalog', -1, notes(2));
      await expect(sealer.seal()).rejects.toEqual(refused(/no longer contains all of its 300 events/));
      expect(sealer.fault).toContain('was truncated');
      const { problems } = await verified(published);
      expect(problems.map(({ kind }) => kind)).toEqual(['short', 'unsealed']);
      expect(published).toHaveLength(1);
    },
    timeout,
  );
});
