/**
 * EventStoreDB stores the history; Redis stores the read models and the keys that encrypt people's words. Redis is
 * temporarily unavailable, or has lost everything permanently.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { storedPages } from '../../src/event-sourcing/stored-pages.ts';
import { readCheckpoint } from '../../src/history/checkpoint.ts';
import { HistoryCheck } from '../../src/history/history-check.ts';
import { newSigningKey, readVerifyingKey } from '../../src/history/signed-note.ts';
import { buildServer } from '../../src/http/server.ts';
import type { StoredEvent } from '../../src/ports/event-log.ts';
import { openLogAt } from '../../src/workers/main-log.ts';
import { patient } from '../http/fake-app.ts';
import { ended, startCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { type OwnServer, startRedis } from '../support/own-server.ts';
import { withEventStore, withOwnRedis } from '../support/servers.ts';
import { askOf } from './story.ts';

const within = 200_000;
const acting = { name: 'olga', request_id: 'r' };

let folder: string;
let redis: OwnServer;
let env: NodeJS.ProcessEnv;
const opened: App[] = [];
beforeEach(() => {
  folder = newFolder('keys');
});
afterEach(async () => {
  redis.thaw();
  for (const app of opened.splice(0)) await app.close();
  await redis.stop();
});

const open = async () => {
  const app = await openApp(readConfig(env, join(folder, 'none')));
  opened.push(app);
  return app;
};

async function takeIn(app: App): Promise<void> {
  const leave = '# Leave\n\nEvery employee has 24 days of leave a year.\n';
  const path = writeFiles(join(folder, 'documents'), { 'leave.md': leave });
  await app.ingest({ path, corpus_id: 'leave', actor: 'system' });
}

/** The complete stored history. */
async function stored(): Promise<StoredEvent[]> {
  const { log, close } = await openLogAt(env.EVENTSTOREDB_URL!, env.DOCENT_NAMESPACE!, null);
  try {
    const events: StoredEvent[] = [];
    for await (const page of storedPages(log)) events.push(...page);
    return events;
  } finally {
    await close();
  }
}

const textOf = ({ stream, data, metadata }: StoredEvent) =>
  `${stream} ${Buffer.from(data)} ${Buffer.from(metadata)}`.toLowerCase();
const dataOf = ({ data }: StoredEvent) => JSON.parse(Buffer.from(data).toString());

