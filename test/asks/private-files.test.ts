/** Files in conversations, with a scripted reader: what is stored, when, and for how long. */
import { mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Part } from '../../src/answering/parts.ts';
import { type PrivateFile, PrivateFiles, type PrivateFilesOptions } from '../../src/asks/private-files.ts';
import { Failure } from '../../src/failures.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/folder.ts';

const still = new AbortController().signal;
const question = { query: 'What?', channel: 'telegram' as const, request_id: 'r1', isSure: false };

/** Returns the files that exist when it is called; `before` is awaited first. */
function openShelf(options: Partial<PrivateFilesOptions> = {}, before: () => Promise<void> = async () => {}) {
  const folder = newFolder('shelf');
  const state = { opened: 0, closed: 0, runs: 0, isConfident: true, cannot: new Set<string>() };
  const there = new Map<string, string[]>();
  const shelf = new PrivateFiles({
    folder,
    open: async () => {
      state.opened++;
      return {
        ingest: async ({ path }) => {
          state.runs++;
          const { id } = JSON.parse(readFileSync(join(path, 'corpus.yaml'), 'utf8'));
          const names = readdirSync(path).filter((name) => name !== 'corpus.yaml');
          const contents = names.map((name) => readFileSync(join(path, name), 'utf8'));
          const isRead = (content: string) => !state.cannot.has(content);
          there.set(id, contents.filter(isRead).sort());
          return { skipped: names.filter((_, n) => !isRead(contents[n]!)).map((name) => ({ path: name })) };
        },
        searchable: async () => {},
        ask: async function* ({ corpus_id, request_id = '' }, signal): AsyncGenerator<Part> {
          await before();
          if (signal.aborted)
            yield { type: 'error', request_id, code: 'cancelled', detail: '', retryable: false };
          else yield { type: 'text', text: there.get(corpus_id!)!.join(' ') };
        },
        chats: { isConfident: async () => state.isConfident },
        close: async () => void state.closed++,
      };
    },
    ...options,
  });
  shelves.push(shelf);
  return { shelf, folder, state };
}
const shelves: PrivateFiles[] = [];
afterEach(async () => {
  for (const shelf of shelves.splice(0)) await shelf.close();
});

let fetched: string[] = [];
const file = (id: string, subject = 'ann'): PrivateFile => ({
  id,
  subject,
  name: `${id}.txt`,
  kind: 'txt',
  fetch: async () => {
    fetched.push(id);
    if (id === 'lost') throw new Failure('unavailable', 'The file is missing.');
    return Buffer.from(id);
  },
});
const textOf = async (parts: AsyncIterable<Part>) => {
  let text = '';
  for await (const part of parts) if (part.type === 'text') text += part.text;
  return text;
};
const said = (shelf: PrivateFiles, conversation: string, files: PrivateFile[], isSure = false) =>
  textOf(shelf.ask(conversation, files, { ...question, isSure }, still));

it('searches exactly the current files of a conversation, and fetches each once', async () => {
  fetched = [];
  const { shelf, state } = openShelf();
  const [a, b] = [file('a'), file('b')];
  expect(await said(shelf, 'c1', [a, b])).toBe('a b');
  expect(await said(shelf, 'c2', [b])).toBe('b');
  expect(await said(shelf, 'c1', [b])).toBe('b');
  expect(await said(shelf, 'c1', [b])).toBe('b');
  expect([fetched, state.runs, state.opened]).toEqual([['a', 'b', 'b'], 3, 1]);
});

it('names files that cannot be read, and retries failed fetches but not failed parsing', async () => {
  fetched = [];
  const { shelf, state } = openShelf();
  state.cannot.add('broken');
  const files = [file('lost'), file('broken'), file('a')];
  for (let n = 0; n < 2; n++)
    expect((await shelf.read('c1', files, still)).map(({ id }) => id)).toEqual(['lost', 'broken']);
  expect(fetched).toEqual(['lost', 'broken', 'a', 'lost']);
  expect(await said(shelf, 'c1', [file('a')])).toBe('a');
  expect(await said(shelf, 'c2', [file('lost')])).toBe('');
});

