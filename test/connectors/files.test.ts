/** Files in messages: which ones are read, how they are fetched, and the notes about unreadable ones. */

import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { fetchFile } from '../../connectors/files.ts';
import { openSlack } from '../../connectors/slack/index.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { texts } from '../../connectors/texts.ts';
import type { PrivateFile } from '../../src/asks/private-files.ts';
import { Failure } from '../../src/failures.ts';
import { listen } from '../support/listen.ts';
import { over } from '../support/over.ts';
import { type ServedFile, serveFile } from '../support/served-files.ts';
import { SlackDouble } from '../support/slack-double.ts';
import { type Person, TelegramDouble } from '../support/telegram-double.ts';
import { WaitedTime } from '../support/waited-time.ts';
import { openScripted, type ScriptedApp, said } from './harness.ts';

const t = texts.en;
const ann: Person = { id: 11, first_name: 'Ann', language_code: 'en' };
const eleven = new Uint8Array(11 * 1024 * 1024);

/** Answers with the contents of the files it receives. */
class Shelf {
  readonly asked: string[] = [];
  readonly forgotten: string[] = [];
  #contents = new Map<string, string>();

  async read(_: string, files: readonly PrivateFile[], signal: AbortSignal) {
    const unread: PrivateFile[] = [];
    for (const file of files)
      await file.fetch(signal).then(
        (content) => this.#contents.set(file.id, Buffer.from(content).toString()),
        () => unread.push(file),
      );
    return unread;
  }

