/** The revisions of a document. At most one is being written and at most one is visible; both remain in the history. */
import { Failure } from '../failures.ts';
import type { Decider } from './decider.ts';
import type { DomainEvent, EventTypes, ExtractedChunk, RevisionFacts, RevisionOrigin } from './events.ts';

export interface DocumentState {
  lastRevision: number;
  /** The revision being written, with the length of its text and the number of its chunks so far. */
  open: { revision: number; facts: EventTypes['RevisionStarted']; length: number; chunks: number } | null;
  visible: Pick<
    EventTypes['RevisionPublished'],
    'doc_id' | 'corpus_id' | 'doc_key' | 'revision' | 'content_hash' | 'chunk_count' | 'path'
  > | null;
}

export type ChunkBatch = Pick<EventTypes['ChunksAdded'], 'text' | 'chunks'>;
export type EmbeddingBatch = Pick<
  EventTypes['ChunksEmbedded'],
  'embedder' | 'dimension' | 'first' | 'count' | 'vectors'
>;

export type DocumentCommand =
  /**
   * Starts a revision and abandons any unfinished one. Does nothing if the visible revision has the same content. Fails
   * with `conflict` if a revision is to be restored while one is visible, or if `sameFileOnly` is set and the visible
   * revision came from a file with a different name.
   */
  | ({
      type: 'StartRevision';
      facts: Omit<RevisionFacts, 'revision'>;
      sameFileOnly?: boolean;
    } & RevisionOrigin)
  | { type: 'AddChunks'; revision: number; batch: ChunkBatch }
  /** Adds vectors for chunks of the revision being written, so that they exist when it becomes visible. */
  | { type: 'Embed'; revision: number; embeddings: EmbeddingBatch }
  /** Adds the names that a model found in chunks of the revision being written. */
  | { type: 'Extract'; revision: number; model: string; chunks: ExtractedChunk[] }
  | { type: 'Publish'; revision: number }
  | { type: 'Abandon'; revision: number; reason: string }
  | { type: 'Withdraw'; reason: string | null };

export const document: Decider<DocumentState, DocumentCommand> = {
  initial: { lastRevision: 0, open: null, visible: null },

  evolve(state, event) {
    switch (event.type) {
      case 'RevisionStarted': {
        const { revision } = event.data;
        return {
          ...state,
          lastRevision: revision,
          open: { revision, facts: event.data, length: 0, chunks: 0 },
        };
      }
      case 'ChunksAdded': {
        const { open } = state;
        if (open === null) return state;
        return {
          ...state,
          open: {
            ...open,
            length: open.length + event.data.text.length,
            chunks: open.chunks + event.data.chunks.length,
          },
        };
      }
      case 'RevisionPublished': {
        const { doc_id, corpus_id, doc_key, revision, content_hash, chunk_count, path } = event.data;
        return {
          ...state,
          open: null,
          visible: { doc_id, corpus_id, doc_key, revision, content_hash, chunk_count, path },
        };
      }
      case 'RevisionAbandoned':
        return { ...state, open: null };
      case 'DocumentWithdrawn':
        return { ...state, visible: null };
      default:
        return state;
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'StartRevision':
        return start(command, state);
      case 'AddChunks': {
        const { facts, length, chunks } = openRevision(state, command.revision);
        const { text, chunks: added } = command.batch;
        const { doc_id, corpus_id } = facts;
        return [
          {
            type: 'ChunksAdded',
            data: {
              doc_id,
              corpus_id,
              revision: command.revision,
              from: length,
              text,
              first: chunks,
              chunks: added,
            },
          },
        ];
      }
      case 'Embed': {
        const { revision, embeddings } = command;
        const { doc_id, corpus_id } = openRevision(state, revision).facts;
        return [
          { type: 'ChunksEmbedded', data: { doc_id, corpus_id, revision, ...embeddings, job_id: null } },
        ];
      }
      case 'Extract': {
        const { revision, model, chunks } = command;
        const open = openRevision(state, revision);
        const { doc_id, corpus_id } = open.facts;
        const known = chunks.filter(({ ordinal, mentions }) => ordinal < open.chunks && mentions.length > 0);
        if (known.length === 0) return [];
        return [{ type: 'EntitiesExtracted', data: { doc_id, corpus_id, revision, model, chunks: known } }];
      }
      case 'Publish': {
        const { facts, length, chunks } = openRevision(state, command.revision);
        const replaces = state.visible && {
          revision: state.visible.revision,
          chunk_count: state.visible.chunk_count,
        };
        return [
          {
            type: 'RevisionPublished',
            data: { ...facts, chunk_count: chunks, text_length: length, replaces },
          },
        ];
      }
      case 'Abandon':
        return state.open?.revision === command.revision ? [abandoned(state.open, command.reason)] : [];
      case 'Withdraw': {
        // If no revision is visible yet, writing simply stops.
        if (state.visible === null)
          return state.open === null ? [] : [abandoned(state.open, 'The document was withdrawn.')];
        const { doc_id, corpus_id, doc_key, revision, chunk_count } = state.visible;
        const events: DomainEvent[] =
          state.open === null ? [] : [abandoned(state.open, 'The document was withdrawn.')];
        events.push({
          type: 'DocumentWithdrawn',
          data: { doc_id, corpus_id, doc_key, revision, chunk_count, reason: command.reason },
        });
        return events;
      }
    }
  },
};