withEventStore('a service over EventStoreDB', (startEventStore) => {
  withOwnRedis('and a separate Redis', () => {
    beforeEach(async () => {
      env = {
        LOG_LEVEL: 'silent',
        DOCENT_DATA: join(folder, 'data'),
        EVENTSTOREDB_URL: (await startEventStore()).url,
        DOCENT_NAMESPACE: `test-${randomUUID()}`,
        DOCENT_MASTER_KEY: 'a master key that all instances have',
        DOCENT_SEAL_KEY: newSigningKey('docent.example'),
        DOCENT_DEFAULT_CORPUS: 'leave',
      };
    });

    it(
      'does not start without its lost keys until they are given up, then treats all data as forgotten',
      async () => {
        redis = await startRedis();
        env.REDIS_URL = redis.url;
        const app = await open();
        await takeIn(app);
        const mine = await askOf('leave', app, 'How many days of leave has Zanzibarov?', 's-mine');
        await app.sealing!.seal();
        const { checkpoint, key } = app.sealing!;
        await opened.pop()!.close();
        // Without persistence, Redis is empty after a restart.
        await redis.kill();
        await redis.start();

        for (let start = 0; start < 2; start++)
          await expect(open()).rejects.toEqual(
            expect.objectContaining({
              code: 'invalid',
              detail: expect.stringContaining('forget --lost-keys'),
            }),
          );
        const given = await ended(startCommand(folder, ['forget', '--lost-keys'], env));
        expect(given).toMatchObject({ status: 0 });

        const again = await open();
        await expect(again.recordedAsks.find(mine)).rejects.toMatchObject({ code: 'gone' });
        await again.caughtUp();
        const { items } = await again.admin.queries({ limit: 10, offset: 0 }, acting);
        expect(items).toMatchObject([{ request_id: mine, query: '', answer: '', forgotten: true }]);
        // The read models are rebuilt without the keys.
        const next = await eventually(() => askOf('leave', again, 'How many days of leave?', 's-mine'));
        expect(await again.recordedAsks.find(next)).toMatchObject({ request_id: next });
        expect(await again.verifyProjections()).toMatchObject({ same: true });
        const gaveUp = await again.admin.auditLog({ action: 'keys.give_up', limit: 5, offset: 0 });
        expect(gaveUp.total).toBe(1);
        await again.sealing!.seal();
        const trusted = [readVerifyingKey(key)];
        const check = new HistoryCheck({ trusted, outside: [readCheckpoint(checkpoint!)!] });
        for (const event of await stored()) {
          expect(textOf(event)).not.toContain('zanzibarov');
          check.add(event);
        }
        expect(check.finish()).toMatchObject({ intact: true, outside: 1 });
      },
      within,
    );

    it(
      'makes callers retry while the keys are unavailable, writes nothing unsealed and loses nothing',
      async () => {
        redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
        env.REDIS_URL = redis.url;
        env.DOCENT_PUBLIC_RPM = '0';
        env.DOCENT_PUBLIC_RPH = '0';
        const app = await open();
        await takeIn(app);
        const server = buildServer(app, { corsOrigins: '*', trustProxy: false, loopDelayMsMax: patient });
        const post = (name: string, url = '/api/ask') =>
          server.inject({
            method: 'POST',
            url,
            payload: {
              query: 'How many days of leave has every employee?',
              history: [{ role: 'user', content: `My name is ${name}.` }],
            },
          });
        try {
          const before = await post('Appleby');
          expect(before.json()).toMatchObject({ answer: expect.stringContaining('24 days') });

          await redis.kill();
          const away = ['Birtwistle', 'Crumplehorn', 'Dunkerley'];
          for (const name of away) {
            const refused = await post(name);
            expect(refused.statusCode).toBe(503);
            expect(refused.headers['retry-after']).toMatch(/^\d+$/);
            expect(refused.json()).toEqual({ detail: expect.any(String) });
            expect(refused.body.toLowerCase()).not.toContain(name.toLowerCase());
          }
          const stream = await post('Eversleigh', '/api/ask/stream');
          // Rejected before the start, or reported in the stream.
          if (stream.statusCode !== 503)
            expect(stream.body).toMatch(
              /^event: error\ndata: \{.*"code":"unavailable".*"retryable":true\}$/m,
            );
          await redis.start();

          // Each question is answered on a retry, as before.
          const answered = [before.json().request_id];
          for (const name of away)
            await eventually(async () => {
              const reply = await post(name);
              expect(reply.statusCode).toBe(200);
              expect(reply.json().answer).toBe(before.json().answer);
              answered.push(reply.json().request_id);
            });
          const found = await server.inject(`/api/ask/stream/${before.json().request_id}`);
          expect(found.body).toContain('24 days');

          await eventually(async () => {
            const { items } = await app.admin.queries({ limit: 20, offset: 0 }, acting);
            const given = items.filter(({ mode }) => mode !== null).map(({ request_id }) => request_id);
            expect(given.toSorted()).toEqual(answered.toSorted());
            // An ask that began and could not be answered has failed, or is open until its deadline.
            for (const { mode, error } of items)
              if (mode === null) expect([null, 'unavailable', 'abandoned']).toContain(error);
          });
          const events = await stored();
          for (const event of events)
            for (const name of ['Appleby', ...away, 'Eversleigh'])
              expect(textOf(event)).not.toContain(name.toLowerCase());
          const questions = events.filter(({ type }) => type === 'QuestionAsked').map(dataOf);
          expect(questions.length).toBeGreaterThanOrEqual(4);
          for (const { query } of questions) expect(query).toEqual({ sealed: expect.any(String) });
          expect(await app.verifyProjections()).toMatchObject({ same: true });
        } finally {
          await server.close();
        }
      },
      within,
    );
  });
});
