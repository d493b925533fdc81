/** Slack with several people: threads in which they talk to each other, channel settings, and help from people. */
import { beforeEach, describe, expect, it } from 'vitest';
import { texts } from '../../connectors/texts.ts';
import type { Part } from '../../src/answering/parts.ts';
import type { AskInput } from '../../src/asks/ask-port.ts';
import type { ChatReply } from '../../src/asks/chat.ts';
import { Failure } from '../../src/failures.ts';
import { donePart } from '../support/asks.ts';
import { over } from '../support/over.ts';
import { WaitedTime } from '../support/waited-time.ts';
import { gate, type ScriptedApp, said } from './harness.ts';
import { answered, app, bot, news, open, saidIn, service, slack, troubles, useSlack } from './slack-suite.ts';

const place = (channel: string) => app.chats.place('slack', channel);
const by = { subject: 'slack:somebody' };

/** Answers questions about assemblies, and finds nothing for others. */
const knowing: ScriptedApp['script'] = (input, signal) =>
  /free|assembl/i.test(input.query) ? said('Assemblies are free.')(input, signal) : nothing(input);

async function* nothing({ request_id = '' }: AskInput): AsyncGenerator<Part> {
  yield { type: 'meta', request_id, mode: 'no_answer', lang: 'en', corpus_id: 'krk_2026' };
  yield { type: 'sources', source_refs: [], sources: [] };
  yield { type: 'text', text: 'Nothing is said of it.' };
  yield donePart({ request_id, answer: 'Nothing is said of it.', mode: 'no_answer' });
}

useSlack();
beforeEach(() => {
  app.script = knowing;
});

describe('messages between people', () => {
  it('become quoted context of the next question, and get no answer themselves', async () => {
    open();
    const root = slack.write('U2', 'CT2', 'Our club wants to meet in the park.');
    slack.write('U3', 'CT2', 'Assemblies need a permit, or are they free?', { thread: root });
    slack.write('U1', 'CT2', `${bot} what about assemblies?`, { thread: root });
    await answered('CT2');
    expect(app.asked[0]).toMatchObject({
      query: 'what about assemblies?',
      history: [
        { role: 'user', content: '“Our club wants to meet in the park.”' },
        { role: 'user', content: '“Assemblies need a permit, or are they free?”' },
      ],
    });
    // A message with only a mention, or that only asks for help, is about the question above it.
    const other = slack.write('U2', 'CT3', 'Are assemblies free?');
    slack.write('U1', 'CT3', `${bot} can you help please?`, { thread: other });
    await answered('CT3');
    expect(app.asked[1]).toMatchObject({ query: 'Are assemblies free?', history: [] });
    slack.write('U4', 'CT3', 'Which assemblies exactly are free?', { thread: other });
    await answered('CT3', 2);
    slack.write('U4', 'CT3', 'I wonder whether parades are free assemblies', { thread: other });
    slack.write('U1', 'CT3', bot, { thread: other });
    await answered('CT3', 3);
    expect(app.asked[3]!.query).toBe('I wonder whether parades are free assemblies');
  });

  it('are answered in order in a thread, each question with the previous one as context', async () => {
    const first = gate();
    app.script = async function* (input, signal) {
      if (input.query === 'Slowly: what is free?') await first.opened;
      yield* said('Assemblies are free.')(input, signal);
    };
    open();
    const root = slack.write('U1', 'CT4', `${bot} Slowly: what is free?`);
    slack.write('U1', 'CT4', `${bot} And who pays for it?`, { thread: root });
    slack.write('U2', 'CT5', `${bot} Other: what is free?`);
    await answered('CT5');
    first.open();
    await answered('CT4', 2);
    const asked = app.asked.map(({ query }) => query).filter((query) => !query.startsWith('Other'));
    expect(asked).toEqual(['Slowly: what is free?', 'And who pays for it?']);
  });
});

