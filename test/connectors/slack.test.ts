import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { texts } from '../../connectors/texts.ts';
import { Failure } from '../../src/failures.ts';
import { listen } from '../support/listen.ts';
import { WaitedTime } from '../support/waited-time.ts';
import { webhookServer } from '../support/webhook-server.ts';
import { failingChats, gate, law, longText, said } from './harness.ts';
import { answered, app, bot, connectors, open, pace, saidIn, slack, useSlack } from './slack-suite.ts';

useSlack();

const noEyes = (channel: string, ts: string) =>
  slack.until(() => slack.count('reactions.remove') > 0 && slack.message(channel, ts)!.reactions.size === 0);

describe('a mention in a channel', () => {
  it('is answered in its thread, with sources, passages and feedback; the eyes reaction is temporary', async () => {
    open();
    const ts = slack.write('U1', 'C1', `${bot} What is free?`);
    await answered('C1');
    await noEyes('C1', ts);
    expect(slack.count('reactions.add')).toBe(1);
    expect(slack.said('C1')[0]!.thread_ts).toBe(ts);
    expect(slack.transcript('C1')).toBe(
      [
        `U1:\n  ${bot} What is free?`,
        '',
        'Docent:',
        '  Assemblies are free. [1]',
        '  *Sources*',
        '  1. The law · Article 23 · Norm · 29 October 2026',
        '  [ 1 ¶ passage ]',
        '  [ 👍 Helpful ] [ 👎 Not helpful ]',
      ].join('\n'),
    );
    expect(app.asked).toMatchObject([{ query: 'What is free?', corpus_id: 'krk_2026', channel: 'slack' }]);
    expect(app.asked[0]!.caller.subject).toMatch(/^slack:[\w-]{22}$/);
  });

  it('is answered once, although it arrives as two events and is redelivered', async () => {
    open();
    const ts = slack.write('U1', 'C1', `${bot} Once?`);
    await answered('C1');
    slack.event({ type: 'app_mention', channel: 'C1', user: 'U1', text: `${bot} Once?`, ts });
    slack.write('U1', 'C1', `${bot} Twice?`);
    await answered('C1', 2);
    expect(app.asked.map(({ query }) => query)).toEqual(['Once?', 'Twice?']);
  });

  it('can be followed up in the thread without another mention, and messages between people are ignored', async () => {
    open();
    slack.write('U1', 'C1', 'Talking to others');
    const thread = slack.write('U1', 'C1', `${bot} What is free?`);
    await answered('C1');
    slack.write('U2', 'C1', '<@U1> look at this', { thread });
    slack.write('U2', 'C1', 'And before?', { thread });
    await answered('C1', 2);
    expect(app.asked.map(({ query }) => query)).toEqual(['What is free?', 'And before?']);
    expect(slack.said('C1')[1]!.thread_ts).toBe(thread);
  });

  it('is streamed if the workspace supports it', async () => {
    const more = gate();
    app.script = said('One is *said*. Two is <!channel> said.', { between: () => more.opened });
    open();
    slack.write('U1', 'C1', `${bot} What?`);
    await saidIn('C1');
    expect(slack.said('C1')[0]).toMatchObject({ isStreaming: true });
    expect(slack.transcript('C1')).toContain('One is *said*.');
    more.open();
    await answered('C1');
    expect(slack.said('C1')).toHaveLength(1);
    expect(slack.transcript('C1')).toContain('One is *said*. [1] Two is <!channel> said. [1]\n  *Sources*');
    expect(slack.count('chat.stopStream')).toBe(1);
  });

  it('is updated in steps within the rate limit, and complete at the end', async () => {
    const sentences = Array.from({ length: 12 }, (_, n) => `Sentence ${n} is said. `);
    const steps = () => slack.count('chat.appendStream');
    const quick = said('Yes.');
    let calls = 0;
    let since = 0;
    const slow = said(sentences.join('').trim(), {
      between: async () => {
        await slack.until(
          () => slack.said('C1')[0]?.markdown?.includes(`Sentence ${calls} is`) === true || steps() >= 5,
        );
        calls++;
        // Text after the last step is not shown, however long the rest takes.
        if (steps() >= 5 && ++since === 3) {
          slack.write('U1', 'C2', `${bot} Other?`);
          await answered('C2');
        }
      },
    });
    app.script = (input, signal) => (input.query === 'Other?' ? quick : slow)(input, signal);
    open({ pace: { ...pace, appendsMax: 5 } });
    slack.write('U1', 'C1', `${bot} What?`);
    await answered('C1');
    expect(slack.transcript('C1')).toContain('Sentence 11 is said. [1]');
    expect(steps()).toBe(5);
  });

  it('is shown through edits if streaming is not supported', async () => {
    slack.streams = false;
    const more = gate();
    app.script = said('One is said. Two is said.', { between: () => more.opened });
    open();
    slack.write('U1', 'C1', `${bot} What?`);
    await saidIn('C1');
    expect(slack.said('C1')[0]!.text).toBe('One is said. [1]');
    more.open();
    await answered('C1');
    expect(slack.said('C1')).toHaveLength(1);
    expect(slack.transcript('C1')).toContain('One is said. [1] Two is said. [1]');
    app.script = said('One is said. Two is said.', { between: () => saidIn('C2') });
    slack.write('U1', 'C2', `${bot} And?`);
    await answered('C2');
    // Streaming was attempted once.
    expect(slack.count('chat.startStream')).toBe(1);
  });

  it('is answered completely and once, even if a call succeeds without a response', async () => {
    for (const [n, method] of ['chat.startStream', 'chat.appendStream', 'chat.stopStream'].entries()) {
      const gates = [gate(), gate(), gate()];
      let sentence = 0;
      const slow = said('One is said. Two is said. Three is said. Four is said.', {
        between: () => gates[sentence++]!.opened,
      });
      const quick = said('Yes.');
      app.script = (input, signal) => (input.query === 'Other?' ? quick : slow)(input, signal);
      slack.fault(method, 'lost');
      if (n === 0) open();
      const [channel, other] = [`C${n}`, `C1${n}`];
      slack.write('U1', channel, `${bot} What?`);
      await saidIn(channel);
      for (const [i, { open: more }] of gates.entries()) {
        if (i === 2) slack.write('U1', other, `${bot} Other?`);
        if (i === 2) await answered(other);
        const before = slack.calls.length;
        more();
        if (i === 0) await slack.until(() => slack.calls.length > before);
      }
      await answered(channel);
      expect(slack.said(channel)).toHaveLength(1);
      const whole = ['One', 'Two', 'Three', 'Four'].map((word) => `${word} is said. [1]`).join(' ');
      expect(slack.transcript(channel)).toContain(`${whole}\n  *Sources*`);
      // The content of the message is unknown, so nothing more is added to it.
      if (method === 'chat.appendStream') expect(slack.count(method)).toBe(1);
    }
    slack.streams = false;
    app.script = said('One is said. Two is said.');
    slack.fault('chat.postMessage', 'lost');
    slack.write('U1', 'C9', `${bot} What?`);
    await answered('C9');
    await connectors[0]!.close(5_000);
    expect(slack.said('C9')).toHaveLength(1);
    expect(slack.transcript('C9')).toContain('One is said. [1] Two is said. [1]\n  *Sources*');
  });

  it('gets several messages for a long answer, in which document text cannot notify people or link', async () => {
    const sources = Array.from({ length: 9 }, (_, n) => ({
      ...law,
      ref: `norm/law#${n}`,
      heading: `<!here> ${n}|x`,
    }));
    const text = longText(10_000);
    app.script = said(text, { sources });
    open();
    slack.write('U1', 'C1', `${bot} All?`);
    await answered('C1');
    const all = slack.said('C1');
    expect(all.length).toBeGreaterThanOrEqual(3);
    const body = all
      .flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'section'))
      .map(({ text: of }) => (of as { text: string }).text)
      .join('')
      .replaceAll(/ \[\d\]|\s|\u200b/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(body).toBe(text.replaceAll(/\s/g, ''));
  });

  it('gets a sentence of advice if the answer fails', async () => {
    // biome-ignore lint/correctness/useYield: fails before its first part.
    app.script = async function* () {
      throw new Failure('timeout', 'The secret model is slow.');
    };
    open();
    const ts = slack.write('U1', 'C1', `${bot} Кто назначает судей?`);
    await saidIn('C1');
    expect(slack.said('C1')[0]!.text).toBe(texts.ru.timeout);
    await noEyes('C1', ts);
  });

  it('from a place without an allowed corpus gets a note that only its author sees', async () => {
    open({ corporaByChat: new Map([['C1', ['reestr_texts']]]) });
    slack.write('U1', 'C1', `${bot} What?`);
    slack.write('U1', 'C2', `${bot} What?`);
    await Promise.all([answered('C1'), saidIn('C2')]);
    expect(slack.said('C2')[0]).toMatchObject({ to: 'U1', text: texts.en.noAccess });
    expect(app.asked.map(({ corpus_id }) => corpus_id)).toEqual(['reestr_texts']);
  });

  it('is answered as edited if it is edited meanwhile, and not at all if deleted', async () => {
    const never = gate();
    app.script = said('One is said. Two is said.', { between: () => never.opened });
    slack.streams = false;
    open();
    const ts = slack.write('U1', 'C1', `${bot} Frist?`);
    await saidIn('C1');
    app.script = said('Corrected.');
    slack.rewrite(ts, 'C1', `${bot} First?`);
    await answered('C1');
    expect(slack.said('C1').map(({ text }) => text)).toEqual(['Corrected. [1]']);
    app.script = said('One is said. Two is said.', { between: () => never.opened });
    const other = slack.write('U1', 'C2', `${bot} Other?`);
    await saidIn('C2');
    // Slack leaves a tombstone if the message has a reply.
    slack.erase(other, 'C2');
    await slack.until(() => slack.said('C2').length === 0);
    expect(app.asked).toHaveLength(3);
    never.open();
  });
});