/** What a revision states about itself, excluding its origin. */
export function factsOf(
  data: EventTypes['RevisionStarted'] | EventTypes['RevisionPublished'],
): RevisionFacts {
  const { doc_id, corpus_id, doc_key, revision, title, lang, layer } = data;
  const { url, source_url, event_date, edition, metadata, content_hash } = data;
  return {
    doc_id,
    corpus_id,
    doc_key,
    revision,
    title,
    lang,
    layer,
    url,
    source_url,
    event_date,
    metadata,
    content_hash,
    ...(edition !== undefined && { edition }),
  };
}

type OpenRevision = NonNullable<DocumentState['open']>;

function start(
  command: Extract<DocumentCommand, { type: 'StartRevision' }>,
  state: DocumentState,
): DomainEvent[] {
  const { type: _, facts, sameFileOnly = false, ...origin } = command;
  if (origin.restored_from !== undefined && state.visible !== null)
    throw new Failure('conflict', 'Another request has already published the document.');
  if (state.visible?.content_hash === facts.content_hash) return [];
  const from = otherFile(state, origin.path ?? '');
  if (sameFileOnly && from !== null)
    throw new Failure(
      'conflict',
      `The document "${facts.doc_key}" came from another file, ${from}: set replace=true to make this its next revision, or choose another doc_key.`,
    );
  const events: DomainEvent[] =
    state.open === null ? [] : [abandoned(state.open, 'A newer ingestion replaced it.')];
  events.push({ type: 'RevisionStarted', data: { ...facts, revision: state.lastRevision + 1, ...origin } });
  return events;
}

/**
 * The path of the file that the visible revision came from, if its name differs from that of `path`; otherwise null.
 */
export function otherFile({ visible }: Pick<DocumentState, 'visible'>, path: string): string | null {
  const from = visible?.path ?? null;
  return from === null || fileName(from) === fileName(path) ? null : from;
}

/** The last part of a path. For files from a folder, the path stored is relative to that folder. */
const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).normalize('NFC');

function abandoned({ revision, facts, chunks }: OpenRevision, reason: string): DomainEvent {
  return {
    type: 'RevisionAbandoned',
    data: { doc_id: facts.doc_id, corpus_id: facts.corpus_id, revision, chunk_count: chunks, reason },
  };
}

/** Returns the revision that is still being written. Fails with `conflict` if another ingestion has replaced it. */
function openRevision(state: DocumentState, revision: number): OpenRevision {
  if (state.open?.revision !== revision) {
    throw new Failure(
      'conflict',
      `Revision ${revision} is no longer being written: another ingestion replaced it.`,
    );
  }
  return state.open;
}