  async *ask(conversation: string, files: readonly PrivateFile[], { request_id }: { request_id: string }) {
    this.asked.push(conversation);
    if (files.length === 0) return;
    const text = files.map(({ id }) => this.#contents.get(id)).join(' ');
    for await (const part of said(text)({ request_id } as never, new AbortController().signal))
      yield part.type === 'done' ? { ...part, private_file: true as const } : part;
  }

  async forget(whose: string) {
    this.forgotten.push(whose);
  }
}

let service: ScriptedApp;
let app: ScriptedApp;
let shelf: Shelf;
let slack: SlackDouble;
let telegram: TelegramDouble;
let connectors: Connector[];
beforeAll(async () => {
  service = await openScripted();
});
afterAll(() => service.close());
beforeEach(async () => {
  [slack, telegram] = await Promise.all([SlackDouble.start(), TelegramDouble.start()]);
  shelf = new Shelf();
  app = Object.assign(service.fresh(), { files: shelf });
  app.script = async function* (input, signal) {
    let isAnswered = false;
    for await (const part of input.fromFiles?.(signal) ?? []) {
      isAnswered = true;
      yield part;
    }
    if (!isAnswered) yield* said('Assemblies are free.')(input, signal);
  };
  connectors = [
    openSlack(app, {
      token: slack.botToken,
      mode: { appToken: slack.appToken },
      apiUrl: slack.url,
      pace: { postMs: 1, showMs: 1, retryMs: 1 },
      time: new WaitedTime(),
    }),
    openTelegram(app, { token: telegram.token, apiUrl: telegram.url, pace: { privateMs: 1, retryMs: 1 } }),
  ];
  for (const connector of connectors) connector.start();
});
afterEach(async () => {
  for (const connector of connectors) await connector.close(5_000);
  await Promise.all([slack.stop(), telegram.stop()]);
  expect([...slack.violations, ...telegram.violations]).toEqual([]);
});

const sent = (name: string, more: object = {}) => ({
  subtype: 'file_share',
  files: [{ id: 'F1', name, size: 100, ...more }],
});
const inSlack = async (channel: string, count: number) => {
  await slack.until(() => slack.answers(channel).length >= count);
  return slack.transcript(channel);
};
const inTelegram = async (count: number) => {
  await telegram.until(() => telegram.answers(ann.id).length >= count);
  return telegram.said(ann.id).at(-1)!.text;
};
const attached = (name: string, file_size = 100) => ({
  caption: 'What is the rent?',
  document: { file_id: 'D1', file_unique_id: 'D1', file_name: name, file_size },
});

describe('a file in Slack', () => {
  it('answers questions only in its own thread', async () => {
    slack.files.set('F1', { body: 'The rent is 417 crowns.' });
    const thread = slack.write('U1', 'C1', '<@UBOT> What is the rent?', sent('contract.pdf'));
    expect(await inSlack('C1', 1)).toContain('The rent is 417 crowns. [1]');
    slack.write('U2', 'C1', '<@UBOT> And the deposit?', { thread });
    const both = await inSlack('C1', 2);
    expect(both.match(/The rent is 417/g)).toHaveLength(2);
    expect(both).toContain(t.fromFile);
    expect(both).not.toContain('passage');
    slack.write('U1', 'C1', '<@UBOT> Which assemblies are free?');
    expect(await inSlack('C1', 3)).toContain('Assemblies are free.');
    expect(new Set(shelf.asked).size).toBe(1);
  });

  it('is used even if it could not be recorded immediately', async () => {
    let failures = 1;
    const { chats } = app;
    app.chats = over(chats, {
      chat: (...names) => {
        const chat = chats.chat(...names);
        const share: typeof chat.share = async (...file) => {
          if (failures-- > 0) throw new Failure('unavailable', 'The history is unavailable.');
          return chat.share(...file);
        };
        return over(chat, {
          start: async (...message) => {
            const reply = await chat.start(...message);
            return reply && { ...reply, chat: over(chat, { share }) };
          },
        });
      },
    });
    slack.files.set('F1', { body: 'The rent is 417 crowns.' });
    slack.write('U1', 'C2', '<@UBOT> What is the rent?', sent('contract.pdf'));
    expect(await inSlack('C2', 1)).toContain('The rent is 417 crowns. [1]');
  });

  it('without text is kept for the conversation until its sender removes it', async () => {
    slack.files.set('F1', { body: 'The rent is 417 crowns.' });
    slack.write('U1', 'D1', '', sent('contract.docx'));
    await slack.until(() => slack.said('D1').length === 1);
    const [note] = slack.said('D1');
    expect(note!.text).toBe(t.filesKept(['contract.docx']));
    slack.write('U1', 'D1', 'What is the rent?');
    expect(await inSlack('D1', 1)).toContain('417');
    const [button] = slack.actions(note!);
    slack.press('U2', note!, { ...button, type: 'button' });
    await slack.until(() => slack.transcript('D1').includes(t.notYours));
    slack.press('U1', note!, { ...button, type: 'button' });
    await slack.until(() => note!.text === t.filesDropped);
    expect(shelf.forgotten).toEqual(shelf.asked);
    slack.write('U1', 'D1', 'Which assemblies are free?');
    expect(await inSlack('D1', 2)).toContain('Assemblies are free.');
  });

  it('sent in a direct message is also used in a thread below it', async () => {
    slack.files.set('F1', { body: 'The rent is 417 crowns.' });
    const ts = slack.write('U1', 'D5', 'What is the rent?', sent('contract.md'));
    expect(await inSlack('D5', 1)).toContain('417');
    slack.write('U1', 'D5', 'And the rent?', { thread: ts });
    expect((await inSlack('D5', 2)).match(/417/g)).toHaveLength(2);
    slack.command('U1', 'D5', '', '/forget');
    await slack.until(() => slack.transcript('D5').includes(t.forgetAsk));
    const note = slack.said('D5').at(-1)!;
    const [yes] = slack.actions(note);
    slack.press('U1', note, { ...yes, type: 'button' });
    await slack.until(() => shelf.forgotten.length === 3);
    expect(shelf.forgotten).toContain(shelf.asked[0]);
  });

  it.each<[string, (ServedFile & { at?: string }) | null]>([
    ['is missing', null],
    ['is forbidden', { body: '', status: 403 }],
    ['is larger than announced', { body: eleven }],
    ['is a login page', { body: '<html>Log in</html>', type: 'text/html; charset=utf-8' }],
    ['redirects to another server', { body: '', status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['is on another server, which gets no token', { body: 'x', at: 'http://127.0.0.1:9/plan.txt' }],
  ])('that %s is reported as unread', async (_, file) => {
    if (file) slack.files.set('F1', file);
    slack.write('U1', 'D2', 'Which assemblies are free?', sent('plan.txt'));
    const shown = await inSlack('D2', 1);
    expect(shown).toContain('Assemblies are free.');
    expect(shown).toContain(t.fileFailed('plan.txt'));
    expect(shown).not.toContain(t.fromFile);
  });

  it.each([
    ['plan.xlsx', {}],
    ['plan.pdf', { size: 11 * 1024 * 1024 }],
    ['plan.pdf', { is_external: true }],
  ])('that is not read, such as %s %j, is reported with the supported types', async (name, more) => {
    slack.write('U1', 'D3', 'Which assemblies are free?', sent(name, more));
    expect(await inSlack('D3', 1)).toContain(`${t.filesUnread} ${t.filesRead}`);
    expect(slack.count('files.info')).toBe(0);
  });
});

describe('a file in Telegram', () => {
  it('is used for its conversation until a new one is started', async () => {
    telegram.files.set('D1', { body: 'The rent is 417 crowns.' });
    telegram.write(ann, null, attached('contract.txt'));
    expect(await inTelegram(1)).toContain('The rent is 417 crowns. [1]');
    telegram.write(ann, '/new');
    await telegram.until(() => telegram.transcript(ann.id).includes(t.startedOver));
    telegram.write(ann, 'What is the rent?');
    expect(await inTelegram(2)).toContain('Assemblies are free.');
    expect(shelf.forgotten).toEqual(shelf.asked);
  });

  it('that is missing is reported as unread', async () => {
    telegram.write(ann, null, attached('contract.pdf'));
    const shown = await inTelegram(1);
    expect(shown).toContain('Assemblies are free.');
    expect(shown).toContain(t.fileFailed('contract.pdf'));
  });

  it('that is too large, or is not a document, is not fetched', async () => {
    telegram.write(ann, null, attached('contract.pdf', 11 * 1024 * 1024));
    expect(await inTelegram(1)).toContain(t.filesRead);
    telegram.write(ann, null, { photo: [{ file_id: 'P1' }] });
    await telegram.until(() => telegram.transcript(ann.id).includes(`${t.onlyText} ${t.filesRead}`));
    expect(telegram.count('getFile')).toBe(0);
  });

  it('in an album without text is kept like any other', async () => {
    telegram.files.set('D1', { body: 'The rent is 417 crowns.' });
    telegram.files.set('D2', { body: 'The deposit is 900.' });
    telegram.write(ann, null, { ...attached('rent.txt'), media_group_id: 'A' });
    const second = { file_id: 'D2', file_unique_id: 'D2', file_name: 'deposit.txt', file_size: 9 };
    telegram.write(ann, null, { document: second, media_group_id: 'A' });
    // An answer, and a note about the file without text.
    await telegram.until(() => telegram.said(ann.id).length >= 2);
    telegram.write(ann, 'What is the deposit?');
    expect(await inTelegram(2)).toContain('The rent is 417 crowns. [1] The deposit is 900.');
  });
});

it('does not read files unless configured, and says so in the reply', async () => {
  app.files = null;
  telegram.write(ann, null, attached('contract.pdf'));
  const shown = await inTelegram(1);
  expect(shown).toContain(t.filesUnread);
  expect(shown).not.toContain(t.filesRead);
  expect(telegram.count('getFile')).toBe(0);
  slack.write('U1', 'D4', 'Which assemblies are free?', sent('contract.pdf'));
  expect(await inSlack('D4', 1)).toContain(t.filesUnread);
});

it('abandons a download that never ends', async () => {
  const server = createServer((_, response) => serveFile(response, { body: 'begins', hangs: true }));
  const url = await listen(server);
  const withdrawn = new AbortController();
  await expect(fetchFile(url, {}, withdrawn.signal, 30)).rejects.toThrow(/timeout/);
  const fetching = fetchFile(url, {}, withdrawn.signal);
  withdrawn.abort();
  await expect(fetching).rejects.toThrow(/abort/);
  server.closeAllConnections();
  server.close();
});
