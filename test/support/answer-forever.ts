/**
 * A process that starts to answer on both platforms and never finishes, for tests that kill it midway. For each
 * Telegram answer that has started to appear, it prints a line and records the message; for the given chats, it only
 * records that it is about to send. It records nothing about Slack answers. Arguments: the data folder; the token and
 * address of the Telegram double; the bot token, app token and address of the Slack double; chat ids separated by
 * commas. Other settings come from the environment.
 */
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app-port.ts';
import { Asks } from '../../src/asks/asks.ts';
import type { Chat, ChatReply } from '../../src/asks/chat.ts';
import type { Chats } from '../../src/asks/chats.ts';
import { readConfig } from '../../src/config.ts';
import { over } from './over.ts';

const [folder, telegramToken, telegramUrl, botToken, appToken, slackUrl, unrecorded] = process.argv.slice(
  2,
) as string[];
const unrecordedChats = new Set(unrecorded!.split(',').map(Number));
const app = await openApp({ ...readConfig(process.env, '/dev/null'), DOCENT_DATA: folder! });
const ask: App['ask'] = async function* (input, signal) {
  for await (const part of app.ask(input, signal)) {
    yield part;
    if (part.type === 'text') await new Promise(() => {});
  }
};
const clock = { now: () => new Date() };
const asks = new Asks({
  ask,
  recordedAsks: app.recordedAsks,
  secret: () => Buffer.from('of the test'),
  clock,
});

function noting(note: (reply: ChatReply, messages: unknown) => Promise<void>) {
  const noted = (of: Chat): Chat => {
    const start: Chat['start'] = async (...message) => {
      const reply = await of.start(...message);
      return reply && { ...reply, posted: (messages) => note(reply, messages) };
    };
    return over(of, { start });
  };
  const chat: Chats['chat'] = (...names) => noted(app.chats.chat(...names));
  return { ...app, asks, chats: over(app.chats, { chat, takeOver: async () => [] }) };
}

const recording = noting(async (reply, messages) => {
  const { sending } = messages as { sending: number | null };
  const { where } = reply.task as { where: { chat: number } };
  if (sending !== null || !unrecordedChats.has(where.chat)) await reply.posted(messages);
  if (sending === null) process.stdout.write('said\n');
});
openTelegram(recording, { token: telegramToken!, apiUrl: telegramUrl! }).start();
openSlack(
  noting(async () => {}),
  { token: botToken!, mode: { appToken: appToken! }, apiUrl: slackUrl! },
).start();
setInterval(() => {}, 60_000);
