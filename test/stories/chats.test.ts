/** A process that answers in chats is killed during ten answers, and another one completes them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { texts } from '../../connectors/texts.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { readConfig } from '../../src/config.ts';
import { storedPages } from '../../src/event-sourcing/stored-pages.ts';
import type { StoredEvent } from '../../src/ports/event-log.ts';
import { openLog, readOnlyFile } from '../../src/workers/open-log.ts';
import { newFolder, writeFiles } from '../support/folder.ts';
import { eventStoreOrDouble, testNamespace } from '../support/servers.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { TelegramDouble } from '../support/telegram-double.ts';
import { discrepancies } from './story.ts';
import { shared } from './wirings.ts';

const script = fileURLToPath(new URL('../support/answer-forever.ts', import.meta.url));
const people = [1, 2, 3, 4, 5];
/** For these, the process is killed between sending a message in Telegram and recording it. */
const unrecorded = [4, 5];
const question = 'How many days of leave do I have?';

/** One instance reads what the other has written, on a server or in its folder. */
type Common = Partial<Record<'EVENTSTOREDB_URL' | 'DOCENT_NAMESPACE' | 'DOCENT_SECRET', string>>;

/** With a server, the second instance has a separate folder. `afterwards`: calls this when the test has ended. */
async function killedInTheMiddle(
  common: Common,
  afterwards: (end: () => Promise<void>) => void,
): Promise<void> {
  const folder = newFolder('chats');
  const open = (data: string): Promise<App> =>
    openApp({ ...readConfig(common, '/dev/null'), DOCENT_DATA: join(folder, data) });
  const [telegram, slack] = await Promise.all([TelegramDouble.start(), SlackDouble.start()]);
  afterwards(async () => {
    await Promise.all([telegram.stop(), slack.stop()]);
  });
  const library = writeFiles(join(folder, 'library'), {
    'leave.md': '# Leave\n\nYou have 28 days of leave a year. Ask for it a week before.\n',
  });
  const first = await open('data');
  await first.ingest({ path: library, corpus_id: 'handbook', actor: 'system' });
  await first.close();
  const to = [telegram.token, telegram.url, slack.botToken, slack.appToken, slack.url, String(unrecorded)];
  const child = spawn(process.execPath, [script, join(folder, 'data'), ...to], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...common },
  });
  afterwards(async () => void child.kill('SIGKILL'));
  await Promise.all([
    telegram.until(() => telegram.count('getUpdates') > 0),
    slack.until(() => slack.isConnected),
  ]);
  const asked = people.map((n) => {
    telegram.write({ id: n, first_name: `P${n}`, language_code: 'en' }, question);
    return slack.write(`U${n}`, `C${n}`, `<@${slack.bot}> ${question}`);
  });
  let said = 0;
  const lines = createInterface({ input: child.stdout! });
  const allSaid = new Promise<void>((resolve) => {
    lines.on('line', () => ++said === people.length && resolve());
  });
  await Promise.all([
    allSaid,
    // Messages in Slack are not recorded, because they can be found there.
    slack.until(() => people.every((n) => slack.said(`C${n}`).length === 1)),
  ]);
  expect(people.every((n, i) => slack.message(`C${n}`, asked[i]!)!.reactions.has('eyes'))).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'close');

  const app = await open(common.EVENTSTOREDB_URL === undefined ? 'data' : 'other');
  const connectors = [
    openTelegram(app, { token: telegram.token, apiUrl: telegram.url }),
    openSlack(app, { token: slack.botToken, mode: { appToken: slack.appToken }, apiUrl: slack.url }),
  ];
  for (const connector of connectors) connector.start();
  await Promise.all([
    telegram.until(() => people.every((n) => telegram.answers(n).length === 1)),
    slack.until(() => people.every((n) => slack.answers(`C${n}`).length === 1)),
    slack.until(() => people.every((n, i) => slack.message(`C${n}`, asked[i]!)!.reactions.size === 0)),
  ]);
  // A message is not edited while it is still a stream.
  expect(slack.calls.filter(({ method, error }) => method === 'chat.update' && error)).toEqual([]);
  for (const n of people) {
    // A message sent without a record cannot be found, so the answer says that it may be there.
    const mayStandThere = unrecorded.includes(n);
    expect(telegram.said(n)).toHaveLength(mayStandThere ? 2 : 1);
    expect(telegram.said(n).at(-1)!.text.includes(texts.en.repeated)).toBe(mayStandThere);
    expect(telegram.transcript(n)).toContain('You have 28 days of leave a year. [1]');
    expect(slack.said(`C${n}`)).toHaveLength(1);
    expect(slack.transcript(`C${n}`)).toContain('You have 28 days of leave a year. [1]');
  }
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  if (common.EVENTSTOREDB_URL === undefined) expect(await discrepancies(app)).toEqual({});
  await app.close();

  const log = await openHistory(common, join(folder, 'data'));
  const events: StoredEvent[] = [];
  for await (const page of storedPages(log)) events.push(...page);
  const of = (type: RegExp) =>
    new Set(
      events
        .filter((event) => type.test(event.type))
        .map(({ data }) => JSON.parse(Buffer.from(data).toString('utf8')).request_id as string),
    );
  const begun = of(/^QuestionAsked$/);
  expect(begun.size).toBe(20);
  expect(of(/^(?:AnswerGiven|AnswerWithheld|AskCancelled)$/)).toEqual(begun);
  expect(of(/^ReplyEnded$/).size).toBe(10);
  await log.close();
  expect([telegram.violations, slack.violations]).toEqual([[], []]);
}

const openHistory = ({ EVENTSTOREDB_URL: url, DOCENT_NAMESPACE: namespace = '' }: Common, data: string) =>
  url === undefined
    ? openLog({ file: join(data, 'history.sqlite') }, readOnlyFile, null)
    : openLog({ url, namespace }, readOnlyFile, null);

// Each test waits for the leases of the killed process, so they wait together.
describe.concurrent('no partial answer or progress indicator remains, and every ask ends', () => {
  test('in one folder', ({ onTestFinished }) => killedInTheMiddle({}, onTestFinished));

  describe('over EventStoreDB alone, in separate folders', () => {
    const eventStore = shared(eventStoreOrDouble);
    test('with a common secret', ({ onTestFinished }) => {
      const common = {
        EVENTSTOREDB_URL: eventStore(),
        DOCENT_NAMESPACE: testNamespace(),
        DOCENT_SECRET: 'known to both of the instances alone',
      };
      return killedInTheMiddle(common, onTestFinished);
    });
  });
});
