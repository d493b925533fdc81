/**
 * A simulated Slack workspace on loopback, to try the connector without an account: `npm run slack`. Each input line is
 * a direct message to Docent. Its replies are printed.
 */
import { createInterface } from 'node:readline';
import { SlackDouble } from '../test/support/slack-double.ts';

const channel = 'D1';
const print = (text: string) => process.stdout.write(`${text}\n`);

const slack = await SlackDouble.start();
const { botToken, appToken, url } = slack;
print(`Start the service with these settings, then type questions here:

SLACK_BOT_TOKEN=${botToken} SLACK_APP_TOKEN=${appToken} SLACK_API_URL=${url} node src/docent.js demo
`);
await slack.until(() => slack.isConnected);
print('Docent is connected.');
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const before = slack.said(channel).length;
  const asked = slack.write('U1', channel, line);
  await slack.until(
    () =>
      slack.said(channel).length > before &&
      slack.said(channel).every(({ isStreaming }) => !isStreaming) &&
      slack.message(channel, asked)!.reactions.size === 0,
  );
  const [last = ''] = slack.transcript(channel).split('\n\nU1:').slice(-1);
  print(last.slice(last.indexOf('Docent:')));
}
await slack.stop();
