import { describe, expect, it } from 'vitest';
import { type Texts, texts } from '../../connectors/texts.ts';
import { Failure } from '../../src/failures.ts';
import { listen } from '../support/listen.ts';
import type { Person } from '../support/telegram-double.ts';
import { WaitedTime } from '../support/waited-time.ts';
import { webhookServer } from '../support/webhook-server.ts';
import { failingChats, gate, law, longText, said } from './harness.ts';
import {
  ann,
  answered,
  app,
  open,
  saidIn,
  service,
  telegram,
  troubles,
  useTelegram,
} from './telegram-suite.ts';

useTelegram();

const olga: Person = { id: 12, first_name: 'Ольга', language_code: 'ru-RU' };
const group = -1001;

/** All events of the history, as read with the keys. */
const eventsOf = async (type: string, subject: string | null) => {
  const request = { direction: 'backwards' as const, limit: 500, type };
  const { items } = await service.app.admin.events(request, { name: 'olga', request_id: 'r' });
  return items.map(({ data }) => data as Record<string, unknown>).filter((data) => data.subject === subject);
};
const forgettings = async (subject: string | null) => (await eventsOf('SubjectForgotten', subject)).length;
/** A person's messages whose content can still be read. */
const openReplies = async (subject: string | null) => {
  const replies = await eventsOf('ReplyStarted', subject);
  expect(replies.length).toBeGreaterThan(0);
  return replies.some(({ forgotten }) => forgotten !== true) ? 1 : 0;
};

/** The reply if the deletion must be repeated. */
const later = (t: Texts) => t.forgetLater(null).split('.', 1)[0];