describe('a channel', () => {
  it('can answer clear questions that have a source, and stay silent otherwise', async () => {
    await place('CS1').change({ answers: 'questions' }, by);
    open();
    slack.write('U1', 'CS1', 'Who won the match?');
    slack.write('U1', 'CS1', 'Assemblies are free, I think.');
    slack.write('U1', 'CS1', '<@U2> which assemblies are free?');
    slack.write('U1', 'CS1', 'Which assemblies are free?');
    await answered('CS1');
    await place('CS1').change({ answers: 'all' }, by);
    slack.write('U1', 'CS1', 'The match was lost.');
    await slack.until(() => slack.said('CS1').some(({ text }) => text.includes('Nothing is said')));
    expect(slack.said('CS1')).toHaveLength(2);
    await place('CS1').change({ muted: true }, by);
    slack.write('U1', 'CS1', `${bot} Which assemblies are free?`);
    await place('CS2').change({ silent: true }, by);
    slack.write('U1', 'CS2', `${bot} Who won the match?`);
    slack.write('U1', 'CS2', `${bot} Which assemblies are free?`);
    await answered('CS2');
    expect(slack.said('CS2')).toHaveLength(1);
    expect(slack.said('CS1')).toHaveLength(2);
    expect(app.asked.map(({ query }) => query)).not.toContain('Assemblies are free, I think.');
  });

  it('can answer other bots, but never itself', async () => {
    const alert = { subtype: 'bot_message', bot_id: 'BALERT' };
    open();
    slack.write('', 'CS3', `${bot} Which assemblies are free?`, alert);
    await place('CS4').change({ bots: true }, by);
    slack.write('', 'CS4', `${bot} Which assemblies are free?`, alert);
    slack.write('UBOT', 'CS4', `${bot} Which assemblies are free?`, { bot_id: 'BBOT' });
    await answered('CS4');
    expect(app.asked).toHaveLength(1);
    expect(slack.said('CS3')).toEqual([]);
  });

  it('can show an answer, with the question, only to its asker, who may share it', async () => {
    await place('CS5').change({ ephemeral: true }, by);
    open();
    slack.write('U1', 'CS5', `${bot} Which assemblies are free?`);
    await answered('CS5');
    const [answer] = slack.said('CS5');
    expect(answer).toMatchObject({ to: 'U1' });
    expect(JSON.stringify(answer!.blocks)).toContain('Which assemblies are free?');
    slack.press('U1', answer!, slack.button(answer!, texts.en.share));
    await slack.until(() => slack.said('CS5').some(({ to }) => to === undefined));
    expect(JSON.stringify(slack.said('CS5').find(({ to }) => to === undefined)!.blocks)).toContain(
      'Which assemblies are free?',
    );
  });

  it('is configured by its managers from a menu, and the change is announced', async () => {
    slack.creators.set('CS6', 'U9');
    open();
    slack.command('U1', 'CS6', 'settings');
    await saidIn('CS6');
    expect(slack.said('CS6')[0]).toMatchObject({ to: 'U1', text: texts.en.managersOnly });
    slack.command('U9', 'CS6', 'settings');
    await saidIn('CS6', 2);
    const menu = slack.said('CS6')[1]!;
    const { name, values } = texts.en.setting.answers;
    slack.press('U9', menu, slack.button(menu, name));
    await saidIn('CS6', 3);
    const told = slack.said('CS6')[2]!;
    expect([told.to, told.text]).toEqual([
      undefined,
      texts.en.settingChanged('<@U9>', name, values.questions!),
    ]);
    await slack.until(() => JSON.stringify(menu.blocks).includes(values.questions!));
    slack.command('U9', 'CS6', 'settings helpers <@U5|dora> <!subteam^S1|@legal>');
    await saidIn('CS6', 4);
    expect(await place('CS6').settings()).toMatchObject({ answers: 'questions', helpers: ['U5', 'S1'] });
  });
});

