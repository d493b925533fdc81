/** Two instances over one EventStoreDB and one Redis share a load while one of them is killed and restarted. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashPassword } from '../../src/access/admins.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';
import { type OwnServer, startEventStore, startRedis } from '../support/own-server.ts';
import { testNamespace, withOwnEventStore, withOwnRedis } from '../support/servers.ts';
import { endInstances, type Instance, startInstance } from './serving.ts';
import { discrepancies, storyConfig, takeIn, writeLibrary } from './story.ts';

const restarts = 6;
/** Answers between one start and the next kill. */
const answersBetween = 8;
/**
 * Questions per round. After the kill, the same number is asked again while an instance starts, however long that
 * takes.
 */
const questionsOfRound = 2 * answersBetween;
/** How long a client waits for an answer before it asks again. */
const answerMs = 5000;
const password = 'bridge-and-river';

let folder: string;
let log: OwnServer;
let redis: OwnServer;
let env: NodeJS.ProcessEnv;
const namespace = testNamespace();

beforeEach(async () => {
  folder = newFolder('instances');
  writeLibrary(join(folder, 'library'));
  [log, redis] = await Promise.all([startEventStore(), startRedis()]);
  env = {
    EVENTSTOREDB_URL: log.url,
    REDIS_URL: redis.url,
    DOCENT_NAMESPACE: namespace,
    DOCENT_DATA: join(folder, 'data'),
    DOCENT_DEFAULT_CORPUS: 'charter',
    DOCENT_PUBLIC_RPM: '0',
    DOCENT_PUBLIC_RPH: '0',
    DOCENT_ADMINS: `ann:admin:${await hashPassword(password)}`,
  };
});
afterEach(async () => {
  await endInstances();
  await Promise.all([log.stop(), redis.stop()]);
});

const admin = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` };
const json = { 'content-type': 'application/json' };

withOwnEventStore('two instances', () => {
  withOwnRedis('over Redis', () => {
    it(`lose and repeat nothing while one is killed ${restarts} times`, async () => {
      const config = { EVENTSTOREDB_URL: log.url, REDIS_URL: redis.url, DOCENT_NAMESPACE: namespace };
      const app: App = await openApp(storyConfig(folder, config));
      await takeIn(app, folder);
      await app.close();

      const [steady, other] = await Promise.all([startInstance(env), startInstance(env)]);
      let shaken: Instance | null = other;
      const answered = new Map<string, string>();
      let asked = 0;
      let allowed = 0;
      let more = Promise.withResolvers<void>();
      const allow = (questions: number) => {
        allowed += questions;
        more.resolve();
        more = Promise.withResolvers();
      };
      const waiting: { at: number; resolve: () => void }[] = [];

      /**
       * Asks one instance, then the other, until one has answered. After an instance dies, the question is asked again
       * with another key, because its own key would wait until the ask's deadline.
       */
      const ask = async (n: number): Promise<void> => {
        for (let attempt = 0; ; attempt++) {
          const key = `question-${n}-${attempt}`;
          const to = (n + attempt) % 2 === 0 ? steady : (shaken ?? steady);
          try {
            const reply = await fetch(`${to.url}/api/ask`, {
              method: 'POST',
              signal: AbortSignal.timeout(answerMs),
              headers: { ...json, 'idempotency-key': key },
              body: JSON.stringify({ query: `Когда закрывают мост на ремонт в ${n} раз?` }),
            });
            if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
            const { request_id } = (await reply.json()) as { request_id: string };
            answered.set(key, request_id);
            break;
          } catch {
            await delay(25);
          }
        }
        for (const one of waiting.splice(0)) answered.size >= one.at ? one.resolve() : waiting.push(one);
      };
      let stopped = false;
      const clients = Array.from({ length: 4 }, async () => {
        while (!stopped) {
          if (asked < allowed) await ask(asked++);
          else await more.promise;
        }
      });
      const until = (at: number) => new Promise<void>((resolve) => waiting.push({ at, resolve }));

      for (let round = 1; round <= restarts; round++) {
        const answers = until(answered.size + answersBetween);
        allow(questionsOfRound);
        await answers;
        const victim: Instance = shaken!;
        await victim.kill();
        shaken = null;
        shaken = await startInstance(env);
      }
      const last = until(answered.size + answersBetween);
      allow(answersBetween);
      await last;
      stopped = true;
      allow(0);
      await Promise.all(clients);

      // A key created on one instance is known to the other, and rejected here once revoked there.
      const made = await fetch(`${steady.url}/admin/api/api-keys`, {
        method: 'POST',
        headers: { ...json, ...admin },
        body: JSON.stringify({ name: 'site' }),
      });
      const { key, key_id } = (await made.json()) as { key: string; key_id: number };
      const withKey = (at: Instance) =>
        fetch(`${at.url}/api/source-refs`, {
          method: 'POST',
          headers: { ...json, 'x-api-key': key },
          body: '{"query":"мост"}',
        }).then((r) => r.status);
      await becomes(() => withKey(shaken!), 200);
      await fetch(`${shaken.url}/admin/api/api-keys/${key_id}/revoke`, { method: 'POST', headers: admin });
      expect(await withKey(shaken)).toBe(401);
      await becomes(() => withKey(steady), 401);

      for (const instance of [steady, shaken]) await instance.kill();
      const after = await openApp(storyConfig(folder, config));
      try {
        await after.caughtUp();
        expect(new Set(answered.values()).size).toBe(answered.size);
        for (const id of answered.values())
          expect((await after.recordedAsks.find(id))?.parts?.at(-1)?.type).toBe('done');
        const { total } = await after.admin.queries(
          { limit: 1, offset: 0 },
          { name: 'ann', request_id: randomUUID() },
        );
        expect(total).toBeGreaterThanOrEqual(answered.size);
        expect(await discrepancies(after)).toEqual({});
      } finally {
        await after.close();
      }
    });
  });
});

/** Waits for a state that the other instance reaches without a request. */
const becomes = <T>(look: () => Promise<T>, wanted: T) =>
  eventually(async () => expect(await look()).toBe(wanted));
