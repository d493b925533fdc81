/**
 * Two instances with the same chats. A message that a platform posts to both simultaneously, and again afterwards, is
 * asked once. One instance polls, and the other takes over when it stops.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { openApp, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { eventStoreOrDouble, testNamespace, withRedis } from '../support/servers.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { TelegramDouble } from '../support/telegram-double.ts';
import { webhookServer } from '../support/webhook-server.ts';
import { discrepancies, type Servers, storyConfig, takeIn, writeLibrary } from './story.ts';
import { shared } from './wirings.ts';

const people = [1, 2, 3, 4, 5];
const question = 'When does the library open?';
const answer = 'The library opens at nine in the morning and closes at six. [1]';
/** Telegram's rate limits, for which tests need not wait. */
const pace = { privateMs: 1, retryMs: 1 };

let folder: string;
let telegram: TelegramDouble;
let slack: SlackDouble;
let apps: Service[];
let connectors: Connector[];
let servers: Server[];
let troubles: string[];

beforeEach(async () => {
  folder = newFolder('two');
  writeLibrary(join(folder, 'library'));
  [telegram, slack] = await Promise.all([TelegramDouble.start(), SlackDouble.start()]);
  [apps, connectors, servers, troubles] = [[], [], [], []];
});
afterEach(async () => {
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  await Promise.all(apps.map((app) => app.close()));
  for (const server of servers) server.close();
  await Promise.all([telegram.stop(), slack.stop()]);
  expect([telegram.violations, slack.violations]).toEqual([[], []]);
});

/** With separate folders if the history is on a server, otherwise with one. */
async function openTwo(over: Partial<Servers>): Promise<void> {
  const { DOCENT_SECRET } = readConfig(
    { DOCENT_SECRET: 'known to both of the instances alone' },
    '/dev/null',
  );
  const common = { ...storyConfig(folder, { DOCENT_NAMESPACE: testNamespace(), ...over }), DOCENT_SECRET };
  apps.push(await openApp(common));
  await takeIn(apps[0]!, folder);
  const other = over.EVENTSTOREDB_URL === undefined ? common.DOCENT_DATA : join(folder, 'other');
  apps.push(await openApp({ ...common, DOCENT_DATA: other }));
  await Promise.all(apps.map((app) => app.caughtUp()));
}

function start(connector: Connector): Connector {
  connectors.push(connector);
  connector.start();
  return connector;
}

/** Starts a connector with a webhook, and returns the address of its server. */
function served(connector: Connector): Promise<string> {
  start(connector);
  const server = webhookServer(() => connector);
  servers.push(server);
  return listen(server);
}

const telegramOptions = () => ({ token: telegram.token, apiUrl: telegram.url, pace });

interface Posted {
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
}

const post = (urls: readonly string[], posted: Posted): Promise<Response[]> =>
  Promise.all(urls.map((url) => fetch(url, { method: 'POST', ...posted })));

/** Sends each request to all of them simultaneously, and returns the first successful reply. */
async function postedToAll(urls: readonly string[], log: Posted[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await buffer(request));
    const signed = Object.entries(request.headers).filter(([name]) => /^x-|content-type/.test(name));
    const posted = { headers: Object.fromEntries(signed) as Record<string, string>, body };
    log.push(posted);
    const replies = await post(urls, posted);
    const reply = replies.find(({ ok }) => ok) ?? replies[0]!;
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(await reply.text());
  });
  servers.push(server);
  return listen(server);
}

/** The questions in the history. */
async function questionsAsked(app: Service): Promise<number> {
  const { total } = await app.admin.queries(
    { limit: 1, offset: 0 },
    { name: 'ann', request_id: randomUUID() },
  );
  return total;
}

