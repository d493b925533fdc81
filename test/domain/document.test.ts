import { describe, expect, it } from 'vitest';
import { document } from '../../src/domain/document.ts';
import type { Chunk, DomainEvent, EventTypes } from '../../src/domain/events.ts';
import { chunkOf, mainLayer, newFacts } from '../support/revision.ts';
import { given } from './decider-spec.ts';

const layer = { ...mainLayer, name: 'norm' };
const facts = (content_hash = 'h1') =>
  newFacts({
    doc_id: 7,
    corpus_id: 'charter',
    doc_key: 'chapter-1',
    title: 'Chapter 1',
    layer,
    content_hash,
  });
const from = { root: '/r', path: 'chapter-1.md', input_hash: 'i1' };
const start = (content_hash = 'h1') =>
  ({ type: 'StartRevision', facts: facts(content_hash), ...from }) as const;

const started = (revision: number, content_hash = 'h1'): DomainEvent => ({
  type: 'RevisionStarted',
  data: { ...facts(content_hash), revision, ...from },
});
const chunk = (chunk_index: string, begin: number, end: number): Chunk =>
  chunkOf(begin, end, { chunk_index });
const added = (
  revision: number,
  rest: Pick<EventTypes['ChunksAdded'], 'from' | 'text' | 'first' | 'chunks'>,
): DomainEvent => ({ type: 'ChunksAdded', data: { doc_id: 7, corpus_id: 'charter', revision, ...rest } });
const published = (
  revision: number,
  rest: Pick<EventTypes['RevisionPublished'], 'chunk_count' | 'text_length' | 'replaces'>,
  content_hash = 'h1',
): DomainEvent => ({
  type: 'RevisionPublished',
  data: { ...facts(content_hash), revision, ...from, ...rest },
});
const abandoned = (revision: number, reason: string, chunk_count = 0): DomainEvent => ({
  type: 'RevisionAbandoned',
  data: { doc_id: 7, corpus_id: 'charter', revision, chunk_count, reason },
});

const text = 'First sentence. ';
const oneBatch = added(1, { from: 0, text, first: 0, chunks: [chunk('001', 0, 15)] });
const firstPublished = published(1, { chunk_count: 1, text_length: 16, replaces: null });
const whole = [started(1), oneBatch, firstPublished];

