/**
 * Files that people send in a chat, with the real service: they are read for their conversation and recorded nowhere.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { openTelegram } from '../../connectors/telegram/index.ts';
import { texts } from '../../connectors/texts.ts';
import { openApp, type Service } from '../../src/app.ts';
import { docx, p } from '../ingest/fixtures.ts';
import { makePdf } from '../ingest/pdf-maker.ts';
import { CohereDouble } from '../support/cohere-double.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, type ShownMessage, TelegramDouble } from '../support/telegram-double.ts';
import { discrepancies, storyConfig, takeIn, writeLibrary } from './story.ts';

const ann: Person = { id: 11, first_name: 'Ann', language_code: 'en' };
const bob: Person = { id: 12, first_name: 'Bob', language_code: 'en' };
const page = (...lines: string[]) => ({ words: lines.map((text, n) => ({ x: 60, y: 700 - n * 20, text })) });
const contract = makePdf([
  page('Contract of the boathouse', 'The boathouse is let to the rowing club of the village.'),
  page(
    'Rent',
    'The rent of the boathouse is 417 crowns a month, paid on the third day.',
    'The zebra is painted blue.',
  ),
]);

const folder = mkdtempSync(join(tmpdir(), 'docent-chat-files-'));
const temporary = process.env.TMPDIR;
let app: Service;
let telegram: TelegramDouble;
let connector: Connector;

beforeAll(async () => {
  process.env.TMPDIR = folder;
  writeLibrary(join(folder, 'library'));
  app = await openApp({ ...storyConfig(folder, {}), DOCENT_CHAT_FILES: 'on' });
  await takeIn(app, folder);
});
afterAll(async () => {
  await app.close();
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  expect(shelves()).toEqual([]);
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  telegram = await TelegramDouble.start();
  telegram.files.set('contract', { body: contract });
  connector = open(app);
});
afterEach(async () => {
  vi.useRealTimers();
  await connector.close(5_000);
  await telegram.stop();
  expect(telegram.violations).toEqual([]);
});

const open = (of: Service): Connector => {
  const opened = openTelegram(of, {
    token: telegram.token,
    apiUrl: telegram.url,
    pace: { privateMs: 1, groupMax: 1_000, groupMs: 1_000, secondMax: 1_000, retryMs: 1 },
  });
  opened.start();
  return opened;
};
const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile());
const shelves = () => readdirSync(folder).filter((name) => name.startsWith('docent-files-'));
const document = (id: string, name = `${id}.pdf`) => ({
  document: { file_id: id, file_unique_id: id, file_name: name, file_size: contract.length },
});
const ask = async (from: Person, text: string, more: object = {}): Promise<ShownMessage> => {
  const count = telegram.answers(from.id).length + 1;
  if ('document' in more) telegram.write(from, null, { ...more, caption: text });
  else telegram.write(from, text);
  await telegram.until(() => telegram.answers(from.id).length >= count);
  return telegram.answers(from.id).at(-1)!;
};
const rent = 'What is the rent of the boathouse?';
const says = /417 crowns a month/;

it('a file answers only its own conversation, with page numbers', async () => {
  const first = await ask(ann, rent, document('contract'));
  expect(first.text).toMatch(says);
  expect(first.text).toContain('contract.pdf · p. 2');
  expect(first.text).toContain(texts.en.fromFile);
  expect(
    first.reply_markup!.inline_keyboard.flat().filter(({ callback_data }) => callback_data?.startsWith('p:')),
  ).toEqual([]);
  expect((await ask(ann, 'Who is the boathouse let to?')).text).toMatch(/rowing club/);
  // Questions that the file cannot answer are answered from the corpora, as usual.
  const other = await ask(ann, 'When does the library open?');
  expect(other.text).toContain('opens at nine');
  expect(other.text).not.toContain(texts.en.fromFile);
  expect((await ask(bob, rent)).text).not.toMatch(says);
  expect(await discrepancies(app)).toEqual({});
});

it('a document and a text file sent without a message answer questions, and auditors see the record', async () => {
  const pier = `${p('Plan')}${p('The new pier is built of oak in 2031.')}`;
  telegram.files.set('plan', { body: docx({ body: pier }) });
  telegram.files.set('notes', { body: 'Ferry notes. The ferry is named Aurora and carries forty people.' });
  for (const [n, name] of ['plan.docx', 'notes.txt'].entries()) {
    telegram.write(ann, null, document(name.split('.')[0]!, name));
    await telegram.until(() => telegram.said(ann.id).length > n);
    expect(telegram.said(ann.id).at(-1)!.text).toBe(texts.en.filesKept([name]));
  }
  const first = await ask(ann, 'What is the new pier built of?');
  expect(first.text).toContain('The new pier is built of oak in 2031. [1]');
  expect(first.text).toContain('plan.docx');
  expect((await ask(ann, 'And when?')).text).toContain('2031');
  expect((await ask(ann, 'What is the ferry named?')).text).toContain('notes.txt');
  const acting = { name: 'olga', request_id: 'r' };
  const { items } = await app.admin.events(
    { direction: 'backwards', limit: 10, type: 'AnswerGiven' },
    acting,
  );
  expect(items.map(({ data }) => data)).toMatchObject([
    { private_file: true, sources: [], citations: [], corpus_id: 'charter' },
    { private_file: true },
    { private_file: true, answer: expect.stringContaining('oak in 2031') },
    ...items.slice(3).map(() => ({})),
  ]);
  await app.caughtUp();
  const asked = await app.admin.queries({ limit: 3, offset: 0 }, acting);
  expect(asked.items.map(({ query, answer }) => [query, answer])).toEqual([
    ['What is the ferry named?', null],
    ['And when?', null],
    ['What is the new pier built of?', null],
  ]);
});

it('another instance answers from the file, which it fetches itself', async () => {
  await ask(ann, rent, document('contract'));
  await connector.close(5_000);
  const other = await openApp({ ...storyConfig(folder, {}), DOCENT_CHAT_FILES: 'on' });
  connector = open(other);
  const fetched = telegram.count('file');
  expect((await ask(ann, 'On which day is the rent of the boathouse paid?')).text).toMatch(/third day/);
  expect(telegram.count('file')).toBe(fetched + 1);
  await connector.close(5_000);
  await other.close();
});

it('nothing of a file is in the data folder', async () => {
  await ask(ann, rent, document('contract'));
  await app.caughtUp();
  const found = filesIn(join(folder, 'data')).filter((path) => {
    const content = readFileSync(path);
    return ['zebra', '417 crowns', 'contract.pdf'].some((text) => content.includes(text));
  });
  expect(found).toEqual([]);
  const inShelf = shelves().flatMap((name) => filesIn(join(folder, name)));
  expect(inShelf.some((path) => readFileSync(path).includes('zebra'))).toBe(true);
});

it('a file is forgotten with its sender immediately', async () => {
  await ask(ann, rent, document('contract'));
  telegram.write(ann, '/forget');
  await telegram.until(() => telegram.said(ann.id).at(-1)?.text === texts.en.forgetAsk);
  const question = telegram.said(ann.id).at(-1)!;
  telegram.press(ann, question, `f:${ann.id}:y`);
  await telegram.until(() => question.text === texts.en.forgotten);
  expect(shelves()).toEqual([]);
  const fetched = telegram.count('file');
  expect((await ask(ann, rent)).text).not.toMatch(says);
  expect(telegram.count('file')).toBe(fetched);
});

it('forgetting a person removes the files they sent anywhere', async () => {
  const group = -77;
  const bot = `@${telegram.me.username}`;
  const mention = { caption_entities: [{ type: 'mention', offset: 0, length: bot.length }] };
  const inGroup = async (count: number) => {
    await telegram.until(() => telegram.answers(group).length >= count);
    return telegram.answers(group).at(-1)!.text;
  };
  telegram.write(ann, null, { chat: group, caption: `${bot} ${rent}`, ...mention, ...document('contract') });
  expect(await inGroup(1)).toMatch(says);
  // In a group each person has a separate conversation.
  telegram.mention(bob, group, rent);
  expect(await inGroup(2)).not.toMatch(says);
  telegram.mention(ann, group, 'Who is the boathouse let to?');
  expect(await inGroup(3)).toMatch(/rowing club/);
  telegram.write(ann, '/forget');
  await telegram.until(() => telegram.said(ann.id).length === 1);
  const [question] = telegram.said(ann.id);
  telegram.press(ann, question!, `f:${ann.id}:y`);
  await telegram.until(() => question!.text === texts.en.forgotten);
  expect(shelves()).toEqual([]);
  telegram.mention(ann, group, rent);
  expect(await inGroup(4)).not.toMatch(says);
});

it('the configured models answer from a file, and their use is counted', async () => {
  const models = await CohereDouble.start();
  await connector.close(5_000);
  const config = { ...storyConfig(folder, {}), DOCENT_DATA: join(folder, 'with-models') };
  const withModels = await openApp({
    ...config,
    DOCENT_CHAT_FILES: 'on',
    COHERE_API_KEY: 'key',
    COHERE_BASE_URL: models.url,
    COHERE_EMBED_DIMENSION: 256,
  });
  await takeIn(withModels, folder);
  connector = open(withModels);
  const answer = await ask(ann, rent, document('contract'));
  expect(answer.text).toContain('contract.pdf · p. ');
  expect(models.chats.map(({ body }) => JSON.stringify(body))).toEqual([expect.stringMatching(says)]);
  const request = { direction: 'backwards' as const, limit: 50, type: 'ModelsUsed' };
  await eventually(async () => {
    const { items } = await withModels.admin.events(request, { name: 'olga', request_id: 'r' });
    expect(items.some(({ data }) => (data as { chats: number }).chats > 0)).toBe(true);
  });
  await connector.close(5_000);
  await withModels.close();
  await models.stop();
});

it('a file is not used after a day', async () => {
  await ask(ann, rent, document('contract'));
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 23 * 3_600_000 });
  expect((await ask(ann, rent)).text).toMatch(says);
  vi.setSystemTime(now + 25 * 3_600_000);
  expect((await ask(ann, rent)).text).not.toMatch(says);
});
