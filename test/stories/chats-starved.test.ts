/**
 * Two instances over real servers. One at a time is paused, starved or killed while it answers. Each question still
 * gets exactly one complete answer, and none is reported as stopped. No partial answer remains, except one that a
 * killed process had just sent in Telegram.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { texts } from '../../connectors/texts.ts';
import { openApp } from '../../src/app.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { testNamespace, withEventStore, withRedis } from '../support/servers.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { TelegramDouble } from '../support/telegram-double.ts';
import { type Servers, storyConfig, takeIn, writeLibrary } from './story.ts';
import { shared } from './wirings.ts';

const script = fileURLToPath(new URL('../support/chat-instance.ts', import.meta.url));
const question = 'When does the library open?';
const answer = 'The library opens at nine in the morning and closes at six.';
/** Longer than the lifetime of a lease. */
const pausedMs = 9_000;
/** How long Slack waits for a reply. */
const patienceMs = 3_000;
/** Questions per platform and round; there are three rounds: paused, starved and killed. */
const perRound = Number(process.env.CHATS_PER_ROUND ?? 6);
const rounds = Number(process.env.CHATS_ROUNDS ?? 3);

let folder: string;
let telegram: TelegramDouble;
let slack: SlackDouble;
let common: Record<string, string>;
let balancer: Server;
const instances: ({ process: ChildProcess; port: number } | null)[] = [null, null];

beforeEach(async () => {
  folder = newFolder('starved');
  writeLibrary(join(folder, 'library'));
  [telegram, slack] = await Promise.all([TelegramDouble.start(), SlackDouble.start()]);
});
afterEach(async () => {
  for (const instance of instances) instance?.process.kill('SIGKILL');
  balancer?.close();
  await Promise.all([telegram.stop(), slack.stop()]);
});

async function start(n: number): Promise<void> {
  const to = [telegram.token, telegram.url, slack.botToken, slack.signingSecret, slack.url];
  const child = spawn(process.execPath, [script, ...to], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...common, DOCENT_DATA: join(folder, `instance-${n}`) },
  });
  const [port] = await once(createInterface({ input: child.stdout! }), 'line');
  instances[n] = { process: child, port: Number(port) };
}

/** Acts as a load balancer: sends to one instance, and to the other if that one does not reply. */
async function balance(): Promise<string> {
  let turn = 0;
  balancer = createServer(async (request, response) => {
    const body = await buffer(request);
    turn++;
    for (const n of [turn % 2, (turn + 1) % 2]) {
      const port = instances[n]?.port;
      const reply = await fetch(`http://127.0.0.1:${port}/slack/events`, {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(patienceMs),
      }).catch(() => null);
      if (reply?.status !== 200) continue;
      response.writeHead(200).end();
      return;
    }
    response.writeHead(503).end();
  });
  return `${await listen(balancer)}/slack/events`;
}

async function disturb(round: number): Promise<void> {
  const n = round % 2;
  const { process: child } = instances[n]!;
  const kind = ['pause', 'starve', 'kill'][round % 3];
  if (kind === 'starve') child.kill('SIGUSR2');
  else if (kind === 'pause') {
    child.kill('SIGSTOP');
    setTimeout(() => child.kill('SIGCONT'), pausedMs);
  } else {
    child.kill('SIGKILL');
    await once(child, 'close');
    await start(n);
  }
}

async function answersOnce(servers: Partial<Servers>): Promise<void> {
  const config = storyConfig(folder, { DOCENT_NAMESPACE: testNamespace(), ...servers });
  const app = await openApp({ ...config, DOCENT_DATA: join(folder, 'instance-0') });
  await takeIn(app, folder);
  await app.close();
  common = {
    EVENTSTOREDB_URL: String(servers.EVENTSTOREDB_URL),
    REDIS_URL: String(servers.REDIS_URL),
    DOCENT_NAMESPACE: config.DOCENT_NAMESPACE,
    DOCENT_SECRET: 'known to both of the instances alone',
    DOCENT_DEFAULT_CORPUS: config.DOCENT_DEFAULT_CORPUS,
  };
  await Promise.all([start(0), start(1)]);
  slack.eventsUrl = await balance();
  await Promise.all([
    telegram.until(() => telegram.count('getUpdates') > 0),
    slack.until(() => slack.count('auth.test') === 2),
  ]);
  for (let round = 0; round < rounds; round++) {
    const people = Array.from({ length: perRound }, (_, n) => 1 + round * perRound + n);
    for (const n of people) {
      telegram.write({ id: n, first_name: `P${n}`, language_code: 'en' }, question);
      slack.write(`U${n}`, `C${n}`, `<@${slack.bot}> ${question}`);
    }
    // Midway: some have begun, and few are complete.
    await slack.until(() => people.filter((n) => slack.said(`C${n}`).length > 0).length * 2 >= perRound);
    await disturb(round);
    const unanswered = () => ({
      slack: people.filter((n) => slack.answers(`C${n}`).length === 0),
      telegram: people.filter((n) => telegram.answers(n).length === 0),
    });
    await expect.poll(unanswered).toEqual({ slack: [], telegram: [] });
  }
  // The paused process has finished its late writes.
  const woken = performance.now() + pausedMs;
  while (performance.now() < woken) await new Promise((resolve) => setTimeout(resolve, 100));

  const all = Array.from({ length: rounds * perRound }, (_, n) => 1 + n);
  const wrong = all.flatMap((n) => {
    const inSlack = slack.transcript(`C${n}`);
    const inTelegram = telegram.transcript(n);
    return [
      ...(isOnce(inSlack, answer) && isShown(`C${n}`) ? [] : [inSlack]),
      ...(isOnce(inTelegram, answer) && telegram.said(n).length <= 1 + mayStand(n) ? [] : [inTelegram]),
    ];
  });
  expect(wrong).toEqual([]);
  for (const n of all) {
    expect(slack.transcript(`C${n}`)).not.toContain(texts.en.cancelled);
    expect(telegram.transcript(n)).not.toContain(texts.en.cancelled);
  }
  expect([telegram.violations, slack.violations]).toEqual([[], []]);
}

/**
 * A message that a killed process sent in Telegram without recording it cannot be found. It remains, and the complete
 * answer below it says so.
 */
const mayStand = (n: number): number =>
  telegram.said(n).filter(({ text }) => text.startsWith(texts.en.repeated)).length;

/** In one message or, if the rate limits leave no room for edits, with its sources in a second one. */
const isShown = (channel: string): boolean => {
  const [said, whole] = [slack.said(channel), slack.answers(channel)];
  return whole.length === 1 && said.length <= 2 && said.at(-1) === whole[0];
};

const isOnce = (text: string, part: string) => text.split(part).length === 2;

withEventStore('over a real EventStoreDB', (startEventStore) => {
  const eventStore = shared(startEventStore);
  withRedis('and a real Redis', (startRedis) => {
    const redis = shared(startRedis);
    it('answer each question once while one of them is paused, starved and killed', async () => {
      await answersOnce({ EVENTSTOREDB_URL: eventStore(), REDIS_URL: redis() });
    });
  });
});
