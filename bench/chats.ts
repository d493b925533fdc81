/**
 * Fifty chats that ask at once, over doubles of both platforms that hold calls to their tiers: when the first sign is
 * seen (typing, eyes), when the first text, when the whole answer, each from the moment of the message.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSlack } from '../connectors/slack/index.ts';
import { openTelegram } from '../connectors/telegram/index.ts';
import { openApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { SlackDouble } from '../test/support/slack-double.ts';
import { TelegramDouble } from '../test/support/telegram-double.ts';
import { percentile } from './speed.ts';

const chats = 50;
const questions = [
  'На какой срок избирается Президент?',
  'Кто назначает судей?',
  'Салықты кім төлейді?',
  'Article 42',
  'How is the Constitution amended?',
];

interface Times {
  sign: number[];
  text: number[];
  whole: number[];
}

export async function chatsAtOnce(): Promise<Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  const config = { ...readConfig({}, '/dev/null'), DOCENT_DATA: folder };
  const app = await openApp(config);
  const path = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
  await app.ingest({ path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' });
  await app.caughtUp();
  const [telegram, slack] = await Promise.all([TelegramDouble.start(), SlackDouble.start()]);
  slack.tiers = true;
  const connectors = [
    openTelegram(app, { token: telegram.token, apiUrl: telegram.url }),
    openSlack(app, { token: slack.botToken, mode: { appToken: slack.appToken }, apiUrl: slack.url }),
  ];
  for (const connector of connectors) connector.start();
  await Promise.all([
    telegram.until(() => telegram.count('getUpdates') > 0),
    slack.until(() => slack.isConnected),
  ]);
  const rows = [
    row('Telegram', await askTelegram(telegram), telegram.violations),
    row('Slack', await askSlack(slack), slack.violations),
  ];
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  await Promise.all([telegram.stop(), slack.stop()]);
  await app.close();
  rmSync(folder, { recursive: true });
  return rows;
}

async function askTelegram(telegram: TelegramDouble): Promise<Times> {
  const began = performance.now();
  const ids = Array.from({ length: chats }, (_, n) => 10_000 + n);
  for (const [n, id] of ids.entries())
    telegram.write({ id, first_name: 'A', language_code: 'en' }, questions[n % questions.length]!);
  await telegram.until(() => ids.every((id) => telegram.said(id).at(-1)?.reply_markup !== undefined));
  const first = (method: RegExp, has: (payload: Record<string, unknown>) => boolean = () => true) =>
    ids.flatMap((id) => {
      const call = telegram.calls.find(
        (one) => one.at >= began && method.test(one.method) && one.payload.chat_id === id && has(one.payload),
      );
      return call ? [call.at - began] : [];
    });
  return {
    sign: first(/^sendChatAction$/),
    text: first(/^sendMessage$/),
    whole: first(/^(?:sendMessage|editMessageText)$/, (payload) => payload.reply_markup !== undefined),
  };
}

async function askSlack(slack: SlackDouble): Promise<Times> {
  const began = performance.now();
  const ids = Array.from({ length: chats }, (_, n) => `C${n}`);
  for (const [n, id] of ids.entries())
    slack.write(`U${n}`, id, `<@${slack.bot}> ${questions[n % questions.length]}`);
  const isWhole = (blocks: unknown) => JSON.stringify(blocks ?? []).includes('context_actions');
  await slack.until(() => ids.every((id) => slack.said(id).some(({ blocks }) => isWhole(blocks))));
  const first = (method: RegExp, has: (args: Record<string, unknown>) => boolean = () => true) =>
    ids.flatMap((id) => {
      const call = slack.calls.find(
        (one) => one.at >= began && method.test(one.method) && one.args.channel === id && has(one.args),
      );
      return call ? [call.at - began] : [];
    });
  return {
    sign: first(/^reactions\.add$/),
    text: first(/^chat\.(?:startStream|postMessage)$/),
    whole: first(/^chat\./, ({ blocks }) => isWhole(blocks)),
  };
}

const row = (platform: string, { sign, text, whole }: Times, violations: readonly string[]) => ({
  platform,
  chats,
  signs: sign.length,
  sign_p50_ms: percentile(sign, 0.5),
  sign_max_ms: Math.max(...sign),
  text_p50_ms: percentile(text, 0.5),
  text_max_ms: Math.max(...text),
  whole_p50_ms: percentile(whole, 0.5),
  whole_max_ms: Math.max(...whole),
  violations: violations.length,
});
