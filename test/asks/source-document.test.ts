import { expect, test } from 'vitest';
import { SourceDocuments, type SourceInput } from '../../src/asks/source-document.ts';
import type {
  Chunk,
  CorpusSettings,
  EventType,
  EventTypes,
  Layer,
  RevisionFacts,
} from '../../src/domain/events.ts';
import { Failure } from '../../src/failures.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';
import { chunkOf, factsOf } from '../support/revision.ts';

const time = '2026-11-02T10:00:00.000Z';
const layer: Layer = { name: 'norm', title: null, kind: 'text', visibility: 'public' };
const hidden: Layer = { ...layer, name: 'drafts', visibility: 'restricted' };
const settings: CorpusSettings = {
  title: 'Law',
  description: null,
  languages: ['en'],
  styles: [],
  layers: [layer, hidden],
};

const facts = (revision: number, of: Layer = layer): RevisionFacts =>
  factsOf({
    doc_id: 7,
    doc_key: 'law',
    revision,
    title: 'The law',
    layer: of,
    content_hash: `hash ${revision}`,
  });

const chunk = (start: number, end: number): Chunk => chunkOf(start, end, { chunk_index: String(start) });

const from = { root: null, path: null, input_hash: null };

function event<T extends EventType>(type: T, data: EventTypes[T]) {
  const envelope = { id: 'e', version: 1, time, actor: 'system', correlation_id: 'c', causation_id: null };
  return { ...envelope, type, data, stream: 'document-7', revision: 0, position: '0' } as RecordedEvent;
}

/** A revision written in two batches. */
const written = (revision: number, text: string, of?: Layer): RecordedEvent[] => {
  const batch = { doc_id: 7, corpus_id: 'c', revision };
  const half = Math.ceil(text.length / 2);
  return [
    event('RevisionStarted', { ...facts(revision, of), ...from }),
    event('ChunksAdded', {
      ...batch,
      from: 0,
      text: text.slice(0, half),
      first: 0,
      chunks: [chunk(0, half)],
    }),
    event('ChunksAdded', {
      ...batch,
      from: half,
      text: text.slice(half),
      first: 1,
      chunks: [chunk(half, text.length)],
    }),
  ];
};
const published = (revision: number, of?: Layer) =>
  event('RevisionPublished', {
    ...facts(revision, of),
    ...from,
    chunk_count: 2,
    text_length: 4,
    replaces: null,
  });
const withdrawn = event('DocumentWithdrawn', {
  doc_id: 7,
  corpus_id: 'c',
  doc_key: 'law',
  revision: 1,
  chunk_count: 2,
  reason: null,
});

const two = [...written(1, 'old text'), published(1), ...written(2, 'new text'), published(2)];
const input = { corpus_id: 'c', doc_id: 7 };

/** With a history that counts its reads. */
function over(...all: RecordedEvent[][]) {
  const stream = all.flat();
  const reads: { from: number; limit: number | undefined }[] = [];
  const documents = new SourceDocuments({
    async readStream(name, from = 0, limit) {
      if (name !== 'document-7') return [];
      reads.push({ from, limit });
      return stream.map((one, revision) => ({ ...one, revision })).slice(from, from + (limit ?? Infinity));
    },
  });
  const open = async (wanted: SourceInput, under = settings) => {
    const found = await documents.open(wanted, under);
    if (found?.status !== 'published') return found;
    const { read, ...rest } = found;
    return { ...rest, ...(await read()) };
  };
  return { open, reads, append: (...more: RecordedEvent[]) => stream.push(...more) };
}

test('shows the visible revision with its whole text and metadata, but not how it was ingested', async () => {
  expect(await over(two).open(input)).toEqual({
    status: 'published',
    facts: facts(2),
    layer,
    published_at: time,
    current_revision: 2,
    part: 1,
    parts: 1,
    cited_part: null,
    start: 0,
    text: 'new text',
    chunks: [chunk(0, 4), chunk(4, 8)],
  });
});

test('shows an earlier revision unchanged, with the number of the visible one', async () => {
  expect(await over(two).open({ ...input, revision: 1 })).toMatchObject({
    facts: facts(1),
    text: 'old text',
    current_revision: 2,
  });
});

test('knows neither an unpublished revision nor the document in another corpus', async () => {
  const unfinished = over(two, written(3, 'half a te'));
  expect(await unfinished.open({ ...input, revision: 3 })).toBeNull();
  expect(await unfinished.open(input)).toMatchObject({ text: 'new text' });
  expect(await over(written(1, 'text')).open(input)).toBeNull();
  expect(await over().open(input)).toBeNull();
  expect(await over(two).open({ ...input, doc_id: 8 })).toBeNull();
  expect(await over(two).open({ ...input, corpus_id: 'd' })).toBeNull();
});

