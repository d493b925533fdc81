/** Telegram with several people: groups, topics, replies, deep links, settings, and help from people. */
import { beforeEach, describe, expect, it } from 'vitest';
import { texts } from '../../connectors/texts.ts';
import { Failure } from '../../src/failures.ts';
import { eventually } from '../support/eventually.ts';
import { over } from '../support/over.ts';
import type { Person, ShownMessage } from '../support/telegram-double.ts';
import { said } from './harness.ts';
import { ann, answered, app, news, open, saidIn, telegram, troubles, useTelegram } from './telegram-suite.ts';

useTelegram();

const bob: Person = { id: 22, first_name: 'Bob', language_code: 'en' };
/** Each test has its own group. */
let groups = -2_000;
beforeEach(() => {
  groups--;
});

const buttonOf = ({ reply_markup }: ShownMessage, label: string) =>
  reply_markup!.inline_keyboard.flat().find(({ text }) => text!.includes(label))!.callback_data!;
const pressed = async (from: Person, message: ShownMessage, label: string) => {
  const before = telegram.count('answerCallbackQuery');
  telegram.press(from, message, buttonOf(message, label));
  await telegram.until(() => telegram.count('answerCallbackQuery') > before);
  return telegram.calls.findLast(({ method }) => method === 'answerCallbackQuery')!.payload.text;
};
const mention = (text: string) => ({
  text: `@${telegram.me.username} ${text}`.trim(),
  entities: [{ type: 'mention', offset: 0, length: telegram.me.username.length + 1 }],
});

describe('in a group', () => {
  it('a replied-to message is context, or the question if there is no other', async () => {
    open();
    const statement = telegram.write(bob, 'Parades are assemblies too.', { chat: groups });
    const reply_to_message = telegram.message(groups, statement)!;
    const { text, entities } = mention('are they free?');
    telegram.write(ann, text, { chat: groups, entities, reply_to_message });
    await answered(groups);
    expect(app.asked[0]).toMatchObject({
      query: 'are they free?',
      history: [{ role: 'user', content: '“Parades are assemblies too.”' }],
    });
    const question = telegram.write(bob, 'Which assemblies are free?', { chat: groups });
    const asked = telegram.message(groups, question)!;
    telegram.write(ann, mention('').text, { chat: groups, entities, reply_to_message: asked });
    await answered(groups, 2);
    expect(app.asked[1]).toMatchObject({ query: 'Which assemblies are free?' });
    // Only the quoted part, if part of the message is quoted.
    telegram.write(ann, mention('can you help?').text, {
      chat: groups,
      entities,
      reply_to_message: asked,
      quote: { text: 'Which assemblies' },
    });
    await answered(groups, 3);
    expect(app.asked[2]).toMatchObject({ query: 'Which assemblies' });
  });

  it('each topic has its own conversation', async () => {
    open();
    const topic = (id: number) => ({ chat: groups, message_thread_id: id, is_topic_message: true });
    const { entities } = mention('');
    telegram.write(ann, mention('What is free?').text, { ...topic(7), entities });
    await answered(groups);
    telegram.write(ann, mention('And before?').text, { ...topic(8), entities });
    await answered(groups, 2);
    telegram.write(ann, mention('And now?').text, { ...topic(7), entities });
    await answered(groups, 3);
    const sent = telegram.calls.filter(({ method }) => method === 'sendMessage');
    expect(sent.map(({ payload }) => payload.message_thread_id)).toEqual([7, 8, 7]);
    const conversations = app.chats;
    const turns = (names: string[]) => conversations.chat('telegram', ...names).isKnown();
    const names = [String(telegram.me.id), String(groups), String(ann.id)];
    expect(await Promise.all([turns([...names, 'topic 7']), turns(names)])).toEqual([true, false]);
  });

  it('only administrators can change the settings, and the change is announced to the group', async () => {
    telegram.admins.add(bob.id);
    open();
    telegram.write(ann, '/settings', { chat: groups });
    await saidIn(groups);
    expect(telegram.said(groups)[0]!.text).toBe(texts.en.managersOnly);
    telegram.write(ann, '/corpora', { chat: groups });
    await saidIn(groups, 2);
    const [, corpora] = telegram.said(groups);
    expect(await pressed(ann, corpora!, 'Registry')).toBe(texts.en.managersOnly);
    await pressed(bob, corpora!, 'Registry');
    await saidIn(groups, 3);
    const { settingChanged, homeCorpora, setting } = texts.en;
    expect(telegram.said(groups)[2]!.text).toBe(settingChanged('Bob', homeCorpora, 'Registry'));
    telegram.write(bob, '/settings', { chat: groups });
    await saidIn(groups, 4);
    const menu = telegram.said(groups)[3]!;
    await pressed(bob, menu, setting.answers.name);
    await telegram.until(() => JSON.stringify(menu.reply_markup).includes(setting.answers.values.questions!));
    telegram.write(ann, 'I think so.', { chat: groups });
    telegram.write(ann, 'What is free?', { chat: groups });
    await answered(groups);
    expect(app.asked).toMatchObject([{ query: 'What is free?', corpus_id: 'reestr_texts' }]);
  });

  it('helpers are notified if any are configured', async () => {
    await app.chats.place('telegram', String(groups)).change({ helpers: ['@dora'] }, { subject: 's' });
    const helped: string[] = [];
    app.chats = over(app.chats, {
      requestHelp: async (id) => void helped.push(id),
      resolveHelp: async () => {},
      asked: async () => ({
        query: 'What is free?',
        subject: 's',
        help: helped.length === 0 ? 'none' : 'requested',
      }),
    });
    open();
    telegram.mention(ann, groups, 'What is free?');
    await answered(groups);
    const [answer] = telegram.said(groups);
    await pressed(ann, answer!, texts.en.needHelp);
    await saidIn(groups, 2);
    const call = telegram.said(groups)[1]!;
    expect(call.text).toBe(`@dora: ${texts.en.helpAsked('Ann')}\n“What is free?”`);
    expect(await pressed(bob, answer!, texts.en.needHelp)).toBe(texts.en.helpAskedBefore);
    await pressed(bob, call, texts.en.resolve);
    expect(call.text).toBe(`✓ ${texts.en.resolved('Bob')}`);
    expect(helped).toEqual([app.asked[0]!.request_id]);
    const answerOfBob = telegram.write(bob, 'Everything is.', { chat: groups });
    telegram.write(ann, '/save', { chat: groups, reply_to_message: telegram.message(groups, answerOfBob) });
    telegram.write(ann, '/save What is free?', {
      chat: groups,
      reply_to_message: telegram.message(groups, answerOfBob),
    });
    await saidIn(groups, 4);
    expect(
      telegram
        .said(groups)
        .slice(2)
        .map(({ text }) => text),
    ).toEqual([texts.en.saveHow, texts.en.saved]);
  });

  it('replies between people are ignored, and settings survive a change of the group id', async () => {
    const place = (id: number) => app.chats.place('telegram', String(id));
    await place(groups).change({ answers: 'questions' }, { subject: 's' });
    open();
    const statement = telegram.write(bob, 'We meet tomorrow.', { chat: groups });
    telegram.write(ann, 'Which meeting is that?', {
      chat: groups,
      reply_to_message: telegram.message(groups, statement),
    });
    telegram.write(ann, '/history', { chat: groups });
    await saidIn(groups);
    expect(telegram.said(groups)[0]!.text).toBe(texts.en.onlyAlone);
    const now = groups - 10_000;
    telegram.write(ann, null, { chat: groups, migrate_to_chat_id: now });
    telegram.write(ann, 'What is free?', { chat: now });
    await answered(now);
    expect(app.asked.map(({ query }) => query)).toEqual(['What is free?']);
  });

  it('answers end when the bot leaves', async () => {
    let answering = new AbortController().signal;
    app.script = (input, signal) => {
      answering = signal;
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
      return said('One is said. Two is said.', { between: () => ended })(input, signal);
    };
    const connector = open();
    telegram.mention(ann, groups, 'What is free?');
    await saidIn(groups);
    const user = { id: telegram.me.id, is_bot: true, first_name: 'Docent' };
    telegram.update({
      my_chat_member: {
        chat: { id: groups, type: 'supergroup' },
        from: ann,
        date: 1,
        old_chat_member: { status: 'member', user },
        new_chat_member: { status: 'left', user },
      },
    });
    await eventually(() => expect(answering.aborted).toBe(true));
    await connector.close(5_000);
    expect(telegram.said(groups)).toHaveLength(1);
  });
});

