/** The figures of the dashboard, put together from the counters of the read models. */
import { latencyPercentile } from '../../projections/stats.ts';
import type { AskedOften, Stats } from '../api/statistics.ts';
import { questionKey, questionWords } from '../domain/question-key.ts';
import type { ModelReads } from '../ports/model-reads.ts';
import type { Doc, Query } from '../ports/read-models.ts';
import type { Acting } from './acting.ts';
import { type AdministrationDeps, all } from './context.ts';
import { coverageOf } from './embeddings.ts';

/** Days of UTC, both of them in it. */
export interface DayRange {
  from: string;
  to: string;
}

export interface Statistics {
  /** All figures, or those of a range alone; what documents, chunks and keys there are is always told as of now. */
  stats(range: DayRange | null, acting: Acting): Promise<Stats>;
}

const listed = 10;
/** Among so many of the latest, questions of the same words are counted together. */
const latest = 1000;

export function statistics(
  deps: Pick<AdministrationDeps, 'reads' | 'audit' | 'clock' | 'keys' | 'embedder'>,
): Statistics {
  const { reads, audit, clock, keys, embedder } = deps;

  /** Of the latest questions. */
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
    async stats(range, acting) {
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

const days = 30;
const dayMs = 86_400_000;

const numberOf = (doc: Doc | undefined, field: string): number => Number(doc?.[field] ?? 0);
const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 1e4;
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const dayAfter = (day: string): string => dayOf(Date.parse(day) + dayMs);

function* daysOf({ from, to }: DayRange): Generator<string> {
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) yield dayOf(ms);
}

/** `counters`: the records of the collection `stats` by their key. */
export function questionStats(
  counters: ReadonlyMap<string, Doc>,
  now: Date,
  range: DayRange | null = null,
): QuestionStats {
  const today = dayOf(now.getTime());
  const lastDays = (count: number) => ({ from: dayOf(now.getTime() - (count - 1) * dayMs), to: today });
  const by_day = [...daysOf(range ?? lastDays(days))].map((date) => {
    const day = counters.get(`day:${date}`);
    return {
      date,
      questions: numberOf(day, 'asked'),
      errors: numberOf(day, 'failed'),
      unanswered: numberOf(day, 'withheld'),
    };
  });
  const last = (count: number) =>
    [...daysOf(lastDays(count))].reduce((sum, day) => sum + numberOf(counters.get(`day:${day}`), 'asked'), 0);
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
    ratings: { up: numberOf(total, 'rated_up'), down: numberOf(total, 'rated_down') },
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

/** All figures in one record, shaped as a day's. */
function overall(counters: ReadonlyMap<string, Doc>): Doc {
  const kinds = [...counters]
    .filter(([key]) => /^(?:corpus|mode|lang|channel):/.test(key))
    .map(([key, doc]) => [key, numberOf(doc, 'asked')]);
  return { ...counters.get('latency'), ...counters.get('all'), ...Object.fromEntries(kinds) };
}

/** The days of a range added up. */
function summed(counters: ReadonlyMap<string, Doc>, range: DayRange): Doc {
  const total: Record<string, number> = {};
  for (const day of daysOf(range))
    for (const [field, n] of Object.entries(counters.get(`day:${day}`) ?? {}))
      if (typeof n === 'number') total[field] = (total[field] ?? 0) + n;
  return total;
}

const askedOften = (groups: readonly Doc[][]): AskedOften[] =>
  groups.slice(0, listed).map((asked) => ({
    query: String(asked[0]!.query),
    corpus_id: String(asked[0]!.corpus_id),
    count: asked.length,
    last_asked_at: String(asked[0]!.asked_at),
  }));

/** Records of questions to the same corpus in the same words, whatever their case and punctuation; most of them first. */
function groupQuestions(records: readonly Doc[]): Doc[][] {
  const groups = Map.groupBy(
    records.filter(({ forgotten }) => forgotten !== true),
    ({ query, corpus_id }) => `${corpus_id} ${questionWords(String(query))}`,
  );
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/**
 * The same of questions that were not answered, without those that have been answered since: to somebody who asked again,
 * or by the editors. `records`: the latest first.
 */
export async function unansweredGroups(
  reads: Pick<ModelReads, 'getMany'>,
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
