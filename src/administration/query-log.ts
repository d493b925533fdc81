import type { QueryLogEntry, Unanswered } from '../api/query-log.ts';
import type { Listed, Page } from '../api/schema.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, between, equal, type TimeRange, words } from './context.ts';
import { unansweredGroups } from './statistics.ts';

export interface QueryFilters extends Page, TimeRange {
  mode?: string;
  lang?: string;
  has_error?: boolean;
  search?: string;
  corpus_id?: string;
  channel?: string;
  rating?: string;
  key_id?: number;
  /** What was asked since is left out; no matter of the reader's, so it is not recorded as a filter. */
  asOf?: string;
}

export type UnansweredFilters = Pick<QueryFilters, keyof Page | keyof TimeRange | 'lang' | 'corpus_id'>;

export interface QueryLog {
  /** Questions that pass all the filters, newest first. */
  queries(filters: QueryFilters, acting: Acting): Promise<Listed<QueryLogEntry>>;
  /**
   * Questions without an answer and without one since, those of the same words together, most asked first; among the
   * latest of them.
   */
  unanswered(filters: UnansweredFilters, acting: Acting): Promise<Listed<Unanswered>>;
}

/** Unanswered questions are put together among so many of the latest. */
const unansweredLatest = 2000;

export function queryLog({ reads, audit }: Pick<AdministrationDeps, 'reads' | 'audit'>): QueryLog {
  const find = (query: Query) =>
    reads.find('queries', { ...query, orderBy: { field: 'asked_at', descending: true } });

  return {
    async queries({ limit, offset, search, from, before, asOf, ...filters }, acting) {
      await audit.read(acting, 'queries', { search, from, before, ...filters });
      const { items, total } = await find({
        where: equal(filters),
        ...words(search),
        ...between('asked_at', { from, before: before ?? asOf }),
        limit,
        offset,
      });
      return { items: items.map(entryOf), total, limit, offset };
    },

    async unanswered({ limit, offset, from, before, ...filters }, acting) {
      await audit.read(acting, 'unanswered', { from, before, ...filters });
      const { items } = await find({
        where: { ...equal(filters), mode: 'no_answer' },
        ...between('asked_at', { from, before }),
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

/** A record without what only the service itself needs. */
function entryOf({ state: _, deadline: __, has_error: ___, ...entry }: Doc): QueryLogEntry {
  return entry as QueryLogEntry;
}