it('an edited question keeps its message, even if the first attempt to answer it fails', async () => {
  slack.streams = false;
  open({ time: new WaitedTime() });
  const ts = slack.write('U1', 'C1', `${bot} Frist?`);
  await answered('C1');
  const { corpora } = app;
  let failures = 1;
  app.corpora = async (lang) => {
    if (failures-- > 0) throw new Failure('unavailable', 'The history is unavailable.');
    return corpora(lang);
  };
  app.script = said('Corrected.');
  slack.rewrite(ts, 'C1', `${bot} First?`);
  await slack.until(() => slack.said('C1').some(({ text }) => text.startsWith('Corrected.')));
  expect(slack.said('C1').map(({ text }) => text)).toEqual(['Corrected. [1]']);
});

describe('a direct message', () => {
  it('is answered in its thread, and the assistant pane shows status, title and prompts', async () => {
    open();
    slack.write('U1', 'D1', 'What is free?');
    await answered('D1');
    const thread = '1699999999.000100';
    slack.event({
      type: 'assistant_thread_started',
      assistant_thread: { user_id: 'U1', channel_id: 'D2', thread_ts: thread, context: {} },
      event_ts: thread,
    });
    await slack.until(() => slack.prompts.length === 1);
    // Both corpora have the same example.
    expect(slack.prompts[0]).toEqual([{ title: 'What is free?', message: 'What is free?' }]);
    slack.write('U1', 'D2', 'Salaries?', { thread });
    await answered('D2');
    expect(slack.statuses).toEqual([texts.en.searching]);
    expect(slack.titles).toEqual(['Salaries?']);
  });
});

