/**
 * An instance that answers on both platforms, for tests that pause, starve and kill it. It answers slowly, so that it
 * can be interrupted midway. It prints the port for Slack events; SIGUSR2 blocks its event loop for 8 s. Settings come
 * from the environment. Arguments: the token and address of the Telegram double; the bot token, signing secret and
 * address of the Slack double.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { Asks } from '../../src/asks/asks.ts';
import { readConfig } from '../../src/config.ts';
import { webhookServer } from './webhook-server.ts';

const stepMs = 300;
const starvedMs = 8_000;
const [telegramToken, telegramUrl, botToken, signingSecret, slackUrl] = process.argv.slice(2) as string[];
const onTrouble = (sentence: string) => process.stderr.write(`${process.pid} ${sentence}\n`);
const app = await openApp(readConfig(process.env, '/dev/null'), { onTrouble });
const ask: App['ask'] = async function* (input, signal) {
  for await (const part of app.ask(input, signal)) {
    if (part.type === 'text' || part.type === 'done') await setTimeout(stepMs, null, { signal });
    yield part;
  }
};
const clock = { now: () => new Date() };
const secret = () => Buffer.from('of the test');
const slow = { ...app, asks: new Asks({ ask, recordedAsks: app.recordedAsks, secret, clock }) };
const slack = openSlack(slow, {
  token: botToken!,
  mode: { signingSecret: signingSecret! },
  apiUrl: slackUrl!,
  onTrouble,
});
slack.start();
openTelegram(slow, { token: telegramToken!, apiUrl: telegramUrl!, onTrouble }).start();
const server = webhookServer(() => slack);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGUSR2', () => {
  const until = performance.now() + starvedMs;
  while (performance.now() < until);
});