describe('a question in Telegram', () => {
  it('is answered with numbered sources, buttons and a typing indicator', async () => {
    open();
    telegram.write(ann, 'What is free?');
    await answered(ann.id);
    expect(telegram.transcript(ann.id)).toBe(
      [
        'Ann:\n  What is free?',
        '',
        'Docent:',
        '  Assemblies are free. [1]',
        '  ',
        '  Sources',
        '  1. The law · Article 23 · Norm · 29 October 2026',
        '  [ 1 ↗ open ] [ 1 ¶ passage ]',
        '  [ 👍 Helpful ] [ 👎 Not helpful ]',
      ].join('\n'),
    );
    expect(telegram.count('sendChatAction')).toBe(1);
    expect(app.asked).toMatchObject([{ query: 'What is free?', corpus_id: 'krk_2026', channel: 'telegram' }]);
    expect(app.asked[0]!.caller.subject).toMatch(/^telegram:[\w-]{22}$/);
  });

  it('is answered once, regardless of how often and in what order it is delivered', async () => {
    open();
    const from = { ...ann, is_bot: false };
    const message = (message_id: number, text: string) => ({
      message: { message_id, from, chat: { id: ann.id, type: 'private' }, date: Date.now() / 1000, text },
    });
    telegram.write(ann, 'First?');
    await answered(ann.id);
    telegram.update(message(900, 'Second?'), 9_000);
    await answered(ann.id, 2);
    telegram.update(message(900, 'Second?'), 9_001);
    telegram.update(message(899, 'Third?'), 9_002);
    await answered(ann.id, 3);
    expect(app.asked.map(({ query }) => query)).toEqual(['First?', 'Second?', 'Third?']);
  });

  it('gets a message that is edited until it contains the whole answer', async () => {
    const more = gate();
    app.script = said('One is said. Two is said.', { between: () => more.opened });
    open();
    telegram.write(ann, 'What?');
    await saidIn(ann.id);
    expect(telegram.said(ann.id)[0]!.text).toBe('One is said. [1]');
    more.open();
    await answered(ann.id);
    expect(telegram.said(ann.id)).toHaveLength(1);
    expect(telegram.said(ann.id)[0]!.text).toMatch(/^One is said\. \[1\] Two is said\. \[1\]\n\nSources\n/);
  });

  it('gets several messages for a long answer, with citations in place and no active document content', async () => {
    const sources = Array.from({ length: 9 }, (_, n) => ({
      ...law,
      ref: `norm/law#${n}`,
      heading: `<i>${n}</i>`,
    }));
    const text = longText(10_000);
    app.script = said(text, { sources });
    open();
    telegram.write(ann, 'All of it?');
    await answered(ann.id);
    const all = telegram.said(ann.id);
    expect(all.length).toBeGreaterThanOrEqual(3);
    const shown = all.map((message) => message.text).join('\n');
    const body = shown.slice(0, shown.indexOf('\n\nSources')).replaceAll(/ \[\d\]|\s/g, '');
    expect(body).toBe(text.replaceAll(/\s/g, ''));
    for (const message of all) expect(message.text).toMatch(/\[\d\](?:\n\nSources[\s\S]*)?$/);
    expect(all.flatMap(({ reply_markup }) => reply_markup?.inline_keyboard ?? [])).toHaveLength(7);
  });

  it('is declined if its asker has too many in progress', async () => {
    app.limit = 1;
    open();
    telegram.write(ann, 'One?');
    telegram.write(ann, 'Two?');
    await saidIn(ann.id, 2);
    expect(telegram.said(ann.id)[1]!.text).toBe(texts.en.limited(42));
  });

  it('searches only the corpora allowed in its chat', async () => {
    const places = new Map([
      ['*', ['reestr_texts']],
      [String(olga.id), []],
    ]);
    open({ corporaByChat: places });
    telegram.write(ann, 'What?');
    telegram.write(ann, 'in:krk_2026 What?');
    telegram.write(olga, 'Что?');
    await Promise.all([saidIn(ann.id, 2), saidIn(olga.id)]);
    expect(app.asked.map(({ corpus_id }) => corpus_id)).toEqual(['reestr_texts']);
    expect(telegram.said(ann.id)[1]!.text).toBe(texts.en.noCorpus('reestr_texts'));
    expect(telegram.said(olga.id)[0]!.text).toBe(texts.ru.noAccess);
  });

  it('that is empty or too long gets a note', async () => {
    open();
    telegram.write(ann, null, { voice: { file_id: 'f', duration: 2 } });
    telegram.write(ann, 'x'.repeat(2_001));
    await saidIn(ann.id, 2);
    expect(telegram.said(ann.id).map(({ text }) => text)).toEqual([texts.en.onlyText, texts.en.tooLong]);
    expect(app.asked).toEqual([]);
  });

  it('is answered again in the same message after an edit', async () => {
    open();
    const id = telegram.write(ann, 'Firts?');
    await answered(ann.id);
    app.script = said('Corrected.');
    telegram.rewrite(ann, id, 'First?');
    await telegram.until(() => telegram.said(ann.id)[0]!.text.startsWith('Corrected.'));
    expect(telegram.said(ann.id)).toHaveLength(1);
    expect(app.asked.map(({ query }) => query)).toEqual(['Firts?', 'First?']);
    telegram.rewrite(ann, id, 'First?');
    telegram.write(ann, 'Then?');
    await answered(ann.id, 2);
    expect(app.asked).toHaveLength(3);
  });
});

