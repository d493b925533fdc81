/**
 * People in a channel with the real service, without a model: which messages it answers, and how people help each
 * other.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openSlack } from '../../connectors/slack/index.ts';
import { texts } from '../../connectors/texts.ts';
import { openApp, type Service } from '../../src/app.ts';
import { newFolder } from '../support/folder.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { storyConfig, takeIn, writeLibrary } from './story.ts';

const acting = { name: 'olga', request_id: 'r' };
const bot = '<@UBOT>';
const folder = newFolder('people');
let app: Service;
let slack: SlackDouble;
let connector: Connector;

beforeAll(async () => {
  writeLibrary(join(folder, 'library'));
  app = await openApp(storyConfig(folder, {}));
  await takeIn(app, folder);
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  slack = await SlackDouble.start();
  connector = openSlack(app, {
    token: slack.botToken,
    mode: { appToken: slack.appToken },
    apiUrl: slack.url,
    pace: { postMs: 1, showMs: 1, retryMs: 1 },
  });
  connector.start();
});
afterEach(async () => {
  await connector.close(5_000);
  await slack.stop();
  expect(slack.violations).toEqual([]);
});

const answered = (channel: string, count = 1) => slack.until(() => slack.answers(channel).length >= count);
const saidIn = (channel: string, count: number) => slack.until(() => slack.said(channel).length >= count);

it('answers six of forty messages: the questions to the service that have a source', async () => {
  const root = slack.write('U1', 'C1', `${bot} When does the library open?`);
  await answered('C1');
  /** In the thread (true) or the channel; the six questions to the service are marked. */
  const talk: [text: string, isInThread: boolean, isForUs?: true][] = [
    ['I agree with <@U7>', true],
    [':+1:', true],
    ['https://example.org/minutes?', true],
    ['lunch at 1pm?', true],
    ['<@U3> when does the library open?', true],
    ['ok', true],
    ['For how long are books lent?', true, true],
    ['thanks!', true],
    ['Good morning!', false],
    ['When does the library open?', false],
    ['see you tomorrow', true],
    ['I am late, sorry', true],
    ['who has the keys?', true],
    [`${bot} when does the library close`, false, true],
    ['standup in 5', false],
    ['where is everybody?', false],
    ['sounds good', true],
    ['<@U2> what do you think?', true],
    ['+1', false],
    ['deploying now', false],
    ['the printer is broken again', true],
    ['Как часто ходит паром?', true, true],
    ['done', false],
    ['<@U4> is the library far from you?', false],
    ['lol :joy:', true],
    ['what a day', false],
    ['on my way', true],
    ['can somebody open the door?', true],
    ['https://example.org', false],
    [`hey ${bot}, how long may I keep a book?`, false, true],
    ['anyone for coffee?', false],
    ['the library is nice, I was there', true],
    ['me', false],
    ['back at 3', false],
    ['did you see the match?', true],
    ['who broke the build?', false],
    [`thanks ${bot}, когда закрывают мост?`, true, true],
    ['fixed', false],
    ['nice weather', false],
    ['Когда проводят ярмарку?', true, true],
  ];
  expect([talk.length, talk.filter(([, , isForUs]) => isForUs).length]).toEqual([40, 6]);
  for (const [n, [text, isInThread]] of talk.entries())
    slack.write(`U${2 + (n % 5)}`, 'C1', text, isInThread ? { thread: root } : {});
  await answered('C1', 7);
  await connector.close(5_000);
  const said = slack.said('C1').map(({ markdown, text }) => markdown ?? text);
  // The first one and the six.
  expect(said).toHaveLength(7);
  const saying = (what: RegExp) => said.filter((text) => what.test(text)).length;
  expect([saying(/opens at nine/), saying(/two weeks/), saying(/Паром/), saying(/Мост/)]).toEqual([
    2, 2, 1, 1,
  ]);
});

