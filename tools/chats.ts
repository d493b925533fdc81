/**
 * Measures fifty simultaneous chats, over doubles of both platforms that enforce their rate limits: the time from each
 * message to the first sign (typing, eyes) and to the complete answer, and the time from the core's first text to the
 * first text in the chat. Answers are complete at once in one run, and arrive sentence by sentence, as a model writes
 * them, in another. One question per platform is answered before the measurement.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { paceDefault as slackPace } from '../connectors/slack/api.ts';
import { openSlack } from '../connectors/slack/index.ts';
import { paceDefault as telegramPace } from '../connectors/telegram/api.ts';
import { openTelegram } from '../connectors/telegram/index.ts';
import { openApp } from '../src/app.ts';
import type { App, Part } from '../src/app-port.ts';
import { Asks } from '../src/asks/asks.ts';
import { takeInSamples } from '../test/support/samples.ts';
import { SlackDouble } from '../test/support/slack-double.ts';
import { TelegramDouble } from '../test/support/telegram-double.ts';
import { configFor, percentile, withFolder } from './speed.ts';

const chats = 50;
const everybody = Array.from({ length: chats }, (_, n) => 10_000 + n);
const questions = [
  'На какой срок избирается Президент?',
  'Кто назначает судей?',
  'Салықты кім төлейді?',
  'Article 42',
  'How is the Constitution amended?',
];

/** Pause between two sentences of a slowly written answer. */
const sentenceMs = 400;
/** Tolerance in addition to one interval of the throttle. */
const slackMs = 100;

/** A call of the service to a platform. */
interface Call {
  at: number;
  method: string;
  chat: unknown;
  /** Whether it shows the complete answer, with buttons below it. */
  isWhole: boolean;
}

interface Platform {
  name: string;
  intervalMs: number;
  violations: readonly string[];
  write(person: number, question: string): void;
  calls(): Call[];
  /** Resolves when each of them sees a complete answer. */
  answered(people: readonly number[]): Promise<void>;
  chatOf(person: number): unknown;
  /** The subject under which the core is asked. */
  subjectOf(person: number): string;
  methods: { sign: RegExp; text: RegExp; whole: RegExp };
}

export const chatsAtOnce = async (): Promise<Record<string, unknown>[]> => [
  ...(await measured('in one go', 0)),
  ...(await measured('sentence by sentence', sentenceMs)),
];

const measured = (written: string, pauseMs: number): Promise<Record<string, unknown>[]> =>
  withFolder(async (folder) => {
    const opened = await openApp(configFor(folder));
    await takeInSamples(opened);
    /** The time of the core's first text, by subject. */
    const firstText = new Map<string, number>();
    const app = noting(opened, firstText, () => (firstText.size <= 2 ? 0 : pauseMs));
    const [telegram, slack] = await Promise.all([TelegramDouble.start(), SlackDouble.start()]);
    slack.tiers = true;
    const connectors = [
      openTelegram(app, { token: telegram.token, apiUrl: telegram.url }),
      openSlack(app, { token: slack.botToken, mode: { appToken: slack.appToken }, apiUrl: slack.url }),
    ];
    for (const connector of connectors) connector.start();
    await telegram.until(() => telegram.count('getUpdates') > 0);
    await slack.until(() => slack.isConnected);
    const platforms = [onTelegram(app, telegram), onSlack(app, slack)];
    for (const platform of platforms) await ask(platform, [1]);
    const rows = [];
    for (const platform of platforms) rows.push({ ...(await times(platform, firstText)), written });
    await Promise.all(connectors.map((connector) => connector.close(5_000)));
    await Promise.all([telegram.stop(), slack.stop()]);
    await opened.close();
    return rows;
  });

