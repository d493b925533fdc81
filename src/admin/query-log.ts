/** The query log: questions, who asked them, and their outcomes. */
import { type Static, Type } from 'typebox';
import type { Acting } from '../access/logins.ts';
import { channels } from '../domain/events.ts';
import { actingIn } from '../http/auth.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import {
  asOf,
  Count,
  filter,
  format,
  Lang,
  type Listed,
  listOf,
  Mode,
  NullableText,
  orNull,
  page,
  record,
  Time,
  timeRange,
} from '../schema.ts';
import { type AdministrationDeps, between, equal, words } from './context.ts';
import { replyOrCsv, sendList } from './csv.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';
import { type LogFilters, readLogQuery } from './range.ts';
import { unansweredGroups } from './statistics.ts';

export const QueryLogQuery = Type.Object({
  ...asOf,
  ...page(500),
  mode: filter('Only answers with this mode.'),
  lang: filter('Only questions in this language.'),
  has_error: Type.Optional(
    Type.Boolean({ description: 'true: only questions that ended in an error; false: only the others.' }),
  ),
  search: filter('Words in the question or the answer, compared by stem.'),
  corpus_id: filter('Only questions to this corpus.'),
  channel: filter('Only questions asked through this channel.'),
  rating: filter('Only answers with this rating.'),
  key_id: Type.Optional(Type.Integer({ description: 'Only questions asked with this key.' })),
  ...timeRange,
  ...format,
});

export const UnansweredQuery = Type.Object({
  ...asOf,
  ...page(500),
  lang: filter('Only questions in this language.'),
  corpus_id: filter('Only questions to this corpus.'),
  ...timeRange,
  ...format,
});

export const Unanswered = record(
  'Unanswered',
  {
    query: Type.String({ description: 'The most recent wording.' }),
    corpus_id: Type.String(),
    lang: orNull(Lang),
    count: Count,
    first_asked_at: Time,
    last_asked_at: Time,
    last_request_id: Type.String(),
  },
  {
    description: 'Questions with the same words, ignoring case and punctuation, that have not been answered.',
  },
);
export type Unanswered = Static<typeof Unanswered>;
export const UnansweredList = listOf(Unanswered);

export const QueryLogEntry = record(
  'QueryLogEntry',
  {
    request_id: Type.String(),
    asked_at: Time,
    channel: Type.Enum([...channels]),
    corpus_id: Type.String(),
    query: Type.String(),
    answer: NullableText,
    mode: orNull(Mode),
    lang: orNull(Lang),
    style: NullableText,
    source_refs: Type.Array(Type.String()),
    latency_ms: orNull(Type.Integer()),
    key_id: orNull(Type.Integer()),
    subject: Type.String({ description: 'Opaque name of the asker; used to erase their data.' }),
    forgotten: Type.Boolean({ description: 'Whether question and answer were erased and are blank.' }),
    error: NullableText,
    cached: Type.Boolean(),
    model: NullableText,
    rating: orNull(Type.Enum(['up', 'down']), {
      description: 'The latest rating; rated_up and rated_down count the ratings by all people.',
    }),
    comment: NullableText,
    rated_up: Count,
    rated_down: Count,
  },
  { description: 'While a question is being answered, unknown fields are null.' },
);
export type QueryLogEntry = Static<typeof QueryLogEntry>;
export const QueryLogList = listOf(QueryLogEntry);

/** Number of latest questions considered when grouping unanswered ones. */
const unansweredLatest = 2000;

export function queryLog({ reads, audit }: Pick<AdministrationDeps, 'reads' | 'audit'>) {
  const find = (query: Query) =>
    reads.find('queries', { ...query, orderBy: { field: 'asked_at', descending: true } });

  return {
    /** Questions that match all filters, newest first. */
    async queries(
      { limit, offset, search, from, before, asOf, ...filters }: LogFilters<typeof QueryLogQuery>,
      acting: Acting,
    ): Promise<Listed<QueryLogEntry>> {
      await audit.read(acting, 'queries', { search, from, before, ...filters });
      const { items, total } = await find({
        where: equal(filters),
        ...words(search),
        ...between('asked_at', { from, before, asOf }),
        limit,
        offset,
      });
      return { items: items.map(entryOf), total, limit, offset };
    },

    /**
     * Questions that have not been answered so far, grouped by their words, most asked first. Only the latest questions
     * are considered.
     */
    async unanswered(
      { limit, offset, from, before, asOf, ...filters }: LogFilters<typeof UnansweredQuery>,
      acting: Acting,
    ): Promise<Listed<Unanswered>> {
      await audit.read(acting, 'unanswered', { from, before, ...filters });
      const { items } = await find({
        where: { ...equal(filters), mode: 'no_answer' },
        ...between('asked_at', { from, before, asOf }),
        limit: unansweredLatest,
      });
      const groups = await unansweredGroups(reads, items);
      const page = groups.slice(offset, offset + limit).map((asked): Unanswered => {
        const [last] = asked;
        const { query, corpus_id, lang, asked_at, request_id } = entryOf(last!);
        return {
          query,
          corpus_id,
          lang,
          count: asked.length,
          first_asked_at: String(asked.at(-1)!.asked_at),
          last_asked_at: asked_at,
          last_request_id: request_id,
        };
      });
      return { items: page, total: groups.length, limit, offset };
    },
  };
}

/** A record without the internal fields. */
function entryOf({ state: _, deadline: __, has_error: ___, ...entry }: Doc): QueryLogEntry {
  const { rated_up, rated_down } = entry;
  // If a rating was changed, the first one may have expired.
  return {
    ...entry,
    rated_up: Math.max(0, Number(rated_up)),
    rated_down: Math.max(0, Number(rated_down)),
  } as QueryLogEntry;
}

const logColumns = Object.keys(QueryLogEntry.properties);
const unansweredColumns = Object.keys(Unanswered.properties);

export function queryLogRoutes(door: AdminDoor<ReturnType<typeof queryLog>>): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/queries',
    schema: {
      ...operation('admin_queries', 'The query log'),
      querystring: QueryLogQuery,
      response: { 200: replyOrCsv('Questions, newest first.', QueryLogList, logColumns) },
    },
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      const acting = actingIn(request);
      const table = { name: 'queries', columns: logColumns, asked };
      return sendList(request, reply, table, (page) => admin.queries({ ...filters, ...page }, acting));
    },
  });

  server.route({
    method: 'GET',
    url: '/admin/api/unanswered',
    schema: {
      ...operation('admin_unanswered', 'Unanswered questions, grouped by wording'),
      querystring: UnansweredQuery,
      response: { 200: replyOrCsv('Most asked first.', UnansweredList, unansweredColumns) },
    },
    handler: async (request, reply) => {
      const admin = await adminAt(door, request, reply);
      const { asked, filters } = readLogQuery(request.query);
      const acting = actingIn(request);
      const table = { name: 'unanswered', columns: unansweredColumns, asked };
      return sendList(request, reply, table, (page) => admin.unanswered({ ...filters, ...page }, acting));
    },
  });
}