describe('an answer', () => {
  it('replaces the streamed text if it is corrected', async () => {
    const shown = gate();
    app.script = async function* (input, signal) {
      for await (const part of said('Assemblies may be free.')(input, signal)) {
        if (part.type === 'done') {
          await shown.opened;
          yield { type: 'replace', answer: 'Assemblies are free.', reason: 'unsupported' };
        }
        yield part;
      }
    };
    open();
    slack.write('U1', 'CA1', `${bot} What?`);
    await saidIn('CA1');
    const [{ ts } = { ts: '' }] = slack.said('CA1');
    shown.open();
    await answered('CA1');
    expect(slack.said('CA1').map((one) => one.ts)).toEqual([ts]);
    expect(slack.transcript('CA1')).toContain('Assemblies are free.');
    expect(slack.count('chat.delete')).toBe(0);
  });

  it('appears once and complete even if neither the start nor the stop of its stream was acknowledged', async () => {
    slack.fault('chat.startStream', 'lost');
    slack.fault('chat.stopStream', 'lost', 'lost');
    const more = gate();
    app.script = said('One is said. Two is said.', { between: () => more.opened });
    open();
    slack.write('U1', 'CA2', `${bot} What?`);
    await saidIn('CA2', 2);
    more.open();
    await answered('CA2');
    await slack.until(() => slack.said('CA2').length === 1);
    expect(slack.transcript('CA2')).toContain('One is said. [1] Two is said. [1]\n  *Sources*');
  });

  it('that fails temporarily is retried shortly afterwards, without a message', async () => {
    let failures = 2;
    // biome-ignore lint/correctness/useYield: fails before its first part.
    const busy = async function* (): AsyncGenerator<Part> {
      throw new Failure('unavailable', 'Too many requests at once.');
    };
    app.script = (input, signal) => (failures-- > 0 ? busy() : knowing(input, signal));
    const time = new WaitedTime();
    open({ time });
    slack.write('U1', 'CB1', `${bot} Which assemblies are free?`);
    await answered('CB1');
    expect(slack.said('CB1')).toHaveLength(1);
    expect(time.waits.filter((ms) => ms === 15_000)).toHaveLength(2);
  });

  it('requested in a channel without the bot goes to its asker', async () => {
    open();
    const ts = slack.write('U2', 'CA4', 'Which assemblies are free?');
    slack.closed.add('CA4');
    slack.shortcut('U1', slack.message('CA4', ts)!);
    await slack.until(() => slack.views.length === 1);
    slack.submit('U1', slack.views[0]!.view, {
      question: { text: { type: 'plain_text_input', value: null } },
    });
    await answered('DU1');
    expect(slack.transcript('DU1')).toContain('Assemblies are free. [1]');
  });

  it('blocked by a revoked token is sent once the token works, and the log says what to do', async () => {
    const revoked = { error: 'token_revoked' };
    slack.fault('chat.startStream', revoked);
    slack.fault('chat.postMessage', revoked, revoked);
    const time = new WaitedTime();
    open({ time });
    slack.write('U1', 'CA5', `${bot} Which assemblies are free?`);
    await answered('CA5');
    expect(troubles).toEqual([
      "A message in Slack has not been answered yet: Slack rejected SLACK_BOT_TOKEN (token_revoked). Copy the token from the app's page at api.slack.com and restart Docent.",
    ]);
    expect(time.waits).toContain(15_000);
  });

  it('that is complete stays if recording it fails at first', async () => {
    let failures = 1;
    const { chats } = app;
    const failing = (reply: ChatReply): ChatReply => ({
      ...reply,
      end: (answered) => {
        if (failures-- > 0) throw new Failure('unavailable', 'The history is unavailable.');
        return reply.end(answered);
      },
    });
    app.chats = over(chats, {
      chat: (...names) => {
        const chat = chats.chat(...names);
        const start: typeof chat.start = async (...message) => {
          const reply = await chat.start(...message);
          return reply && failing(reply);
        };
        return over(chat, { start });
      },
    });
    open({ time: new WaitedTime() });
    slack.write('U1', 'CA9', `${bot} Which assemblies are free?`);
    await answered('CA9');
    slack.write('U1', 'CA9', `${bot} And which other assemblies?`);
    await answered('CA9', 2);
    expect(troubles).toEqual(['A message in Slack has not been answered yet: The history is unavailable.']);
    expect(slack.said('CA9')).toHaveLength(2);
    expect(slack.transcript('CA9')).not.toContain(texts.en.unavailable);
    expect(await service.app.chats.takeOver('slack')).toEqual([]);
  });

  it('can be reported as wrong, with a reason', async () => {
    slack.locales.set('U1', 'kk-KZ');
    open();
    slack.write('U1', 'CA6', `${bot} Which assemblies are free?`);
    await answered('CA6');
    const { request_id } = app.asked[0]!;
    const feedback = { type: 'feedback_buttons', action_id: 'feedback', value: `down:${request_id}` };
    slack.press('U1', slack.said('CA6')[0]!, feedback);
    await saidIn('CA6', 2);
    expect(slack.said('CA6')[1]).toMatchObject({ to: 'U1', text: texts.kk.rated });
    expect(app.rated).toEqual([{ requestId: request_id, rating: 'down' }]);
    await slack.until(() => slack.views.length === 1);
    slack.submit('U1', slack.views[0]!.view, {
      reason: { text: { type: 'plain_text_input', value: 'Not of today.' } },
    });
    await slack.until(() => app.rated.length === 2);
    expect(app.rated[1]).toEqual({ requestId: request_id, rating: 'down', comment: 'Not of today.' });
  });
});

describe('the connector at startup', () => {
  it('reports its identity, and the settings that cannot work', async () => {
    open({ corporaByChat: new Map([['CX1', ['nowhere']]]), opensSources: false });
    slack.closed.add('CX1');
    await slack.until(() => slack.isConnected);
    slack.write('U1', 'CA7', `${bot} Which assemblies are free?`);
    await saidIn('CA7');
    expect(news).toEqual(['Slack is connected as @docent in Double, over a socket.']);
    expect(troubles).toEqual([
      'SLACK_CORPORA names the corpus "nowhere", which does not exist. Existing corpora: krk_2026, reestr_texts.',
      expect.stringContaining('set DOCENT_PUBLIC_URL'),
    ]);
  });

  it('names the wrong token, and reports when it works', async () => {
    slack.fault('auth.test', { error: 'invalid_auth' });
    slack.fault('apps.connections.open', { error: 'not_allowed_token_type' }, { error: 'missing_scope' });
    open({ time: new WaitedTime() });
    await slack.until(() => slack.isConnected);
    slack.write('U1', 'CA8', `${bot} Which assemblies are free?`);
    await answered('CA8');
    expect(troubles).toEqual([
      expect.stringContaining('SLACK_BOT_TOKEN (invalid_auth)'),
      expect.stringContaining('not_allowed_token_type'),
      expect.stringContaining('SLACK_APP_TOKEN lacks the scope connections:write'),
    ]);
    expect(news).toEqual(['Slack is connected as @docent in Double, over a socket.']);
  });
});