describe('a call that Telegram rejects', () => {
  it('for a limited time, or that does not arrive, is retried', async () => {
    const limit = { status: 429, description: 'Too Many Requests: retry after 1', retry_after: 1 };
    telegram.fault('sendMessage', limit, 'refused', { status: 502, description: 'Bad Gateway' });
    const time = new WaitedTime();
    open({ time });
    telegram.write(ann, 'What?');
    await answered(ann.id);
    expect(telegram.count('sendMessage')).toBe(4);
    expect(telegram.said(ann.id)).toHaveLength(1);
    expect(time.now()).toBeGreaterThanOrEqual(1_000);
  });

  it('with an unclear outcome is retried, and the message is marked as a possible duplicate', async () => {
    telegram.fault('sendMessage', 'lost');
    open();
    telegram.write(ann, 'What?');
    await answered(ann.id, 2);
    const [first, second] = telegram.said(ann.id);
    expect(first!.text).toBe(second!.text.replace(`${texts.en.repeated}\n\n`, ''));
    expect(second!.text).not.toBe(first!.text);
  });

  it('permanently, because the bot is blocked, ends the answer', async () => {
    const more = gate();
    app.script = said('One is said. Two is said.', { between: () => more.opened });
    open();
    telegram.write(ann, 'What?');
    await saidIn(ann.id);
    telegram.block(ann);
    telegram.write(olga, 'Что?');
    await saidIn(olga.id);
    more.open();
    await answered(olga.id);
    await app.app.caughtUp();
    expect(await app.chats.takeOver('telegram')).toEqual([]);
    expect(telegram.said(ann.id)).toHaveLength(1);
  });

  it('because of its markup or buttons is retried as plain text', async () => {
    telegram.refuse = (_, { reply_markup }) => reply_markup !== undefined && 'BUTTON_URL_INVALID';
    app.script = said('A <b>b</b> & "c".');
    open();
    telegram.write(ann, 'What?');
    const more = gate();
    await saidIn(ann.id);
    app.script = said('A <b>b</b>. And "c".', { between: () => more.opened });
    telegram.write(olga, 'Что?');
    await saidIn(olga.id);
    more.open();
    await Promise.all(
      [ann, olga].map(({ id }) => telegram.until(() => telegram.said(id)[0]!.text.includes('Sources'))),
    );
    const sources = 'Sources\n1. The law · Article 23 · Norm · 29 October 2026';
    expect(telegram.said(ann.id)).toMatchObject([{ text: `A <b>b</b> & "c". [1]\n\n${sources}` }]);
    expect(telegram.said(olga.id)).toMatchObject([
      { text: `A <b>b</b>. [1] And "c". [1]\n\n${sources}`, html: expect.not.stringContaining('&lt;') },
    ]);
  });

  it('because the answer was deleted is replaced with a new message', async () => {
    const more = gate();
    app.script = said('One is said. Two is said.', { between: () => more.opened });
    open();
    telegram.write(ann, 'What?');
    await saidIn(ann.id);
    telegram.fault('editMessageText', { status: 400, description: 'Bad Request: message to edit not found' });
    more.open();
    await answered(ann.id);
    expect(telegram.said(ann.id)).toHaveLength(2);
  });
});

describe('in a group', () => {
  it('only messages to the bot are answered', async () => {
    open();
    telegram.write(ann, 'Talking to others', { chat: group });
    telegram.write(ann, '/help@another_bot', { chat: group });
    telegram.write(ann, '/weather', { chat: group });
    telegram.mention(ann, group, 'What is free?');
    await answered(group);
    telegram.write(ann, `/ask@${telegram.me.username} Which assemblies?`, { chat: group });
    await answered(group, 2);
    telegram.write(ann, '/ask And before?', { chat: group });
    await answered(group, 3);
    telegram.write(olga, 'А что ещё?', {
      chat: group,
      reply_to_message: { ...telegram.said(group)[0], date: 1 },
    });
    await answered(group, 4);
    expect(app.asked.map(({ query }) => query)).toEqual([
      'What is free?',
      'Which assemblies?',
      'And before?',
      'А что ещё?',
    ]);
    expect(telegram.said(group)).toHaveLength(4);
    expect(telegram.said(group)[0]!.reply_to_message!.text).toContain('What is free?');
    // An administrator who writes on behalf of the group appears as a bot.
    const admins = { id: 1_087_968_824, first_name: 'Group', is_bot: true };
    const sender_chat = { id: group, type: 'supergroup', title: 'Staff' };
    telegram.write(admins, `@${telegram.me.username} And for us?`, {
      chat: group,
      sender_chat,
      entities: [{ type: 'mention', offset: 0, length: telegram.me.username.length + 1 }],
    });
    await answered(group, 5);
  });
});