describe('/ask', () => {
  it('shows progress immediately, and replaces it with the answer', async () => {
    const more = gate();
    app.script = async function* (input, signal) {
      await more.opened;
      yield* said('Assemblies are free.')(input, signal);
    };
    const time = new WaitedTime();
    open({ time });
    slack.command('U1', 'C1', 'Что свободно?');
    await saidIn('C1');
    expect(slack.said('C1')[0]).toMatchObject({ to: 'U1', text: texts.ru.searching });
    more.open();
    await answered('C1');
    expect(slack.said('C1')).toHaveLength(1);
    slack.replacesCommands = false;
    slack.fault('response_url', { retryAfter: 1 });
    slack.command('U1', 'C2', 'What?');
    await answered('C2');
    expect(time.waits).toContain(1_000);
    expect(slack.said('C2').map(({ text }) => text)).toEqual([
      texts.en.searching,
      'Assemblies are free. [1]',
    ]);
  });

  it('shows the answer only to its user, who may share it', async () => {
    open();
    slack.command('U1', 'C1', 'in:reestr_texts What is free?');
    await answered('C1');
    const [answer] = slack.said('C1');
    expect(answer).toMatchObject({ to: 'U1' });
    expect(app.asked).toMatchObject([{ query: 'What is free?', corpus_id: 'reestr_texts' }]);
    const share = slack.actions(answer!).find(({ action_id }) => action_id === 'share')!;
    slack.press('U1', answer!, { ...share, type: 'button' });
    await slack.until(() => slack.said('C1').every(({ to }) => to === undefined));
    expect(slack.said('C1')).toHaveLength(1);
    expect(slack.transcript('C1')).toContain(texts.en.shared('<@U1>'));
  });

  it('splits a long answer into few messages, each within the limit', async () => {
    const long = (n: number) => ({
      ...law,
      ref: `norm/law#${n}`,
      title: `T${n} ${'<&>'.repeat(60)}`,
      heading: '<&>'.repeat(60),
      url: `https://example.org/${'x'.repeat(n === 5 ? 3_000 : 460)}`,
    });
    const sources = Array.from({ length: 12 }, (_, n) => long(n));
    const text = longText(10_500);
    app.script = said(text, { sources });
    open();
    slack.command('U1', 'C1', 'All?');
    await answered('C1');
    const all = slack.said('C1');
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(all.every(({ to }) => to === 'U1')).toBe(true);
    expect(slack.transcript('C1').replaceAll(/ \[\d+\]|Docent: \(only to U1\)|\s/g, '')).toContain(
      text.replaceAll(/\s/g, ''),
    );
  });

  it('without a question offers the corpora, and stores the choice for the channel', async () => {
    open();
    slack.command('U1', 'C1', '');
    await saidIn('C1');
    const [menu] = slack.said('C1');
    const registry = () => {
      const button = slack.actions(menu!).find(({ text }) => JSON.stringify(text).includes('Registry'))!;
      return { ...button, type: 'button' };
    };
    slack.press('U1', menu!, registry());
    await saidIn('C1', 2);
    expect(slack.said('C1')[1]).toMatchObject({ to: 'U1', text: texts.en.managersOnly });
    slack.admins.add('U2');
    slack.press('U2', menu!, registry());
    await saidIn('C1', 3);
    // Everyone in the channel sees who changed it.
    const { settingChanged, homeCorpora, corpusChosen } = texts.en;
    expect(slack.said('C1')[2]!.to).toBeUndefined();
    expect(slack.said('C1')[2]!.text).toBe(settingChanged('<@U2>', homeCorpora, 'Registry'));
    await slack.until(() => menu!.text.startsWith(corpusChosen('Registry')));
    slack.command('U1', 'C1', 'What?');
    await answered('C1');
    expect(app.asked).toMatchObject([{ corpus_id: 'reestr_texts' }]);
  });
});