describe('a revision', () => {
  it('from a file with another name can be rejected, but not from the same name in another folder', () => {
    const other = { ...start('h2'), path: 'notes/chapter-1.txt', sameFileOnly: true };
    given(document, ...whole)
      .when(other)
      .fails('conflict');
    for (const may of [
      { ...other, sameFileOnly: false },
      { ...other, path: 'notes/chapter-1.md' },
    ])
      given(document, ...whole)
        .when(may)
        .then({ type: 'RevisionStarted', data: { ...facts('h2'), revision: 2, ...from, path: may.path } });
  });

  it('gets its vectors while it is being written', () => {
    const embeddings = { embedder: 'e', dimension: 2, first: 0, count: 1, vectors: null };
    given(document, started(1), oneBatch)
      .when({ type: 'Embed', revision: 1, embeddings })
      .then({
        type: 'ChunksEmbedded',
        data: { doc_id: 7, corpus_id: 'charter', revision: 1, ...embeddings, job_id: null },
      });
    given(document, ...whole)
      .when({ type: 'Embed', revision: 1, embeddings })
      .fails('conflict');
  });

  it('gets the entities found by a model while it is being written, only for existing chunks', () => {
    const mentions = [{ kind: 'place' as const, text: 'First', start: 0, end: 5 }];
    const said = { ordinal: 0, lang: 'en' as const, mentions };
    const extract = { type: 'Extract' as const, revision: 1, model: 'm', chunks: [said] };
    given(document, started(1), oneBatch)
      .when({ ...extract, chunks: [said, { ...said, ordinal: 1 }, { ...said, mentions: [] }] })
      .then({
        type: 'EntitiesExtracted',
        data: { doc_id: 7, corpus_id: 'charter', revision: 1, model: 'm', chunks: [said] },
      });
    given(document, started(1), oneBatch)
      .when({ ...extract, chunks: [] })
      .then();
    given(document, ...whole)
      .when(extract)
      .fails('conflict');
  });

  it('is started, filled in batches with their positions, and published with its counts', () => {
    given(document).when(start()).then(started(1));
    given(document, started(1))
      .when({ type: 'AddChunks', revision: 1, batch: { text, chunks: [chunk('001', 0, 15)] } })
      .then(oneBatch);
    given(document, started(1), oneBatch)
      .when({ type: 'AddChunks', revision: 1, batch: { text: 'Second.', chunks: [chunk('002', 16, 23)] } })
      .then(added(1, { from: 16, text: 'Second.', first: 1, chunks: [chunk('002', 16, 23)] }));
    given(document, started(1), oneBatch).when({ type: 'Publish', revision: 1 }).then(firstPublished);
  });

  it('is not started if the visible one has the same content', () => {
    given(document, ...whole)
      .when(start())
      .then();
  });

  it('replaces the visible one and names it', () => {
    given(document, ...whole)
      .when(start('h2'))
      .then(started(2, 'h2'));
    given(document, ...whole, started(2, 'h2'))
      .when({ type: 'Publish', revision: 2 })
      .then(
        published(2, { chunk_count: 0, text_length: 0, replaces: { revision: 1, chunk_count: 1 } }, 'h2'),
      );
  });

  it('replaces an unfinished one, whose writer stops on a conflict', () => {
    const taken = [started(1), abandoned(1, 'A newer ingestion replaced it.'), started(2)];
    given(document, started(1))
      .when(start())
      .then(...taken.slice(1));
    given(document, ...taken)
      .when({ type: 'AddChunks', revision: 1, batch: { text, chunks: [] } })
      .fails('conflict');
    given(document, ...taken)
      .when({ type: 'Publish', revision: 1 })
      .fails('conflict');
    given(document, ...taken)
      .when({ type: 'Abandon', revision: 1, reason: 'late' })
      .then();
  });

  it('never reuses the number of an abandoned one', () => {
    given(document, started(1), oneBatch, abandoned(1, 'x'), started(2))
      .when({ type: 'Publish', revision: 2 })
      .then(published(2, { chunk_count: 0, text_length: 0, replaces: null }));
  });

  it('is abandoned once, with a reason', () => {
    given(document, started(1))
      .when({ type: 'Abandon', revision: 1, reason: 'broken' })
      .then(abandoned(1, 'broken'));
    given(document, started(1), abandoned(1, 'broken'))
      .when({ type: 'Abandon', revision: 1, reason: 'again' })
      .then();
    given(document, ...whole)
      .when({ type: 'Abandon', revision: 1, reason: 'too late' })
      .then();
  });

  it('must be open to be written', () => {
    given(document)
      .when({ type: 'AddChunks', revision: 1, batch: { text, chunks: [] } })
      .fails('conflict');
    given(document).when({ type: 'Publish', revision: 1 }).fails('conflict');
    given(document, ...whole)
      .when({ type: 'Publish', revision: 1 })
      .fails('conflict');
  });
});

describe('withdrawing', () => {
  const withdrawn: DomainEvent = {
    type: 'DocumentWithdrawn',
    data: {
      doc_id: 7,
      corpus_id: 'charter',
      doc_key: 'chapter-1',
      revision: 1,
      chunk_count: 1,
      reason: 'gone',
    },
  };

  it('hides a visible document once', () => {
    given(document, ...whole)
      .when({ type: 'Withdraw', reason: 'gone' })
      .then(withdrawn);
    given(document, ...whole, withdrawn)
      .when({ type: 'Withdraw', reason: 'gone' })
      .then();
    given(document).when({ type: 'Withdraw', reason: null }).then();
  });

  it('also stops a revision that is being written', () => {
    given(document, ...whole, started(2, 'h2'))
      .when({ type: 'Withdraw', reason: 'gone' })
      .then(abandoned(2, 'The document was withdrawn.'), withdrawn);
    given(document, started(1))
      .when({ type: 'Withdraw', reason: 'gone' })
      .then(abandoned(1, 'The document was withdrawn.'));
  });

  it('allows its last revision to be restored once', () => {
    const restore = { ...start(), restored_from: 1 };
    const data = { ...facts(), revision: 2, ...from, restored_from: 1 };
    const restarted: DomainEvent = { type: 'RevisionStarted', data };
    given(document, ...whole, withdrawn)
      .when(restore)
      .then(restarted);
    given(document, ...whole, withdrawn, restarted)
      .when({ type: 'Publish', revision: 2 })
      .then({ type: 'RevisionPublished', data: { ...data, chunk_count: 0, text_length: 0, replaces: null } });
    given(document, ...whole)
      .when(restore)
      .fails('conflict');
  });

  it('allows the same content to return as a new revision', () => {
    given(document, ...whole, withdrawn)
      .when(start())
      .then(started(2));
    given(document, ...whole, withdrawn, started(2))
      .when({ type: 'Publish', revision: 2 })
      .then(published(2, { chunk_count: 0, text_length: 0, replaces: null }));
  });
});

it('events of other streams leave the state unchanged', () => {
  const { state } = given(document, { type: 'CorpusActivated', data: { corpus_id: 'charter' } });
  expect(state).toEqual(document.initial);
});
