/** The dashboard figures, calculated from the counters of the read models. */
import { type Static, Type } from 'typebox';
import { latencyPercentile } from '../../projections/stats.ts';
import type { Acting } from '../access/logins.ts';
import { questionKey, questionWords } from '../domain/question-key.ts';
import { actingIn } from '../http/auth.ts';
import { reply } from '../http/operation.ts';
import type { ReadModelReads } from '../ports/read-model-reads.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import { asOf, Count, Counts, filter, orNull, record, Share, Time } from '../schema.ts';
import { type AdministrationDeps, all } from './context.ts';
import { type AdminDoor, adminAt, operation } from './door.ts';
import { Coverage, coverageOf } from './embeddings.ts';
import { type DayRange, dayAfter, daysOf, lastDays, rangeOf } from './range.ts';

export const AskedOften = record('AskedOften', {
  query: Type.String(),
  corpus_id: Type.String(),
  count: Count,
  last_asked_at: Time,
});
export type AskedOften = Static<typeof AskedOften>;

export const StatsQuery = Type.Object({
  ...asOf,
  from: filter(
    'Only figures from this day on (YYYY-MM-DD, UTC). Default: the range covers the 30 days up to `to`.',
  ),
  to: filter('Only figures up to and including this day. Default: today. A range has at most 366 days.'),
});

export const Stats = record('Stats', {
  range: orNull(
    Type.Object(
      { from: Type.String(), to: Type.String(), questions: Count },
      {
        description:
          'The days covered, and the number of questions asked on them; null if all days are covered.',
      },
    ),
  ),
  questions: Type.Object({ today: Count, last_7_days: Count, last_30_days: Count, all: Count }),
  by_day: Type.Array(
    Type.Object({ date: Type.String(), questions: Count, errors: Count, unanswered: Count }),
    {
      description:
        'The days of the range (UTC), or the last 30 days; oldest first, including days without questions.',
    },
  ),
  by_corpus: Counts('Questions by corpus.'),
  by_mode: Counts('Questions by mode.'),
  by_lang: Counts('Questions by language.'),
  by_channel: Counts('Questions by channel.'),
  error_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Share of all questions that have ended.' }),
  cache_hit_rate: Share,
  abstention_rate: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the questions that were either answered or refused for lack of evidence.',
  }),
  latency_ms: Type.Object({
    p50: orNull(Type.Integer()),
    p95: orNull(Type.Integer()),
    p99: orNull(Type.Integer()),
  }),
  ratings: Type.Object({ up: Type.Integer(), down: Type.Integer() }),
  help: Type.Object(
    { requested: Count, resolved: Count },
    { description: 'Questions for which people in chats were asked for help.' },
  ),
  models: Type.Object(
    {
      chats: Count,
      embeds: Count,
      reranks: Count,
      input_tokens: Count,
      output_tokens: Count,
      embed_tokens: Count,
      search_units: Count,
      cost_usd: Type.Number({ minimum: 0, description: 'At the prices configured at the time.' }),
    },
    { description: 'Calls to language models and their cost, including ingestion and backfills.' },
  ),
  most_asked: Type.Array(AskedOften),
  unanswered: Type.Array(AskedOften, {
    description: 'From the latest unanswered questions, most frequent first.',
  }),
  documents: Count,
  chunks: Count,
  embeddings: Coverage,
  active_keys: Count,
});
export type Stats = Static<typeof Stats>;

const listed = 10;
/** Number of latest questions among which those with the same words are counted together. */
const latest = 1000;

export function statistics(
  deps: Pick<AdministrationDeps, 'reads' | 'audit' | 'clock' | 'keys' | 'embedder'>,
) {
  const { reads, audit, clock, keys, embedder } = deps;

  /** The latest questions. */
  const latestOnes = async (range: DayRange | null, where: Query['where'] = {}): Promise<Doc[]> => {
    const { items } = await reads.find('queries', {
      where,
      ...(range && { between: { field: 'asked_at', from: range.from, before: dayAfter(range.to) } }),
      orderBy: { field: 'asked_at', descending: true },
      limit: latest,
    });
    return items;
  };

  async function mostAsked(): Promise<AskedOften[]> {
    const orderBy = { field: 'count', descending: true };
    const { items } = await reads.find('asked', { orderBy, limit: listed });
    return items.map(({ query, corpus_id, count, last_asked_at }) => ({
      query: String(query),
      corpus_id: String(corpus_id),
      count: Number(count),
      last_asked_at: String(last_asked_at),
    }));
  }

  return {
    /** All figures, or those for a date range. The numbers of documents, chunks and keys are always current. */
    async stats(range: DayRange | null, acting: Acting): Promise<Stats> {
      await audit.read(acting, 'stats', range ? { ...range } : {});
      const [counters, corpora, most_asked, unanswered, covered] = await Promise.all([
        all(deps, 'stats'),
        all(deps, 'corpora'),
        range === null ? mostAsked() : latestOnes(range).then(groupQuestions).then(askedOften),
        latestOnes(range, { mode: 'no_answer' })
          .then((items) => unansweredGroups(reads, items))
          .then(askedOften),
        reads.coverage(embedder?.name ?? ''),
      ]);
      const sum = (field: string) => corpora.reduce((n, doc) => n + Number(doc[field] ?? 0), 0);
      const byKey = new Map(counters.map((one) => [String(one.counter ?? ''), one]));
      return {
        ...questionStats(byKey, clock.now(), range),
        most_asked,
        unanswered,
        documents: sum('document_count'),
        chunks: sum('chunk_count'),
        embeddings: coverageOf(covered),
        active_keys: keys.list().filter(({ revoked_at }) => revoked_at === null).length,
      };
    },
  };
}

