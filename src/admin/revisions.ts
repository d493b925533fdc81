/** The revisions of a document, read from its stream, which contains all of them in full. */
import { type Static, Type } from 'typebox';
import { factsOf } from '../domain/document.ts';
import type { Chunk } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import { reply } from '../http/operation.ts';
import type { RecordedEvent } from '../ports/event-log.ts';
import {
  asOf,
  Count,
  Lang,
  type Listed,
  listOf,
  NullableText,
  orNull,
  type Page,
  pageOf,
  record,
  Time,
  wholePage,
} from '../schema.ts';
import { type AdministrationDeps, documentEvents } from './context.ts';
import { charactersMax, shownText, TextChunk } from './document-text.ts';
import { DocIdPath } from './documents.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';

export const RevisionsQuery = Type.Object({ ...wholePage, ...asOf });
export const RevisionPath = Type.Object({
  ...DocIdPath.properties,
  revision: Type.Integer({ minimum: 1, maximum: 2 ** 31 }),
});
export const RevisionQuery = Type.Object({ ...asOf });

const revision = {
  revision: Type.Integer(),
  content_hash: Type.String({ description: 'SHA-256 of text and metadata.' }),
  ingested_at: Time,
  ingested_by: NullableText,
  title: Type.String(),
  lang: Lang,
  layer: Type.String(),
  event_date: NullableText,
  edition: orNull(Type.String({ description: 'The edition date stated in the text.' })),
  characters: Count,
  chunk_count: Count,
  restored_from: orNull(
    Type.Integer({ description: 'The revision whose content was restored by this one after a withdrawal.' }),
  ),
  visible: Type.Boolean({ description: 'Whether it is used to answer questions.' }),
  withdrawn_at: orNull(
    Type.String({
      format: 'date-time',
      description: 'When the document was withdrawn while this revision was visible.',
    }),
  ),
};
export const Revision = record('Revision', revision);
export type Revision = Static<typeof Revision>;
export const RevisionList = listOf(Revision);

export const RevisionText = record('RevisionText', {
  ...revision,
  text: Type.String({
    description: `The text, limited to the first ${charactersMax.toLocaleString('en')} characters.`,
  }),
  chunks: Type.Array(TextChunk, { description: 'The chunks of this text, in order.' }),
});
export type RevisionText = Static<typeof RevisionText>;

export function revisions({ log }: Pick<AdministrationDeps, 'log'>) {
  /** Adds the text and chunks of the revision `wanted` to `read`. */
  async function published(docId: number, wanted: number | null, read: Read): Promise<Revision[]> {
    const found: Revision[] = [];
    let isKnown = false;
    for await (const event of documentEvents(log, docId)) {
      isKnown = true;
      if (event.type === 'ChunksAdded' && event.data.revision === wanted) {
        read.text += event.data.text;
        read.chunks.push(...event.data.chunks);
      } else if (event.type === 'RevisionPublished') {
        for (const one of found) one.visible = false;
        found.push(revisionOf(event));
      } else if (event.type === 'DocumentWithdrawn') {
        const last = found.at(-1);
        if (last) Object.assign(last, { visible: false, withdrawn_at: event.time });
      }
    }
    if (!isKnown) throw new Failure('not_found', `There is no document ${docId}.`);
    return found;
  }

  return {
    /** The published revisions of a document, newest first. Fails with `not_found` for an unknown document. */
    async revisions(docId: number, { limit, offset }: Page): Promise<Listed<Revision>> {
      const all = (await published(docId, null, nothingRead())).reverse();
      return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
    },
    /** A published revision with its text. May fail with `not_found`. */
    async revision(docId: number, wanted: number): Promise<RevisionText> {
      const read = nothingRead();
      const one = (await published(docId, wanted, read)).find((found) => found.revision === wanted);
      if (!one) throw new Failure('not_found', `Document ${docId} has no published revision ${wanted}.`);
      return { ...one, ...shownText(read.text, read.chunks) };
    },
  };
}

interface Read {
  text: string;
  chunks: Chunk[];
}
const nothingRead = (): Read => ({ text: '', chunks: [] });

function revisionOf({ data, time, actor }: Extract<RecordedEvent, { type: 'RevisionPublished' }>): Revision {
  const { revision, content_hash, title, lang, layer, event_date, edition } = factsOf(data);
  return {
    revision,
    content_hash,
    ingested_at: time,
    ingested_by: actor,
    title,
    lang,
    layer: layer.name,
    event_date,
    edition: edition ?? null,
    characters: data.text_length,
    chunk_count: data.chunk_count,
    restored_from: data.restored_from ?? null,
    visible: true,
    withdrawn_at: null,
  };
}

export function revisionRoutes(door: AdminDoor<ReturnType<typeof revisions>>): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/documents/:doc_id/revisions',
    schema: {
      ...operation('admin_revisions', 'The revisions of a document'),
      params: DocIdPath,
      querystring: RevisionsQuery,
      response: { 200: reply('The published revisions, newest first.', RevisionList) },
    },
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).revisions(request.params.doc_id, pageOf(request.query)),
  });

  server.route({
    method: 'GET',
    url: '/admin/api/documents/:doc_id/revisions/:revision',
    schema: {
      ...operation('admin_revision', 'A revision with its text'),
      params: RevisionPath,
      querystring: RevisionQuery,
      response: { 200: reply('The revision.', RevisionText) },
    },
    handler: async (request, reply) => {
      const { doc_id, revision } = request.params;
      return (await adminAt(door, request, reply)).revision(doc_id, revision);
    },
  });
}