describe('buttons and commands', () => {
  it('rate an answer, and show the pressed button', async () => {
    open();
    telegram.write(ann, 'What?');
    await answered(ann.id);
    const [message] = telegram.said(ann.id);
    const up = message!.reply_markup!.inline_keyboard.at(-1)![0]!;
    telegram.press(ann, message!, up.callback_data!);
    await telegram.until(() => telegram.count('answerCallbackQuery') === 1);
    expect(app.rated).toEqual([{ requestId: app.asked[0]!.request_id, rating: 'up' }]);
    expect(telegram.transcript(ann.id)).toContain(`[ ${texts.en.up} ✓ ]`);
  });

  it('show the passage verbatim', async () => {
    app.script = said('A <quote> & more.');
    open();
    telegram.write(ann, 'What?');
    await answered(ann.id);
    const [message] = telegram.said(ann.id);
    telegram.press(ann, message!, message!.reply_markup!.inline_keyboard[0]![1]!.callback_data!);
    await saidIn(ann.id, 2);
    expect(telegram.said(ann.id)[1]!.text).toBe(
      'The law · Article 23 · Norm · 29 October 2026\nA <quote> & more.',
    );
  });

  it('choose the corpus, style and language for the chat', async () => {
    open();
    const choose = async (command: string, label: string) => {
      const before = telegram.said(ann.id).length;
      telegram.write(ann, command);
      await saidIn(ann.id, before + 1);
      const message = telegram.said(ann.id).at(-1)!;
      const button = message.reply_markup!.inline_keyboard.flat().find(({ text }) => text!.includes(label));
      const pressed = telegram.count('answerCallbackQuery');
      telegram.press(ann, message, button!.callback_data!);
      await telegram.until(() => telegram.count('answerCallbackQuery') > pressed);
    };
    await choose('/corpora', 'Registry');
    await choose('/style', 'Quotations');
    await choose('/language', 'Қазақша');
    telegram.write(ann, 'What?');
    await saidIn(ann.id, 4);
    expect(app.asked).toMatchObject([{ corpus_id: 'reestr_texts', style: 'quotes' }]);
    telegram.write(ann, '/help');
    telegram.write(ann, '/new');
    await saidIn(ann.id, 6);
    expect(
      telegram
        .said(ann.id)
        .slice(-2)
        .map(({ text }) => text),
    ).toEqual([texts.kk.help, texts.kk.startedOver]);
  });

  it('forget the user after a confirmation, and only once', async () => {
    open();
    telegram.write(olga, 'Что свободно?');
    await answered(olga.id);
    const { subject } = app.asked[0]!.caller;
    const choose = async (label: string, by = olga) => {
      const before = telegram.said(olga.id).length;
      telegram.write(olga, '/forget');
      await saidIn(olga.id, before + 1);
      const message = () => telegram.said(olga.id).at(-1)!;
      expect(message().text).toBe(texts.ru.forgetAsk);
      const button = message()
        .reply_markup!.inline_keyboard.flat()
        .find(({ text }) => text === label)!;
      const pressed = telegram.count('answerCallbackQuery');
      telegram.press(by, message(), button.callback_data!);
      await telegram.until(() => telegram.count('answerCallbackQuery') > pressed);
      return message().text;
    };
    expect(await choose(texts.ru.forgetNo)).toBe(texts.ru.kept);
    expect(await forgettings(subject)).toBe(0);
    // If another user presses the button, no data is erased.
    expect(await choose(texts.ru.forgetYes, ann)).toBe(texts.ru.forgetAsk);
    expect(telegram.calls.at(-1)!.payload.text).toBe(texts.en.notYours);
    expect(await forgettings(subject)).toBe(0);
    expect(await openReplies(subject)).toBe(1);

    expect(await choose(texts.ru.forgetYes)).toBe(texts.ru.forgotten);
    expect(await forgettings(subject)).toBe(1);
    expect(await openReplies(subject)).toBe(0);
    expect(await choose(texts.ru.forgetYes)).toBe(texts.ru.forgotten);
    expect(await choose(texts.ru.forgetYes)).toContain(later(texts.ru));
    expect(await forgettings(subject)).toBe(2);
  });

  it('report if data cannot be erased', async () => {
    app.forgetOneself = async () => {
      throw new Failure('conflict', 'Nothing is sealed here.');
    };
    open();
    telegram.write(ann, '/forget');
    await saidIn(ann.id);
    const [message] = telegram.said(ann.id);
    telegram.press(ann, message!, message!.reply_markup!.inline_keyboard[0]![0]!.callback_data!);
    await telegram.until(() => telegram.count('answerCallbackQuery') > 0);
    expect(telegram.said(ann.id)[0]!.text).toBe(texts.en.cannotForget);
  });

  it('greet, and list the available documents', async () => {
    open();
    telegram.write(olga, '/start');
    await saidIn(olga.id);
    expect(telegram.said(olga.id)[0]!.text).toContain('• Constitution\n• Registry');
    const languages = telegram.calls.filter(({ method }) => method === 'setMyCommands');
    expect(languages.map(({ payload }) => payload.language_code)).toEqual(['ru', 'kk', 'en', undefined]);
  });

  it('suggest sources in any chat, each with its passage if there is one', async () => {
    open();
    const suggested = async () => {
      const before = telegram.count('answerInlineQuery');
      const id = telegram.type(ann, 'free assemblies');
      await telegram.until(() => telegram.count('answerInlineQuery') > before);
      const { payload } = telegram.calls.findLast(({ method }) => method === 'answerInlineQuery')!;
      expect(payload.inline_query_id).toBe(id);
      return payload.results;
    };
    expect(await suggested()).toMatchObject([
      { type: 'article', title: 'The law', description: 'Article 23' },
    ]);
    const { sourceRefs } = app;
    app.sourceRefs = async (...of) => ({ ...(await sourceRefs(...of)), texts: ['Assemblies <are> free.'] });
    const message_text = expect.stringContaining('<blockquote>Assemblies &lt;are&gt; free.</blockquote>');
    expect(await suggested()).toMatchObject([
      { description: 'Assemblies <are> free.', input_message_content: { message_text } },
    ]);
    expect(app.asked).toEqual([]);
  });
});