describe('with one person', () => {
  it('a link to the bot selects the corpus in the link', async () => {
    open();
    telegram.write(ann, '/start reestr_texts');
    await saidIn(ann.id);
    expect(telegram.said(ann.id)[0]!.text).toContain('• Registry');
    telegram.write(ann, 'What?');
    await answered(ann.id);
    expect(app.asked).toMatchObject([{ corpus_id: 'reestr_texts' }]);
  });

  it('an album with text gets one answer, and one without text gets one note', async () => {
    open();
    const photo = [{ file_id: 'f' }];
    for (const caption of ['What is free?', undefined, undefined, undefined])
      telegram.write(ann, null, { photo, media_group_id: 'a1', ...(caption && { caption }) });
    await answered(ann.id);
    for (let n = 0; n < 3; n++) telegram.write(ann, null, { photo, media_group_id: 'a2' });
    await saidIn(ann.id, 2);
    telegram.write(ann, 'Then?');
    await answered(ann.id, 2);
    expect(telegram.said(ann.id).map(({ text }) => text.split('\n')[0])).toEqual([
      'Assemblies are free. [1]',
      texts.en.onlyText,
      'Assemblies are free. [1]',
    ]);
    expect(telegram.said(ann.id)[0]!.text).toContain(texts.en.filesUnread);
  });

  it('an answer can be stopped by its asker', async () => {
    app.script = (input, signal) => {
      const stopped = new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Failure('cancelled', 'It was stopped.')));
      });
      return said('One is said. Two is said.', { between: () => stopped })(input, signal);
    };
    open();
    telegram.write(ann, 'What?');
    await saidIn(ann.id);
    const [growing] = telegram.said(ann.id);
    expect(await pressed(bob, growing!, texts.en.stop)).toBe(texts.en.notYours);
    await pressed(ann, growing!, texts.en.stop);
    // Text that was already shown stays.
    await telegram.until(
      () => telegram.said(ann.id)[0]!.text === `One is said. [1]\n\n${texts.en.cancelled}`,
    );
    expect(telegram.said(ann.id)[0]!.reply_markup).toBeUndefined();
  });

  it('recent questions are listed', async () => {
    open();
    telegram.write(ann, '/history');
    await saidIn(ann.id);
    expect(telegram.said(ann.id)[0]!.text).toBe(texts.en.noHistory);
  });
});

it("the bot's identity, or its wrong token, is reported at startup", async () => {
  const connector = open();
  telegram.write(ann, 'What?');
  await answered(ann.id);
  expect(news).toEqual([`Telegram is connected as @${telegram.me.username}.`]);
  await connector.close(1_000);
  open({ token: '1:wrong', opensSources: false });
  await eventually(() => expect(troubles).not.toEqual([]));
  expect(troubles).toEqual([
    'Telegram is not working: Telegram rejected TELEGRAM_BOT_TOKEN. Copy the token that @BotFather shows for the bot.',
  ]);
});