it('returns no uncertain answer if only confident ones are wanted', async () => {
  const { shelf, state } = openShelf();
  expect(await said(shelf, 'c1', [file('a')], true)).toBe('a');
  state.isConfident = false;
  expect(await said(shelf, 'c1', [file('a')], true)).toBe('');
  expect(await said(shelf, 'c1', [file('a')])).toBe('a');
});

it('deletes everything as soon as a person with a file there is forgotten', async () => {
  const { shelf, folder, state } = openShelf();
  await said(shelf, 'c1', [file('a', 'ann')]);
  await shelf.forget('bob');
  await shelf.forget('c2');
  expect([state.closed, readdirSync(folder)]).toEqual([0, [expect.stringMatching(/^docent-files-/)]]);
  await shelf.forget('ann');
  expect([state.closed, readdirSync(folder)]).toEqual([1, []]);
  expect(await said(shelf, 'c1', [file('a')])).toBe('a');
  await shelf.forget('c1');
  expect([state.opened, state.closed, readdirSync(folder)]).toEqual([2, 2, []]);
});

it("still answers another person's concurrent question, but not that of the forgotten person", async () => {
  const asked = Promise.withResolvers<void>();
  const isForgotten = Promise.withResolvers<void>();
  let asks = 0;
  const { shelf, folder, state } = openShelf({}, async () => {
    if (++asks === 2) asked.resolve();
    await isForgotten.promise;
  });
  const others = said(shelf, 'c1', [file('a', 'ann')]);
  const own = said(shelf, 'c2', [file('b', 'bob')]).catch((error: Failure) => error.code);
  await asked.promise;
  await shelf.forget('bob');
  isForgotten.resolve();
  expect(await others).toBe('a');
  expect(await own).toBe('cancelled');
  expect([state.opened, state.closed, state.runs, readdirSync(folder).length]).toEqual([2, 1, 3, 1]);
});

it.each([{ idleMs: 1 }, { ageMs: 1 }])('closes automatically after its time limit: %j', async (options) => {
  const { shelf, folder, state } = openShelf(options);
  expect(await said(shelf, 'c1', [file('a')])).toBe('a');
  await eventually(() => expect([state.opened, state.closed, readdirSync(folder)]).toEqual([1, 1, []]));
});

it('starts again after a number of conversations', async () => {
  const { shelf, folder, state } = openShelf();
  for (let n = 0; n < 101; n++) expect(await said(shelf, `c${n}`, [file('a')])).toBe('a');
  await eventually(() => expect([state.opened, state.closed, readdirSync(folder).length]).toEqual([2, 1, 1]));
});

it('removes folders left by a killed process', async () => {
  const { shelf, folder } = openShelf();
  for (const name of ['docent-files-old', 'docent-files-new', 'other']) mkdirSync(join(folder, name));
  const hoursAgo = Date.now() / 1_000 - 3 * 3_600;
  for (const name of ['docent-files-old', 'other']) utimesSync(join(folder, name), hoursAgo, hoursAgo);
  await said(shelf, 'c1', [file('a')]);
  await shelf.close();
  expect(readdirSync(folder).sort()).toEqual(['docent-files-new', 'other']);
});

it('reports every file as unreadable if the store cannot be opened, and tries again', async () => {
  let tries = 0;
  const { shelf, folder } = openShelf({
    open: async () => {
      tries++;
      throw new Failure('unavailable', 'The disk is full.');
    },
  });
  for (let n = 0; n < 2; n++) expect(await shelf.read('c1', [file('a')], still)).toHaveLength(1);
  await eventually(() => expect([tries, readdirSync(folder)]).toEqual([2, []]));
});
