/**
 * Fifty chats that ask at once, over doubles of both platforms that hold calls to their tiers: when the first sign is
 * seen (typing, eyes) and when the whole answer, from the moment of the message; and when the first text, from the
 * moment the core gave its first. Once as the core answers here, in one go, and once with its sentences apart, as a
 * model writes them. One question was answered on each platform before.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { paceDefault as slackPace } from '../connectors/slack/api.ts';
import { openSlack } from '../connectors/slack/index.ts';
import { paceDefault as telegramPace } from '../connectors/telegram/api.ts';
import { openTelegram } from '../connectors/telegram/index.ts';
import { openApp } from '../src/app.ts';
import type { App } from '../src/app-port.ts';
import { Asks } from '../src/asks/asks.ts';
import { readConfig } from '../src/config.ts';
import { SlackDouble } from '../test/support/slack-double.ts';
import { TelegramDouble } from '../test/support/telegram-double.ts';
import { percentile } from './speed.ts';

const chats = 50;
const everybody = Array.from({ length: chats }, (_, n) => 10_000 + n);
const questions = [
  'На какой срок избирается Президент?',
  'Кто назначает судей?',
  'Салықты кім төлейді?',
  'Article 42',
  'How is the Constitution amended?',
];

/** Between two sentences of an answer that is written slowly. */
const sentenceMs = 400;
/** What "at once" allows beside one interval of the throttle. */
const slackMs = 100;

interface Times {
  sign: number[];
  /** Of each chat, from the core's first text on. */
  text: number[];
  whole: number[];
}

/** An app whose core's first texts are noted, by whoever asked. */
class Noted {
  readonly app: App;
  /** By subject. */
  readonly firstText = new Map<string, number>();
  pauseMs = 0;

  constructor(app: App) {
    const noted = this;
    const ask: App['ask'] = async function* (input, signal) {
      for await (const part of app.ask(input, signal)) {
        const subject = input.caller?.subject ?? '';
        if (part.type === 'text') {
          if (!noted.firstText.has(subject)) noted.firstText.set(subject, performance.now());
          else if (noted.pauseMs > 0) await delay(noted.pauseMs, undefined, { signal }).catch(() => {});
        }
        yield part;
      }
    };
    const secret = () => Buffer.from('of the bench');
    const asks = new Asks({ ask, history: app.history, secret, clock: { now: () => new Date() } });
    this.app = { ...app, chats: app.chats, history: app.history, access: app.access, asks };
  }
}

export async function chatsAtOnce(): Promise<Record<string, unknown>[]> {
  return [...(await measured('in one go', 0)), ...(await measured('sentence by sentence', sentenceMs))];
}

async function measured(written: string, pauseMs: number): Promise<Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  const opened = await openApp({ ...readConfig({}, '/dev/null'), DOCENT_DATA: folder });
  const path = fileURLToPath(new URL('../samples/krk_2026', import.meta.url));
  await opened.ingest({ path, corpus_id: null, layer: null, prune: false, yes: false, actor: 'system' });
  await opened.caughtUp();
  const noted = new Noted(opened);
  const { app } = noted;
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
  await Promise.all([askTelegram(telegram, noted, [1]), askSlack(slack, noted, [1_000])]);
  noted.pauseMs = pauseMs;
  const telegramRow = {
    ...{ platform: 'Telegram', written, intervalMs: telegramPace.privateMs },
    violations: telegram.violations,
  };
  const slackRow = {
    ...{ platform: 'Slack', written, intervalMs: slackPace.showMs },
    violations: slack.violations,
  };
  const rows = [
    row(telegramRow, await askTelegram(telegram, noted, everybody)),
    row(slackRow, await askSlack(slack, noted, everybody)),
  ];
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  await Promise.all([telegram.stop(), slack.stop()]);
  await opened.close();
  rmSync(folder, { recursive: true });
  return rows;
}

async function askTelegram(
  telegram: TelegramDouble,
  { app, firstText }: Noted,
  ids: readonly number[],
): Promise<Times> {
  const began = performance.now();
  for (const [n, id] of ids.entries())
    telegram.write({ id, first_name: 'A', language_code: 'en' }, questions[n % questions.length]!);
  await telegram.until(() => ids.every((id) => telegram.said(id).at(-1)?.reply_markup !== undefined));
  const first = (
    method: RegExp,
    since: (id: number) => number = () => began,
    has: (payload: Record<string, unknown>) => boolean = () => true,
  ) =>
    ids.flatMap((id) => {
      const call = telegram.calls.find(
        (one) => one.at >= began && method.test(one.method) && one.payload.chat_id === id && has(one.payload),
      );
      return call ? [call.at - since(id)] : [];
    });
  const core = (id: number) =>
    firstText.get(app.chats.subject('telegram', String(telegram.me.id), String(id))) ?? Number.NaN;
  return {
    sign: first(/^sendChatAction$/),
    text: first(/^sendMessage$/, core),
    whole: first(
      /^(?:sendMessage|editMessageText)$/,
      undefined,
      ({ reply_markup }) => reply_markup !== undefined,
    ),
  };
}

async function askSlack(
  slack: SlackDouble,
  { app, firstText }: Noted,
  people: readonly number[],
): Promise<Times> {
  const began = performance.now();
  const ids = people.map((n) => `C${n}`);
  for (const [n, id] of ids.entries())
    slack.write(`U${people[n]}`, id, `<@${slack.bot}> ${questions[n % questions.length]}`);
  const isWhole = (blocks: unknown) => JSON.stringify(blocks ?? []).includes('context_actions');
  await slack.until(() => ids.every((id) => slack.said(id).some(({ blocks }) => isWhole(blocks))));
  const first = (
    method: RegExp,
    since: (n: number) => number = () => began,
    has: (args: Record<string, unknown>) => boolean = () => true,
  ) =>
    ids.flatMap((id, n) => {
      const call = slack.calls.find(
        (one) => one.at >= began && method.test(one.method) && one.args.channel === id && has(one.args),
      );
      return call ? [call.at - since(n)] : [];
    });
  const core = (n: number) =>
    firstText.get(app.chats.subject('slack', slack.team, `U${people[n]}`)) ?? Number.NaN;
  return {
    sign: first(/^reactions\.add$/),
    text: first(/^chat\.(?:startStream|postMessage)$/, core),
    whole: first(/^chat\./, undefined, ({ blocks }) => isWhole(blocks)),
  };
}

const row = (
  {
    platform,
    written,
    intervalMs,
    violations,
  }: { platform: string; written: string; intervalMs: number; violations: readonly string[] },
  { sign, text, whole }: Times,
) => ({
  platform,
  written,
  chats,
  signs: sign.length,
  sign_p50_ms: percentile(sign, 0.5),
  sign_max_ms: Math.max(...sign),
  text_after_core_p50_ms: percentile(text, 0.5),
  text_after_core_max_ms: Math.max(...text),
  text_limit_ms: intervalMs + slackMs,
  texts_in_time: text.filter((ms) => ms <= intervalMs + slackMs).length,
  whole_p50_ms: percentile(whole, 0.5),
  whole_max_ms: Math.max(...whole),
  violations: violations.length,
});