describe('buttons, shortcuts and the app home', () => {
  it('show the exact passage in a modal', async () => {
    const quote = 'A *quote* <!channel> & `more`.';
    app.script = said(quote);
    open();
    slack.write('U1', 'C1', `${bot} What?`);
    await answered('C1');
    const [message] = slack.said('C1');
    const button = slack.actions(message!).find(({ action_id }) => action_id === 'passage_1')!;
    slack.press('U1', message!, { ...button, type: 'button' });
    await slack.until(() => slack.views.length === 1);
    expect(JSON.stringify(slack.views[0]!.view)).toContain(JSON.stringify(quote));
  });

  it('ask about a message', async () => {
    open();
    const ts = slack.write('U2', 'C1', 'Assemblies should be free.');
    slack.shortcut('U1', slack.message('C1', ts)!);
    await slack.until(() => slack.views.length === 1);
    slack.submit('U1', slack.views[0]!.view, {
      question: { text: { type: 'plain_text_input', value: 'Are they?' } },
    });
    await answered('C1');
    expect(app.asked).toMatchObject([
      { query: 'Are they?', history: [{ role: 'user', content: '“Assemblies should be free.”' }] },
    ]);
    expect(slack.said('C1')[0]!.thread_ts).toBe(ts);
    slack.fault('views.open', { error: 'expired_trigger_id' });
    slack.shortcut('U1', slack.message('C1', ts)!);
    await saidIn('C1', 2);
    expect(slack.said('C1')[1]).toMatchObject({ to: 'U1', text: texts.en.failed });
  });

  it('show corpora and recent questions', async () => {
    slack.locales.set('U1', 'ru-RU');
    open();
    slack.write('U1', 'D1', 'What is free?');
    await answered('D1');
    await app.app.caughtUp();
    slack.event({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home', event_ts: '1' });
    await slack.until(() => slack.views.length === 1);
    const shown = JSON.stringify(slack.views[0]);
    expect(shown).toContain(texts.ru.homeCorpora);
    expect(shown).toContain('in:reestr_texts');
  });
});

describe('the connection to Slack', () => {
  it('is renewed when the socket is refreshed or lost, and nothing is lost or duplicated', async () => {
    open();
    await slack.until(() => slack.isConnected);
    for (let n = 0; n < 30; n++) {
      slack.write(`U${n}`, `C${n}`, `${bot} Question ${n}?`);
      if (n === 10) slack.refresh();
      if (n === 20) slack.drop();
    }
    await Promise.all(Array.from({ length: 30 }, (_, n) => answered(`C${n}`)));
    await slack.until(() => slack.unacknowledged === 0);
    expect(app.asked).toHaveLength(30);
    for (let n = 0; n < 30; n++) expect(slack.said(`C${n}`)).toHaveLength(1);
  });

  it('is not retried earlier than Slack allows', async () => {
    slack.fault('apps.connections.open', { retryAfter: 3 });
    const time = new WaitedTime();
    open({ time });
    await slack.until(() => slack.isConnected);
    expect(slack.count('apps.connections.open')).toBe(2);
    expect(time.waits).toEqual([3_000]);
  });

  it('redelivers an event that could not be recorded', async () => {
    app.chats = failingChats(app.chats, 1);
    open();
    await slack.until(() => slack.isConnected);
    slack.write('U1', 'D1', 'What?');
    slack.write('U2', 'D2', 'And?');
    await answered('D2');
    expect(slack.unacknowledged).toBe(1);
    slack.redeliver();
    await answered('D1');
    expect(app.asked).toHaveLength(2);
  });

  it('can use signed requests instead of a socket', async () => {
    const server = webhookServer(() => connector);
    const connector = open({ mode: { signingSecret: slack.signingSecret } });
    slack.eventsUrl = `${await listen(server)}/slack/events`;
    await slack.until(() => slack.count('auth.test') > 0);
    slack.write('U1', 'C1', `${bot} What?`);
    await answered('C1');
    slack.command('U1', 'C2', 'What?');
    await answered('C2');
    await slack.until(() => slack.unacknowledged === 0);
    const body = '{"type":"url_verification","challenge":"c"}';
    const post = async (time: string, signature: string) => {
      const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': signature };
      return (await fetch(slack.eventsUrl!, { method: 'POST', headers, body })).status;
    };
    const signed = (time: string, secret: string) =>
      `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`;
    const inS = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds);
    const secret = slack.signingSecret;
    expect(await post(inS(-200), signed(inS(-200), secret))).toBe(200);
    expect(await post(inS(0), signed(inS(0), 'another'))).toBe(401);
    const headers = { 'x-slack-request-timestamp': inS(0), 'x-slack-signature': signed(inS(0), secret) };
    const encoded = slack.eventsUrl.replace('slack', '%73lack');
    expect((await fetch(encoded, { method: 'POST', headers, body })).status).toBe(404);
    // A timestamp far in the future would allow replays.
    for (const time of [inS(-400), inS(400), 'soon', '1e400'])
      expect(await post(time, signed(time, secret))).toBe(401);
    server.close();
  });

  it("respects Slack's retry times, and survives short outages", async () => {
    slack.streams = false;
    slack.fault('chat.postMessage', { retryAfter: 1 }, 'refused', { status: 503 });
    const time = new WaitedTime();
    open({ time });
    slack.write('U1', 'C1', `${bot} What?`);
    await answered('C1');
    expect(slack.said('C1')).toHaveLength(1);
    expect(time.waits).toContain(1_000);
  });
});

it('answers fifty simultaneous chats within the rate limits, and skips optional calls', async () => {
  slack.tiers = true;
  const more = gate();
  app.script = said('One is said. Two is said.', { between: () => more.opened });
  open();
  await slack.until(() => slack.isConnected);
  const channels = Array.from({ length: 50 }, (_, n) => `C${n}`);
  const asked = channels.map((channel) => slack.write('U1', channel, `${bot} What?`));
  // Each shows the first sentence while none is complete.
  await slack.until(() => channels.every((channel) => slack.said(channel).length === 1));
  more.open();
  await Promise.all(channels.map((channel) => answered(channel)));
  for (const channel of channels) {
    const shown = slack.transcript(channel).replaceAll('\n\nDocent:\n  Two', ' Two');
    expect(shown).toContain('One is said. [1] Two is said. [1]\n  *Sources*');
  }
  await slack.until(() =>
    channels.every((channel, n) => slack.message(channel, asked[n]!)!.reactions.size === 0),
  );
  expect(slack.count('reactions.add')).toBeLessThanOrEqual(18);
});