/** The app with a core that records the time of the first text and delays further texts. */
function noting(app: App, firstText: Map<string, number>, pauseMs: () => number): App {
  const ask: App['ask'] = async function* (input, signal) {
    const subject = input.caller?.subject ?? '';
    const parts: Part[] = [];
    // Read the answer immediately, so that a slow one does not occupy a slot.
    for await (const part of app.ask(input, signal)) {
      if (part.type === 'text' && !parts.some(({ type }) => type === 'text'))
        firstText.set(subject, performance.now());
      parts.push(part);
    }
    const first = parts.findIndex(({ type }) => type === 'text');
    for (const [n, part] of parts.entries()) {
      if (part.type === 'text' && n > first && pauseMs() > 0)
        await delay(pauseMs(), undefined, { signal }).catch(() => {});
      yield part;
    }
  };
  const secret = () => Buffer.from('of the bench');
  const asks = new Asks({ ask, recordedAsks: app.recordedAsks, secret, clock: { now: () => new Date() } });
  return { ...app, chats: app.chats, recordedAsks: app.recordedAsks, access: app.access, asks };
}

/** A complete answer has rating buttons; an unfinished one has a stop button. */
const isRated = (markup: unknown): boolean => JSON.stringify(markup ?? null).includes('"r:u:');

const onTelegram = (app: App, telegram: TelegramDouble): Platform => ({
  name: 'Telegram',
  intervalMs: telegramPace.privateMs,
  violations: telegram.violations,
  write: (id, question) => telegram.write({ id, first_name: 'A', language_code: 'en' }, question),
  calls: () =>
    telegram.calls.map(({ at, method, payload }) => ({
      at,
      method,
      chat: payload.chat_id,
      isWhole: isRated(payload.reply_markup),
    })),
  answered: (people) => telegram.until(() => people.every((id) => telegram.answers(id).length > 0)),
  chatOf: (person) => person,
  subjectOf: (person) => app.chats.subject('telegram', String(telegram.me.id), String(person)),
  methods: { sign: /^sendChatAction$/, text: /^sendMessage$/, whole: /^(?:sendMessage|editMessageText)$/ },
});

function onSlack(app: App, slack: SlackDouble): Platform {
  const isWhole = (blocks: unknown) => JSON.stringify(blocks ?? []).includes('context_actions');
  return {
    name: 'Slack',
    intervalMs: slackPace.showMs,
    violations: slack.violations,
    write: (person, question) => slack.write(`U${person}`, `C${person}`, `<@${slack.bot}> ${question}`),
    calls: () =>
      slack.calls.map(({ at, method, args }) => ({
        at,
        method,
        chat: args.channel,
        isWhole: isWhole(args.blocks),
      })),
    answered: (people) => slack.until(() => people.every((n) => slack.answers(`C${n}`).length > 0)),
    chatOf: (person) => `C${person}`,
    subjectOf: (person) => app.chats.subject('slack', slack.team, `U${person}`),
    methods: { sign: /^reactions\.add$/, text: /^chat\.(?:startStream|postMessage)$/, whole: /^chat\./ },
  };
}

async function ask(platform: Platform, people: readonly number[]): Promise<void> {
  for (const [n, person] of people.entries()) platform.write(person, questions[n % questions.length]!);
  await platform.answered(people);
}

async function times(platform: Platform, firstText: ReadonlyMap<string, number>) {
  const began = performance.now();
  await ask(platform, everybody);
  const calls = Map.groupBy(
    platform.calls().filter(({ at }) => at >= began),
    ({ chat }) => chat,
  );
  /** For each chat, the time from a start to the first of these calls. */
  const first = (method: RegExp, { isWhole = false, since = (_: number): number => began } = {}) =>
    everybody.flatMap((person) => {
      const all = calls.get(platform.chatOf(person)) ?? [];
      const call = all.find((one) => method.test(one.method) && (one.isWhole || !isWhole));
      return call ? [call.at - since(person)] : [];
    });
  const { methods, intervalMs } = platform;
  const sign = first(methods.sign);
  const core = (person: number) => firstText.get(platform.subjectOf(person)) ?? Number.NaN;
  const text = first(methods.text, { since: core });
  const whole = first(methods.whole, { isWhole: true });
  return {
    platform: platform.name,
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
    violations: platform.violations.length,
  };
}
