/** Restores a withdrawn document from its own events. */
import { beforeEach, expect, test } from 'vitest';
import type { Chunk } from '../../src/domain/events.ts';
import { Commands } from '../../src/event-sourcing/commands.ts';
import { restoreDocument } from '../../src/ingest/restore.ts';
import { type Content, RevisionWriter } from '../../src/ingest/revision-writer.ts';
import { directLog, EmbeddedLog } from '../../src/log/sqlite/log.ts';
import { LogStore } from '../../src/log/sqlite/log-store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { chunkOf, statedFacts } from '../support/revision.ts';

const cause = { actor: 'admin:ada', correlation_id: 'c' };
const origin = { root: '/in', path: 'law.md', input_hash: 'i' };

let log: EmbeddedLog;
let commands: Commands;
beforeEach(() => {
  log = new EmbeddedLog(directLog(new LogStore(':memory:')));
  commands = new Commands(log, new ManualClock());
});

/** A revision with more chunks than fit into one event or one append. */
function content(chunkCount: number, word: string): Content {
  const texts = Array.from({ length: chunkCount }, (_, n) => `${n} ${word.repeat(400)}`);
  let end = 0;
  const chunks = texts.map((text, n): Chunk => {
    const start = end === 0 ? 0 : end + 2;
    end = start + text.length;
    return chunkOf(start, end, { chunk_index: String(n) });
  });
  return {
    ...statedFacts({ title: 'Law', content_hash: word }),
    key: 'law',
    text: texts.join('\n\n'),
    chunks,
  };
}

const write = (of: Content) =>
  new RevisionWriter({ commands, embedder: null, extractor: null }, cause).write(
    { doc_id: 7, isNew: false },
    'c',
    of,
    origin,
  );
const withdraw = () => commands.document(7).execute({ type: 'Withdraw', reason: null }, cause);
const restore = () => restoreDocument({ log, commands, embedder: null, extractor: null }, 7, cause);

/** The contents of a revision's events, except for its number. */
async function written(revision: number) {
  const events = (await log.readStream('document-7')).filter(
    ({ data }) => 'revision' in data && data.revision === revision,
  );
  return events.map(({ type, data }) => ({ type, ...data, revision: null }));
}

test('restores the last visible content: text, chunks and their source', async () => {
  await write(content(3, 'old '));
  await write(content(300, 'new '));
  await withdraw();
  expect(await restore()).toBe(await log.head());
  const [before, after] = [await written(2), await written(3)];
  expect(before.length).toBeGreaterThan(5);
  const restored = { restored_from: 2 };
  expect(after).toEqual([
    { ...before[0], ...restored },
    ...before.slice(1, -2),
    { ...before.at(-2), ...restored, replaces: null },
  ]);
});

test('leaves a visible document unchanged, even if restored concurrently', async () => {
  await write(content(1, 'one '));
  const head = await log.head();
  expect(await restore()).toBeNull();
  expect(await log.head()).toBe(head);
  await withdraw();
  const positions = await Promise.all([restore(), restore(), restore()]);
  expect(positions.filter((position) => position !== null)).toHaveLength(1);
  expect((await commands.document(7).load()).visible?.revision).toBe(2);
});

test('cannot restore a document that was never published', async () => {
  const { key: _, text: __, chunks: ___, ...facts } = content(1, 'one ');
  await commands
    .document(7)
    .execute(
      { type: 'StartRevision', facts: { doc_id: 7, corpus_id: 'c', doc_key: 'law', ...facts }, ...origin },
      cause,
    );
  await withdraw();
  await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
});
