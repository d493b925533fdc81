import { expect, test } from 'vitest';
import { sourceDocument } from '../../src/asks/source-document.ts';
import type {
  Chunk,
  CorpusSettings,
  EventType,
  EventTypes,
  Layer,
  RevisionFacts,
} from '../../src/domain/events.ts';
import type { RecordedEvent } from '../../src/ports/event-log.ts';

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

const facts = (revision: number, of: Layer = layer): RevisionFacts => ({
  doc_id: 7,
  corpus_id: 'c',
  doc_key: 'law',
  revision,
  title: 'The law',
  lang: 'en',
  layer: of,
  url: null,
  source_url: null,
  event_date: null,
  metadata: {},
  content_hash: `hash ${revision}`,
});

const chunk = (start: number, end: number): Chunk => ({
  chunk_index: String(start),
  heading: '',
  path: [],
  number: null,
  unit: null,
  question: null,
  lang: 'en',
  start,
  end,
});

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

test('the visible revision is told with its whole text and its facts, and nothing of how it came in', () => {
  expect(sourceDocument(two, input, settings)).toEqual({
    status: 'published',
    facts: facts(2),
    published_at: time,
    text: 'new text',
    chunks: [chunk(0, 4), chunk(4, 8)],
    current_revision: 2,
  });
});

test('an earlier revision is told as it was, beside the number of the visible one', () => {
  expect(sourceDocument(two, { ...input, revision: 1 }, settings)).toMatchObject({
    facts: facts(1),
    text: 'old text',
    current_revision: 2,
  });
});

test('a revision that was never published is unknown, and so is the document in another corpus', () => {
  const unfinished = [...two, ...written(3, 'half a te')];
  expect(sourceDocument(unfinished, { ...input, revision: 3 }, settings)).toBeNull();
  expect(sourceDocument(unfinished, input, settings)).toMatchObject({ text: 'new text' });
  expect(sourceDocument(written(1, 'text'), input, settings)).toBeNull();
  expect(sourceDocument([], input, settings)).toBeNull();
  expect(sourceDocument(two, { ...input, corpus_id: 'd' }, settings)).toBeNull();
});

test('of a withdrawn document nothing is told, until it is published again', () => {
  expect(sourceDocument([...two, withdrawn], { ...input, revision: 1 }, settings)).toEqual({
    status: 'withdrawn',
  });
  const again = [...two, withdrawn, ...written(3, 'back'), published(3)];
  expect(sourceDocument(again, { ...input, revision: 1 }, settings)).toMatchObject({
    text: 'old text',
    current_revision: 3,
  });
});

test('of a restricted document nothing is told: by its layer then or now, or by the present settings', () => {
  const moved = [...written(1, 'text'), published(1), ...written(2, 'more', hidden), published(2, hidden)];
  const freed = [...written(1, 'text', hidden), published(1, hidden), ...written(2, 'more'), published(2)];
  const restricted = { status: 'restricted' };
  expect(sourceDocument(moved, input, settings)).toEqual(restricted);
  expect(sourceDocument(moved, { ...input, revision: 1 }, settings)).toEqual(restricted);
  expect(sourceDocument(freed, { ...input, revision: 1 }, settings)).toEqual(restricted);
  expect(sourceDocument(freed, input, settings)).toMatchObject({ text: 'more' });
  const closed = { ...settings, layers: [{ ...layer, visibility: 'restricted' as const }] };
  expect(sourceDocument(two, input, closed)).toEqual(restricted);
});