it('helpers resolve a question and propose its answer for next time', async () => {
  await app.chats.place('slack', 'CH1').change({ helpers: ['U5', 'S1'] }, { subject: 'slack:somebody' });
  const root = slack.write('U1', 'CH1', `${bot} Who won the match?`);
  await answered('CH1');
  const [answer] = slack.said('CH1');
  slack.press('U1', answer!, slack.button(answer!, texts.en.needHelp));
  await saidIn('CH1', 2);
  const call = slack.said('CH1')[1]!;
  expect(call.text).toBe(`<@U5> <!subteam^S1> ${texts.en.helpAsked('<@U1>')}\n“Who won the match?”`);
  slack.press('U1', answer!, slack.button(answer!, texts.en.needHelp));
  await saidIn('CH1', 3);
  expect(slack.said('CH1')[2]).toMatchObject({ to: 'U1', text: texts.en.helpAskedBefore });
  const reply = slack.write('U5', 'CH1', 'The home team did.', { thread: root });
  slack.press('U5', call, slack.button(call, texts.en.resolve));
  await slack.until(() => call.text === `✓ ${texts.en.resolved('<@U5>')}`);
  expect(slack.actions(call)).toEqual([]);
  slack.shortcut('U5', slack.message('CH1', reply)!, 'save_answer');
  await slack.until(() => slack.views.length === 1);
  expect(JSON.stringify(slack.views[0]!.view)).toContain('Who won the match?');
  const value = (text: string) => ({ text: { type: 'plain_text_input', value: text } });
  slack.submit('U5', slack.views[0]!.view, {
    question: value('Who won the match?'),
    answer: value('The home team did.'),
  });
  await saidIn('CH1', 4);
  expect(slack.said('CH1')[3]).toMatchObject({ to: 'U5', text: texts.en.saved });
  await app.caughtUp();
  const { items } = await app.admin.faqProposals({ limit: 50, offset: 0 }, acting);
  expect(items).toMatchObject([{ question: 'Who won the match?', answer: 'The home team did.' }]);
  expect((await app.admin.stats(null, acting)).help).toEqual({ requested: 1, resolved: 1 });
  await app.admin.acceptFaqProposal(items[0]!.proposal_id, {}, acting);
  slack.write('U9', 'CH2', `${bot} Who won the match?`);
  await answered('CH2');
  expect(slack.transcript('CH2')).toContain('The home team did.');
});

it('a workspace administrator sees and changes channel settings', async () => {
  await app.chats.place('slack', 'CH3').change({ answers: 'questions' }, { subject: 'slack:somebody' });
  await app.caughtUp();
  const home = async (user: string) => {
    const before = slack.views.length;
    slack.event({ type: 'app_home_opened', user, channel: `D${user}`, tab: 'home', event_ts: '1' });
    await slack.until(() => slack.views.length > before);
    return slack.views.at(-1)!.view as { blocks: { accessory?: Record<string, unknown> }[] };
  };
  expect(JSON.stringify(await home('U1'))).not.toContain('CH3');
  slack.admins.add('U8');
  const { blocks } = await home('U8');
  const change = blocks.find(({ accessory }) => accessory?.value === 'CH3')!.accessory!;
  const asked = slack.message('C0', slack.write('U8', 'C0', 'Any message carries a button here.'))!;
  slack.press('U8', asked, change);
  await slack.until(() => JSON.stringify(slack.views.at(-1)!.view).includes('"settings"'));
  const modal = slack.views.at(-1)!.view as { private_metadata: string; blocks: { elements?: object[] }[] };
  const button = modal.blocks.flatMap(({ elements = [] }) => elements)[0] as Record<string, unknown>;
  const shown = slack.views.length;
  slack.pressInModal('U8', modal, button);
  await slack.until(() => slack.views.length > shown);
  expect((await app.chats.place('slack', 'CH3').settings()).answers).toBe('all');
  // The change is announced in the channel.
  expect(slack.said('CH3')[0]!.text).toContain('<@U8> changed a setting.');
});

it('a source link leads to its passage, if its corpus is allowed in the channel', async () => {
  const { sources } = await app.sourceRefs(
    {
      request_id: 'links',
      query: 'When does the library open?',
      corpus_id: 'charter',
      limit: 1,
      caller: { actor: 'public', key_id: null, subject: null },
    },
    AbortSignal.timeout(10_000),
  );
  const url = `https://docent.example.org${sources[0]!.page_url}`;
  const share = (channel: string) =>
    slack.event({
      type: 'link_shared',
      channel,
      user: 'U1',
      message_ts: '1.1',
      links: [{ url, domain: 'docent.example.org' }, { url: 'https://docent.example.org/source/none/1' }],
    });
  await app.chats.place('slack', 'CL2').change({ corpora: [] }, { subject: 'slack:somebody' });
  share('CL2');
  share('CL1');
  await slack.until(() => slack.unfurls.length === 1);
  expect(Object.keys(slack.unfurls[0]!)).toEqual([url]);
  expect(JSON.stringify(slack.unfurls[0])).toContain('The library opens at nine in the morning');
});

it('an answer that was never shown does not count as given', async () => {
  await app.chats.place('slack', 'CU1').change({ answers: 'questions' }, { subject: 'slack:somebody' });
  const { total } = await app.admin.faqEntries({ limit: 1, offset: 0 }, acting);
  for (const user of ['U1', 'U2', 'U3', 'U4', 'U5']) slack.write(user, 'CU1', 'can somebody open the door?');
  slack.write('U6', 'CU1', 'When does the library open?');
  await answered('CU1');
  await connector.close(5_000);
  await app.caughtUp();
  expect(slack.said('CU1')).toHaveLength(1);
  expect((await app.admin.faqEntries({ limit: 1, offset: 0 }, acting)).total).toBe(total);
});