type QuestionStats = Omit<
  Stats,
  'most_asked' | 'unanswered' | 'documents' | 'chunks' | 'embeddings' | 'active_keys'
>;

const numberOf = (doc: Doc | undefined, field: string): number => Number(doc?.[field] ?? 0);
const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 1e4;

/** `counters` contains the records of the collection `stats`, by key. */
export function questionStats(
  counters: ReadonlyMap<string, Doc>,
  now: Date,
  range: DayRange | null = null,
): QuestionStats {
  const lastOf = (count?: number) => lastDays(now.getTime(), count);
  const by_day = [...daysOf(range ?? lastOf())].map((date) => {
    const day = counters.get(`day:${date}`);
    return {
      date,
      questions: numberOf(day, 'asked'),
      errors: numberOf(day, 'failed'),
      unanswered: numberOf(day, 'withheld'),
    };
  });
  const last = (count: number) =>
    [...daysOf(lastOf(count))].reduce((sum, day) => sum + numberOf(counters.get(`day:${day}`), 'asked'), 0);
  const total = range === null ? overall(counters) : summed(counters, range);
  const by = (kind: string) =>
    Object.fromEntries(
      Object.keys(total)
        .filter((field) => field.startsWith(`${kind}:`))
        .map((field) => [field.slice(kind.length + 1), numberOf(total, field)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  const answered = numberOf(total, 'answered') + numberOf(total, 'withheld');
  return {
    range: range && { ...range, questions: numberOf(total, 'asked') },
    questions: {
      today: last(1),
      last_7_days: last(7),
      last_30_days: last(30),
      all: numberOf(counters.get('all'), 'asked'),
    },
    by_day,
    by_corpus: by('corpus'),
    by_mode: by('mode'),
    by_lang: by('lang'),
    by_channel: by('channel'),
    error_rate: share(numberOf(total, 'failed'), numberOf(total, 'asked')),
    cache_hit_rate: share(numberOf(total, 'cached'), answered),
    abstention_rate: share(numberOf(total, 'withheld'), answered),
    latency_ms: {
      p50: latencyPercentile(total, 0.5),
      p95: latencyPercentile(total, 0.95),
      p99: latencyPercentile(total, 0.99),
    },
    ratings: {
      up: Math.max(0, numberOf(total, 'rated_up')),
      down: Math.max(0, numberOf(total, 'rated_down')),
    },
    help: { requested: numberOf(total, 'help_requested'), resolved: numberOf(total, 'help_resolved') },
    models: {
      chats: numberOf(total, 'chats'),
      embeds: numberOf(total, 'embeds'),
      reranks: numberOf(total, 'reranks'),
      input_tokens: numberOf(total, 'input_tokens'),
      output_tokens: numberOf(total, 'output_tokens'),
      embed_tokens: numberOf(total, 'embed_tokens'),
      search_units: numberOf(total, 'search_units'),
      cost_usd: numberOf(total, 'cost_micro_usd') / 1e6,
    },
  };
}

/** The totals in a single record, in the format of a day's record. */
function overall(counters: ReadonlyMap<string, Doc>): Doc {
  const kinds = [...counters]
    .filter(([key]) => /^(?:corpus|mode|lang|channel):/.test(key))
    .map(([key, doc]) => [key, numberOf(doc, 'asked')]);
  return { ...counters.get('latency'), ...counters.get('all'), ...Object.fromEntries(kinds) };
}

/** The sum over the days of a range. */
function summed(counters: ReadonlyMap<string, Doc>, range: DayRange): Doc {
  const total: Record<string, number> = {};
  for (const day of daysOf(range))
    for (const [field, n] of Object.entries(counters.get(`day:${day}`) ?? {}))
      if (typeof n === 'number') total[field] = (total[field] ?? 0) + n;
  return total;
}

const askedOften = (groups: readonly Doc[][]): AskedOften[] =>
  groups
    .slice(0, listed)
    .map((asked) => ({
      query: String(asked[0]!.query),
      corpus_id: String(asked[0]!.corpus_id),
      count: asked.length,
      last_asked_at: String(asked[0]!.asked_at),
    }));

/** Groups questions to the same corpus with the same words, ignoring case and punctuation; largest group first. */
function groupQuestions(records: readonly Doc[]): Doc[][] {
  const groups = Map.groupBy(
    records.filter(({ forgotten }) => forgotten !== true),
    ({ query, corpus_id }) => `${corpus_id} ${questionWords(String(query))}`,
  );
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/**
 * The same for unanswered questions, excluding those that were answered later, for another asker or by the editors.
 * `records` are sorted with the latest first.
 */
export async function unansweredGroups(
  reads: Pick<ReadModelReads, 'getMany'>,
  records: readonly Doc[],
): Promise<Doc[][]> {
  const groups = groupQuestions(records);
  const keys = groups.map(([last]) => questionKey(String(last!.corpus_id), String(last!.query)));
  const answers = await reads.getMany('answered', keys);
  return groups
    .map((asked, n) => {
      const answeredAt = answers[n]?.answered_at;
      return answeredAt === undefined
        ? asked
        : asked.filter(({ asked_at }) => String(asked_at) > String(answeredAt));
    })
    .filter((asked) => asked.length > 0)
    .sort((a, b) => b.length - a.length);
}

export function statisticsRoutes(door: AdminDoor<ReturnType<typeof statistics>>): void {
  const { server } = door;
  server.route({
    method: 'GET',
    url: '/admin/api/stats',
    schema: {
      ...operation('admin_stats', 'Dashboard statistics'),
      querystring: StatsQuery,
      response: { 200: reply('The figures.', Stats) },
    },
    handler: async (request, reply) =>
      (await adminAt(door, request, reply)).stats(rangeOf(request.query), actingIn(request)),
  });
}
