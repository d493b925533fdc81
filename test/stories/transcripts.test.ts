/** Chats as people read them, over the sample corpora, each in the language of its questions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { texts } from '../../connectors/texts.ts';
import { openSamples, type SampleService } from '../answering/sample-corpora.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { TelegramDouble } from '../support/telegram-double.ts';

const dialogues = [
  {
    lang: 'ru',
    questions: ['На какой срок избирается Президент?', 'а раньше?'],
    says: ['шесть лет', 'пять лет'],
  },
  {
    lang: 'kk',
    questions: ['Салықты кім төлейді?'],
    says: ['26-бап. Салықтар және азаматтардың міндеттері'],
  },
  { lang: 'en', questions: ['Article 42'], says: ['The Constitutional Court consists of nine judges'] },
] as const;

let samples: SampleService;
let telegram: TelegramDouble;
let slack: SlackDouble;
beforeAll(async () => {
  [samples, telegram, slack] = await Promise.all([
    openSamples(),
    TelegramDouble.start(),
    SlackDouble.start(),
  ]);
});
afterAll(async () => {
  await Promise.all([telegram.stop(), slack.stop()]);
  await samples.close();
});

test('chats show numbered sources and buttons, in the language of the question', async () => {
  const connectors = [
    openTelegram(samples.app, { token: telegram.token, apiUrl: telegram.url }),
    openSlack(samples.app, { token: slack.botToken, mode: { appToken: slack.appToken }, apiUrl: slack.url }),
  ];
  for (const connector of connectors) connector.start();
  await slack.until(() => slack.isConnected);
  for (const [n, { lang, questions, says }] of dialogues.entries()) {
    const person = { id: 70 + n, first_name: 'A', language_code: lang };
    const channel = `C${n}`;
    let thread: string | undefined;
    for (const [turn, question] of questions.entries()) {
      telegram.write(person, question);
      const ts = slack.write(
        'U1',
        channel,
        thread ? question : `<@${slack.bot}> ${question}`,
        thread ? { thread } : {},
      );
      thread ??= ts;
      await Promise.all([
        telegram.until(() => telegram.answers(person.id).length > turn),
        slack.until(() => slack.answers(channel).length > turn),
      ]);
    }
    for (const transcript of [telegram.transcript(person.id), slack.transcript(channel)]) {
      for (const words of says) expect(transcript).toContain(words);
      expect(transcript).toMatch(/\[1\]/);
      const t = texts[lang];
      for (const words of [t.sources, t.passage(1), t.up, t.down]) expect(transcript).toContain(words);
      // Its sources are listed, and not repeated in brackets after each sentence.
      expect(transcript).not.toMatch(/\[1\] \([^)]*\)/);
    }
  }
  // Each person's home tab lists that person's questions, wherever they were asked.
  slack.write('U2', 'C8', `<@${slack.bot}> Кто назначает судей?`);
  await slack.until(() => slack.said('C8').some(({ blocks }) => blocks.length > 1));
  await samples.app.caughtUp();
  for (const user of ['U1', 'U2'])
    slack.event({ type: 'app_home_opened', user, channel: `D${user}`, tab: 'home', event_ts: '1' });
  await slack.until(() => slack.views.length === 2);
  const homeOf = (of: string) => JSON.stringify(slack.views.find(({ user }) => user === of));
  const asked = dialogues.flatMap(({ questions }) => questions);
  for (const question of asked) {
    expect(homeOf('U1')).toContain(question);
    expect(homeOf('U2')).not.toContain(question);
  }
  expect(homeOf('U2')).toContain('Кто назначает судей?');
  expect(homeOf('U1')).not.toContain('Кто назначает судей?');
  await Promise.all(connectors.map((connector) => connector.close(5_000)));
  expect([telegram.violations, slack.violations]).toEqual([[], []]);
});