async function askedOnce(over: Partial<Servers>): Promise<void> {
  await openTwo(over);
  const to = { telegram: [] as string[], slack: [] as string[] };
  const log = { telegram: [] as Posted[], slack: [] as Posted[] };
  const telegramUrl = await postedToAll(to.telegram, log.telegram);
  const slackUrl = await postedToAll(to.slack, log.slack);
  slack.eventsUrl = `${slackUrl}/slack/events`;
  const onTrouble = (sentence: string) => troubles.push(sentence);
  for (const app of apps) {
    const webhook = { url: `${telegramUrl}/telegram`, secret: 'a-secret' };
    const onTelegram = openTelegram(app, { ...telegramOptions(), webhook, onTrouble });
    to.telegram.push(`${await served(onTelegram)}/telegram`);
    const mode = { signingSecret: slack.signingSecret };
    const onSlack = openSlack(app, { token: slack.botToken, mode, apiUrl: slack.url, onTrouble });
    to.slack.push(`${await served(onSlack)}/slack/events`);
  }
  await telegram.until(() => telegram.count('setWebhook') === 2);
  for (const n of people) {
    telegram.write({ id: n, first_name: `P${n}`, language_code: 'en' }, question);
    slack.write(`U${n}`, `C${n}`, `<@${slack.bot}> ${question}`);
    slack.command(`U${n}`, `C1${n}`, question);
  }
  await Promise.all([
    telegram.until(() => people.every((n) => telegram.answers(n).length > 0)),
    slack.until(() =>
      people.every((n) => [`C${n}`, `C1${n}`].every((channel) => slack.answers(channel).length > 0)),
    ),
  ]);
  for (const posted of log.telegram) await post(to.telegram, posted);
  for (const posted of log.slack) await post(to.slack, posted);
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  for (const n of people) {
    expect(telegram.said(n)).toHaveLength(1);
    expect(telegram.transcript(n)).toContain(answer);
    for (const channel of [`C${n}`, `C1${n}`]) {
      expect(slack.said(channel)).toHaveLength(1);
      expect(slack.transcript(channel)).toContain(answer);
    }
  }
  await apps[0]!.caughtUp();
  expect(await questionsAsked(apps[0]!)).toBe(people.length * 3);
  const { chats } = apps[0]!;
  const recentOf = (user: string) => chats.recent('slack', chats.subject('slack', slack.team, user), 8);
  expect([await recentOf('U1'), await recentOf('U9')]).toEqual([[question], []]);
  expect(troubles).toEqual([]);
  if (over.EVENTSTOREDB_URL === undefined) expect(await discrepancies(apps[0]!)).toEqual({});
}

async function polledByOne(over: Partial<Servers>): Promise<void> {
  await openTwo(over);
  const onTrouble = (sentence: string) => troubles.push(sentence);
  const ask = (n: number) => telegram.write({ id: n, first_name: `P${n}`, language_code: 'en' }, question);
  const answered = (n: number) => telegram.until(() => telegram.answers(n).length > 0);
  for (const app of apps) start(openTelegram(app, { ...telegramOptions(), onTrouble }));
  ask(1);
  await answered(1);
  // Whichever instance polled: when one stops, the other takes over or continues.
  await connectors[0]!.close(5_000);
  ask(2);
  await answered(2);
  start(openTelegram(apps[0]!, { ...telegramOptions(), onTrouble }));
  await connectors[1]!.close(5_000);
  ask(3);
  await answered(3);
  expect(troubles).toEqual([]);
  expect([1, 2, 3].map((n) => telegram.said(n).length)).toEqual([1, 1, 1]);
}

const cases = (wiring: string, over: () => Partial<Servers>) => {
  it(`over ${wiring} ask a question once if it is posted to both`, () => askedOnce(over()));
  it(`over ${wiring} take turns polling`, () => polledByOne(over()));
};

describe('two instances', () => {
  cases('one folder', () => ({}));

  describe('over servers', () => {
    const eventStore = shared(eventStoreOrDouble);
    cases('EventStoreDB', () => ({ EVENTSTOREDB_URL: eventStore() }));
    withRedis('and a real Redis', (start) => {
      const redis = shared(start);
      cases('EventStoreDB and Redis', () => ({ EVENTSTOREDB_URL: eventStore(), REDIS_URL: redis() }));
    });
  });
});