test('hides a withdrawn document until it is published again', async () => {
  const document = over(two, [withdrawn]);
  expect(await document.open({ ...input, revision: 1 })).toEqual({ status: 'withdrawn' });
  document.append(...written(3, 'back'), published(3));
  expect(await document.open({ ...input, revision: 1 })).toMatchObject({
    text: 'old text',
    current_revision: 3,
  });
});

test('hides a document if its layer was or is restricted, or no longer exists', async () => {
  const moved = over(written(1, 'text'), [published(1)], written(2, 'more', hidden), [published(2, hidden)]);
  const freed = over(written(1, 'text', hidden), [published(1, hidden)], written(2, 'more'), [published(2)]);
  const restricted = { status: 'restricted' };
  expect(await moved.open(input)).toEqual(restricted);
  expect(await moved.open({ ...input, revision: 1 })).toEqual(restricted);
  expect(await freed.open({ ...input, revision: 1 })).toEqual(restricted);
  expect(await freed.open(input)).toMatchObject({ text: 'more' });
  const closed = { ...settings, layers: [{ ...layer, visibility: 'restricted' as const }] };
  expect(await over(two).open(input, closed)).toEqual(restricted);
  expect(await over(two).open(input, { ...settings, layers: [hidden] })).toEqual(restricted);
  const past = { ...settings, layers: [{ ...layer, kind: 'superseded' as const }] };
  expect(await over(two).open(input, past)).toMatchObject({ layer: { kind: 'superseded' } });
});

/** A revision of `count` batches, each of `length` characters and two chunks. */
function long(revision: number, count: number, length: number): RecordedEvent[] {
  const batches = Array.from({ length: count }, (_, n) => {
    const from = n * length;
    const half = from + length / 2;
    return event('ChunksAdded', {
      doc_id: 7,
      corpus_id: 'c',
      revision,
      from,
      text: String.fromCharCode(97 + n).repeat(length),
      first: 2 * n,
      chunks: [chunk(from, half), chunk(half, from + length)],
    });
  });
  return [event('RevisionStarted', { ...facts(revision), ...from }), ...batches, published(revision)];
}

test('shows a long document in parts of whole batches, and reads each part separately', async () => {
  const { open, reads } = over(long(1, 7, 50_000));
  expect(await open(input)).toMatchObject({
    part: 1,
    parts: 4,
    start: 0,
    text: 'a'.repeat(50_000) + 'b'.repeat(50_000),
  });
  const last = await open({ ...input, part: 4 });
  expect(last).toMatchObject({ part: 4, start: 300_000, text: 'g'.repeat(50_000) });
  expect(await open({ ...input, part: 5 })).toBeNull();
  const cited = await open({ ...input, chunk: '125000' });
  expect(cited).toMatchObject({ part: 2, cited_part: 2, start: 100_000 });
  expect(await open({ ...input, chunk: '125000', part: 1 })).toMatchObject({ part: 1, cited_part: 2 });
  expect(await open({ ...input, chunk: 'none' })).toMatchObject({ part: 1, cited_part: null });
  // Never reads the whole stream in one call.
  expect(Math.max(...reads.map(({ limit }) => limit ?? Infinity))).toBe(4);
});

test('reads events once, and includes events appended since', async () => {
  const document = over(two);
  await document.open(input);
  const before = document.reads.length;
  await document.open(input);
  expect(document.reads.slice(before)).toEqual([{ from: 8, limit: 4 }]);
  document.append(...written(3, 'newest'), published(3));
  expect(await document.open(input)).toMatchObject({ text: 'newest', current_revision: 3 });
});

test('gives simultaneous readers the same result, and processes each event once', async () => {
  const { open } = over(long(1, 7, 50_000));
  const all = await Promise.all([1, 2, 3, 4, 1, 2].map((part) => open({ ...input, part })));
  expect(all.map((one) => one && 'start' in one && [one.start, one.text.length, one.parts])).toEqual([
    [0, 100_000, 4],
    [100_000, 100_000, 4],
    [200_000, 100_000, 4],
    [300_000, 50_000, 4],
    [0, 100_000, 4],
    [100_000, 100_000, 4],
  ]);
});

test('reads a history again after a failure', async () => {
  let broken = true;
  const stream = two.map((one, revision) => ({ ...one, revision }));
  const documents = new SourceDocuments({
    async readStream(_name, from = 0, limit = Infinity) {
      if (broken) throw new Failure('unavailable', 'The history cannot be reached.');
      return stream.slice(from, from + limit);
    },
  });
  await expect(documents.open(input, settings)).rejects.toMatchObject({ code: 'unavailable' });
  broken = false;
  expect(await documents.open(input, settings)).toMatchObject({ current_revision: 2 });
});