describe('messages sent during downtime', () => {
  it('are answered if recent; old ones get a note and a way to ask again', async () => {
    telegram.write(ann, 'Fresh?', { at: Date.now() - 60_000 });
    telegram.write(olga, 'Старый?', { at: Date.now() - 3 * 3_600_000 });
    open();
    await Promise.all([answered(ann.id), saidIn(olga.id)]);
    const [late] = telegram.said(olga.id);
    expect(late!.text).toBe(texts.ru.late(180));
    telegram.press(olga, late!, late!.reply_markup!.inline_keyboard[0]![0]!.callback_data!);
    await answered(olga.id);
    expect(app.asked.map(({ query }) => query).sort()).toEqual(['Fresh?', 'Старый?']);
    const { reply_to_message: _, ...alone } = late!;
    telegram.press(olga, alone, 'a');
    await telegram.until(() => telegram.count('answerCallbackQuery') === 2);
    const { payload } = telegram.calls.findLast(({ method }) => method === 'answerCallbackQuery')!;
    expect(payload.text).toBe(texts.ru.noQuestion);
  });
});

describe('updates', () => {
  it('that could not be recorded are not acknowledged, and are redelivered', async () => {
    app.chats = failingChats(app.chats, 2);
    open();
    telegram.write(ann, 'What?');
    await answered(ann.id);
    expect(troubles).toEqual(['Telegram is not working: The history is unavailable.']);
    expect(app.asked).toHaveLength(1);
  });

  it('are accepted by a webhook only with its secret', async () => {
    const server = webhookServer(() => connector);
    const url = `${await listen(server)}/telegram`;
    const connector = open({ webhook: { url, secret: 'a-secret_1' } });
    await telegram.until(() => telegram.count('setWebhook') === 1);
    telegram.write(ann, 'What?');
    await answered(ann.id);
    const forged = await fetch(url, {
      method: 'POST',
      body: '{"update_id":1}',
      headers: { 'x-telegram-bot-api-secret-token': 'b' },
    });
    expect(forged.status).toBe(401);
    expect(connector.webhook!.path).toBe('/telegram');
    server.close();
  });
});
